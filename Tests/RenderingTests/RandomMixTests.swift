import Diagnostics
import Foundation
import Oracle
import Outputs
import Planning
import RandomFilms
import Rendering
import SplitreelProject
import TestTools
import Testing

private struct Made {
    let fixture: RenderFixture
    let sources: MixSources
    let files = ReferenceSounds()
    var (tried, heard) = (0, 0)

    init() throws {
        fixture = try RenderFixture("mixes")
        sources = try MixSources(in: fixture.folder)
    }
}

/// Random mixes of sound against one in double precision that was written from the format's text, sample by sample.
/// Pitches that are kept and loudness have tests of their own.
///
/// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one.
@Suite(.making { try Made() }) struct RandomMixTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
    private static let seeds: Range<Int> = {
        let first = setting("SPLITREEL_SEED") ?? 1
        return first..<(first + (setting("SPLITREEL_SEEDS") ?? 40))
    }()

    /// The last one also knows how many were more than silence: most are.
    @Test(arguments: seeds) func mixIsAsTheReferenceMixesIt(seed: Int) throws {
        try MadeOnceTrait.made(Made.self).use { made in
            let mix = try RandomMix(seed: seed, made.sources)
            made.tried += 1
            do {
                let found = try Self.difference(mix, made.fixture, made.files)
                made.heard += found.isHeard ? 1 : 0
                #expect(
                    20 * log10(found.largest) <= RandomMix.bound,
                    "\(found) off, \(mix.features.sorted())\n\(mix.text)")
            } catch {
                Issue.record("\(error)\n\(mix.features.sorted())\n\(mix.text)")
            }
            if made.tried == Self.seeds.count, made.tried >= 40 {
                #expect(made.heard * 8 >= made.tried * 7, "only \(made.heard) of \(made.tried) mixes are heard")
            }
        }
    }

    @Test func everythingIsTried() throws {
        var uses: [String: Int] = [:]
        try MadeOnceTrait.made(Made.self).use { made in
            for seed in Self.seeds {
                for feature in try RandomMix(seed: seed, made.sources).features { uses[feature, default: 0] += 1 }
            }
        }
        let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(Self.seeds.count) random mixes; used: \(listed)")
        guard Self.seeds.count >= 40 else { return }
        for feature in RandomMix.wanted { #expect(uses[feature] ?? 0 >= 5, "\(feature) is hardly tried") }
    }

    /// The largest difference of any sample, where it stands, and whether the mix is more than silence.
    private static func difference(_ mix: RandomMix, _ fixture: RenderFixture, _ files: ReferenceSounds) throws
        -> (largest: Double, channel: Int, sample: Int, count: Int, isHeard: Bool)
    {
        let plan = try fixture.plan(mix.text) {
            ($0.sound.codec, $0.sound.sampleRate, $0.sound.channels) = ("flac", mix.sampleRate, mix.channels)
            ($0.timing.rangeStart, $0.timing.rangeDuration) = (mix.range?.start, mix.range?.duration)
        }
        let (path, record) = try fixture.render(plan, .audio(parts: []))
        let decoded = try fixture.witness.samples(path)
        let reference = try ReferenceMix(
            mix.text, rate: mix.sampleRate, channels: mix.channels, range: mix.range, files: files
        ).samples()
        try #require(decoded.map(\.count) == reference.map(\.count), "seed \(mix.seed)")
        // Less than a millionth beyond full scale may count as beyond it or not.
        let beyond = [-1e-6, 1e-6].map { slack in
            reference.reduce(0) { $0 + $1.count { abs($0) > 1 + slack } }
        }
        let told = record.notices.notices.filter { $0.code == .soundClipped }.reduce(0) { $0 + $1.count }
        #expect(told <= beyond[0] && told >= beyond[1], "seed \(mix.seed): \(told) clipped, \(beyond)")
        var worst = (largest: 1e-9, channel: 0, sample: 0)
        for (channel, plane) in reference.enumerated() {
            for (sample, value) in plane.enumerated() {
                let off = abs(max(-1, min(1, value)) - Double(decoded[channel][sample]))
                if off > worst.largest { worst = (off, channel, sample) }
            }
        }
        let isHeard = reference.contains { $0.contains { abs($0) > 0.01 } }
        return (worst.largest, worst.channel, worst.sample, reference[0].count, isHeard)
    }
}
