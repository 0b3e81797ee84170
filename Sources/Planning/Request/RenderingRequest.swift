/// The way in which an output is rendered; its film is the same in any, but for proxies.
package struct RenderingRequest: Hashable, Codable, Sendable {
    /// The longest chunk's length: a time such as `3s`, `none` for one chunk, nil for the default. A text, as is
    /// `soundPartSeconds`: planning refuses others.
    package var chunkSeconds: String?
    /// The length of the parts that a long sound is mixed in: whole seconds, `none` for one part, nil for a length by
    /// its cost.
    package var soundPartSeconds: String?
    /// Whether warnings of the validation count as errors.
    package var strict = false
    /// Whether pictures are read from the assets' proxies.
    package var proxy = false

    package init() {}
}
