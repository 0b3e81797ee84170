import Diagnostics
import Foundation
import Hashing
import Outputs
import Planning
import RandomFilms
import Rendering
import SplitreelProject
import TestTools
import Testing

/// A long sound that is mixed in parts is the one that is mixed in one piece, to the last bit.
@Suite("Sound in parts", .serialized) struct SoundPartsTests {
    /// The records that the sound's own task makes of its parts. The last part is made first, and each by a renderer of
    /// its own.
    private static func encoded(_ plan: RenderPlan, _ fixture: RenderFixture) throws -> [SegmentRecord] {
        let names = (0..<plan.soundPartCount).map { RenderPlan.soundPartName($0, epoch: 1) }
        for (index, name) in names.enumerated().reversed() {
            let (path, record) = try fixture.render(plan, .soundPart(index), to: name)
            let samples = plan.samples(
                ofSoundPart: index, sampleRate: plan.sampleRate, sampleCount: plan.sampleCount)
            #expect(record.count == samples.count)
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            #expect(size == samples.count * 4 * (plan.output.audio?.channels ?? 0))
        }
        return try SegmentRenderer().render(
            plan: plan, planHash: try plan.hash(), task: .audio(parts: names), key: ContentKey(of: [0]),
            segmentPath: fixture.folder.file("parts.nut"), progress: { _, _ in }, cancellation: Cancellation())
    }

