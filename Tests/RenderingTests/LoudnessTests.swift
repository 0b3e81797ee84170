import Diagnostics
import Foundation
import Hashing
import Outputs
import Planning
import Preparation
import Rendering
import SplitreelProject
import Synchronization
import TestTools
import Testing

/// Loudness as ffmpeg's ebur128 measures it.
@Suite("Loudness", .serialized) struct LoudnessTests {
    /// Integrated loudness in LUFS and true peak in dBTP.
    private func measured(_ path: String, _ witness: Witness) throws -> (loudness: Double, peak: Double) {
        let text = try witness.ffmpeg([
            "-v", "info", "-i", path, "-map", "0:a:0", "-af", "ebur128=peak=true", "-f", "null", "-",
        ]).standardError
        let summary = try #require(text.range(of: "Summary:", options: .backwards)).upperBound
        func number(_ name: String) throws -> Double {
            let line = try #require(
                text[summary...].split(separator: "\n").first { $0.contains(" \(name):") }, "\(text)")
            return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
        }
        return (try number("I"), try number("Peak"))
    }

    /// Noise and tones whose level changes, so that gates count; in as many channels.
    private func programme(_ channels: Int, amplitude: Double) -> [[Double]] {
        var numbers = SeededNumbers(seed: UInt64(channels))
        return (0..<channels).map { channel in
            (0..<12 * 48_000).map { sample in
                let loud = sample / 96_000 % 3 == 2 ? 0.02 : sample / 48_000 % 2 == 0 ? 1 : 0.4
                let noise = Double(numbers.next(in: 0..<2001)) / 1000 - 1
                let tone = sin(Double(sample) * (0.03 + 0.02 * Double(channel)))
                return amplitude * loud * (0.2 * noise + 0.5 * tone)
            }
        }
    }

    private static let source = "s.wav"

    /// The loudness in LUFS and the peak in dBTP that the mix had, and the loudness in LUFS that it was brought to, as
    /// told.
    private func report(_ record: SegmentRecord) throws -> (loudness: Double, peak: Double, brought: Double) {
        let notices = record.notices.notices.filter(\.isMeasurement)
        try #require(notices.count == 1)
        let numbers = notices[0].reason.description.split(separator: " ").compactMap { Double($0) }
        try #require(numbers.count == 3, "\(notices)")
        return (numbers[0], numbers[1], numbers[2])
    }

    private func film(
        _ fixture: RenderFixture, _ channels: [[Double]], _ loudness: String, input: String = ""
    ) throws -> (path: String, record: SegmentRecord) {
        let path = try fixture.wave(Self.source, channels)
        let text = """
            {"format":"splitreel/1","assets":{"s":{"url":"\(path)"}},"composition":{"tracks":[
            \(Text.track(1, "audio", Text.clip("s", "0s", "12s", at: "0s"))),
            \(Text.track(2, "audio", Text.clip("s", "0s", "12s", at: "0s")))]},
            "audio":{\(loudness)"inputs":[{"track":2,"mute":true}\(input)]}}
            """
        let plan = try fixture.plan(text) {
            ($0.sound.channels, $0.sound.sampleRate, $0.sound.codec) = (channels.count, 48_000, "flac")
        }
        return try fixture.render(plan, .audio(parts: []))
    }

    @Test(arguments: [1, 2, 6], [-23.0, -16, -14])
    func theMixComesToItsTarget(channels: Int, target: Double) throws {
        let fixture = try RenderFixture("loudness")
        let made = try film(
            fixture, programme(channels, amplitude: 0.05), "\"loudness\":{\"target\":\(target),\"truePeak\":-0.5},")
        let found = try measured(made.path, fixture.witness)
        let told = made.record.notices.notices.filter { $0.code == .loudnessMissed }
        let mix = try measured(fixture.folder.file(Self.source), fixture.witness)
        // ffmpeg looks at less of what lies near half the rate, and finds less of noise's peaks.
        let said = try report(made.record)
        #expect(
            abs(said.loudness - mix.loudness) <= 0.15 && (-0.1...0.5).contains(said.peak - mix.peak), "\(said), \(mix)")
        #expect(abs(said.brought - found.loudness) <= 0.15, "\(said), \(found)")
        // Where there is no room for the target under the ceiling, the peaks are limited.
        #expect(found.peak <= -0.5 + 0.001 && told.isEmpty, "\(found), \(told)")
        #expect(abs(found.loudness - target) <= 0.15, "\(found)")
    }

    private func withPeaks() -> [[Double]] {
        var sound = programme(2, amplitude: 0.05)
        for sample in 0..<24 { sound[0][100_000 + sample] = sample % 4 < 2 ? 0.9 : -0.9 }
        return sound
    }

    /// Peaks that stand out keep the whole below its target where they may not be limited, which is told.
    @Test func theCeilingGoesFirst() throws {
        let fixture = try RenderFixture("ceiling")
        let made = try film(fixture, withPeaks(), "\"loudness\":{\"target\":-14,\"limit\":false},")
        let found = try measured(made.path, fixture.witness)
        #expect(found.peak <= -1 && found.peak > -1.4 && found.loudness < -16, "\(found)")
        #expect(made.record.notices.notices.contains { $0.code == .loudnessMissed })
    }

    /// A limiter takes them down, and moves nothing else: far from the peaks the sound is the source's by one factor,
    /// sample by sample.
    @Test func peaksAreLimited() throws {
        let fixture = try RenderFixture("limited")
        let sound = withPeaks()
        let made = try film(fixture, sound, "\"loudness\":{\"target\":-14},")
        let found = try measured(made.path, fixture.witness)
        #expect(found.peak <= -1 && abs(found.loudness + 14) <= 0.15, "\(found)")
        #expect(!made.record.notices.notices.contains { $0.code == .loudnessMissed })
        let film = try fixture.witness.samples(made.path)
        let heard = 200_000..<280_000
        let mixed = heard.map { 2 * sound[1][$0] }
        let product = zip(heard, mixed).reduce(0) { $0 + Double(film[1][$1.0]) * $1.1 }
        let factor = product / mixed.reduce(0) { $0 + $1 * $1 }
        let worst = zip(heard, mixed).map { abs(Double(film[1][$0]) - factor * $1) }.max() ?? 1
        #expect(film[0].count == 12 * 48_000 && worst < 2e-4, "\(worst)")
    }

    /// A composition of one sound, with a loudness.
    private func composition(_ fixture: RenderFixture, _ sound: [[Double]], _ loudness: String) throws -> String {
        let path = try fixture.wave(Self.source, sound)
        return """
            {"format":"splitreel/1","assets":{"s":{"url":"\(path)"}},"composition":{"tracks":[
            \(Text.track(1, "audio", Text.clip("s", "0s", "4s", at: "0s")))]},"audio":{"loudness":{\(loudness)}}}
            """
    }

    private func noise(_ channels: Int) -> [[Double]] {
        var numbers = SeededNumbers(seed: 5)
        return (0..<channels).map { _ in
            (0..<4 * 48_000).map { _ in (Double(numbers.next(in: 0..<2001)) / 1000 - 1) * 0.5 }
        }
    }

    /// A lossy coder's sound has peaks that it was not given, and at low rates no high tones: noise is 6 dB quieter.
    /// A loudness that its peaks allow is met all the same.
    @Test(arguments: [
        ("aac", 192_000, -10.0), ("opus", 128_000, -10), ("mp3", 192_000, -10), ("aac", 64_000, -20),
        ("mp3", 64_000, -20), ("mp3", 64_000, -14), ("vorbis", 64_000, -20),
    ])
    func codersKeepToTheLoudness(codec: String, bitRate: Int, target: Double) throws {
        let fixture = try RenderFixture("coder")
        let text = try composition(fixture, noise(2), "\"target\":\(target),\"truePeak\":-1")
        let plan = try fixture.plan(text) {
            ($0.sound.sampleRate, $0.sound.codec, $0.sound.bitRate) = (48_000, codec, bitRate)
        }
        let made = try fixture.render(plan, .audio(parts: []))
        let found = try measured(made.path, fixture.witness)
        #expect(found.peak <= -1, "\(found)")
        let missed = made.record.notices.notices.filter { $0.code == .loudnessMissed }
        #expect(abs(found.loudness - target) <= 0.2 && missed.isEmpty, "\(found), \(missed)")
    }

    /// Each time that it is made again is seen to go on, so that nobody takes it for stuck.
    @Test func whatIsMadeAgainIsSeenToGoOn() throws {
        let fixture = try RenderFixture("again")
        let plan = try fixture.plan(try composition(fixture, noise(1), "\"target\":-20")) {
            ($0.sound.channels, $0.sound.sampleRate, $0.sound.codec, $0.sound.bitRate) = (1, 48_000, "mp3", 32_000)
        }
        let told = Mutex<[Int]>([])
        _ = try fixture.render(plan, .audio(parts: [])) { done, _ in told.withLock { $0.append(done) } }
        let values = told.withLock { $0 }
        let again = Set(values.filter { $0 > 4 * 24_000 })
        #expect(values == values.sorted() && again.count > 40 && again.allSatisfy { $0 < 4 * 48_000 }, "\(values)")
    }

    /// Of one mix what loses nothing stays where it is, and what a coder loses is told.
    @Test func codersAreHeldApart() throws {
        let fixture = try RenderFixture("coders")
        let text = try composition(fixture, noise(1), "\"target\":-20")
        let requests = ["a.flac", "b.mp3"].map { name in
            var request = OutputRequest(path: fixture.folder.file(name))
            (request.sound.channels, request.sound.sampleRate) = (1, 48_000)
            if name == "b.mp3" { request.sound.bitRate = 32_000 }
            return request
        }
        let plan = try prepareJob(project: try Project(parsing: Data(text.utf8)), requests: requests).plan
        let (paths, told) = try render(fixture, plan)
        for path in paths { #expect(abs(try measured(path, fixture.witness).loudness + 20) <= 0.2, "\(path)") }
        #expect(told.map(\.code) == [.loudnessMeasured], "\(told)")
    }

    /// Nothing of a tone of 19 kHz is left in MP3 at 64 kb/s.
    @Test func whatACoderLeavesOutIsTold() throws {
        let fixture = try RenderFixture("high")
        let tone = (0..<4 * 48_000).map { 0.3 * sin(Double($0) * 2 * .pi * 19_000 / 48_000) }
        let plan = try fixture.plan(try composition(fixture, [tone], "\"target\":-20")) {
            ($0.sound.channels, $0.sound.sampleRate, $0.sound.codec, $0.sound.bitRate) = (1, 48_000, "mp3", 32_000)
        }
        let made = try fixture.render(plan, .audio(parts: []))
        let found = try measured(made.path, fixture.witness)
        let missed = made.record.notices.notices.filter { $0.code == .loudnessMissed }
        #expect(
            missed.count == 1 && missed[0].reason.hasSuffix("instead of -20.0 LUFS as mp3 at 32 kb/s is decoded"),
            "\(missed)")
        #expect(found.loudness < -25, "\(found)")
    }

    /// A track is brought to its own loudness; the other one is not heard, so that the sum is the track.
    @Test func aTrackComesToItsTarget() throws {
        let fixture = try RenderFixture("track")
        let made = try film(
            fixture, programme(2, amplitude: 0.3), "", input: ",{\"track\":1,\"loudness\":{\"target\":-30}}")
        #expect(abs(try measured(made.path, fixture.witness).loudness + 30) <= 0.15)
        #expect(made.record.notices.notices.map(\.code) == [.loudnessMeasured])
        #expect(try report(made.record).brought == -30)
    }

    @Test func silenceStaysSo() throws {
        let fixture = try RenderFixture("silence")
        let made = try film(
            fixture, [[Double](repeating: 0, count: 12 * 48_000)], "\"loudness\":{\"target\":-23},")
        #expect(made.record.notices.notices.map(\.code) == [.loudnessMissed])
        #expect(try fixture.witness.samples(made.path)[0].allSatisfy { $0 == 0 })
    }

    // MARK: Nested compositions

    /// A nested composition whose track and whole have a loudness, heard where `clips` say.
    private func nesting(_ fixture: RenderFixture, _ clips: String...) throws -> String {
        let path = try fixture.wave(Self.source, programme(2, amplitude: 0.3))
        return """
            {"format":"splitreel/1","assets":{"n":{"kind":"composition","project":{
            "format":"splitreel/1","assets":{"s":{"url":"\(path)"}},"composition":{"tracks":[
            \(Text.track(1, "audio", Text.clip("s", "0s", "12s", at: "0s")))]},
            "audio":{"loudness":{"target":-23},"inputs":[{"track":1,"loudness":{"target":-30}}]}}}},
            "composition":{"tracks":[\(Text.track(1, "audio", clips.joined(separator: ",")))]}}
            """
    }

    private func plan(_ fixture: RenderFixture, _ text: String, parts: String = "none") throws -> RenderPlan {
        try fixture.plan(text) {
            ($0.sound.channels, $0.sound.sampleRate, $0.sound.codec, $0.rendering.soundPartSeconds) = (
                2, 48_000, "flac", parts
            )
        }
    }

    @Test func aNestedCompositionComesToItsTarget() throws {
        let fixture = try RenderFixture("nested")
        let whole = try fixture.render(
            plan(fixture, nesting(fixture, Text.clip("n", "0s", "12s", at: "0s"))), .audio(parts: []))
        #expect(abs(try measured(whole.path, fixture.witness).loudness + 23) <= 0.15)
        let told = whole.record.notices.notices
        #expect(told.map(\.code) == [.loudnessMeasured, .loudnessMeasured], "\(told)")
        #expect(told.map(\.subject) == ["track 1 of the nested composition ‘n’", "the nested composition ‘n’"])
        #expect(told.map { $0.reason.hasSuffix("brought to -30.0 LUFS") } == [true, false])
        let all = try fixture.witness.samples(whole.path)
        // What is quiet in it stays so where nothing else of it is heard, and at each of two places.
        let quiet = try fixture.render(
            plan(
                fixture,
                nesting(fixture, Text.clip("n", "4s", "2s", at: "0s"), Text.clip("n", "3s", "2s", at: "2s"))),
            .audio(parts: []))
        let some = try fixture.witness.samples(quiet.path)
        for channel in 0..<2 {
            let expected = Array(all[channel][192_000..<288_000] + all[channel][144_000..<240_000])
            #expect(some[channel] == expected)
        }
        #expect(quiet.record.notices.notices.count == 2)
    }

    /// It is measured once: no cut of the sound lies in it.
    @Test func aNestedLoudnessIsNotCut() throws {
        let fixture = try RenderFixture("nested-cuts")
        let text = try nesting(
            fixture, Text.gap("0s", "4s"), Text.clip("n", "3s", "5s", at: "4s"), Text.gap("9s", "3s"))
        #expect(try plan(fixture, text, parts: "1").soundCuts == [1, 2, 3, 4, 10, 11])
        let without = text.replacing(#""loudness":{"target":-23},"#, with: "")
            .replacing(#","loudness":{"target":-30}"#, with: "")
        #expect(try plan(fixture, without, parts: "1").soundCuts == Array(1...11))
    }

    /// Minutes that a tap remembers, and nobody hears, are a sign of life.
    @Test func whatIsMadeAheadIsTold() throws {
        let fixture = try RenderFixture("ahead")
        let text = """
            {"format":"splitreel/1","assets":{"n":{"kind":"composition","project":{
            "format":"splitreel/1","assets":{"t":{"kind":"tone"}},"composition":{"tracks":[
            {"id":1,"type":"audio","segments":[{"asset":"t","target":["0s","302s"]}]}]},
            "audio":{"taps":[{"id":"compressor"}]}}}},
            "composition":{"tracks":[\(Text.track(1, "audio", Text.clip("n", "300s", "1s", at: "0s")))]}}
            """
        let told = Mutex<[Int]>([])
        _ = try SegmentRenderer().render(
            plan: try plan(fixture, text), planHash: try plan(fixture, text).hash(), task: .audio(parts: []),
            key: ContentKey(of: [0]),
            segmentPath: fixture.folder.file("a.nut"),
            progress: { done, _ in told.withLock { $0.append(done) } }, cancellation: Cancellation())
        let values = told.withLock { $0 }
        // 300 s are 1,758 blocks of 8192 samples; a block that comes out of the mix has 4096.
        #expect(values.prefix { $0 < 4096 } == Array(1...27), "\(values.prefix(40))")
        #expect(values == values.sorted() && values.last == 48_000)
    }

    // MARK: Several sounds

    private func render(_ fixture: RenderFixture, _ plan: RenderPlan) throws -> (paths: [String], told: [Notice]) {
        let path = fixture.folder.file("sounds.nut")
        let records = try SegmentRenderer().render(
            plan: plan, planHash: try plan.hash(), task: .audio(parts: []), key: ContentKey(of: [0]), segmentPath: path,
            progress: { _, _ in }, cancellation: Cancellation())
        let paths = records.indices.map { SegmentSet.path(path, file: $0) }
        return (paths, records.flatMap(\.notices.notices))
    }

    /// Voice and music in a sound track each.
    private func tracks(_ fixture: RenderFixture, _ loudness: String, _ own: [String]) throws -> RenderPlan {
        let voice = try fixture.wave("voice.wav", programme(1, amplitude: 0.3))
        let music = try fixture.wave("music.wav", programme(1, amplitude: 0.05))
        let text = """
            {"format":"splitreel/1","assets":{"v":{"url":"\(voice)"},"m":{"url":"\(music)"}},"composition":{"tracks":[
            {"id":1,"type":"audio","name":"Voice","segments":[\(Text.clip("v", "0s", "12s", at: "0s"))]},
            \(Text.track(2, "audio", Text.clip("m", "0s", "12s", at: "0s")))]},
            "audio":{\(loudness)"inputs":[{"track":1,"output":"English"\(own[0])},{"track":2,"output":2\(own[1])}]},
            "outputs":[{"url":"o.mkv","audioTracks":[{"name":"English"},{"name":"Deutsch"}]}]}
            """
        return try fixture.plan(text) {
            ($0.sound.channels, $0.sound.sampleRate, $0.sound.codec) = (1, 48_000, "flac")
            $0.soundTracks = [("English", "en"), ("Deutsch", "de")].map { name, language in
                var track = SoundRequest()
                (track.name, track.language) = (name, language)
                return track
            }
        }
    }

    /// Two sound tracks of two targets, of the composition's tracks that go into them.
    @Test func tracksOfTwoTargetsAreToldApart() throws {
        let fixture = try RenderFixture("two-targets")
        let targets = [-30.0, -24]
        let plan = try tracks(fixture, "", targets.map { ",\"loudness\":{\"target\":\($0)}" })
        let (paths, told) = try render(fixture, plan)
        try #require(paths.count == 2 && told.count == 2, "\(told)")
        #expect(told.allSatisfy { $0.code == .loudnessMeasured })
        #expect(told.map(\.subject) == ["track 1 (Voice)", "track 2"])
        for (path, target) in zip(paths, targets) {
            #expect(abs(try measured(path, fixture.witness).loudness - target) <= 0.15)
        }
        for (notice, target) in zip(told, targets) {
            #expect(notice.reason.hasSuffix(String(format: "brought to %.1f LUFS", target)), "\(notice)")
        }
    }

    /// The mix's target is that of each sound track, which are of another loudness before.
    @Test func soundTracksAreToldApart() throws {
        let fixture = try RenderFixture("sound-tracks")
        let (paths, told) = try render(fixture, try tracks(fixture, "\"loudness\":{\"target\":-27},", ["", ""]))
        try #require(paths.count == 2 && told.count == 2, "\(told)")
        #expect(told.map(\.subject) == ["sound track 1 (English, eng)", "sound track 2 (Deutsch, deu)"])
        for (index, name) in ["voice.wav", "music.wav"].enumerated() {
            let before = try measured(fixture.folder.file(name), fixture.witness).loudness
            let said = try #require(told[index].reason.description.split(separator: " ").first.flatMap { Double($0) })
            #expect(abs(said - before) <= 0.15, "\(said), \(before)")
            #expect(abs(try measured(paths[index], fixture.witness).loudness + 27) <= 0.15)
        }
    }

    /// Outputs of one layout have one loudness, whatever their rates. Eight times as loud, all are clipped.
    @Test func outputsAreToldApart() throws {
        let fixture = try RenderFixture("outputs")
        let wave = try fixture.wave("loud.wav", programme(2, amplitude: 0.5))
        let text = """
            {"format":"splitreel/1","assets":{"s":{"url":"\(wave)"}},"composition":{"tracks":[
            \(Text.track(1, "audio", Text.clip("s", "0s", "12s", at: "0s")))]},"audio":{"loudness":{"target":-27}}}
            """
        func requests() -> [OutputRequest] {
            [("a.flac", 2, 48_000), ("b.wav", 1, 48_000), ("c.wav", 2, 44_100)].map { name, channels, rate in
                var request = OutputRequest(path: fixture.folder.file(name))
                (request.sound.channels, request.sound.sampleRate) = (channels, rate)
                return request
            }
        }
        let names = ["output 1 (flac) and output 3 (wav)", "output 2 (wav)"]
        let plan = try prepareJob(project: try Project(parsing: Data(text.utf8)), requests: requests()).plan
        let told = try render(fixture, plan).told
        #expect(told.map(\.code) == [.loudnessMeasured, .loudnessMeasured] && told.map(\.subject) == names, "\(told)")
        let volume = #""inputs":[{"track":1,"volume":[{"at":"0s","value":8}]}]"#
        let loud = text.replacing(#""loudness":{"target":-27}"#, with: volume)
        let clipped = try prepareJob(project: try Project(parsing: Data(loud.utf8)), requests: requests()).plan
        let warnings = try render(fixture, clipped).told
        #expect(warnings.allSatisfy { $0.code == .soundClipped } && Set(warnings.map(\.subject)) == Set(names))
    }
}
