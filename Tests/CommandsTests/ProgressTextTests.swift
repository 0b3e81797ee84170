import Diagnostics
import Foundation
import Reports
import Scheduling
import SplitreelCommands
import SplitreelFiles
import Testing

@Suite("A job's progress as text") struct ProgressTextTests {
    private func report() -> JobReport {
        var report = JobReport(state: .running)
        report.work = WorkDone(frames: 300, framesDone: 150, chunks: 2, chunksDone: 1)
        report.framesPerSecond = 30
        report.started = 1000
        var busy = ChunkReport(index: 1, kind: .composite, state: .running)
        busy.worker = "local/42"
        busy.attempt = 2
        busy.frameCount = 100
        busy.framesDone = 25
        report.chunks = [
            ChunkReport(index: 0, kind: .source, state: .done), busy,
            ChunkReport(index: 2, kind: .audio, state: .pending),
        ]
        return report
    }

    @Test func summaryTellsWhatAPersonAsks() {
        let text = JobProgress(report(), now: 1065).summary
        #expect(text == "running 50 %  frame 150/300  chunks 1/2  30.0 fps  ETA 0:05  elapsed 1:05")
    }

    /// The time that is left stays in the narrowest window that has room for it: 22 columns.
    @Test func theTimeThatIsLeftGoesLast() {
        let progress = JobProgress(report(), now: 1065)
        #expect(progress.summary(width: 200) == progress.summary)
        #expect(progress.summary(width: 60).hasSuffix("chunks 1/2  30.0 fps  ETA 0:05"))
        #expect(progress.summary(width: 50) == "running 50 %  frame 150/300  30.0 fps  ETA 0:05")
        #expect(progress.summary(width: 40) == "running 50 %  30.0 fps  ETA 0:05")
        #expect(progress.summary(width: 22) == "running 50 %  ETA 0:05")
        for width in 1...80 { #expect(progress.summary(width: width).columns <= width) }
    }

    /// Its units are samples, which nobody counts as frames.
    @Test func soundAloneHasNoFrames() {
        var report = report()
        report.work = WorkDone(frames: 300, framesDone: 150)
        #expect(JobProgress(report, now: 1065).summary == "running 50 %  ETA 0:05  elapsed 1:05")
    }

    @Test func percentAndFramesAreOneNumber() {
        var report = report()
        for done in 0...300 {
            report.work.framesDone = done
            #expect(
                JobProgress(report, now: 0).summary.hasPrefix(
                    "running \(min(99, done * 100 / 300)) %  frame \(done)/300"))
        }
        report.state = .known(.completed)
        report.work = WorkDone(frames: 300, framesDone: 300, chunks: 2, chunksDone: 2, isInPlace: true)
        #expect(JobProgress(report, now: 0).summary.hasPrefix("completed 100 %  frame 300/300"))
    }

    @Test func nothingIsSaidOfASpeedThatIsNotKnown() {
        var report = report()
        #expect(JobProgress(report, now: 0, isStale: true).summary.contains("fps") == false)
        report.framesPerSecond = 0
        #expect(!JobProgress(report, now: 0).summary.contains("fps"))
        report.framesPerSecond = 30
        report.ending = .known(.cancelled)
        #expect(JobProgress(report, now: 1065).summary == "cancelling 50 %  frame 150/300  chunks 1/2  elapsed 1:05")
        report.state = .known(.failed)
        report.ended = 1010
        #expect(JobProgress(report, now: 9999).summary.hasSuffix("elapsed 0:10"))
    }

