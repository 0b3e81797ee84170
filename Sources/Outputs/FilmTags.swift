package import MediaFacts

/// The tags that a film has beside its picture and sound.
package struct FilmTags: Hashable, Codable, Sendable {
    /// The texts by libavformat's names, such as `title`.
    package var items: [String: String] = [:]
    package var video: Track?
    package var audio: Track?

    /// The tags of one stream of the film.
    package struct Track: Hashable, Codable, Sendable {
        /// The language: three letters of ISO 639-2/T.
        package var language: String?
        package var name: String?
        /// The purposes of the stream; nil where nothing is said.
        package var dispositions: [TrackDisposition]?

        package init(language: String?, name: String?, dispositions: [TrackDisposition]? = nil) {
            self.language = language
            self.name = name
            self.dispositions = dispositions
        }
    }

    package init() {}

    package var isEmpty: Bool { self == FilmTags() }
}

extension FilmTags {
    /// Whether the film's title stands where the name of its sound would: in Ogg both are one comment.
    package func hidesTrackName(in container: Container) -> Bool {
        container == .ogg && items.keys.contains { $0.lowercased() == "title" }
    }
}
