package import MediaTime

/// A text and when it is shown, of a subtitle file or track; or a line of data, of a file of them.
package struct TimedCue: Hashable, Codable, Sendable {
    package enum Place: String, Codable, Sendable, CaseIterable { case bottom, middle, top }
    package enum Align: String, Codable, Sendable { case left, center, right }

    /// In the file's own time, from 0; `start` ≤ `end`.
    package var start: MediaTime
    package var end: MediaTime
    /// With `<b>`, `<i>`, `<u>`, `<s>` and `<span color="#rrggbb">` alone, all else escaped as in XML; lines end with
    /// a line feed. Of data: a JSON object.
    package var text: String
    package var place: Place?
    package var align: Align?
    /// When the parts of a text begin that is sung or spoken, each with the number of its first character; empty for
    /// none.
    package var beats: [Beat]?
    /// Of an ASS script: the event, `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`; `text` is then
    /// what it says without most of its looks.
    package var script: String?

    package struct Beat: Hashable, Codable, Sendable {
        package var time: MediaTime
        /// Counts characters of the text without its tags.
        package var character: Int

        package init(time: MediaTime, character: Int) { (self.time, self.character) = (time, character) }
    }

    package init(
        start: MediaTime, end: MediaTime, text: String, place: Place? = nil, align: Align? = nil,
        beats: [Beat]? = nil
    ) {
        (self.start, self.end, self.text) = (start, end, text)
        (self.place, self.align, self.beats) = (place, align, beats)
    }
}

/// What a subtitle file holds, read.
package struct TimedText: Hashable, Codable, Sendable {
    /// How many a file may hold, and how many bytes one may have.
    package static let mostCues = 20_000
    package static let longestCue = 4_000
    /// A larger file is not read.
    package static let mostBytes = 8 << 20

    /// Sorted by their start, then as in the file.
    package var cues: [TimedCue]
    /// What was passed over, for people; a few lines at most.
    package var warnings: [String]
    /// Of an ASS script: all that it says beside its events and fonts, as libass reads it. nil of other files.
    package var header: String?
    /// It brings fonts.
    package var hasFonts: Bool?
    /// SHA-256 of a film's fonts; nil where it brings none.
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
