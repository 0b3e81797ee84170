import Foundation
import Libav
import LocalFarm
import Logging
import MediaReading
import SplitreelCommands
import Synchronization
import Testing

@Suite("Logs", .serialized) struct LogTests {
    @Test func anEntryIsOneLineWhateverItsValuesHold() {
        let line = LineLog.line(
            .info, "coordinator", "job submitted",
            ["output": "/films/a\u{1B}[2J\nb.mp4", "job.id": "abc", "job.name": "two words", "note": ""],
            at: Date(timeIntervalSince1970: 0))
        #expect(
            line == "1970-01-01T00:00:00Z info coordinator: job submitted job.id=abc job.name=\"two words\" note=\"\" "
                + "output=/films/a\\u{1B}[2J\\u{A}b.mp4")
    }

    @Test(arguments: [
        ("/m/a, b.mp4, track 2", "/m/a, b.mp4", 2), ("file:/m/a.mp4", "/m/a.mp4", nil), ("", "", nil),
        ("/m/x, track y", "/m/x, track y", nil),
    ])
    func libavsLinesNameFileAndTrack(subject: String, file: String, track: Int?) {
        let line = LibavLine(isError: true, source: "h264", subject: subject, text: "error while decoding MB 3 7\n")
        #expect(line.file == file && line.track == track && line.text == "error while decoding MB 3 7")
    }

    @Test func aFloodOfLinesIsCutAndCounted() {
        var gate = LibavGate()
        let start = ContinuousClock.now
        func line(_ text: String) -> LibavLine {
            LibavLine(isError: text.hasPrefix("e"), source: "h264", subject: "/m/a.mp4, track 1", text: text)
        }
        let first = gate.take(line("e"), now: start)
        #expect(first.map(\.level) == [.warning])
        #expect(first.first?.metadata == ["source": "h264", "text": "e", "file": "/m/a.mp4", "track": "1"])
        #expect(gate.take(line("e"), now: start).isEmpty)
        #expect(gate.take(line("w"), now: start).map(\.level) == [.debug])
        let rest = (0..<1000).flatMap { gate.take(line("\($0)"), now: start + .milliseconds($0)) }
        #expect(rest.count == LibavGate.linesInWindow - 2)
        let later = gate.take(line("e"), now: start + LibavGate.window)
        #expect(later.map(\.level) == [.debug, .warning])
        #expect(later.first?.metadata == ["left.out": "983"])
    }

    /// A badly damaged film has tens of thousands of lines; each is heard as directly as the first one.
    @Test func hearingCostsTheSameForTheThousandthLine() throws {
        let depths = Mutex<[UInt]>([])
        Libav.listen { line in
            guard line.source == "deep" else { return }
            var here = 0
            withUnsafePointer(to: &here) { place in depths.withLock { $0.append(UInt(bitPattern: place)) } }
        }
        defer { Libav.listen(nil) }
        for _ in 0..<2000 { Libav.heard(isError: true, source: "deep", subject: "a.mp4", text: "line") }
        let places = depths.withLock { $0 }
        #expect(places.count == 2000 && Set(places).count == 1, "\(Set(places).count) depths of the stack")
    }

    /// A file that libav complains about, through a real reader.
    @Test func whatLibavSaysOfAFileIsHeard() throws {
        let heard = Heard()
        let path = NSTemporaryDirectory() + "splitreel-\(UUID().uuidString).mp4"
        try Data("\0\0\0\u{18}ftypisom\0\0\0\0isomisom\0\0\0\u{8}mdat".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        Libav.listen { heard.add($0) }
        defer { Libav.listen(nil) }
        #expect(throws: (any Error).self) { try probe(path: path) }
        let line = try #require(heard.lines.first { $0.file == path })
        #expect(line.isError && line.source.contains("mov") && line.text.contains("moov"))
    }
}

private final class Heard: Sendable {
    private let storage = Mutex<[LibavLine]>([])
    var lines: [LibavLine] { storage.withLock { $0 } }
    func add(_ line: LibavLine) { storage.withLock { $0.append(line) } }
}
