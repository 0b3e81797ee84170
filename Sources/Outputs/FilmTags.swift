package import MediaFacts

/// What a film says of itself beside its picture and sound.
package struct FilmTags: Hashable, Codable, Sendable {
    /// By libavformat's names, such as `title`.
    package var items: [String: String] = [:]
    package var video: Track?
    package var audio: Track?

    /// Of one stream of the film.
    package struct Track: Hashable, Codable, Sendable {
        /// ISO 639-2/T: three letters.
        package var language: String?
        package var name: String?
        /// What it is for; nil where nothing is said.
        package var dispositions: [TrackDisposition]?

        package init(language: String?, name: String?, dispositions: [TrackDisposition]? = nil) {
            (self.language, self.name, self.dispositions) = (language, name, dispositions)
        }
    }

    package init() {}

    package var isEmpty: Bool { self == FilmTags() }
}

extension FilmTags {
    /// Whether its title stands where the name of its sound would: in Ogg both are one comment.
    package func hidesTrackName(in container: Container) -> Bool {
        container == .ogg && items.keys.contains { $0.lowercased() == "title" }
    }
}
