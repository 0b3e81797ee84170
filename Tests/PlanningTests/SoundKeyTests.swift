import Foundation
import MediaFacts
import MediaTime
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// The bytes of a sound's recipe in a content key.
@Suite("Keys of sounds") struct SoundKeyTests {
    private let plan: RenderPlan
    private let timeline: Timeline
    private let track: AudioTrackRecipe

    init() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "4s", instructions: nil)
        plan = try fixture.plan()
        timeline = fixture.timeline
        track = try #require(timeline.audio.first)
    }

    private func bytes(_ track: AudioTrackRecipe, _ change: (inout RenderPlan) -> Void = { _ in }) -> [UInt8] {
        var plan = plan
        change(&plan)
        var bytes = KeyBytes()
        bytes.append(track, of: timeline, KeySources(plan, reductions: [:]))
        return bytes.bytes
    }

    private func bytes(of segment: AudioSegmentRecipe) -> [UInt8] {
        var track = track
        track.segments = [segment]
        return bytes(track)
    }

    @Test func tracksAndTheirKeys() throws {
        let keys = KeyTrack(spans: [
            KeyTrack<Double>.Span(start: .zero, end: Rational(1), from: 0, to: 1, easing: .linear)
        ])
        let loudness = try #require(Self.loudness(-16, peak: -1, limits: true))
        expectEveryField(
            of: track,
            [
                "track": { $0.track = 9 }, "segments": { $0.segments = [] }, "gains": { $0.gains = keys },
                "pans": { $0.pans = keys }, "balances": { $0.balances = keys },
                "isDeclicked": { $0.isDeclicked.toggle() },
                "taps": { $0.taps = tapped }, "loudness": { $0.loudness = loudness },
            ], in: { bytes($0) })
        func ofSpan(_ span: KeyTrack<Double>.Span) -> [UInt8] {
            var track = track
            track.gains = KeyTrack(spans: [span])
            return bytes(track)
        }
        func span(
            from start: Rational = .zero, to end: Rational = Rational(1), _ from: Double = 0, _ to: Double = 1,
            _ easing: Easing = .linear
        ) -> KeyTrack<Double>.Span {
            KeyTrack<Double>.Span(start: start, end: end, from: from, to: to, easing: easing)
        }
        let spans = [
            span(), span(from: Rational(1, 2)), span(to: Rational(2)), span(0.5), span(0, 2), span(0, 1, .hold),
            span(0, 1, .easeIn), span(0, 1, .easeOut),
        ]
        #expect(Set(spans.map(ofSpan)).count == spans.count)
        let unlimited = try #require(Self.loudness(-16, peak: -1, limits: false))
        expectEveryField(
            of: loudness,
            ["target": { $0.target = -17 }, "ceiling": { $0.ceiling = -2 }, "limits": { $0 = unlimited }]
        ) { loudness in
            var track = track
            track.loudness = loudness
            return bytes(track)
        }
    }

    private static func loudness(_ target: Double, peak: Double, limits: Bool) -> SoundLoudness? {
        var settings = LoudnessSettings()
        settings.target = target
        settings.truePeak = peak
        settings.limit = limits
        return SoundLoudness(settings)
    }

    @Test func segments() {
        expectEveryField(
            of: track.segments[0],
            [
                "asset": { $0.asset = "none" }, "assetTrack": { $0.assetTrack = 3 },
                "sourceStart": { $0.sourceStart = Rational(1) }, "sourceDuration": { $0.sourceDuration = Rational(1) },
                "targetStart": { $0.targetStart = Rational(1) }, "targetDuration": { $0.targetDuration = Rational(1) },
                "volume": { $0.volume = 0.5 },
                "generated": { $0.generated = GeneratedSound(.noise(seed: 1), volume: 1) },
                "pitch": { $0.pitch = .timeDomain }, "isReversed": { $0.isReversed = true },
                "isMono": { $0.isMono = true },
                "speed": { $0.speed = KeyedSpeed([Key(at: .zero, value: 2)]) },
                "fadeIn": { $0.fadeIn = .declick }, "fadeOut": { $0.fadeOut = .declick },
            ], in: bytes)
        let sounds: [GeneratedSound] = [
            .init(.tone(frequency: 1), volume: 1), .init(.tone(frequency: 2), volume: 1),
            .init(.tone(frequency: 1), volume: 0.5), .init(.noise(seed: 1), volume: 1),
            .init(.noise(seed: 2), volume: 1), .init(.sweep(from: 1, to: 2, seconds: 3), volume: 1),
            .init(.sweep(from: 2, to: 2, seconds: 3), volume: 1), .init(.sweep(from: 1, to: 3, seconds: 3), volume: 1),
            .init(.sweep(from: 1, to: 2, seconds: 4), volume: 1),
        ]
        let made = sounds.map { sound in
            var segment = track.segments[0]
            segment.generated = sound
            return bytes(of: segment)
        }
        #expect(Set(made).count == sounds.count)
        let fades = [
            SoundFade(duration: Rational(1), curve: .linear), SoundFade(duration: Rational(2), curve: .linear),
            SoundFade(duration: Rational(1), curve: .equalPower),
        ].map { fade in
            var segment = track.segments[0]
            segment.fadeIn = fade
            return bytes(of: segment)
        }
        #expect(Set(fades).count == 3)
    }

    @Test func files() {
        let original = bytes(track)
        #expect(bytes(track) { $0.assets["a"]?.path = "/elsewhere.mp4" } == original)
        let others = [
            bytes(track) { $0.assets["a"]?.byteCount += 1 }, bytes(track) { $0.assets["a"]?.edgeHash = "" },
            bytes(track) { $0.assets["a"]?.contentSum = "" },
        ]
        #expect(Set(others + [original]).count == 4)
    }

    /// Taps are made of files alone: another parameter, key, version or place is another tap.
    @Test func taps() {
        let texts = [
            #"{"id":"gain"}"#, #"{"id":"gain","params":{"gain":-3}}"#,
            #"{"id":"gain","params":{"gain":[{"at":"0s","value":-3}]}}"#,
            #"{"id":"gain","params":{"gain":[{"at":"1s","value":-3}]}}"#, #"{"id":"gain","stage":"post"}"#,
            #"{"id":"reverb"}"#, #"{"id":"someone's","version":1}"#, #"{"id":"someone's","version":2}"#,
        ]
        let made = texts.map { text in
            var track = track
            track.taps = taps(text)
            return bytes(track)
        }
        #expect(Set(made + [bytes(track)]).count == texts.count + 1)
        let fields = tapped.first.map { Set(Mirror(reflecting: $0).children.compactMap(\.label)) }
        let known: Set = [
            "id", "version", "isKnown", "isAfterVolume", "fixed", "keyed", "ranges", "sound", "audioTracks",
        ]
        #expect(fields == known, "what a tap has is in its bytes")
    }

    /// Ten compositions deep, each of which plays the next one ten times: one by one they would be 10^10.
    @Test func nestedSoundIsSummedOnce() throws {
        func film(_ depth: Int, _ frequency: Int) -> String {
            let asset =
                depth == 0
                ? #"{"kind":"tone","frequency":\#(frequency)}"#
                : #"{"kind":"composition","project":\#(film(depth - 1, frequency))}"#
            let segments = (0..<10).map { #"{"asset":"a","source":["0s","0.1s"],"target":["\#($0)/10","0.1s"]}"# }
            return #"{"format":"splitreel/1","assets":{"a":\#(asset)},"composition":{"tracks":[{"id":1,"type":"audio","#
                + #""segments":[\#(segments.joined(separator: ","))]}]}}"#
        }
        func bytes(_ text: String) throws -> [UInt8] {
            let project = try Project(parsing: Data(text.utf8))
            var facts: [String: AssetFacts] = [:]
            project.addNestedFacts(to: &facts)
            let timeline = try Timeline(valid: project, assets: facts)
            #expect(timeline.audio.first?.segments.count == 10)
            var bytes = KeyBytes()
            bytes.append(soundOf: timeline, KeySources(plan, reductions: [:]))
            return bytes.bytes
        }
        let deep = try bytes(film(10, 440))
        #expect(deep.count < 10_000)
        #expect(try bytes(film(10, 441)) != deep && bytes(film(10, 440)) == deep)
    }

    private var tapped: [TapRecipe] { taps(#"{"id":"gain"}"#) }

    private func taps(_ text: String) -> [TapRecipe] {
        let film = """
            {"format":"splitreel/1","assets":{"a":{"url":"a.mp4"}},"composition":{"tracks":[{"id":1,"type":"audio",
            "segments":[{"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}]},
            "audio":{"inputs":[{"track":1,"taps":[\(text)]}]}}
            """
        let project = try? Project(parsing: Data(film.utf8))
        return project.flatMap { try? Timeline(valid: $0, assets: plan.assets) }?.audio.first?.taps ?? []
    }
}
