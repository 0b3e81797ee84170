import Diagnostics
import JSONText
import MediaTime
import SplitreelProject

// Chapters, markers, and what films say of themselves.
extension ValidationTests {
    private static func rule(
        _ name: String, _ path: String, _ code: ErrorCode = .valueNotAllowed,
        _ change: @escaping @Sendable (inout Project) -> Void
    ) -> Rule {
        Rule(name: "film: " + name, code: code, path: path, change: change)
    }

    private static func unwritten(
        _ name: String, _ path: String, _ change: @escaping @Sendable (inout Project) -> Void
    ) -> Rule {
        Rule(
            name: "film: an item of " + name + " is not written", code: .trackNotWritten, path: path, isWarning: true,
            change: change)
    }

    private static func chapters(_ times: (String, String?)...) -> ChapterList {
        .listed(
            times.map { start, end in
                var chapter = Chapter()
                (chapter.time, chapter.end) = (time(start), end.map { time($0) })
                return chapter
            })
    }

    private static func markers(_ times: String...) -> [Marker] {
        times.map {
            var marker = Marker()
            marker.time = time($0)
            return marker
        }
    }

    private static func output(_ change: (inout OutputEntry) -> Void) -> [OutputEntry] {
        var output = OutputEntry()
        output.url = "x.mp4"
        (output.videoSettings, output.audioSettings) = (PictureRequest(), SoundRequest())
        change(&output)
        return [output]
    }

    static let chapterRules: [Rule] = [
        rule("language of a track", "composition.tracks[0].language") { $0.composition.tracks[0].language = "german" },
        rule("no language", "composition.tracks[0].language") { $0.composition.tracks[0].language = "xx" },
        rule("language of a picture", "outputs[0].videoSettings.language") {
            $0.outputs = output { $0.videoSettings?.language = "de_DE" }
        },
        rule("language of a sound", "outputs[0].audioSettings.language") {
            $0.outputs = output { $0.audioSettings?.language = "" }
        },
        rule("name of a sound", "outputs[0].audioSettings.name") {
            $0.outputs = output { $0.audioSettings?.name = "a\0b" }
        },
        rule("date of an output", "outputs[0].metadata.creationDate") {
            $0.outputs = output { $0.tags.metadata = ["creationDate": .string("yesterday")] }
        },
        rule("date under libav's name", "metadata.creation_time") { $0.metadata = ["creation_time": .string("junk")] },
        rule("item of an equation", "outputs[0].metadata.a=b") {
            $0.outputs = output { $0.tags.metadata = ["a=b": .integer(1)] }
        },
        rule("item without a name", "outputs[0].metadata") {
            $0.outputs = output { $0.tags.metadata = ["": .string("x")] }
        },
        rule("item of two lines", "outputs[0].metadata.a�b") {
            $0.outputs = output { $0.tags.metadata = ["a\nb": .string("x")] }
        },
        rule("item with a zero character", "outputs[0].metadata.�b") {
            $0.outputs = output { $0.tags.metadata = ["\0b": .string("x")] }
        },
        rule("item of a long name", "outputs[0].metadata." + String(repeating: "n", count: 60)) {
            $0.outputs = output { $0.tags.metadata = [String(repeating: "n", count: 256): .string("x")] }
        },
        rule("item that is a list", "outputs[0].metadata.own") {
            $0.outputs = output { $0.tags.metadata = ["own": .array([.string("a")])] }
        },
        rule("item that is a truth value", "outputs[0].metadata.title") {
            $0.outputs = output { $0.tags.metadata = ["title": .bool(true)] }
        },
        rule("items that differ in case", "outputs[0].metadata.title", .usedTwice) {
            $0.outputs = output { $0.tags.metadata = ["TITLE": .string("x"), "title": .string("y")] }
        },
        rule("items of one name in films", "outputs[0].metadata.creator", .usedTwice) {
            $0.outputs = output { $0.tags.metadata = ["artist": .string("x"), "creator": .string("y")] }
        },
        rule("two dates", "outputs[0].metadata.creation_time", .usedTwice) {
            $0.outputs = output {
                $0.tags.metadata = ["creationDate": .string("2026-01-02"), "creation_time": .string("2026-01-03")]
            }
        },
        rule("chapter beyond the end", "chapters[1].time") { $0.chapters = chapters(("0s", nil), ("1000s", nil)) },
        rule("chapter before the start", "chapters[0].time") { $0.chapters = chapters(("-1s", nil)) },
        rule("chapters in disorder", "chapters[1].time") { $0.chapters = chapters(("1s", nil), ("1/2", nil)) },
        rule("chapters that overlap", "chapters[1].time") { $0.chapters = chapters(("0s", "2s"), ("1s", nil)) },
        rule("chapter that ends first", "chapters[0].end") { $0.chapters = chapters(("1s", "1s")) },
        rule("chapters of no markers", "chapters") { $0.chapters = .markers },
        rule("chapters of an output", "outputs[0].chapters[0].time") {
            $0.outputs = output { $0.tags.chapters = chapters(("invalid", nil)) }
        },
        rule("markers at one time", "composition.markers[1].time", .usedTwice) {
            $0.composition.markers = markers("1s", "2/2")
        },
        rule("marker beyond the end", "composition.markers[0].time") { $0.composition.markers = markers("1000s") },
        Rule(
            name: "film: a place in words", code: .trackNotWritten, path: "metadata.location", isWarning: true
        ) { $0.metadata = ["location": .string("Bern")] },
        // The composition's own metadata are free; what no film can hold is not written.
        unwritten("an equation", "metadata.a=b") { $0.metadata = ["a=b": .integer(1)] },
        unwritten("two lines", "metadata.a�b") { $0.metadata = ["a\nb": .string("x")] },
        unwritten("a name in another case", "metadata.title") {
            $0.metadata = ["TITLE": .string("x"), "title": .string("y")]
        },
        unwritten("another name for it", "metadata.creator") {
            $0.metadata = ["artist": .string("x"), "creator": .string("y")]
        },
        unwritten("several texts", "metadata.title") { $0.metadata = ["title": .array([.string("a")])] },
        unwritten("an object", "metadata.albumName") { $0.metadata = ["albumName": .object([:])] },
        unwritten("no name", "metadata") { $0.metadata = ["": .string("x")] },
    ]
}
