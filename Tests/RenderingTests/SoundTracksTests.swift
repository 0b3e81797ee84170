import Foundation
import Hashing
import Outputs
import Planning
import Preparation
import Rendering
import SplitreelProject
import TestTools
import Testing

/// Several sound tracks of one output: what each holds, worked out by hand and decoded by ffmpeg.
@Suite("Several sound tracks", .serialized) struct SoundTracksTests {
    private static let count = 24_000
    /// The value of a sample of one of the three sources; each sample has its own number.
    private static func value(_ source: Int, _ sample: Int, _ scale: Double = 1) -> Double {
        Double((sample * (7 + 2 * source) + source) % 1000) / 8000 * scale
    }

    /// Track 1 goes into the first, 2 into the second at half its volume, 3 into both.
    private func composition(_ fixture: RenderFixture, third: Double = 1) throws -> Project {
        var assets: [String: String] = [:]
        for (source, name) in ["a", "b", "c"].enumerated() {
            let scale = source == 1 ? third : 1
            assets[name] = try fixture.wave(
                "\(name)\(scale).wav", [(0..<Self.count).map { Self.value(source, $0, scale) }])
        }
        let tracks = ["a", "b", "c"].enumerated().map { index, name in
            Text.track(index + 1, "audio", Text.clip(name, "0s", "0.5s", at: "0s"))
        }
        let text = Text.project(
            assets, tracks, size: (64, 64), frame: nil,
            inputs: [
                #"{"track":2,"output":"Two","volume":[{"at":"0s","value":0.5}]}"#, #"{"track":3,"output":[1,"Two"]}"#,
            ])
        let outputs = #","outputs":[{"url":"o.mov","audioTracks":[{"name":"One"},{"name":"Two"}]}]}"#
        return try Project(parsing: Data((text.dropLast() + outputs).utf8))
    }

    private func request(_ fixture: RenderFixture, _ name: String, _ codecs: [String?]) -> OutputRequest {
        var request = OutputRequest(path: fixture.folder.file(name))
        request.sound.channels = 1
        request.soundTracks = zip(["One", "Two"], codecs).map { name, codec in
            var track = SoundRequest()
            (track.name, track.codec) = (name, codec)
            return track
        }
        return request
    }

    private func render(_ fixture: RenderFixture, _ plan: RenderPlan, _ name: String) throws -> [[[Float]]] {
        let path = fixture.folder.file(name + ".nut")
        let records = try SegmentRenderer().render(
            plan: plan, planHash: try plan.hash(), task: .audio(parts: []), key: ContentKey(of: [0]), segmentPath: path,
            progress: { _, _ in }, cancellation: Cancellation())
        #expect(records.allSatisfy { $0.count == Self.count })
        return try records.indices.map { try fixture.witness.samples(SegmentSet.path(path, file: $0)) }
    }

    @Test func eachIsMixedOfItsOwn() throws {
        let fixture = try RenderFixture("sound-tracks")
        let plan = try preparePlan(
            project: try composition(fixture), request: request(fixture, "o.mkv", [nil, "pcm"])
        ).plan
        #expect(plan.output.sounds.map(\.tracks) == [[1, 3], [2, 3]])
        #expect(plan.output.sounds.map(\.settings.codec) == [.flac, .pcm])
        #expect(plan.output.sounds.map(\.tags?.name) == ["One", "Two"])
        #expect(plan.segmentParts(ofTask: 0).map(\.sound) == [0, 1])
        #expect(try RenderPlan.decode(plan.canonicalBytes()) == plan)
        let sounds = try render(fixture, plan, "both")
        try #require(sounds.count == 2 && sounds.allSatisfy { $0.count == 1 && $0[0].count == Self.count })
        for sample in 0..<Self.count {
            let third = Self.value(2, sample)
            let wanted = [Self.value(0, sample) + third, Self.value(1, sample) / 2 + third]
            for (sound, wanted) in zip(sounds, wanted) {
                try #require(abs(Double(sound[0][sample]) - wanted) < 1e-6, "sample \(sample)")
            }
        }
    }

