import Foundation
package import JSONText
package import MediaTime

/// A text of a subtitle file or track with the time when it is shown; or a line of a file of data with the time when it
/// holds.
package struct TimedCue: Hashable, Codable, Sendable {
    package enum Place: String, Codable, Sendable, CaseIterable { case bottom, middle, top }
    package enum Align: String, Codable, Sendable { case left, center, right }

    /// The cue's times in the file's own time, in seconds from 0; `start` ≤ `end`.
    package var start: MediaTime
    package var end: MediaTime
    /// The text with `<b>`, `<i>`, `<u>`, `<s>` and `<span color="#rrggbb">` as its only tags, all else escaped as in
    /// XML; lines end with a line feed. A line of data is a JSON object.
    package let text: String
    /// The values of a line of data by their names; nil of words, which are all texts but JSON objects.
    package let values: [String: JSONValue]?
    package var place: Place?
    package var align: Align?
    /// The times when the parts of a sung or spoken text begin, each with the number of the part's first character; nil
    /// for none.
    package var beats: [Beat]?
    /// The event of an ASS script, `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`; `text` is then
    /// what it says without most of its looks. nil for other cues.
    package var script: String?

    /// Whether the cue is data, and no words.
    package var isData: Bool { values != nil }

    package struct Beat: Hashable, Codable, Sendable {
        package var time: MediaTime
        /// The number of the character in the text without its tags, from 0.
        package var character: Int

        package init(time: MediaTime, character: Int) { (self.time, self.character) = (time, character) }
    }

    package init(
        start: MediaTime, end: MediaTime, text: String, place: Place? = nil, align: Align? = nil,
        beats: [Beat]? = nil
    ) {
        self.start = start
        self.end = end
        self.text = text
        values = JSONValue.members(of: Array(text.utf8))
        self.place = place
        self.align = align
        self.beats = beats
    }

    // The values are told by the text.
    private enum CodingKeys: String, CodingKey { case start, end, text, place, align, beats, script }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            start: try container.decode(MediaTime.self, forKey: .start),
            end: try container.decode(MediaTime.self, forKey: .end),
            text: try container.decode(String.self, forKey: .text),
            place: try container.decodeIfPresent(Place.self, forKey: .place),
            align: try container.decodeIfPresent(Align.self, forKey: .align),
            beats: try container.decodeIfPresent([Beat].self, forKey: .beats))
        script = try container.decodeIfPresent(String.self, forKey: .script)
    }
}

extension JSONValue {
    /// The members of bytes that are a JSON object; nil of all others.
    static func members(of bytes: [UInt8]) -> [String: JSONValue]? {
        guard case .object(let members)? = try? JSONValue(parsing: Data(bytes)) else { return nil }
        return members
    }
}

/// The contents of a subtitle file, read.
package struct TimedText: Hashable, Codable, Sendable {
    /// The most cues of a file, and the most bytes of one cue.
    package static let mostCues = 20_000
    package static let longestCue = 4_000
    /// The most bytes of a file that is read.
    package static let mostBytes = 8 << 20

    /// The cues by their starts, those of equal starts as in the file.
    package var cues: [TimedCue]
    /// The notes about what was passed over, for people; a few lines at most.
    package var warnings: [String]
    /// The part of an ASS script beside its events and fonts, as libass reads it; nil for other files.
    package var header: String?
    /// Whether the file brings fonts; nil counts as false.
    package var hasFonts: Bool?
    /// The SHA-256 (hex) of a film's fonts; nil where it brings none.
    package var fontsSum: String?

    package init(cues: [TimedCue], warnings: [String] = []) {
        self.cues = cues.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
        self.warnings = warnings
    }

    /// The cues that are shown at a time, in the order of their starts.
    package func cues(at time: MediaTime) -> [TimedCue] {
        cues.filter { $0.start <= time && time < $0.end }
    }
}
