import Diagnostics

/// In bytes; longer texts belong into no film's header.
package let longestFilmText = 65_535

extension Validator {
    /// What is written to the film must be able to stand there; all else in `metadata` is free.
    mutating func checkMetadata() {
        checkItems(project.metadata, "metadata")
        if let name = project.name { checkText(name, "name") }
        for (index, track) in project.composition.tracks.enumerated() {
            if let name = track.name { checkText(name, "composition.tracks[\(index)].name") }
            checkLanguage(track.language, "composition.tracks[\(index)].language")
        }
        checkMarkers()
        checkChapters(project.chapters, "chapters")
    }

    mutating func checkItems(_ items: [String: JSONValue]?, _ place: String) {
        for (name, value) in (items ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let text = value.string else { continue }
            let path = "\(place).\(name)"
            checkText(text, path)
            if name == "creationDate", CreationDate(text) == nil {
                error(
                    .valueNotAllowed, path, "`\(text.prefix(60))` is not a date",
                    hint: "write 2026-01-02 or 2026-01-02T03:04:05Z")
            }
            let place = /[+-]\d{2,6}(\.\d+)?[+-]\d{3,7}(\.\d+)?([+-]\d+(\.\d+)?)?(CRS[^\/]*)?\/?/
            if name == "location", text.wholeMatch(of: place) == nil {
                warn(
                    .trackNotWritten, path, "`\(text.prefix(60))` is not a place of ISO 6709: players will not find it",
                    hint: "write latitude and longitude such as +48.1374+011.5755/")
            }
        }
    }

    private mutating func checkText(_ text: String, _ path: String) {
        if text.contains("\0") {
            error(.valueNotAllowed, path, "a film's texts cannot hold a zero character")
        } else if text.utf8.count > longestFilmText {
            warn(
                .trackNotWritten, path, "a film's texts have at most \(longestFilmText) bytes: this one is not written")
        }
    }

    mutating func checkTrackName(_ name: String?, _ path: String) { if let name { checkText(name, path) } }
}
