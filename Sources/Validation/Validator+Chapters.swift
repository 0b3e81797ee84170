import Diagnostics
package import JSONText
import MediaTime
package import SplitreelProject

extension Project {
    /// The problems of what an output says of its film: its metadata, its chapters and its tracks' names.
    package func filmProblems(of output: OutputEntry, at path: String) -> [Problem] {
        var validator = Validator(project: self, facts: nil)
        validator.checkFilmTexts(output, path)
        return validator.problems
    }
}

extension Validator {
    mutating func checkFilmTexts(_ output: OutputEntry, _ path: String) {
        checkItems(output.tags.metadata, path + ".metadata")
        checkChapters(output.tags.chapters, path + ".chapters")
        let (video, audio) = (output.videoSettings, output.audioSettings)
        for (key, language, name) in [
            ("videoSettings", video?.language, video?.name), ("audioSettings", audio?.language, audio?.name),
        ] {
            checkLanguage(language, "\(path).\(key).language")
            checkTrackName(name, "\(path).\(key).name")
        }
        for (index, track) in (output.audioTracks ?? []).enumerated() {
            checkLanguage(track.language, "\(path).audioTracks[\(index)].language")
            checkTrackName(track.name, "\(path).audioTracks[\(index)].name")
        }
    }

    mutating func checkMarkers() {
        let markers = project.composition.markers ?? []
        if markers.count > Chapter.most {
            error(
                .valueNotAllowed, "composition.markers", "\(markers.count) markers, where \(Chapter.most) is the limit")
        }
        var seen: [Rational: Int] = [:]
        for (index, marker) in markers.enumerated() {
            let path = "composition.markers[\(index)]"
            guard let time = checkPlace(marker.time, path + ".time") else { continue }
            checkTrackName(marker.name, path + ".name")
            if let first = seen.updateValue(index, forKey: time) {
                error(.usedTwice, path + ".time", "markers[\(first)] is at \(time.plainTime.text) already")
            }
        }
    }

    /// Checks chapters: they rise, and none begins before the one in front of it ends.
    mutating func checkChapters(_ list: ChapterList?, _ path: String) {
        switch list {
        case nil: return
        case .markers?:
            if project.composition.markers?.isEmpty ?? true {
                error(
                    .valueNotAllowed, path, "the composition has no markers",
                    hint: "list them in `composition.markers`: [{\"time\": \"0s\", \"name\": \"Start\"}]")
            }
        case .listed(let chapters)?:
            if chapters.count > Chapter.most {
                return error(.valueNotAllowed, path, "\(chapters.count) chapters, where \(Chapter.most) is the limit")
            }
            var last: (start: Rational, end: Rational)?
            for (index, chapter) in chapters.enumerated() {
                let place = "\(path)[\(index)]"
                checkTrackName(chapter.title, place + ".title")
                guard let time = checkPlace(chapter.time, place + ".time") else { continue }
                if let last, time <= last.start || time < last.end {
                    error(
                        .valueNotAllowed, place + ".time",
                        "it begins at \(time.plainTime.text), the chapter before it "
                            + "\(time <= last.start ? "begins" : "ends") at "
                            + (time <= last.start ? last.start : last.end).plainTime.text,
                        hint: "chapters follow each other in the order of time, without overlaps")
                }
                var end = time
                if let said = chapter.end {
                    if let exact = said.exact, exact > time {
                        end = exact
                    } else {
                        error(
                            .valueNotAllowed, place + ".end",
                            "\(said.plainText) is not a time after its start, \(time.plainTime.text)",
                            hint: "leave `end` out: it then lasts until the next one begins")
                    }
                }
                last = (time, end)
            }
        }
    }

    /// The time where it lies within the composition; nil, with its problem noted, for another.
    private mutating func checkPlace(_ time: MediaTime, _ path: String) -> Rational? {
        if let exact = time.exact, !exact.isNegative, exact < duration || duration == .zero { return exact }
        error(
            .valueNotAllowed, path,
            "\(time.plainText) is not a time of the composition, which lasts from 0 to \(duration.shortSeconds) s")
        return nil
    }
}
