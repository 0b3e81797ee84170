import AudioMixing
import Foundation
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// A recipe of a project's text whose audio tracks play asset `a`.
private func recipes(
    _ segments: [String], inputs: String = "", channels: (a: Int, b: Int) = (2, 2)
) throws -> [AudioTrackRecipe] {
    let listed = segments.enumerated().map { "{\"id\":\($0 + 1),\"type\":\"audio\",\"segments\":[\($1)]}" }
    let text = """
        {"format":"splitreel/1","assets":{"a":{"url":"a.wav"},"b":{"url":"b.wav"}},
        "composition":{"tracks":[\(listed.joined(separator: ","))]},"audio":{"inputs":[\(inputs)]}}
        """
    let duration = try #require(MediaTime(text: "100s"))
    let facts = [("a", channels.a), ("b", channels.b)].map { name, count in
        let track = TrackFacts(
            id: 1, type: .audio, codec: "pcm_s16le", duration: duration,
            audio: AudioFacts(sampleRate: 48_000, channels: count, layout: count == 1 ? "mono" : "stereo"))
        return (name, AssetFacts(kind: .media, path: "/\(name).wav", duration: duration, tracks: [track]))
    }
    let assets = Dictionary(uniqueKeysWithValues: facts)
    return try Timeline(project: try Project(parsing: Data(text.utf8)), assets: assets).audio
}

private func clip(_ start: String, _ duration: String, source: String = "0s", _ more: String = "") -> String {
    "{\"asset\":\"a\",\"source\":[\"\(source)\",\"\(duration)\"],\"target\":[\"\(start)\",\"\(duration)\"]\(more)}"
}

/// The mix where every source sample is its channel's `levels`.
private func mixed(
    _ tracks: [AudioTrackRecipe], levels: [Float] = [1], start: Rational = .zero, count: Int, rate: Int,
    blocks: [Int] = [4096]
) throws -> [[Float]] {
    var mixer = Mixer(
        tracks: tracks, rangeStart: start, sampleCount: count, sampleRate: rate, channels: levels.count)
    var result = [[Float]](repeating: [], count: levels.count)
    let block = PlanarBlock(channels: levels.count, capacity: 8192)
    var turn = 0
    while true {
        let made = try mixer.nextBlock(maxSamples: blocks[turn % blocks.count], into: block.planes) {
            _, count, planes in
            for (plane, level) in zip(planes, levels) { plane.update(repeating: level, count: count) }
        }
        guard made > 0 else { return result }
        turn += 1
        for (index, plane) in block.planes.enumerated() {
            result[index] += UnsafeBufferPointer(start: plane, count: made)
        }
    }
}

@Suite("Fades at edges") struct EdgeFadeTests {
    /// The segment begins 0.6 samples before sample 1602 and fades from there, whatever the block and the range.
    @Test(arguments: [[4096], [1, 7, 333]]) func fadesAreOfTheExactTime(blocks: [Int]) throws {
        let gap = "{\"target\":[\"0s\",\"1001/30000\"]}"
        let fades =
            ",\"fadeIn\":{\"duration\":\"0.25s\",\"curve\":\"linear\"},\"fadeOut\":{\"duration\":\"0.5s\"}"
        let tracks = try recipes([gap + "," + clip("1001/30000", "1s", fades)])
        let sound = try mixed(tracks, count: 49_602, rate: 48_000, blocks: blocks)[0]
        #expect(sound[1601] == 0 && sound[20_000] == 1)
        for sample in 1602..<49_602 {
            let elapsed = Double(sample) - 1601.6
            let rest = 48_000 - elapsed
            let expected = min(1, elapsed / 12_000) * (rest < 24_000 ? sin(.pi / 2 * rest / 24_000) : 1)
            try #require(abs(Double(sound[sample]) - expected) < 1e-6, "sample \(sample)")
        }
        let late = try mixed(tracks, start: Rational(1, 2), count: 20_000, rate: 48_000)[0]
        #expect(late == Array(sound[24_000..<44_000]))
    }

