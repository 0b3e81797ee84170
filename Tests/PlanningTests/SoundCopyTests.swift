import Diagnostics
import Foundation
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// Which films' sound is one run of a source, and why others' is mixed.
@Suite struct SoundCopyTests {
    /// The segments of one track of sound; `more` are the composition's keys beside its tracks.
    private func copy(
        _ segments: [String], tracks: [String] = [], more: String = "", codec: String = "aac", rate: Int = 48_000,
        layout: String = "stereo", channels: Int = 2, path: String = "/out/film.mp4", isAlone: Bool = true,
        _ change: (inout OutputRequest) -> Void = { _ in }
    ) throws -> SoundCopy {
        let own = #"{"id":1,"type":"audio","segments":[\#(segments.joined(separator: ","))]}"#
        let text = """
            {"format":"splitreel/1","assets":{"a":{"url":"a.mp4"},"b":{"url":"b.mp4"}},
            "composition":{"tracks":[\(([own] + tracks).joined(separator: ","))]}\(more)}
            """
        let project = try Project(parsing: Data(text.utf8))
        let length = MediaTime(value: 10, timescale: 1)
        var assets: [String: AssetFacts] = [:]
        for name in ["a", "b"] {
            assets[name] = AssetFacts(
                kind: .media, path: "/media/\(name).mp4", byteCount: 12_345,
                edgeHash: String(repeating: "ab", count: 32), container: "mov", duration: length,
                tracks: [
                    TrackFacts(
                        id: 1, type: .audio, codec: codec, duration: length,
                        audio: AudioFacts(sampleRate: rate, channels: channels, layout: layout))
                ])
        }
        let timeline = try Timeline(project: project, assets: assets)
        var request = OutputRequest(path: path)
        change(&request)
        let plan = try makePlan(
            project: project, timeline: timeline, assets: assets, request: request,
            output: try resolve(request, timeline: timeline))
        return try plan.soundCopy(of: timeline, assets, request, isAlone: isAlone)
    }

    private func clip(_ asset: String, _ start: String, _ length: String, at target: String, _ more: String = "")
        -> String
    {
        #"{"asset":"\#(asset)","source":["\#(start)","\#(length)"],"target":["\#(target)","\#(length)"]\#(more)}"#
    }

    private func run(_ first: Int, _ count: Int, rest: Int = 0) -> SoundCopy {
        .run(
            SoundRun(
                codec: "aac", track: 1, sampleRate: 48_000, channels: 2, first: first, count: count, rest: rest),
            asset: "a")
    }

    private func reason(_ copy: SoundCopy) -> String {
        if case .mixed(let reason) = copy { reason } else { "copied" }
    }

    @Test func oneClipIsARun() throws {
        #expect(try copy([clip("a", "0s", "4s", at: "0s")]) == run(0, 192_000))
        #expect(try copy([clip("a", "1/3", "4s", at: "0s")]) == run(16_000, 192_000))
        // 1.00001 s is sample 48,000.48, and 48,000 is the one that the mix reads first.
        #expect(try copy([clip("a", "100001/100000", "2s", at: "0s")]) == run(48_000, 96_000))
    }

    @Test func aBlinkIsMixed() throws {
        #expect(try copy([clip("a", "1s", "1024/48000", at: "0s")]) == run(48_000, 1024))
        let short = try copy([clip("a", "1s", "1023/48000", at: "0s")])
        #expect(reason(short) == "it has less than 1024 samples")
    }

    @Test func clipsThatGoOnAreOneRun() throws {
        let clips = [clip("a", "1s", "2s", at: "0s"), clip("a", "3s", "3s", at: "2s")]
        #expect(try copy(clips) == run(48_000, 240_000))
        let other = [clip("a", "1s", "2s", at: "0s"), clip("a", "3.5s", "3s", at: "2s")]
        #expect(reason(try copy(other)) == "it is not one unbroken run")
        let two = [clip("a", "1s", "2s", at: "0s"), clip("b", "3s", "3s", at: "2s")]
        #expect(reason(try copy(two)) == "it is not one unbroken run")
    }

    /// A range of the film that lies in one run, though the whole composition has two.
    @Test func aRangeInOneRunIsCopied() throws {
        let clips = [clip("b", "0s", "3s", at: "0s"), clip("a", "1s", "4s", at: "3s")]
        func part(_ start: String, _ length: String) throws -> SoundCopy {
            try copy(clips) { ($0.timing.rangeStart, $0.timing.rangeDuration) = (start, length) }
        }
        #expect(try part("4s", "2s") == run(96_000, 96_000))
        #expect(reason(try part("2s", "4s")) == "it is not one unbroken run")
    }

