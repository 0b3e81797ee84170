import Diagnostics
import MediaTime
import Planning
import TestTools
import Testing

private func limits(_ text: String?, _ value: Int64 = 1, _ timescale: Int32 = 30) throws -> ChunkLimits {
    try ChunkLimits(text: text, frameDuration: MediaTime(value: value, timescale: timescale))
}

private func cuts(
    _ count: Int, _ boundaries: [Int], _ limits: ChunkLimits, key: @escaping (Int, Int) -> Int? = { _, _ in nil }
) -> [Int] {
    RunCutter(frameCount: count, limits: limits, boundaries: boundaries, keyFrame: key).cuts().map(\.frame)
}

@Suite struct ChunkLimitsTests {
    /// minimum = max(24, ceil of 1 s), maximum = floor of 3 s, in frames.
    @Test(
        arguments: [
            (1001, 24000, 24, 71), (1, 24, 24, 72), (1, 25, 25, 75), (1001, 30000, 30, 89), (1, 30, 30, 90),
            (1, 50, 50, 150), (1001, 60000, 60, 179), (1, 60, 60, 180), (1, 10, 24, 30), (1, 1, 24, 24),
        ] as [(Int64, Int32, Int, Int)])
    func defaults(value: Int64, timescale: Int32, minimum: Int, maximum: Int) throws {
        let limits = try limits(nil, value, timescale)
        #expect(limits.minimumFrames == minimum && limits.maximumFrames == maximum)
    }

    /// At 30 Hz: as many whole key-frame intervals as 90 frames hold.
    @Test(arguments: [(1, 90), (15, 90), (30, 90), (40, 80), (60, 60), (89, 89), (91, 90), (1 << 31, 90)])
    func defaultIsAMultipleOfTheKeyFrameInterval(interval: Int, maximum: Int) throws {
        let limits = try ChunkLimits(
            text: nil, frameDuration: MediaTime(value: 1, timescale: 30), keyFrameInterval: interval)
        #expect(limits.maximumFrames == maximum)
    }

    @Test(arguments: ["9223372036854775807/1", "9223372036854775807/2", "4611686018427387904/1", "1e18", "+inf"])
    func hugeLengthsAreOneChunkOrRefused(text: String) throws {
        guard let limits = try? limits(text) else { return }
        #expect(limits.minimumFrames == 30 && limits.maximumFrames == 1 << 31)
        #expect(cuts(1000, [0], limits) == [0])
        #expect(cuts(1 << 31, [0], limits) == [0])
    }

    @Test func asked() throws {
        #expect(try limits("3").maximumFrames == 90)
        #expect(try limits("3").minimumFrames == 30)
        #expect(try limits("3s") == limits("90/30"))
        #expect(try limits("0.5").maximumFrames == 15)
        #expect(try limits("0.5").minimumFrames == 15)
        #expect(try limits("1/30").maximumFrames == 1)
        #expect(try limits("0.001").maximumFrames == 1)
        #expect(try limits("0.001").minimumFrames == 1)
        #expect(try limits("none").maximumFrames == nil)
        // 1 s of 29.97 Hz holds 29 whole frames; a run of 29 is not below the minimum.
        #expect(try limits("1", 1001, 30000) == limits("29/30"))
    }

    @Test(arguments: ["", "0", "-1", "abc", "+inf", "indefinite", "1/0", "3 s", "None"]) func refused(text: String) {
        #expect { try limits(text) } throws: { ($0 as? SplitreelError)?.code == .usage }
    }
}

@Suite struct RunCutterTests {
    @Test func instructionBoundaries() throws {
        let limits = try limits("10")
        #expect(cuts(270, [0, 120, 150], limits) == [0, 120, 150])
        // 29 frames are below the minimum of 30: they join the run before.
        #expect(cuts(270, [0, 120, 149], limits) == [0, 149])
        #expect(cuts(270, [0, 121, 150], limits) == [0, 150])
        // The first joins the next, as long as it is too short.
        #expect(cuts(300, [0, 10, 20, 100, 200], limits) == [0, 100, 200])
        #expect(cuts(20, [0, 10], limits) == [0])
        #expect(cuts(0, [0], limits).isEmpty)
    }