    /// Two tracks that cross: the powers of what does not correlate add up to one.
    @Test func equalPowersCross() throws {
        let tracks = try recipes([
            clip("0s", "2s", ",\"fadeOut\":{\"duration\":\"1s\"}"),
            "{\"target\":[\"0s\",\"1s\"]}," + clip("1s", "2s", ",\"fadeIn\":{\"duration\":\"1s\"}"),
        ])
        let (out, into) = (
            try mixed([tracks[0]], count: 24_000, rate: 8000)[0], try mixed([tracks[1]], count: 24_000, rate: 8000)[0]
        )
        for sample in 8000..<16_000 {
            try #require(abs(out[sample] * out[sample] + into[sample] * into[sample] - 1) < 1e-6)
        }
    }

    /// About a cut at 2 s, for 1 s: the one that leaves goes on in its file, the other one begins earlier.
    @Test func aCutCrosses() throws {
        let cross = ",\"transition\":{\"id\":\"crossfade\",\"duration\":\"1s\"}"
        let list = [clip("0s", "2s"), clip("2s", "2s", source: "5s", cross), clip("4s", "2s", source: "9s", cross)]
        let tracks = try recipes([list.joined(separator: ",")])
        #expect(tracks[0].segments.map(\.targetStart) == [.zero, Rational(3, 2), Rational(7, 2)])
        #expect(tracks[0].segments.map(\.targetDuration) == [Rational(5, 2), Rational(3), Rational(5, 2)])
        #expect(tracks[0].segments.map(\.sourceStart) == [.zero, Rational(9, 2), Rational(17, 2)])
        for blocks in [[4096], [1, 333]] {
            let sound = try mixed(tracks, count: 48_000, rate: 8000, blocks: blocks)[0]
            for sample in 0..<48_000 {
                let shares = [12_000, 28_000].map { Double(sample - $0) / 8000 }
                let share = shares.first { (0..<1).contains($0) }
                let expected = share.map { sin(.pi / 2 * $0) + cos(.pi / 2 * $0) } ?? 1
                try #require(abs(Double(sound[sample]) - expected) < 1e-6, "sample \(sample)")
            }
        }
    }

    /// At a cut from which the source goes on at another speed nothing is faded.
    @Test func declickLeavesACutToAnotherSpeed() throws {
        let faster =
            "{\"asset\":\"a\",\"source\":[\"1s\",\"2s\"],\"target\":[\"1s\",\"1s\"],\"pitch\":\"varispeed\"}"
        let sound = try mixed(
            try recipes([clip("0s", "1s") + "," + faster], inputs: "{\"track\":1,\"declick\":true}"), count: 16_000,
            rate: 8000)[0]
        #expect(sound[0] == 0 && sound[40..<15_960].allSatisfy { $0 == 1 })
    }

    /// 5 ms where a source does not go on, and none where it does.
    @Test func declickLeavesWhatGoesOn() throws {
        let list = [clip("0s", "1s"), clip("1s", "1s", source: "1s"), clip("2s", "1s", source: "5s")]
        let sound = try mixed(
            try recipes([list.joined(separator: ",")], inputs: "{\"track\":1,\"declick\":true}"), count: 24_000,
            rate: 8000)[0]
        let plain = try mixed(try recipes([list.joined(separator: ",")]), count: 24_000, rate: 8000)[0]
        #expect(plain.allSatisfy { $0 == 1 })
        for sample in 0..<24_000 {
            let distance = [sample, abs(16_000 - sample), 24_000 - sample].min() ?? 0
            try #require(abs(Double(sound[sample]) - min(1, Double(distance) / 40)) < 1e-6, "sample \(sample)")
        }
    }
}

