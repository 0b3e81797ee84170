package import MediaTime

/// A chapter of the film. Its times are on the film's clock, in seconds from 0; `start` < `end`.
package struct FilmChapter: Hashable, Codable, Sendable {
    package var start: MediaTime
    package var end: MediaTime
    package var title: String

    package init(start: MediaTime, end: MediaTime, title: String) {
        self.start = start
        self.end = end
        self.title = title
    }
}

extension Container {
    package var holdsChapters: Bool { isISO || isMatroska || self == .mp3 }
}