    @Test func soundThatEndsBeforeTheFilmHasARest() throws {
        let silence = #"{"id":2,"type":"audio","segments":[\#(clip("b", "0s", "5s", at: "0s"))]}"#
        let both = try copy([clip("a", "0s", "4s", at: "0s")], tracks: [silence])
        #expect(reason(both) == "2 tracks are heard")
        let gap = #"{"target":["4s","1s"]}"#
        let short = try copy([clip("a", "0s", "4s", at: "0s"), gap])
        // An empty segment at the end makes the composition longer by its second.
        #expect(short == run(0, 192_000, rest: 48_000))
        let late = try copy([#"{"target":["0s","1s"]}"#, clip("a", "0s", "4s", at: "1s")])
        #expect(reason(late) == "it begins later than the film")
    }

    @Test func changedSoundIsMixed() throws {
        let whole = "0s", length = "4s"
        func changed(_ more: String) throws -> String {
            reason(try copy([clip("a", whole, length, at: "0s", more)]))
        }
        let segment = "its speed, its direction or its volume is changed, or it fades"
        #expect(try changed(#","volume":0.5"#) == segment)
        #expect(try changed(#","reverse":true"#) == segment)
        #expect(try changed(#","fadeIn":{"duration":"1s"}"#) == segment)
        func input(_ keys: String) throws -> String {
            reason(
                try copy(
                    [clip("a", whole, length, at: "0s")],
                    more: #","audio":{"inputs":[{"track":1,\#(keys)}]}"#))
        }
        for keys in [
            #""volume":[{"at":"0s","value":0.5}]"#, #""pan":[{"at":"0s","value":1}]"#, #""declick":true"#,
            #""balance":[{"at":"1s","value":-1}]"#,
        ] {
            #expect(try input(keys) == "track 1 is changed", "\(keys)")
        }
        #expect(try input(#""volume":[{"at":"0s","value":1}]"#) == "copied")
    }

    @Test func othersThanTheFilmsAreMixed() throws {
        let clips = [clip("a", "0s", "4s", at: "0s")]
        #expect(reason(try copy(clips, rate: 44_100)) == "a has 44100 Hz, the film 48000 Hz")
        #expect(reason(try copy(clips, layout: "mono", channels: 1)) == "a is mono, the film stereo")
        #expect(reason(try copy(clips, codec: "mp3")) == "a is mp3, the film aac")
        #expect(reason(try copy(clips, path: "/out/film.flac")) == "FLAC loses nothing by it")
        #expect(
            reason(try copy(clips, path: "/out/film.mkv") { $0.sound.codec = "aac" })
                == "mkv does not tell where copied AAC begins")
        #expect(reason(try copy(clips, path: "/out/film.mp3")) == "packets of MP3 are not copied")
        #expect(reason(try copy(clips, isAlone: false)) == "the film is made together with others")
    }

    @Test func whatIsAskedForForbidsACopy() throws {
        let clips = [clip("a", "0s", "4s", at: "0s")]
        let refusals: [(String, (inout OutputRequest) -> Void)] = [
            ("nothing is to be copied", { $0.rendering.passthrough = .never }),
            ("the film is to be one chunk", { $0.rendering.chunkSeconds = "none" }),
            ("a bit rate was asked for", { $0.sound.bitRate = 128_000 }),
        ]
        for (words, change) in refusals { #expect(reason(try copy(clips, change)) == words) }
        #expect(try copy(clips) { $0.rendering.passthrough = .require } == run(0, 192_000))
    }

    @Test func theLastPacketStandsForTheRest() throws {
        let copied = CopiedSound(
            asset: "a", track: 1, packets: SoundPackets(firstPacket: 4, count: 3, priming: 1000, header: [0x11, 0x90]))
        // Three packets of AAC are 3,072 samples, of which 1,000 are not heard.
        #expect(copied.lastPacketDuration(sampleCount: 2072, frame: 1024) == 1024)
        #expect(copied.lastPacketDuration(sampleCount: 1500, frame: 1024) == 452)
    }

    /// The plan of a film whose sound is copied: 192,000 samples and 1,024 before them lie in 189 packets.
    private func film(
        _ change: (inout RenderPlan) -> Void = { _ in }
    ) throws -> (plan: RenderPlan, key: ContentKey) {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "4s", instructions: nil)
        var plan = try fixture.plan { $0.path = "/out/film.mp4" }
        let packets = SoundPackets(firstPacket: 4, count: 189, priming: 1024, header: [0x11, 0x90])
        plan.copySound(.packets(packets), "a", track: 2)
        #expect(plan.copiedSound?.packets == packets && plan.output.audio?.bitRate == nil)
        change(&plan)
        let keys = try contentKeys(of: plan, canvases: [CommonPlanning(fixture.timeline)])
        return (plan, keys[plan.chunks.count])
    }

    @Test(
        arguments: [
            { $0.copiedSound?.asset = "b" }, { $0.copiedSound?.track = 1 }, { $0.copiedSound?.track = .max },
            { $0.copiedSound?.packets.firstPacket = -1 }, { $0.copiedSound?.packets.firstPacket = .max },
            { $0.copiedSound?.packets.count = 0 }, { $0.copiedSound?.packets.count = 191 },
            { $0.copiedSound?.packets.count = .max }, { $0.copiedSound?.packets.priming = -1 },
            { $0.copiedSound?.packets.priming = .max }, { $0.soundCuts = [1] }, { $0.output.container = .mkv },
            { $0.output.audio?.codec = .opus },
            { $0.copiedSound?.packets.header = Array(repeating: 0, count: 65_537) },
        ] as [@Sendable (inout RenderPlan) -> Void])
    func aPlanOfPacketsThatCannotBeTheSoundIsRefused(change: @Sendable (inout RenderPlan) -> Void) throws {
        var plan = try film().plan
        #expect(throws: Never.self) { try plan.check() }
        change(&plan)
        #expect(throws: SplitreelError.self) { try plan.check() }
    }

    /// The header goes into the film: one of another rate, of one channel, of HE-AAC, of 960 samples, of another codec,
    /// with bands above, and none.
    @Test(
        arguments: [
            [0x12, 0x10], [0x11, 0x88], [0x2B, 0x11, 0x88, 0x00], [0x11, 0x94], [0x19, 0x90],
            [0x11, 0x90, 0x56, 0xE5, 0x98], [],
        ] as [[UInt8]])
    func aPlanWithAHeaderOfOtherSoundIsRefused(header: [UInt8]) throws {
        var plan = try film().plan
        plan.copiedSound?.packets.header = [0x11, 0x90, 0x56, 0xE5, 0x00]
        #expect(throws: Never.self) { try plan.check() }
        plan.copiedSound?.packets.header = header
        #expect(throws: SplitreelError.self) { try plan.check() }
    }

    /// The facts of the source are the plan's too: they have to be of the film's rate and channels.
    @Test func aPlanOfOtherSoundIsRefused() throws {
        for change in [
            { $0.sampleRate = 44_100 }, { $0.channels = 1 },
        ] as [(inout AudioFacts) -> Void] {
            var plan = try film().plan
            var audio = try #require(plan.assets["a"]?.tracks[1].audio)
            change(&audio)
            plan.assets["a"]?.tracks[1].audio = audio
            #expect(throws: SplitreelError.self) { try plan.check() }
        }
    }

    /// A header of Opus tells the priming (RFC 7845, 5.1), at its eleventh byte.
    @Test func theHeaderOfOpusHasTheFilmsPriming() throws {
        let header = Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0, 0]
        let copied = CopiedSound(
            asset: "a", track: 1, packets: SoundPackets(firstPacket: 0, count: 9, priming: 3312, header: header))
        let settings = AudioSettings(codec: .opus, bitRate: nil, sampleRate: 48_000, channels: 2)
        var wanted = header
        wanted.replaceSubrange(10..<12, with: [0xF0, 0x0C])
        #expect(copied.header(of: header, for: settings) == wanted)
        let mono = AudioSettings(codec: .opus, bitRate: nil, sampleRate: 48_000, channels: 1)
        #expect(copied.header(of: header, for: mono) == nil)
    }

    /// What a cache holds for one choice of packets is not taken for another.
    @Test func eachChoiceOfPacketsHasItsKey() throws {
        let changes: [(inout RenderPlan) -> Void] = [
            { _ in }, { $0.copiedSound?.packets.firstPacket = 5 }, { $0.copiedSound?.packets.count = 190 },
            { $0.copiedSound?.packets.priming = 1000 }, { $0.copiedSound?.packets.header = [0x11, 0x91] },
            { $0.copiedSound?.track = 3 }, { $0.copiedSound = nil }, { $0.sampleCount -= 1 },
        ]
        let keys = try changes.map { try film($0).key }
        #expect(Set(keys).count == keys.count)
    }
}
