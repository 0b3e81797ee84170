package import Composition
package import MediaTime

/// A chapter of the film, on the film's clock from 0; `start` < `end`.
package struct FilmChapter: Hashable, Codable, Sendable {
    package var start: MediaTime
    package var end: MediaTime
    package var title: String

    package init(start: MediaTime, end: MediaTime, title: String) {
        (self.start, self.end, self.title) = (start, end, title)
    }
}

/// The chapters that an output asks for, else the project's, cut to its range; nil for none, and where the container
/// has no place for them.
func filmChapters(
    of project: Project, _ list: ChapterList?, container: Container, from start: Rational, duration: Rational
) -> [FilmChapter]? {
    guard container.holdsChapters else { return nil }
    let chapters = project.chapters(list)
    var result: [FilmChapter] = []
    for (index, chapter) in chapters.enumerated() {
        guard chapter.time.isNumeric else { continue }
        let next = index + 1 < chapters.count ? chapters[index + 1].time : .positiveInfinity
        var (first, last) = (Rational(chapter.time) - start, duration)
        for end in [chapter.end, next] { if let end, end.isNumeric { last = min(last, Rational(end) - start) } }
        first = max(.zero, first)
        guard first < last else { continue }
        let title = chapter.title ?? ""
        result.append(
            FilmChapter(
                start: first.mediaTime, end: last.mediaTime, title: title.utf8.count <= longestFilmText ? title : ""))
    }
    return result.isEmpty ? nil : result
}

/// What of the chapters the film will not have.
package func chapterRemarks(of project: Project, _ list: ChapterList?, container: Container) -> [String] {
    guard !container.holdsChapters, !project.chapters(list).isEmpty else { return [] }
    return ["\(container.rawValue) has no place for chapters: they are not written"]
}

extension Container {
    package var holdsChapters: Bool { isISO || isMatroska || self == .mp3 }
}
