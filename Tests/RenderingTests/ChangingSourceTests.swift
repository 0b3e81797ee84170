import Diagnostics
import Foundation
import Outputs
import Planning
import Rendering
import Synchronization
import TestTools
import Testing

/// Files that something writes to while they are rendered. SPLITREEL_SEEDS=40 tries that many changes of each kind.
@Suite("Sources that change while they are rendered", .serialized) struct ChangingSourceTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var ending: String
        var coding: [String]
        var testDescription: String { "\(ending) \(coding[1])" }
    }

    enum Change: CaseIterable { case truncated, overwritten, replaced, prolonged, removed, touched }

    static let kinds = [
        Kind(ending: "mp4", coding: ["-c:v", "libx264", "-crf", "12", "-g", "12", "-bf", "2"]),
        Kind(ending: "ts", coding: ["-c:v", "mpeg2video", "-q:v", "2", "-g", "12", "-bf", "2"]),
        Kind(ending: "avi", coding: ["-c:v", "mpeg4", "-q:v", "2", "-g", "12"]),
        Kind(ending: "webm", coding: ["-c:v", "libvpx-vp9", "-crf", "10", "-cpu-used", "8", "-g", "12"]),
        Kind(ending: "mkv", coding: ["-c:v", "ffv1", "-g", "1"]),
    ]

    static var seeds: Range<UInt64> {
        0..<(ProcessInfo.processInfo.environment["SPLITREEL_SEEDS"].flatMap(UInt64.init) ?? 4)
    }

    /// Every segment that is made is the one of the file that was planned; else the source is said to have changed.
    @Test(arguments: kinds) func eachSegmentIsRightOrItsSourceChanged(_ kind: Kind) throws {
        let fixture = try RenderFixture("changing")
        let name = "a.\(kind.ending)"
        let path = try fixture.film(name, 50, coding: kind.coding + ["-threads", "1"])
        let other = try fixture.film("other.\(kind.ending)", 50, first: 100, coding: kind.coding + ["-threads", "1"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let plan = try fixture.plan(
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))], size: RenderFixture.size,
                frame: "1/25")
        ) { $0.rendering.chunkSeconds = "10/25" }
        var hashes: [String] = []
        for chunk in plan.chunks {
            let made = try fixture.render(plan, .chunk(chunk.index))
            #expect(try fixture.numbers(made.path) == Array(chunk.frames))
            hashes.append(made.record.fileHash)
        }
        for seed in Self.seeds {
            var random = SeededNumbers(seed: seed)
            let change = Change.allCases[Int(seed) % Change.allCases.count]
            let moment = 1 + random.next(in: 0..<plan.frameCount)
            let (start, end) = (random.next(in: 0..<bytes.count), random.next(in: 0..<bytes.count))
            try Self.restore(bytes, path)
            let renderer = SegmentRenderer()
            let done = Mutex(0)
            var failures: [Int] = []
            var reasons: [String] = []
            for chunk in plan.chunks {
                do {
                    let made = try fixture.render(plan, .chunk(chunk.index), with: renderer) { _, _ in
                        let isNow = done.withLock { count in
                            count += 1
                            return count == moment
                        }
                        if isNow { try? Self.apply(change, path, other, min(start, end)..<max(start, end)) }
                    }
                    #expect(made.record.fileHash == hashes[chunk.index], "\(change) \(seed), chunk \(chunk.index)")
                } catch let error as SplitreelError {
                    failures.append(chunk.index)
                    reasons.append(error.reason.description)
                    let isGone = change == .removed && error.code == .mediaNotFound && failures.count > 1
                    #expect(
                        (error.code == .mediaChanged || isGone) && error.subject.description == path,
                        "\(change) \(seed), chunk \(chunk.index): \(error)")
                }
            }
            let hit = try #require(plan.chunks.firstIndex { $0.frames.contains(moment - 1) })
            // A touched file is what it was: the next attempt reads it again.
            let expected = change == .touched ? [hit] : Array(hit..<plan.chunks.count)
            #expect(failures == expected, "\(change) \(seed): \(reasons)")
        }
    }

    private static func restore(_ bytes: Data, _ path: String) throws {
        try bytes.write(to: URL(fileURLWithPath: path))
        // The kernel's clock for files may stand still for as long as a change takes to come.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
    }

    private static func apply(_ change: Change, _ path: String, _ other: String, _ range: Range<Int>) throws {
        let url = URL(fileURLWithPath: path)
        switch change {
        case .removed: try FileManager.default.removeItem(at: url)
        case .touched: try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        case .replaced:
            let copy = path + ".new"
            try FileManager.default.copyItem(atPath: other, toPath: copy)
            rename(copy, path)
        case .truncated, .overwritten, .prolonged:
            let file = try FileHandle(forUpdating: url)
            defer { try? file.close() }
            if change == .truncated { return try file.truncate(atOffset: UInt64(range.lowerBound)) }
            if change == .prolonged { try file.seekToEnd() } else { try file.seek(toOffset: UInt64(range.lowerBound)) }
            try file.write(contentsOf: Data(repeating: 0x5a, count: max(1, range.count)))
        }
    }
}
