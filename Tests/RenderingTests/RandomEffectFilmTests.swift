import Foundation
import Oracle
import Planning
import RandomFilms
import Rendering
import TestTools
import Testing

/// Random trees of one to six pictures with every transition and blend mode, the effects that have a formula and
/// layers animated by every key path that has one, against a renderer in floating point that was written from the
/// format's text. Grain has no formula, and libavfilter's filters have itself for a witness: both have tests of their
/// own, as text has.
///
/// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one.
@Suite struct RandomEffectFilmTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
    private static let count = setting("SPLITREEL_SEEDS") ?? 200
    private static let first = setting("SPLITREEL_SEED") ?? 1

    /// Decibels that every plane has at least.
    private static let bound = 46.0

    @Test func treesAreAsTheReferenceDrawsThem() throws {
        let fixture = try RenderFixture("effects")
        let made = try EffectSources(in: fixture.folder, fixture.witness)
        let sources = ReferenceSources(fixture.witness)
        var uses: [String: Int] = [:]
        var (least, largest, planes) = (99.0, 0.0, 0)
        for seed in Self.first..<(Self.first + Self.count) {
            let film = try RandomEffectFilm(seed: seed, made)
            for feature in film.features { uses[feature, default: 0] += 1 }
            do {
                for (number, likeness) in try Self.likeness(film, fixture, sources) {
                    for (plane, found) in likeness.enumerated() {
                        (least, largest) = (min(least, found.whole), max(largest, found.largest))
                        planes += 1
                        #expect(
                            found.whole >= Self.bound,
                            "seed \(seed), frame \(number), plane \(plane): \(found), \(film.features)")
                    }
                }
            } catch {
                Issue.record("seed \(seed): \(error)\n\(film.features)\n\(film.text)")
            }
        }
        let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print(
            """
            \(Self.count) random trees, \(planes) planes: at least \(least) dB, at most \(largest) of 255 off
            used: \(listed)
            """)
        guard Self.count >= 200 else { return }
        for (feature, least) in RandomEffectFilm.wanted {
            #expect(uses[feature] ?? 0 >= least, "\(feature) is hardly tried")
        }
    }

    /// Of one or two frames.
    private static func likeness(_ film: RandomEffectFilm, _ fixture: RenderFixture, _ sources: ReferenceSources) throws
        -> [(number: Int, planes: [Likeness])]
    {
        let plan = try fixture.plan(film.text) { request in
            (request.pixelFormat, request.chunkSeconds) = (film.pixelFormat, "none")
        }
        let reference = try ReferenceFilm(film.text, sources)
        #expect(plan.frameCount == reference.frameCount, "seed \(film.seed)")
        let numbers = [[3], [2, 8], [6]][film.seed % 3]
        let (path, _) = try fixture.render(plan, .chunk(0), to: "film.nut")
        let likeness = try reference.compareEffects(
            film.text, path, numbers, format: PixelFormat(film.pixelFormat))
        return Array(zip(numbers, likeness)).map { (number: $0, planes: $1) }
    }
}
