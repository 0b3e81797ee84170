import AudioMixing
import Foundation
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// One source of any length whose sample n, in channel c, is a fixed function of its position.
private func signal(_ seed: Int, _ sample: Int, _ channel: Int) -> Float {
    let mixed = UInt32(truncatingIfNeeded: (sample &* 2_654_435_761) ^ (seed &* 40_503) ^ (channel &* 977))
    return Float(Int(mixed % 65_536) - 32_768) / 32_768
}

/// A project of audio tracks over asset `a`.
private func tracks(_ tracks: [String], volumes: [String] = [], length: String = "1000s") throws -> [AudioTrackRecipe] {
    let listed = tracks.enumerated().map { "{\"id\":\($0 + 1),\"type\":\"audio\",\"segments\":[\($1)]}" }
    let inputs = volumes.enumerated().map { "{\"track\":\($0 + 1),\"volume\":[\($1)]}" }
    let text = """
        {"format":"splitreel/1","assets":{"a":{"url":"a.wav"}},
        "composition":{"tracks":[\(listed.joined(separator: ","))]},
        "audio":{"inputs":[\(inputs.joined(separator: ","))]}}
        """
    let duration = try #require(MediaTime(text: length))
    let facts = AssetFacts(
        kind: .media, path: "/a.wav", duration: duration,
        tracks: [
            TrackFacts(
                id: 1, type: .audio, codec: "pcm_s16le", duration: duration,
                audio: AudioFacts(sampleRate: 48_000, channels: 2, layout: "stereo"))
        ])
    let project = try Project(parsing: Data(text.utf8))
    return try Timeline(project: project, assets: ["a": facts]).audio
}

private func segment(_ start: String, _ duration: String, source: String = "0s", sourceDuration: String? = nil)
    -> String
{
    """
    {"asset":"a","source":["\(source)","\(sourceDuration ?? duration)"],"target":["\(start)","\(duration)"],
    "pitch":"varispeed"}
    """
}

private func gap(_ start: String, _ duration: String) -> String { "{\"target\":[\"\(start)\",\"\(duration)\"]}" }

/// Mixes everything in blocks of those sizes, over and over.
private func mix(
    _ tracks: [AudioTrackRecipe], start: Rational = .zero, count: Int, rate: Int, channels: Int = 1, blocks: [Int],
    source: (MixSegment, Int, Int) -> Float
) throws -> [[Float]] {
    var mixer = Mixer(tracks: tracks, rangeStart: start, sampleCount: count, sampleRate: rate, channels: channels)
    var result = [[Float]](repeating: [], count: channels)
    let largest = try #require(blocks.max())
    let planes = (0..<channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: largest) }
    defer { for plane in planes { plane.deallocate() } }
    for plane in planes { plane.initialize(repeating: .nan, count: largest) }
    var read: [MixRun: Int] = [:]
    var turn = 0
    while true {
        let count = try mixer.nextBlock(maxSamples: blocks[turn % blocks.count], into: planes) { segment, count, into in
            let first = read[segment.run, default: 0]
            for (channel, plane) in into.enumerated() {
                for sample in 0..<count { plane[sample] = source(segment, first + sample, channel) }
            }
            read[segment.run] = first + count
        }
        turn += 1
        if count == 0 { break }
        for channel in 0..<channels { result[channel] += UnsafeBufferPointer(start: planes[channel], count: count) }
    }
    for (run, count) in read { #expect(count == run.end - max(0, run.start)) }
    return result
}

/// round(numerator / denominator), halves away from zero, for numbers of either sign.
private func rounded(_ numerator: Int, _ denominator: Int) -> Int {
    let (whole, rest) = abs(numerator).quotientAndRemainder(dividingBy: denominator)
    return (rest * 2 >= denominator ? whole + 1 : whole) * numerator.signum()
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }

