package import MediaTime
package import Outputs
package import SplitreelProject

/// The chapters that an output asks for, or else the project's, cut to its range; nil for none, and where the container
/// has no place for them.
package func filmChapters(
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

/// Remarks on the chapters that the film will not have.
package func chapterRemarks(of project: Project, _ list: ChapterList?, container: Container) -> [String] {
    guard !container.holdsChapters, !project.chapters(list).isEmpty else { return [] }
    return ["\(container.rawValue) has no place for chapters: they are not written"]
}