    @Test func instructionsWithoutAFrameGiveNone() throws {
        #expect(cuts(270, [0, 120, 120, 120, 200, 270, 270], try limits("10")) == [0, 120, 200])
    }

    @Test func longRunsAreCutIntoEqualParts() throws {
        #expect(cuts(900, [0], try limits("10")) == [0, 300, 600])
        #expect(cuts(901, [0], try limits("10")) == [0, 225, 450, 675])
        #expect(cuts(301, [0], try limits("10")) == [0, 150])
        #expect(cuts(5, [0], try limits("1/30")) == [0, 1, 2, 3, 4])
        #expect(cuts(100_000, [0, 7, 5000], try limits("none")) == [0])
    }

    @Test func cutsMoveToKeyFramesWithinAQuarterPart() throws {
        // 900 frames: parts of 300, reach 75.
        let limits = try limits("10")
        var asked: [(Int, Int)] = []
        let found = cuts(900, [0], limits) { frame, reach in
            asked.append((frame, reach))
            return frame == 300 ? 375 : 525
        }
        #expect(found == [0, 375, 525])
        #expect(asked.map(\.0) == [300, 600] && asked.map(\.1) == [75, 75])
        #expect(cuts(900, [0], limits) { frame, _ in frame + 76 } == [0, 300, 600])
        let why = RunCutter(frameCount: 900, limits: limits, boundaries: [0], keyFrame: { f, _ in f - 12 }).cuts()
        #expect(why[1].frame == 288 && why[1].why.contains("-12"))
    }

    @Test func anEditElsewhereMovesNoCut() throws {
        let limits = try limits("10")
        let key: (Int) -> (Int, Int) -> Int? = { origin in { frame, _ in origin + (frame - origin) / 7 * 7 } }
        // The same run of 1,000 frames, wherever it starts and whatever stands around it.
        let reference = cuts(1000, [0], limits, key: key(0))
        for lead in [30, 31, 299, 300, 5000] {
            let all = cuts(lead + 1000 + 400, [0, lead, lead + 1000], limits, key: key(lead))
            let inside = all.filter { $0 >= lead && $0 < lead + 1000 }.map { $0 - lead }
            #expect(inside == reference, "behind \(lead) frames")
        }
    }

    /// Contiguous, ordered, every frame once, within the limits, for random lists of instructions.
    @Test func coverage() throws {
        for seed in 1...500 {
            var generator = SeededNumbers(seed: UInt64(seed))
            let count = Int.random(in: 1...20_000, using: &generator)
            var boundaries = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                Int.random(in: 0...count, using: &generator)
            }
            boundaries = ([0] + boundaries).sorted()
            let text = [nil, "none", "1", "3", "0.1", "1/30", "7.77"].randomElement(using: &generator) ?? nil
            let limits = try limits(text)
            let snap = Int.random(in: 1...60, using: &generator)
            let found = cuts(count, boundaries, limits) { frame, _ in frame / snap * snap }
            try #require(found.first == 0, "seed \(seed)")
            for (position, start) in found.enumerated() {
                let end = position + 1 < found.count ? found[position + 1] : count
                try #require(start < end && end <= count, "seed \(seed)")
                guard let maximum = limits.maximumFrames else { continue }
                try #require(end - start <= maximum + maximum / 2 + 1, "seed \(seed)")
            }
            if limits.maximumFrames == nil { try #require(found == [0]) }
        }
    }

    @Test func tenThousandChunksQuickly() throws {
        let started = ContinuousClock.now
        let boundaries = (0..<10_000).map { $0 * 40 }
        #expect(cuts(400_000, boundaries, try limits(nil)) == boundaries)
        // Every pair compared with every other would take minutes.
        #expect(ContinuousClock.now - started < .seconds(30))
    }
}
