public import MediaTime

/// The settings of images.
public struct StillsRequest: Hashable, Codable, Sendable {
    /// The moments of the composition of which images are made, in this order, in place of all frames; nil for a film.
    public var times: [MediaTime]?
    /// The number of the first image of a sequence; nil for 1.
    public var startNumber: Int?
    /// The number of times that moving images play; nil and 0 for ever.
    public var loopCount: Int?

    public init() {}
}
