/// The form in which an output is handed over.
public struct DeliveryRequest: Hashable, Codable, Sendable {
    /// The container, where the path's extension does not say it. A text, since one that names no container is refused
    /// by planning.
    public var fileType: String?
    /// The name of a family of settings; whatever else is said goes before it.
    public var preset: String?
    /// Whether the film is in fragments; nil counts as false.
    public var fragmented: Bool?
    /// The file's length in bytes at most.
    public var fileLengthLimit: Int?
    /// The renditions that a stream is offered in; nil for one as it is.
    public var renditions: [RenditionEntry]?
    /// The samples in a bucket of a waveform; nil for 256.
    public var samplesPerBucket: Int?

    public init() {}
}
