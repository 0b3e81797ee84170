/// The way in which an output is rendered; its film is the same in any, but for proxies.
package struct RenderingRequest: Hashable, Codable, Sendable {
    /// The longest chunk's length: a time such as `3s`, `none` for one chunk, nil for the default. A text, as is
    /// `soundPartSeconds`: planning refuses others.
    package var chunkSeconds: String?
    /// The length of the parts that a long sound is mixed in: whole seconds, `none` for one part, nil for a length by
    /// its cost.
    package var soundPartSeconds: String?
    /// Whether packets of sources are copied where no edit touches them; nil for `auto`.
    package var passthrough: Passthrough?
    /// Whether warnings of the validation count as errors.
    package var strict = false
    /// Whether pictures are read from the assets' proxies.
    package var proxy = false

    package init() {}

    /// Reads a request, of which anything may be absent.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        chunkSeconds = try values.decodeIfPresent(String.self, forKey: .chunkSeconds)
        soundPartSeconds = try values.decodeIfPresent(String.self, forKey: .soundPartSeconds)
        passthrough = try values.decodeIfPresent(Passthrough.self, forKey: .passthrough)
        strict = try values.decodeIfPresent(Bool.self, forKey: .strict) ?? false
        proxy = try values.decodeIfPresent(Bool.self, forKey: .proxy) ?? false
    }
}

/// Whether packets of sources are copied into a film where no edit touches their frames.
package enum Passthrough: String, Codable, Sendable, CaseIterable {
    /// They are, where the settings ask for nothing that a copy cannot give.
    case auto
    /// Everything is rendered.
    case never
    /// They are, and what is rendered is no more than the rest of groups of pictures at cuts; else planning fails.
    case require
}