    /// Another source of the second changes no sample of the first, and a job with a film beside it neither of them.
    @Test func oneDoesNotChangeTheOther() throws {
        let fixture = try RenderFixture("sound-tracks")
        let film = request(fixture, "o.mov", ["pcm", "pcm"])
        let first = try render(
            fixture, try preparePlan(project: try composition(fixture), request: film).plan, "first")
        let second = try render(
            fixture, try preparePlan(project: try composition(fixture, third: 0.25), request: film).plan, "second")
        #expect(first[0] == second[0] && first[1] != second[1])
        var whole = OutputRequest(path: fixture.folder.file("whole.flac"))
        whole.sound.channels = 1
        let job = try prepareJob(project: try composition(fixture), requests: [whole, film]).plan
        let parts = [SegmentPart(output: 0), SegmentPart(output: 1), SegmentPart(output: 1, sound: 1)]
        #expect(job.segmentParts(ofTask: 0) == parts)
        let all = try render(fixture, job, "job")
        #expect(Array(all.dropFirst()) == first)
        // A film without sound tracks has one sound of everything.
        for sample in stride(from: 0, to: Self.count, by: 11) {
            let wanted = Self.value(0, sample) + Self.value(1, sample) / 2 + Self.value(2, sample)
            #expect(abs(Double(all[0][0][sample]) - wanted) < 1e-6)
        }
    }

    /// A bit rate counts in sound tracks of its codec; the command line's in all of them.
    @Test func bitRatesAreOfTheirCodec() throws {
        let fixture = try RenderFixture("sound-tracks")
        let project = try composition(fixture)
        func rates(_ request: OutputRequest) throws -> [Int?] {
            try preparePlan(project: project, request: request).plan.output.sounds.map(\.settings.bitRate)
        }
        var film = request(fixture, "o.mp4", ["AAC", nil])
        (film.sound.codec, film.sound.bitRate) = ("aac", 256_000)
        #expect(try rates(film) == [256_000, 256_000])
        film.soundTracks?[1].codec = "opus"
        #expect(try rates(film) == [256_000, 64_000])
        film.soundTracks?[0].bitRate = 160_000
        #expect(try rates(film) == [160_000, 64_000])
        // The usual codec of the container, which no sound track has, has no say.
        var own = request(fixture, "o.mkv", ["aac", "opus"])
        own.sound.bitRate = 128_000
        #expect(try rates(own) == [96_000, 64_000])
        var (entry, tracks) = (OutputEntry(), [SoundRequest(), SoundRequest()])
        (tracks[0].codec, tracks[0].bitRate, tracks[0].name) = ("aac", 96_000, "One")
        (tracks[1].codec, tracks[1].name) = ("opus", "Two")
        entry.audioTracks = tracks
        var said = OutputRequest(path: fixture.folder.file("o.mkv"))
        (said.sound.channels, said.sound.bitRate) = (1, 128_000)
        #expect(try rates(said.filled(from: entry)) == [128_000, 128_000])
    }

    /// What no film can have is refused before anything is rendered.
    @Test func wrongOnesAreRefused() throws {
        let fixture = try RenderFixture("sound-tracks")
        let project = try composition(fixture)
        func refused(_ name: String, _ reason: String, _ change: (inout OutputRequest) -> Void = { _ in }) throws {
            var request = request(fixture, name, [nil, nil])
            change(&request)
            let error = try #require(throws: (any Error).self) {
                _ = try preparePlan(project: project, request: request)
            }
            #expect("\(error)".contains(reason), "\(error)")
        }
        try refused("a.wav", "holds one sound track")
        try refused("a.mkv", "one sample rate") { $0.soundTracks?[1].sampleRate = 44_100 }
        try refused("a.mkv", "sound track 2") { $0.soundTracks?[1].codec = "alac" }
        try refused("a.mkv", "no audio track") { $0.soundTracks?[1].name = "Three" }
        try refused("a.mkv", "1 to 16") { $0.soundTracks = [] }
        try refused("a.mkv", "zero character") { $0.soundTracks?[1].name = "Two\0" }
        try refused("a.mkv", "tag of a language") { $0.soundTracks?[0].language = "no such" }
        // No film has room for such a name.
        var long = request(fixture, "a.mkv", [nil, nil])
        long.soundTracks?[0].name = String(repeating: "x", count: 65_536)
        let names = try preparePlan(project: project, request: long).plan.output.sounds.map(\.tags?.name)
        #expect(names == [nil, "Two"])
        var stream = request(fixture, "a.m3u8", [nil, nil])
        #expect(throws: (any Error).self) { _ = try stream.streamed(hasPicture: false, hasSound: true) }
        stream.soundTracks?.removeLast()
        #expect(try stream.streamed(hasPicture: false, hasSound: true).count == 3)
    }
}