@Suite struct MixerPositionTests {
    /// Starts and ends at round(t × rate), by integers: thirds, 1001ths, and halves of a sample.
    @Test(arguments: [44_100, 48_000, 96_000]) func segmentsStartAtExactSamples(rate: Int) throws {
        let times = [(0, 1), (1, 3), (1001, 1500), (70_070, 30_000), (240_241, 96_000), (10_000_001, 3_000_000)]
        var list: [String] = []
        for (index, time) in times.dropLast().enumerated() where index > 0 {
            let next = times[index + 1]
            // next − time over the product of the denominators, reduced.
            let length = (next.0 * time.1 - time.0 * next.1, next.1 * time.1)
            let common = greatestCommonDivisor(length.0, length.1)
            list.append(segment("\(time.0)/\(time.1)", "\(length.0 / common)/\(length.1 / common)"))
        }
        let recipes = try tracks([([gap("0/1", "1/3")] + list).joined(separator: ",")])
        let mixed = try mix(recipes, count: 4 * rate, rate: rate, blocks: [4096]) { segment, sample, _ in
            sample == 0 ? Float(segment.index + 1) : 0
        }
        var expected = [Float](repeating: 0, count: 4 * rate)
        for index in 1..<(times.count - 1) { expected[rounded(times[index].0 * rate, times[index].1)] = Float(index) }
        #expect(mixed[0] == expected)
    }

    @Test func lengthsTileWithoutHoleOrOverlap() throws {
        // 100 segments of 1001/30000 s: 1601.6 samples each.
        let list = (0..<100).map { segment("\($0 * 1001)/30000", "1001/30000") }.joined(separator: ",")
        let total = rounded(100 * 1001 * 48_000, 30_000)
        let mixed = try mix(try tracks([list]), count: total, rate: 48_000, blocks: [1000]) { _, _, _ in 1 }
        #expect(mixed[0].count == 160_160)
        #expect(mixed[0].allSatisfy { $0 == 1 })
    }

    @Test func rangeInsideASegmentSkipsItsSource() throws {
        let recipes = try tracks([gap("0s", "1s") + "," + segment("1s", "4s", source: "10s", sourceDuration: "8s")])
        var found: MixSegment?
        _ = try mix(recipes, start: Rational(5, 2), count: 48_000, rate: 48_000, blocks: [4096]) { segment, _, _ in
            found = segment
            return 0
        }
        let segment = try #require(found)
        // The whole source, of which 1.5 s of the film are passed over.
        #expect(segment.run.sourceStart == Rational(10) && segment.run.sourceDuration == Rational(8))
        #expect(segment.run.rate == Rational(2) && segment.samples == 0..<48_000 && segment.skipped == 72_000)
    }

    /// Segments that go on with their source are read as one, whatever their volumes; all others begin anew.
    @Test func aSourceThatGoesOnIsOneRun() throws {
        let list = [
            segment("0s", "1/3", source: "1s"), segment("1/3", "1/3", source: "4/3"),
            // The same speed, then another one, a hole in the source, a hole in the film.
            segment("2/3", "1s", source: "5/3"), segment("5/3", "1s", source: "8/3", sourceDuration: "2s"),
            segment("8/3", "1/3", source: "5s"), gap("3s", "1s"), segment("4s", "1s", source: "16/3"),
        ]
        var found: [MixSegment] = []
        let recipes = try tracks([list.joined(separator: ",")])
        let total = 5 * 44_100
        _ = try mix(recipes, start: Rational(1, 2), count: total, rate: 44_100, blocks: [4096]) { segment, _, _ in
            if found.last != segment { found.append(segment) }
            return 0
        }
        #expect(found.map(\.run.index) == [0, 0, 3, 4, 5])
        #expect(found[0].run == found[1].run)
        // The range starts half a second after the run: 22,050 samples of it are not heard, segment 0 not at all.
        #expect(found[0].run.start == -22_050 && found[0].skipped == 22_050 && found[0].samples.lowerBound == 0)
        #expect(found[0].run.sourceStart == Rational(1) && found[0].run.sourceDuration == Rational(5, 3))
        #expect(found[1].skipped == 29_400 && found[1].samples == 7_350..<51_450)
    }

