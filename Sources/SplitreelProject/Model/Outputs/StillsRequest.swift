package import MediaTime

/// The settings of images.
package struct StillsRequest: Hashable, Codable, Sendable {
    /// The moments of the composition of which images are made, in this order, in place of all frames; nil for a film.
    package var times: [MediaTime]?
    /// The number of the first image of a sequence; nil for 1.
    package var startNumber: Int?
    /// The number of times that moving images play; nil and 0 for ever.
    package var loopCount: Int?

    package init() {}
}