@Suite("Pan, balance, mute and solo") struct StereoPlaceTests {
    /// The formulas of Web Audio's StereoPannerNode and of a balance, at places and on the way between them.
    @Test func placesAreTheFormulas() throws {
        let tracks = try recipes(
            [clip("0s", "4s")],
            inputs: """
                {"track":1,"volume":[{"at":"0s","value":0.5}],"pan":[{"range":["1s","2s"],"from":-1,"to":1}],
                "balance":[{"at":"3s","value":-0.25}]}
                """)
        let levels: [Float] = [0.75, -0.25]
        let sound = try mixed(tracks, levels: levels, count: 32_000, rate: 8000)
        for sample in 0..<32_000 {
            let pan = sample < 8000 ? 0 : min(1, -1 + Double(sample - 8000) / 8000)
            let (left, right) = (0.375, -0.125)
            let angle = (pan <= 0 ? pan + 1 : pan) * .pi / 2
            var expected =
                pan <= 0
                ? (left + right * cos(angle), right * sin(angle)) : (left * cos(angle), right + left * sin(angle))
            if sample >= 24_000 { expected.1 *= 0.75 }
            try #require(abs(Double(sound[0][sample]) - expected.0) < 1e-6, "left at \(sample)")
            try #require(abs(Double(sound[1][sample]) - expected.1) < 1e-6, "right at \(sample)")
        }
        // In the middle nothing is done.
        #expect(sound[0][100] == 0.375 && sound[1][100] == -0.125)
        #expect(
            try mixed(tracks, levels: levels, count: 32_000, rate: 8000, blocks: [1, 500, 7777]) == sound)
        #expect(try mixed(tracks, levels: [0.5], count: 8000, rate: 8000)[0].allSatisfy { $0 == 0.25 })
    }

    /// The node's formula for one channel: 0.9 on the left alone is 0.9. A source of one channel is on both sides with
    /// half of its power, as `mixed` hands it out here.
    @Test func oneChannelHasItsOwnFormula() throws {
        let half = Float(0.5.squareRoot())
        func pans(_ list: String) throws -> [AudioTrackRecipe] {
            try recipes([clip("0s", "4s")], inputs: "{\"track\":1,\"pan\":[\(list)]}", channels: (1, 2))
        }
        // At 0.5 it is 0.9 times the cosine and the sine of 67.5°.
        let places: [(pan: Double, left: Double, right: Double)] = [
            (-1.0, 0.9, 0.0), (1.0, 0.0, 0.9), (0.5, 0.344415089, 0.831491579),
        ]
        for (pan, left, right) in places {
            let sound = try mixed(
                try pans("{\"at\":\"0s\",\"value\":\(pan)}"), levels: [0.9 * half, 0.9 * half], count: 100, rate: 8000)
            #expect(abs(Double(sound[0][50]) - left) < 1e-6 && abs(Double(sound[1][50]) - right) < 1e-6, "\(pan)")
        }
        let middle = try mixed(try pans("{\"at\":\"0s\",\"value\":0}"), levels: [half, half], count: 9, rate: 8000)
        #expect(middle == [[Float]](repeating: [Float](repeating: half, count: 9), count: 2))
        let moving = try pans("{\"range\":[\"0s\",\"2s\"],\"from\":-1,\"to\":1}")
        let sound = try mixed(moving, levels: [half, half], count: 16_000, rate: 8000, blocks: [77, 4096])
        for sample in 0..<16_000 {
            let angle = Double(sample) / 16_000 * .pi / 2
            try #require(abs(Double(sound[0][sample]) - cos(angle)) < 1e-6, "left at \(sample)")
            try #require(abs(Double(sound[1][sample]) - sin(angle)) < 1e-6, "right at \(sample)")
        }
    }

    /// On a track of files with one channel and with two each has its formula, whatever the block.
    @Test(arguments: [[4096], [1, 300, 777]]) func formulasChangeWithTheSource(blocks: [Int]) throws {
        let two = "{\"asset\":\"b\",\"source\":[\"0s\",\"1s\"],\"target\":[\"1s\",\"1s\"]}"
        let list = [clip("0s", "1s"), two, clip("2s", "1s")].joined(separator: ",")
        let tracks = try recipes(
            [list], inputs: "{\"track\":1,\"pan\":[{\"at\":\"0s\",\"value\":-1}]}", channels: (1, 2))
        let half = Float(0.5.squareRoot())
        let sound = try mixed(tracks, levels: [half, half], count: 24_000, rate: 8000, blocks: blocks)
        let expected: [Float] = [1, 2 * half, 1]
        for sample in 0..<24_000 {
            try #require(abs(sound[0][sample] - expected[sample / 8000]) < 1e-6, "left at \(sample)")
            try #require(abs(sound[1][sample]) < 1e-6, "right at \(sample)")
        }
    }

    @Test(arguments: [
        ("", [Float(1), 2, 4]), (#"{"track":2,"mute":true}"#, [1, 0, 4]), (#"{"track":3,"solo":true}"#, [0, 0, 4]),
        (#"{"track":3,"solo":true,"mute":true},{"track":1,"solo":true}"#, [1, 0, 0]),
    ])
    func tracksAreHeardOrNot(inputs: String, heard: [Float]) throws {
        let list = [1, 2, 4].map { clip("0s", "1s", ",\"volume\":\($0)") }
        let tracks = try recipes(list, inputs: inputs)
        #expect(tracks.count == 3)
        for (track, level) in zip(tracks, heard) {
            #expect(try mixed([track], count: 100, rate: 8000)[0] == [Float](repeating: level, count: 100))
        }
    }
}

@Suite("Samples before the first") struct EarlierSampleTests {
    /// Nested sound at another speed is mixed from before its own start.
    @Test func panBeginsBeforeTheFirstSample() throws {
        let tracks = try recipes(
            [clip("0s", "1s")], inputs: "{\"track\":1,\"pan\":[{\"at\":\"0s\",\"value\":-1}]}")
        var mixer = Mixer(
            tracks: tracks, rangeStart: .zero, first: -300, sampleCount: 400, sampleRate: 8000, channels: 2)
        let block = PlanarBlock(channels: 2, capacity: 8192)
        var heard: [[Float]] = [[], []]
        while true {
            let made = try mixer.nextBlock(maxSamples: 128, into: block.planes) { _, count, planes in
                for plane in planes { plane.update(repeating: 0.5, count: count) }
            }
            guard made > 0 else { break }
            for channel in 0..<2 { heard[channel] += UnsafeBufferPointer(start: block.planes[channel], count: made) }
        }
        #expect(heard[1].count == 700 && heard[1].allSatisfy { abs($0) < 1e-6 })
        // All of it is on the left.
        #expect(heard[0][..<300].allSatisfy { $0 == 0 } && heard[0][301...].allSatisfy { abs($0 - 1) < 1e-6 })
    }
}

@Suite("Pieces that overlap") struct OverlapTests {
    /// Slower than a half the second piece looks back beyond the first one. A source of one level keeps it, and one
    /// that rises evenly has nowhere what lies before its first sample.
    @Test(arguments: [Rational(1, 4), Rational(1, 32), Rational(2, 5), Rational(1, 2)])
    func slowSourcesAreReadFromTheirFirstSampleOn(rate: Rational) throws {
        let course = SoundCourse(rate: rate, speed: nil, sampleRate: 8000)
        let reader = OverlapReader(course, channels: 2, sampleRate: 8000)
        let block = PlanarBlock(channels: 2, capacity: 8000)
        var next = reader.first
        try reader.read(into: block.planes, count: 8000) { planes, count in
            for index in 0..<count {
                (planes[0][index], planes[1][index]) = (0.25, Float(next + index))
            }
            next += count
        }
        for index in 0..<8000 {
            try #require(abs(block.planes[0][index] - 0.25) < 1e-6, "sample \(index)")
            // Within 10 ms of its place, and half a piece of 40 ms.
            let place = Double(index) * rate.double
            try #require(abs(Double(block.planes[1][index]) - place) < 80 + 160, "sample \(index)")
        }
    }
}
