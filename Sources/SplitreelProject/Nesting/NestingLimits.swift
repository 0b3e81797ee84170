import Diagnostics
import MediaTime
import Pictures

/// The limits of nesting: what is shown multiplies with every level.
package enum NestingLimits {
    package static let depth = 16
    /// The most nested compositions in all, each counted as often as it stands in the file.
    package static let projects = 256
    /// The most bytes of all nested files, each counted as often.
    package static let bytes = 64 << 20
    /// The most pictures of a frame, those in nested compositions included.
    package static let pictures = 10_000
    /// The most pixels of the canvases of compositions that stand in one another: all are held at once.
    package static let pixels = 1 << 27
}
