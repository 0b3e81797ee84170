import Diagnostics
import MediaTime
import Pictures

/// How far compositions may nest: what is shown multiplies with every level.
package enum NestingLimits {
    package static let depth = 16
    /// Nested compositions in all, each counted as often as it stands in the file.
    package static let projects = 256
    /// Bytes of all nested files, likewise.
    package static let bytes = 64 << 20
    /// Pictures of a frame, those in nested compositions included.
    package static let pictures = 10_000
    /// Pixels of the canvases of compositions that stand in one another: all are held at once.
    package static let pixels = 1 << 27
}
