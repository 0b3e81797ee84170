import ArgumentParser
import Authoring
import Diagnostics
import Foundation
import MediaFacts
import Preparation
import SplitreelFiles
import SplitreelProject

/// The options of `new` that put something over the film, or before and after it.
struct TitleOptions: ParsableArguments {
    @Option(help: "A title over the first seconds, as \"Title\" or \"Title|Subtitle\".")
    var title: String?

    @Option(
        help: "A clip's name plate, as \"Name\" or \"Name|Role\"; again for each further clip, \"\" for a clip without."
    )
    var lowerThird: [String] = []

    @Option(help: "A clip's chapter card, as \"Title\" or \"Title|Chapter 1\"; again for each further clip, as above.")
    var chapter: [String] = []

    @Option(help: "A picture in the top right corner of all of the film.", completion: .file())
    var watermark: String?

    @Option(
        help: "SubRip, WebVTT or lines of JSON, drawn over the picture; its times count from the first clip.",
        completion: .file())
    var subtitles: String?

    @Option(
        help: "The same whose words change colour as they are sung: WebVTT with times in its cues.",
        completion: .file())
    var karaoke: String?

    @Option(
        help: "A text file that rolls over black after the last clip; of lines without a gap the first is small.",
        completion: .file())
    var credits: String?

    @Option(help: "Seconds that are counted down before the first clip, from 1 to 99.")
    var countdown: Int?

    @Flag(help: "A bar along the bottom that fills as the clips go by.")
    var progressBar = false

    @Flag(help: "Pictures cover the frame and move slowly: nearer or farther off, across it.")
    var kenBurns = false

    @Option(help: "The font of all of these, such as \"DejaVu Serif\".")
    var font: String?

    /// The files that it reads, as they were given.
    var files: [String] { [watermark, subtitles, karaoke, credits].compactMap { $0 } }

    /// - Parameter shown: gives a file's name in the composition.
    func titles(clipCount: Int, watermark: Clip?, shown: (String) throws -> String) throws -> FilmTitles {
        if let countdown, !(1...99).contains(countdown) {
            throw ValidationError("--countdown takes seconds from 1 to 99; not ‘\(countdown)’")
        }
        for (option, captions) in [("--lower-third", lowerThird), ("--chapter", chapter)]
        where captions.count > clipCount {
            throw ValidationError("\(captions.count) × \(option) for \(counted(clipCount, "clip")): each clip has one")
        }
        func timedText(_ file: String?) throws -> (url: String, facts: AssetFacts)? {
            guard let file else { return nil }
            return (try shown(file), try InProcessProber().dataFacts(of: absolutePath(file), kind: .subtitles))
        }
        var titles = FilmTitles()
        titles.title = title.flatMap(FilmTitles.Caption.init)
        titles.lowerThirds = lowerThird.map(FilmTitles.Caption.init)
        titles.chapters = chapter.map(FilmTitles.Caption.init)
        titles.watermark = watermark
        titles.subtitles = try timedText(subtitles)
        titles.karaoke = try timedText(karaoke)
        titles.credits = try credits.map(Self.lines) ?? []
        titles.countdown = countdown ?? 0
        titles.hasProgressBar = progressBar
        titles.font = font
        return titles
    }

    /// The lines of a file, without empty ones before the first and after the last.
    private static func lines(of file: String) throws -> [String] {
        let bytes = try RegularFile.contents(of: absolutePath(file), limit: 1 << 20, failure: .mediaCannotOpen)
        func refused(_ reason: String) -> SplitreelError {
            SplitreelError(
                .mediaUnsupported, operation: "new", subject: file, reason: reason,
                hint: "--credits takes a text file in UTF-8, a line each")
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw refused("it is not UTF-8") }
        let plain = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        let lines = plain.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            String(line).trimmingCharacters(in: .whitespaces)
        }
        guard let first = lines.firstIndex(where: { !$0.isEmpty }),
            let last = lines.lastIndex(where: { !$0.isEmpty })
        else { throw refused("it has no words") }
        return Array(lines[first...last])
    }
}

extension FilmTitles.Caption {
    /// A caption whose parts are divided at the first bar; nil where there are no words.
    init?(_ option: String) {
        let parts = option.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard let text = parts.first, !text.isEmpty else { return nil }
        self.init(text: text, detail: parts.count > 1 ? parts[1] : "")
    }
}