    @Test func barsFitTheTerminal() {
        var report = report()
        report.chunks[1].worker = "幅の広い名前の作業者/42-abc"
        for width in 1...130 {
            let lines = ProgressText.lines(report, JobProgress(report, now: 1065), width: width)
            #expect(lines.count == 3)
            #expect(lines.allSatisfy { $0.columns <= width }, "\(width): \(lines)")
            if width >= 80 { #expect(lines[2].contains("chunk 1 try 2") && lines[2].contains("25 %")) }
            if width >= 50 { #expect(lines[1].columns == width && lines[2].columns == width) }
        }
    }

    @Test func planningIsNamed() {
        let report = JobReport(state: .waiting)
        #expect(ProgressText.lines(report, JobProgress(report, now: 0), width: 80) == ["planning…"])
    }

    @Test(arguments: [(0.0, "░░░░"), (0.5, "██░░"), (1.0, "████"), (0.125, "▌░░░"), (7.0, "████")])
    func bars(fraction: Double, text: String) {
        #expect(Paint.terminal(ProgressText.bar(fraction, 4, .green), colour: false) == text)
    }

    @Test func percentsOfHundredthsAreExact() {
        for percent in 0...100 {
            #expect(ProgressText.percent(Double(percent) / 100) == "\(percent)".aligned(to: 4) + " %")
        }
    }
}

@Suite struct CommandTextTests {
    @Test(arguments: [
        ("plain ünïcödé 🎞 👩‍👩‍👧", "plain ünïcödé 🎞 👩‍👩‍👧"), ("a\u{1B}[2Jb\n", "a\\u{1B}[2Jb\\u{A}"),
        ("\u{9B}31m\u{7F}", "\\u{9B}31m\\u{7F}"), ("\u{202E}gpm.\u{2028}", "\\u{202E}gpm.\\u{2028}"), ("", ""),
    ])
    func printable(text: String, shown: String) {
        #expect(text.printable == shown)
    }

    /// Whatever a text holds, the console lets nothing through that moves a cursor, changes a title or turns a line.
    @Test func theConsoleMakesEveryTextHarmless() throws {
        let ranges: [ClosedRange<UInt32>] = [
            0...0xFF, 0x600...0x620, 0x2000...0x2070, 0xFFF0...0xFFFF, 0x10FF00...0x10FF7F,
        ]
        for value in ranges.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)b"
            for colour in [true, false] {
                let shown = Paint.terminal(text, colour: colour)
                let rest = shown.replacing(/\u{1B}\[\d*m/, with: "").unicodeScalars
                let harmful = rest.filter {
                    ($0.properties.generalCategory == .control && $0 != "\n") || (0x202A...0x202E).contains($0.value)
                        || (0x2066...0x2069).contains($0.value)
                }
                #expect(harmful.isEmpty && (colour || !shown.contains("\u{1B}")), "U+\(String(value, radix: 16))")
            }
        }
        #expect(Paint.terminal(Paint.text("x", .red), colour: true) == "\u{1B}[31mx\u{1B}[0m")
        #expect(Paint.terminal(Paint.text("x", .red), colour: false) == "x")
    }

    @Test func documentsEscapeByJSONsOwnMeans() throws {
        let text = "[\"a\u{9B}31m\u{202E}\u{7F}\u{10FF1F}é\"]\n"
        #expect(text.printableJSON == #"["a\u009b31m\u202e\u007f\udbff\udf1fé"]"# + "\n")
        let back = try JSONDecoder().decode([String].self, from: Data(text.printableJSON.utf8))
        #expect(back == ["a\u{9B}31m\u{202E}\u{7F}\u{10FF1F}é"])
    }

    /// Further lines of a reason stay where they cannot be taken for words of ours.
    @Test func anErrorsTextsMakeNoLinesOfTheirOwn() {
        let error = SplitreelError(
            .mediaCannotOpen, operation: "opening", subject: "a\nerror 1: b\u{1B}[A", reason: "one\ntwo", hint: "x")
        #expect(
            error.shown.split(separator: "\n").dropFirst() == [
                "  why: one", "       two (opening)", "  try: x",
            ])
        #expect(error.shown.hasPrefix("error ") && error.shown.contains("a\\u{A}error 1: b\\u{1B}[A"))
    }

    @Test(arguments: [
        ("6M", 6_000_000), ("192k", 192_000), ("800K", 800_000), ("128000", 128_000), ("1.5m", 1_500_000),
    ])
    func bitRates(text: String, bits: Int) throws {
        #expect(try BitRate.parse(text, option: "--video-bitrate") == bits)
    }

    @Test(arguments: [
        (["--crf", "-1", "--json"], ["--crf=-1", "--json"]), (["--at", "-1s"], ["--at=-1s"]),
        (["--range", "-.5s,1s"], ["--range=-.5s,1s"]), (["--timeout", "-inf"], ["--timeout=-inf"]),
        (["--crf=2", "-1"], ["--crf=2", "-1"]), (["-o", "-1.mp4"], ["-o", "-1.mp4"]),
        (["--json", "-o", "x"], ["--json", "-o", "x"]), (["--", "--a", "-1"], ["--", "--a", "-1"]),
    ])
    func negativeValues(arguments: [String], joined: [String]) {
        #expect(joiningNegativeValues(arguments) == joined)
    }

    @Test(arguments: [
        ([String: String](), "/tmp", "/tmp/.local/state/splitreel"),
        (["XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": "", "HOME": ""], "/tmp", "/tmp/.local/state/splitreel"),
        (["XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "state", "HOME": "/h"], "/tmp", "/h/.local/state/splitreel"),
        (["XDG_RUNTIME_DIR": "/run/1", "XDG_STATE_HOME": "/s"], "/run/1", "/s/splitreel"),
    ])
    func userFolders(environment: [String: String], runtime: String, state: String) {
        #expect(UserFolder.runtime(in: environment) == runtime)
        #expect(UserFolder.state(in: environment) == state)
    }

    @Test(arguments: [(0, "0 clips"), (1, "1 clip"), (2, "2 clips")]) func counts(count: Int, text: String) {
        #expect(counted(count, "clip") == text)
    }

    @Test(arguments: ["", "k", "-1k", "nan", "1e99", "6Mb", "inf"])
    func badBitRates(text: String) {
        #expect(throws: (any Error).self) { try BitRate.parse(text, option: "--video-bitrate") }
    }
}
