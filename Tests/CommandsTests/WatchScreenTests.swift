import Diagnostics
import FarmClient
import Reports
import Scheduling
import SplitreelCommands
import Testing

@Suite("What somebody who watches is shown") struct WatchScreenTests {
    private typealias Size = WatchScreen.Size

    private func report(_ done: Int, of frames: Int = 300, state: JobState = .running, chunksDone: Int = 0) -> JobNews {
        var report = JobReport(state: state)
        report.work = WorkDone(
            frames: frames, framesDone: done, chunks: 3, chunksDone: chunksDone, isInPlace: state == .completed)
        report.framesPerSecond = 30
        report.started = 1000
        return .report(report)
    }

    @Test func silenceIsSaidAndItsEnd() {
        var screen = WatchScreen(isTerminal: true, coordinator: "tcp://h:7733")
        var terminal = FakeTerminal(columns: 100, rows: 10)
        terminal.take(screen.take(report(150), now: 1065, size: terminal.size))
        #expect(terminal.lines[0].hasPrefix("running 50 %  frame 150/300  chunks 0/3  30.0 fps  ETA 0:05"))
        #expect(terminal.lines.count == 2)
        terminal.take(screen.take(.silence(.seconds(3)), now: 1068, size: terminal.size))
        #expect(terminal.lines.last == "no word from tcp://h:7733 for 3 s; still trying")
        // Nothing is known of its speed, and the words go on without news.
        #expect(terminal.lines[0] == "running 50 %  frame 150/300  chunks 0/3  elapsed 1:08")
        terminal.take(screen.tick(now: 1071, size: terminal.size))
        #expect(terminal.lines.last == "no word from tcp://h:7733 for 6 s; still trying")
        terminal.take(screen.take(.back(after: .seconds(7)), now: 1072, size: terminal.size))
        // A coordinator that came back knows less of what was under way.
        terminal.take(screen.take(report(120), now: 1072, size: terminal.size))
        #expect(
            terminal.lines.prefix(2) == [
                "tcp://h:7733 is back after 7 s",
                "running 50 %  frame 150/300  chunks 0/3  30.0 fps  ETA 0:05  elapsed 1:12",
            ])
        #expect(terminal.lines.count == 3)
    }

    @Test func aDelayIsShownAndSaidOnceWhereLinesArePiped() {
        var waiting = JobReport(state: .waiting)
        waiting.delay = DelayReport(
            work: "planning", since: 1000,
            error: SplitreelError(.diskFull, operation: "", subject: "/films", reason: "no space left"))
        var terminal = FakeTerminal(columns: 200, rows: 10)
        var screen = WatchScreen(isTerminal: true, coordinator: "")
        terminal.take(screen.take(.report(waiting), now: 1001, size: terminal.size))
        #expect(terminal.lines.count == 2 && terminal.lines[1].hasPrefix("planning waits since 1970-01-01T00:16:40Z"))
        var piped = WatchScreen(isTerminal: false, coordinator: "")
        let size = Size(columns: 80, rows: 24)
        let lines = (0..<3).map { piped.take(.report(waiting), now: 1001 + Double($0), size: size) }.joined()
        #expect(lines.split(separator: "\n").count == 1 && lines.contains("no space left"))
    }

    @Test func theFirstFramesArePipedAtOnce() {
        var screen = WatchScreen(isTerminal: false, coordinator: "")
        let size = Size(columns: 80, rows: 24)
        #expect(screen.take(report(0), now: 1000, size: size).contains("frame 0/300"))
        #expect(screen.take(report(0), now: 1000.1, size: size).isEmpty)
        #expect(screen.take(report(4), now: 1000.2, size: size).contains("frame 4/300"))
        #expect(screen.take(report(9), now: 1000.3, size: size).isEmpty)
    }

    @Test func pipedLinesAreOneASecondAtMost() {
        var screen = WatchScreen(isTerminal: false, coordinator: "tcp://h:7733")
        var text = ""
        let size = Size(columns: 80, rows: 24)
        for tenth in 0..<50 {
            text += screen.take(report(tenth), now: 1000 + Double(tenth) / 10, size: size)
            text += screen.tick(now: 1000 + Double(tenth) / 10, size: size)
        }
        // One for each second, and one for the first frame.
        #expect(text.split(separator: "\n").count == 6 && !text.contains("\u{1B}"))
        text = ""
        for second in 3..<33 {
            text += screen.take(.silence(.seconds(second)), now: 1005 + Double(second), size: size)
        }
        text += screen.take(.back(after: .seconds(33)), now: 1040, size: size)
        #expect(
            text == """
                no word from tcp://h:7733 for 3 s; still trying
                no word from tcp://h:7733 for 13 s; still trying
                no word from tcp://h:7733 for 23 s; still trying
                tcp://h:7733 is back after 33 s

                """)
        #expect(screen.take(report(300, state: .completed), now: 1040.1, size: size).hasPrefix("completed 100 %"))
    }

    /// Random news with pauses, losses and restarts: numbers agree, and none falls.
    @Test(arguments: 0..<20) func numbersAgreeAndNeverFall(seed: UInt64) throws {
        var random = Steps(state: seed)
        var screen = WatchScreen(isTerminal: true, coordinator: "")
        var terminal = FakeTerminal(columns: 110, rows: 12)
        var (now, done, last) = (1000.0, 0, [0, 0, 0])
        for _ in 0..<400 {
            now += Double(random.next(50)) / 10
            switch random.next(10) {
            case 0: terminal.take(screen.take(.silence(.seconds(3)), now: now, size: terminal.size))
            case 1: terminal.take(screen.take(.back(after: .seconds(4)), now: now, size: terminal.size))
            case 2: done = done / 100 * 100 - random.next(2) * 100
            case 3: terminal.take(screen.tick(now: now, size: terminal.size))
            default:
                done = max(0, min(1000, done + random.next(30)))
                terminal.take(
                    screen.take(report(done, of: 1000, chunksDone: done / 400), now: now, size: terminal.size))
            }
            guard let line = terminal.lines.last(where: { $0.hasPrefix("running") }) else { continue }
            let match = try #require(
                line.firstMatch(of: /^running (\d+) %  frame (\d+)\/1000  chunks (\d)\/3/), "\(line)")
            let numbers = try [match.1, match.2, match.3].map { try #require(Int($0)) }
            #expect(numbers[0] == min(99, numbers[1] / 10) && numbers[2] == numbers[1] / 400, "\(line)")
            #expect(zip(numbers, last).allSatisfy { $0 >= $1 }, "\(last) then \(line)")
            last = numbers
        }
    }

    /// Windows of every size, with terminals that wrap anew and with those that cut: one block, and what stood before.
    @Test(arguments: [true, false]) func aChangeOfTheWindowLeavesNoTrail(wrapsAnew: Bool) {
        var screen = WatchScreen(isTerminal: true, coordinator: "tcp://h:7733")
        var terminal = FakeTerminal(columns: 100, rows: 12, wrapsAnew: wrapsAnew)
        terminal.take("$ splitreel watch\r\n")
        var chunk = ChunkReport(index: 0, kind: .source, state: .running)
        chunk.worker = "local/1"
        chunk.frameCount = 100
        var report = JobReport(state: .running)
        report.work.frames = 300
        report.chunks = [chunk, chunk, chunk]
        for (step, columns) in [100, 60, 23, 22, 90, 40, 12, 120, 5, 100].enumerated() {
            terminal.resize(columns: columns)
            terminal.take(screen.tick(now: 1000, size: terminal.size))
            report.work.framesDone = step
            terminal.take(screen.take(.report(report), now: 1000, size: terminal.size))
            let heads = terminal.lines.filter { $0.hasPrefix("runn") }
            #expect(heads.count == 1, "\(columns): \(terminal.lines)")
            #expect(terminal.lines.suffix(5).first?.hasPrefix("runn") == true, "\(columns): \(terminal.lines)")
        }
        terminal.take("^C")
        terminal.take(screen.end())
        terminal.take("job x goes on\r\n")
        #expect(terminal.lines.last == "job x goes on")
        #expect(!terminal.lines.contains { $0.contains("█") || $0.contains("░") || $0.contains("runn") })
        #expect(screen.tick(now: 1001, size: terminal.size).isEmpty)
    }

    @Test func aLowWindowShowsWhatItHasRoomFor() {
        var screen = WatchScreen(isTerminal: true, coordinator: "h")
        var report = JobReport(state: .running)
        report.chunks = (0..<40).map { index in
            var chunk = ChunkReport(index: index, kind: .source, state: .running)
            chunk.worker = "w/\(index)"
            return chunk
        }
        for rows in 2...50 {
            var terminal = FakeTerminal(columns: 80, rows: rows)
            for _ in 0..<3 {
                terminal.take(screen.take(.report(report), now: 1, size: terminal.size))
                terminal.take(screen.take(.silence(.seconds(3)), now: 1, size: terminal.size))
            }
            #expect(terminal.scrolled.isEmpty, "\(rows)")
            #expect(terminal.lines.last?.hasPrefix("no word from h") == true)
            if (5..<43).contains(rows) { #expect(terminal.lines.contains { $0.hasPrefix("  and ") }, "\(rows)") }
            terminal.take(screen.tick(now: 1, size: terminal.size))
        }
    }
}

private struct Steps {
    var state: UInt64
    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
