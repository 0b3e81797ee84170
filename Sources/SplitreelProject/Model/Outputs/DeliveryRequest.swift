/// The form in which an output is handed over.
package struct DeliveryRequest: Hashable, Codable, Sendable {
    /// The container, where the path's extension does not say it. A text, since one that names no container is refused
    /// by planning.
    package var fileType: String?
    /// The name of a family of settings; whatever else is said goes before it.
    package var preset: String?
    /// Whether the film is in fragments; nil counts as false.
    package var fragmented: Bool?
    /// The file's length in bytes at most.
    package var fileLengthLimit: Int?
    /// The renditions that a stream is offered in; nil for one as it is.
    package var renditions: [RenditionEntry]?
    /// The samples in a bucket of a waveform; nil for 256.
    package var samplesPerBucket: Int?

    package init() {}
}