    @Test func volumesOfARunStayApart() throws {
        let halves = ["0s", "1/3"].enumerated().map { index, start in
            "{\"asset\":\"a\",\"source\":[\"\(start)\",\"1/3\"],\"target\":[\"\(start)\",\"1/3\"],"
                + "\"volume\":\(index + 1)}"
        }
        let mixed = try mix(
            try tracks([halves.joined(separator: ",")]), count: 29_400, rate: 44_100, blocks: [1000]
        ) { _, sample, _ in Float(sample) }[0]
        let expected: [Float] = (0..<29_400).map { (sample: Int) -> Float in
            Float(sample < 14_700 ? sample : 2 * sample)
        }
        #expect(mixed == expected)
    }

    @Test func silenceWhereNothingPlays() throws {
        let recipes = try tracks([gap("0s", "1s") + "," + segment("1s", "1s") + "," + gap("2s", "1s")])
        let mixed = try mix(recipes, count: 3 * 8000, rate: 8000, channels: 2, blocks: [777]) { _, _, _ in 0.5 }
        for plane in mixed {
            #expect(
                plane == [Float](repeating: 0, count: 8000) + [Float](repeating: 0.5, count: 8000)
                    + [Float](repeating: 0, count: 8000))
        }
        #expect(try mix([], count: 10, rate: 8000, blocks: [3]) { _, _, _ in 1 } == [[Float](repeating: 0, count: 10)])
    }
}

@Suite struct MixerGainTests {
    /// Before the first key 1, a jump at the ramp's start, straight in exact time, the last value after it.
    @Test func rampAgainstArithmetic() throws {
        let rate = 48_000
        let recipes = try tracks(
            [segment("0s", "4s")], volumes: ["{\"range\":[\"1/3\",\"4/3\"],\"from\":0.25,\"to\":2}"])
        let mixed = try mix(recipes, count: 4 * rate, rate: rate, blocks: [4096]) { _, _, _ in 1 }[0]
        for sample in mixed.indices {
            // The ramp covers samples 16,000 to 80,000.
            let expected: Double =
                if sample < 16_000 { 1 } else if sample >= 80_000 { 2 } else {
                    0.25 + 1.75 * Double(sample - 16_000) / 64_000
                }
            try #require(abs(Double(mixed[sample]) - expected) <= expected * 1e-7, "sample \(sample)")
        }
    }

    /// The gain between samples is that of the exact time: the ramp starts 0.6 samples before sample 1602.
    @Test func rampThatStartsBetweenSamples() throws {
        let recipes = try tracks(
            [segment("0s", "1s")], volumes: ["{\"range\":[\"1001/30000\",\"1001/30000\"],\"from\":0,\"to\":1}"])
        let mixed = try mix(recipes, count: 48_000, rate: 48_000, blocks: [4096]) { _, _, _ in 1 }[0]
        #expect(mixed[1601] == 1)
        for sample in 1602...3203 {
            let expected = (Double(sample) - 1601.6) / 1601.6
            try #require(abs(Double(mixed[sample]) - expected) < 1e-7, "sample \(sample)")
        }
        #expect(mixed[3204] == 1)
    }

    @Test func keysJumpAndVolumesMultiply() throws {
        let text = "{\"asset\":\"a\",\"source\":[\"0s\",\"3s\"],\"target\":[\"0s\",\"3s\"],\"volume\":0.5}"
        let recipes = try tracks(
            [text], volumes: ["{\"at\":\"1s\",\"value\":3},{\"range\":[\"2s\",\"0.5s\"],\"from\":0,\"to\":0.5}"])
        let mixed = try mix(recipes, count: 24_000, rate: 8000, blocks: [4096]) { _, _, _ in 1 }[0]
        #expect(mixed[7_999] == 0.5 && mixed[8_000] == 1.5 && mixed[15_999] == 1.5 && mixed[16_000] == 0)
        #expect(abs(mixed[18_000] - 0.125) < 1e-7 && mixed[20_000] == 0.25 && mixed[23_999] == 0.25)
    }

