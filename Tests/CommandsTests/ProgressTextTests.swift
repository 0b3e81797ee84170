import FarmProtocol
import Foundation
import SplitreelCommands
import Testing

@Suite struct ProgressTextTests {
    private func report() -> Splitreel_Farm_JobReport {
        var report = Splitreel_Farm_JobReport()
        report.state = "running"
        report.progress = 0.5
        report.frames = 300
        report.framesDone = 150
        report.framesPerSecond = 30
        report.started = 1000
        var done = Splitreel_Farm_ChunkReport()
        done.kind = "source"
        done.state = "done"
        var busy = Splitreel_Farm_ChunkReport()
        busy.index = 1
        busy.kind = "composite"
        busy.state = "running"
        busy.worker = "local/42"
        busy.attempt = 2
        busy.frameCount = 100
        busy.unitsDone = 25
        var sound = Splitreel_Farm_ChunkReport()
        sound.kind = "audio"
        sound.state = "pending"
        report.chunks = [done, busy, sound]
        (report.counts.total, report.counts.done) = (2, 1)
        return report
    }

    @Test func summaryTellsWhatAPersonAsks() {
        let text = ProgressText.summary(report(), now: Date(timeIntervalSince1970: 1065))
        #expect(text == "running 50 %  frame 150/300  chunks 1/2  30.0 fps  ETA 0:05  elapsed 1:05")
    }

    @Test func barsFitTheTerminal() {
        for width in [40, 80, 120] {
            let lines = ProgressText.lines(report(), width: width, now: Date(timeIntervalSince1970: 1065))
            #expect(lines.count == 3)
            #expect(lines[2].contains("local/42") && lines[2].contains("chunk 1 try 2") && lines[2].contains("25 %"))
            if width >= 80 { #expect(lines.allSatisfy { $0.count <= width }, "\(lines)") }
        }
    }

    @Test func planningIsNamed() {
        var report = Splitreel_Farm_JobReport()
        report.state = "waiting"
        #expect(ProgressText.lines(report, width: 80, now: Date()) == ["planning…"])
    }

    @Test(arguments: [(0.0, "░░░░"), (0.5, "██░░"), (1.0, "████"), (0.125, "▌░░░"), (7.0, "████")])
    func bars(fraction: Double, text: String) {
        #expect(ProgressText.bar(fraction, 4, .green) == text)
    }

    @Test(arguments: [(0.0, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (1e12, "99:59:59")])
    func clocks(seconds: Double, text: String) {
        #expect(ProgressText.clock(seconds) == text)
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

    @Test(arguments: [
        ("still-%02d.png", 3, "still-03.png"), ("%d.png", 12, "12.png"), ("a%3d%d", 7, "a0077"),
        ("no.png", 1, "no.png"),
        ("%s%n%05d", 1, "%s%n00001"),
    ])
    func numberedPaths(pattern: String, number: Int, path: String) {
        #expect(NumberedPath.path(pattern, number) == path)
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
