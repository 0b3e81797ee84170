import Diagnostics
import JSONText
import Outputs
import SplitreelProject

extension Validator {
    /// Checks that the metadata that are written to the film can stand there; all else in `metadata` is free.
    mutating func checkMetadata() {
        checkItems(project.metadata, "metadata", isFree: true)
        if let name = project.name { checkText(name, "name") }
        for (index, track) in project.composition.tracks.enumerated() {
            if let name = track.name { checkText(name, "composition.tracks[\(index)].name") }
            checkLanguage(track.language, "composition.tracks[\(index)].language")
        }
        checkMarkers()
        checkChapters(project.chapters, "chapters")
    }

    mutating func checkItems(_ items: [String: JSONValue]?, _ place: String, isFree: Bool = false) {
        var seen: [String: String] = [:]
        for (name, value) in (items ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let text = value.filmText else {
                checkItemKind(value, name, place, isFree: isFree)
                continue
            }
            guard checkItemName(name, place, isFree: isFree) else { continue }
            let path = "\(place).\(name)"
            if let other = seen[name.filmItemName.lowercased()] {
                let fault = "`\(other)` and `\(name)` are one name to a film"
                if isFree {
                    warn(.trackNotWritten, path, fault + ": this one is not written", hint: "keep one of them")
                } else {
                    error(.usedTwice, path, fault, hint: "keep one of them")
                }
                continue
            }
            seen[name.filmItemName.lowercased()] = name
            checkText(text, path)
            if name.isCreationDate, CreationDate(text) == nil {
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

    /// Notes the problem of a value that no film can hold; null says nothing. A composition's `metadata` may hold any
    /// value under other names than those of a film's items.
    private mutating func checkItemKind(_ value: JSONValue, _ name: String, _ place: String, isFree: Bool) {
        guard value != .null, !isFree || namedFilmItems.contains(name.filmItemName.lowercased()) else { return }
        guard checkItemName(name, place, isFree: isFree) else { return }
        let fault = "a film says texts and numbers, and this is \(value.kindName)"
        let hint = "write \"\(name)\": \"…\""
        if isFree {
            warn(.trackNotWritten, "\(place).\(name)", fault + ": it is not written", hint: hint)
        } else {
            error(.valueNotAllowed, "\(place).\(name)", fault, hint: hint)
        }
    }

    /// Whether a film can hold an item of that name. A composition's `metadata` is free: there it is a warning.
    private mutating func checkItemName(_ name: String, _ place: String, isFree: Bool) -> Bool {
        guard let fault = faultOfFilmItemName(name) else { return true }
        let words = name.unicodeScalars.map { $0.properties.generalCategory == .control ? "�" : String($0) }.joined()
        let path = name.isEmpty ? place : "\(place).\(words.prefix(60))"
        if isFree {
            warn(.trackNotWritten, path, fault + ": this one is not written")
        } else {
            error(.valueNotAllowed, path, fault)
        }
        return false
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