    @Test func overlapAddsAndKeepsValuesAboveOne() throws {
        let recipes = try tracks([
            segment("0s", "2s"), segment("0s", "2s"), gap("0s", "1s") + "," + segment("1s", "1s"),
        ])
        let mixed = try mix(recipes, count: 16_000, rate: 8000, blocks: [4096]) { _, _, _ in 0.75 }[0]
        #expect(mixed[0] == 1.5 && mixed[7_999] == 1.5 && mixed[8_000] == 2.25)
    }
}

@Suite struct MixerBlockTests {
    /// Any block sizes give the same bits, with ramps, jumps, gaps, overlaps and a range that cuts segments.
    @Test(arguments: [44_100, 48_000, 96_000]) func blockSizeDoesNotShow(rate: Int) throws {
        let recipes = try tracks(
            [
                segment("0s", "1001/30000") + "," + gap("1001/30000", "1/7") + ","
                    + segment("37007/210000", "2s", sourceDuration: "3s"),
                segment("0s", "3s"), gap("0s", "1/3") + "," + segment("1/3", "2s"),
            ],
            volumes: [
                "{\"range\":[\"1/7\",\"1/3\"],\"from\":0,\"to\":1},{\"at\":\"1s\",\"value\":0.3}",
                "{\"range\":[\"0.1s\",\"2.7s\"],\"from\":1,\"to\":0}",
            ])
        let start = Rational(1001, 60_000)
        func samples(_ blocks: [Int]) throws -> [[Float]] {
            try mix(recipes, start: start, count: 2 * rate, rate: rate, channels: 2, blocks: blocks) {
                signal($0.run.track * 10 + $0.index, $1, $2)
            }
        }
        let reference = try samples([8192])
        #expect(reference[0].count == 2 * rate && reference[0] != reference[1])
        #expect(reference[0].contains { abs($0) > 1 })
        for blocks in [[4096], [1], [1, 7, 4096, 333], [100_000]] where rate == 48_000 || blocks != [1] {
            #expect(try samples(blocks) == reference, "blocks of \(blocks)")
        }
    }

    @Test func errorsOfTheSourcePassThrough() throws {
        struct Broken: Error {}
        var mixer = Mixer(
            tracks: try tracks([segment("0s", "1s")]), rangeStart: .zero, sampleCount: 100, sampleRate: 8000,
            channels: 1)
        let plane = UnsafeMutablePointer<Float>.allocate(capacity: 100)
        defer { plane.deallocate() }
        #expect(throws: Broken.self) {
            try mixer.nextBlock(maxSamples: 100, into: [plane]) { _, _, _ in throw Broken() }
        }
    }
}

/// A mix that begins elsewhere gives the same samples.
@Suite struct MixStartTests {
    @Test(arguments: [-700, -1, 0, 1, 480, 5000]) func itBeginsWhereItIsTold(first: Int) throws {
        let segments = segment("0s", "1s") + "," + segment("1s", "0.5s", source: "3s")
        let track = try #require(try tracks([segments]).first)
        func mixed(from first: Int) throws -> [Int: Float] {
            var mixer = Mixer(
                tracks: [track], rangeStart: .zero, first: first, sampleCount: 8000, sampleRate: 4800, channels: 1)
            var positions: [MixRun: Int] = [:]
            var samples: [Int: Float] = [:]
            let block = PlanarBlock(channels: 1, capacity: 512)
            while true {
                let at = mixer.position
                let count = try mixer.nextBlock(maxSamples: 512, into: block.planes) { part, count, planes in
                    let next = positions[part.run] ?? part.skipped
                    for index in 0..<count { planes[0][index] = Float(part.run.index * 10_000 + next + index + 1) }
                    positions[part.run] = next + count
                }
                if count == 0 { return samples }
                for index in 0..<count { samples[at + index] = block.planes[0][index] }
            }
        }
        let whole = try mixed(from: 0)
        let part = try mixed(from: first)
        for sample in first..<8000 { #expect(part[sample, default: -1] == (sample < 0 ? Float(0) : whole[sample])) }
    }
}