    /// A mix that begins later, so that a whole second lies within it.
    private static func text(of mix: RandomMix, later delay: Int) throws -> String {
        func later(_ time: Any?) throws -> String {
            let parts = try #require(time as? String).split(separator: "/").compactMap { Int($0) }
            try #require(parts.count == 2)
            return "\(parts[0] * 1000 + delay * parts[1])/\(1000 * parts[1])"
        }
        var project = try #require(
            try JSONSerialization.jsonObject(with: Data(mix.text.utf8)) as? [String: Any])
        var composition = try #require(project["composition"] as? [String: Any])
        var tracks = try #require(composition["tracks"] as? [[String: Any]])
        for index in tracks.indices {
            var segments = try #require(tracks[index]["segments"] as? [[String: Any]])
            for place in segments.indices {
                var target = try #require(segments[place]["target"] as? [Any])
                target[0] = try later(target[0])
                segments[place]["target"] = target
            }
            tracks[index]["segments"] = [["target": ["0/1000", "\(delay)/1000"]]] + segments
        }
        composition["tracks"] = tracks
        project["composition"] = composition
        if var audio = project["audio"] as? [String: Any], var inputs = audio["inputs"] as? [[String: Any]] {
            for index in inputs.indices {
                for name in ["volume", "pan", "balance"] {
                    guard var keys = inputs[index][name] as? [[String: Any]] else { continue }
                    for place in keys.indices {
                        if let at = keys[place]["at"] { keys[place]["at"] = try later(at) }
                        if var range = keys[place]["range"] as? [Any] {
                            range[0] = try later(range[0])
                            keys[place]["range"] = range
                        }
                    }
                    inputs[index][name] = keys
                }
            }
            audio["inputs"] = inputs
            project["audio"] = audio
        }
        let data = try JSONSerialization.data(withJSONObject: project, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    @Test func randomMixesAreTheSame() throws {
        let fixture = try RenderFixture("mix-parts")
        let sources = try MixSources(in: fixture.folder)
        var cut = 0
        for seed in 1...40 {
            let mix = try RandomMix(seed: seed, sources)
            let text = try Self.text(of: mix, later: 700)
            func plan(_ parts: String) throws -> RenderPlan {
                try fixture.plan(text) {
                    ($0.sound.codec, $0.sound.sampleRate, $0.sound.channels) = ("flac", mix.sampleRate, mix.channels)
                    $0.rendering.soundPartSeconds = parts
                }
            }
            let (whole, parted) = (try plan("none"), try plan("1"))
            #expect(whole.soundCuts == nil)
            guard parted.soundCuts != nil else { continue }
            cut += 1
            let (path, record) = try fixture.render(whole, .audio(parts: []), to: "whole.nut")
            let made = try Self.encoded(parted, fixture)
            let same = try fixture.witness.samples(path) == fixture.witness.samples(fixture.folder.file("parts.nut"))
            #expect(same, "seed \(seed), cut at \(parted.soundCuts ?? []), \(mix.features.sorted())\n\(text)")
            let clipped = [[record], made].map { $0[0].notices.notices.filter { $0.code == .soundClipped } }
            #expect(clipped[0] == clipped[1], "seed \(seed)")
        }
        print("\(cut) of 40 random mixes were cut")
        #expect(cut >= 12, "only \(cut) of the mixes can be cut")
    }

    /// Codecs whose packets need others before them, resampled, in stereo and mono at two rates, with a loudness.
    @Test(arguments: ["aac", "libmp3lame", "libvorbis", "flac", "alac", "pcm_s16le"])
    func partsGoOnWhereTheOneBeforeEnds(codec: String) throws {
        let fixture = try RenderFixture("part-codecs")
        let noise = (0..<2).map { channel -> [Double] in
            let step = 0.03 + 0.01 * Double(channel)
            return (0..<6 * 44_100).map { 0.2 * sin(Double($0) * step) * (1 + sin(Double($0) / 9000)) }
        }
        let wave = try fixture.wave("s.wav", noise, rate: 44_100)
        let source = fixture.folder.file("s.mka")
        _ = try fixture.witness.ffmpeg(["-i", wave, "-c:a", codec, source])
        let text = Text.project(
            ["s": source],
            [
                Text.track(1, "audio", Text.clip("s", "0.3s", "5.5s", at: "0s")),
                Text.track(2, "audio", Text.gap("0s", "0.7s"), Text.clip("s", "0s", "4.1s", at: "0.7s")),
            ], size: (64, 64), frame: nil,
            inputs: [#"{"track":2,"volume":[{"range":["0s","5s"],"from":0,"to":1}]}"#])
        let loud = text.replacingOccurrences(of: #""audio":{"#, with: #""audio":{"loudness":{"target":-16},"#)
        for text in [text, loud] {
            var sounds: [[[Float]]] = []
            for parts in ["none", "2"] {
                let plan = try fixture.plan(text) {
                    ($0.sound.codec, $0.sound.sampleRate, $0.sound.channels) = ("flac", 48_000, 2)
                    $0.rendering.soundPartSeconds = parts
                }
                if parts == "none" {
                    _ = try fixture.render(plan, .audio(parts: []), to: "whole.nut")
                    sounds.append(try fixture.witness.samples(fixture.folder.file("whole.nut")))
                } else {
                    #expect(plan.soundCuts == [2, 4])
                    _ = try Self.encoded(plan, fixture)
                    sounds.append(try fixture.witness.samples(fixture.folder.file("parts.nut")))
                }
            }
            #expect(sounds[0].map(\.count) == [264_000, 264_000])
            #expect(sounds[0] == sounds[1], "\(codec)")
        }
    }

    /// Taps whose memory ends, of tracks and of the mix; what keeps its pitch at another speed, which is never cut; and
    /// generators, which are.
    @Test func tapsAndStretchesAreTheSameInParts() throws {
        let fixture = try RenderFixture("part-taps")
        func sound(_ seconds: Int, _ step: Double) -> [Double] {
            (0..<seconds * 48_000).map { 0.2 * sin(Double($0) * step) * (1 + sin(Double($0) / 7000)) }
        }
        let wave = try fixture.wave("s.wav", [sound(6, 0.05), sound(6, 0.07)], rate: 48_000)
        let room = try fixture.wave(
            "r.wav", [(0..<9600).map { exp(-Double($0) / 900) * sin(Double($0)) }], rate: 48_000)
        let taps = """
            [{"id":"gain","params":{"gain":[{"range":["0s","5s"],"from":-20,"to":6}]}},
            {"id":"route","params":{"mode":"swap"}},
            {"id":"delay","params":{"time":0.31,"mix":0.4}},{"id":"reverb","params":{"impulse":"r","mix":0.5}}]
            """
        let text = """
            {"format":"splitreel/1","assets":{"s":{"url":"\(wave)"},"r":{"url":"\(room)"},"w":{"kind":"sweep"},
            "n":{"kind":"noise","seed":4}},"composition":{"tracks":[
            {"id":1,"type":"audio","segments":[{"asset":"s","source":["0s","6s"],"target":["0s","6s"]}]},
            {"id":2,"type":"audio","segments":[{"target":["0s","1.2s"]},
            {"asset":"s","source":["0s","1s"],"target":["1.2s","0.6s"],"pitch":"spectral"},
            {"asset":"s","source":["1s","1s"],"target":["1.8s","2s"],"pitch":"timeDomain"},
            {"asset":"w","target":["3.8s","2.2s"]}]},
            {"id":3,"type":"audio","segments":[{"asset":"n","target":["0s","6s"]}]}]},
            "audio":{"taps":\(taps),"inputs":[{"track":1,"taps":\(taps)}]}}
            """
        func plan(_ parts: String) throws -> RenderPlan {
            try fixture.plan(text) {
                ($0.sound.codec, $0.sound.sampleRate, $0.sound.channels) = ("flac", 48_000, 2)
                $0.rendering.soundPartSeconds = parts
            }
        }
        _ = try fixture.render(try plan("none"), .audio(parts: []), to: "whole.nut")
        let parted = try plan("1")
        // At 2 s and 3 s something is stretched.
        #expect(parted.soundCuts == [1, 4, 5])
        _ = try Self.encoded(parted, fixture)
        let sounds = try ["whole.nut", "parts.nut"].map { try fixture.witness.samples(fixture.folder.file($0)) }
        #expect(sounds[0].map(\.count) == [288_000, 288_000] && sounds[0] == sounds[1])
    }

    /// A file that is not what was mixed is never encoded.
    @Test func aPartThatWasChangedIsFoundOut() throws {
        let fixture = try RenderFixture("bad-parts")
        let wave = try fixture.wave("s.wav", [(0..<144_000).map { sin(Double($0) / 20) / 2 }])
        let plan = try fixture.plan(
            Text.project(
                ["s": wave], [Text.track(1, "audio", Text.clip("s", "0s", "3s", at: "0s"))], size: (64, 64), frame: nil)
        ) { ($0.sound.codec, $0.sound.channels, $0.rendering.soundPartSeconds) = ("flac", 1, "1") }
        #expect(plan.soundCuts == [1, 2])
        let names = (0..<3).map { RenderPlan.soundPartName($0, epoch: 1) }
        for (index, name) in names.enumerated() { _ = try fixture.render(plan, .soundPart(index), to: name) }
        // Raw floats: the second part begins with sample 48000 of the sine.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file(names[1])))
        let first = bytes.prefix(8).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(zip(first, [48_000, 48_001]).allSatisfy { abs(Double($0) - sin(Double($1) / 20) / 2) < 1e-4 })
        for change in ["shorter", "other"] {
            var changed = bytes
            if change == "shorter" { changed.removeLast() } else { changed[1000] ^= 1 }
            try changed.write(to: URL(fileURLWithPath: fixture.folder.file(names[1])))
            let error = try #require(throws: SplitreelError.self) { try fixture.render(plan, .audio(parts: names)) }
            #expect(error.code == .segmentInvalid && error.subject.hasSuffix(names[1]), "\(error)")
        }
        try bytes.write(to: URL(fileURLWithPath: fixture.folder.file(names[1])))
        _ = try fixture.render(plan, .audio(parts: names))
    }
}
