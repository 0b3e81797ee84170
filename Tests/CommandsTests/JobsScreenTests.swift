import Diagnostics
import Reports
import Scheduling
import SplitreelCommands
import Testing

@Suite("The table of jobs that is watched") struct JobsScreenTests {
    private let size = WatchScreen.Size(columns: 80, rows: 24)

    private func job(_ id: String, _ state: JobState, done: Int = 0, submitted: Double = 0) -> JobReport {
        var report = JobReport(job: id, state: state, output: "/films/\(id).mp4")
        report.work = WorkDone(
            frames: 100, framesDone: done, chunks: 2, chunksDone: done / 50, isInPlace: state == .completed)
        report.submitted = submitted
        return report
    }

    @Test func elsewhereEachChangeIsALine() {
        var screen = JobsScreen(isTerminal: false)
        let begun = screen.begin([job("a", .running, done: 10), job("old", .completed)], now: 100, size: size)
        // What had ended before is no news.
        #expect(begun == "a  running 10 %  frame 10/100  chunks 0/2\n")
        #expect(screen.take([job("a", .running, done: 10)], now: 105, size: size) == "")
        #expect(screen.take([job("a", .running, done: 60)], now: 105, size: size).hasPrefix("a  running 60 %"))
        #expect(screen.take([job("a", .running, done: 61)], now: 105.5, size: size) == "")
        #expect(screen.take([job("a", .stitching, done: 100)], now: 105.6, size: size).hasPrefix("a  stitching 99 %"))
        var failed = job("b", .failed)
        failed.error = SplitreelError(.mediaNotFound, operation: "", subject: "x\ny", reason: "gone")
        let line = screen.take([failed], now: 106, size: size)
        #expect(line.hasPrefix("b  failed 0 %") && line.contains("x\\u{A}y: gone") && line.hasSuffix("\n"))
        #expect(line.split(separator: "\n").count == 1)
        // The coordinator is back: what changed meanwhile is told.
        let again = screen.begin(
            [job("a", .completed, done: 100), failed, job("old", .completed)], now: 200, size: size)
        #expect(again == "a  completed 100 %  frame 100/100  chunks 2/2\n")
        #expect(screen.warn("no word", now: 201, size: size) == "" && screen.end() == "")
    }

    @Test func aTerminalHasOneTableInItsPlace() {
        var screen = JobsScreen(isTerminal: true)
        var terminal = FakeTerminal(columns: 100, rows: 8)
        terminal.take("$ splitreel jobs --watch\r\n")
        terminal.take(screen.begin([], now: 0, size: terminal.size))
        #expect(terminal.lines.last == "no jobs yet")
        let first = [job("low", .running, submitted: 2), job("old", .completed, submitted: 1)]
        terminal.take(screen.begin(first, now: 0, size: terminal.size))
        terminal.take(screen.take([job("low", .running, done: 50, submitted: 2)], now: 0, size: terminal.size))
        var urgent = job("new", .waiting, submitted: 3)
        urgent.priority = 9
        terminal.take(screen.take([urgent], now: 0, size: terminal.size))
        let names = terminal.lines.map { $0.prefix { $0 != " " } }
        #expect(names == ["$", "JOB", "new", "low", "old"] && terminal.lines[3].contains("50 %"))
        terminal.take(screen.warn("no word from h for 3 s", now: 0, size: terminal.size))
        #expect(terminal.lines.last == "no word from h for 3 s")
        terminal.take(screen.warn(nil, now: 0, size: terminal.size))
        let many = (0..<30).map { job("job\($0)", .waiting, submitted: 10 + Double($0)) }
        terminal.take(screen.take(many, now: 0, size: terminal.size))
        #expect(terminal.lines.last == "  and 28 more lines" && terminal.lines.count == 8)
        terminal.take(screen.take([job("new", .cancelled, submitted: 3)], now: 0, size: terminal.size))
        #expect(terminal.lines.filter { $0.hasPrefix("JOB") }.count == 1)
        // What is left below the command is the whole table.
        terminal.take(screen.end())
        #expect(terminal.lines.last?.hasPrefix("old ") == true)
    }
}
