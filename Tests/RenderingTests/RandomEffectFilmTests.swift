import Foundation
import Oracle
import Planning
import RandomFilms
import Rendering
import SplitreelProject
import TestTools
import Testing

private struct Made {
    let fixture: RenderFixture
    let films: EffectSources
    let sources: ReferenceSources

    init() throws {
        fixture = try RenderFixture("effects")
        films = try EffectSources(in: fixture.folder, fixture.witness)
        sources = ReferenceSources(fixture.witness)
    }
}

/// Random trees of one to six pictures with every transition and blend mode, the effects that have a formula and
/// layers animated by every key path that has one, against a renderer in floating point that was written from the
/// format's text. Grain has no formula, and libavfilter's filters have itself for a witness: both have tests of their
/// own, as text has.
///
/// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one.
@Suite(.making { try Made() }) struct RandomEffectFilmTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
    private static let seeds: Range<Int> = {
        let first = setting("SPLITREEL_SEED") ?? 1
        return first..<(first + (setting("SPLITREEL_SEEDS") ?? 200))
    }()

    /// Decibels that every plane has at least.
    private static let bound = 46.0

    @Test(arguments: seeds) func treeIsAsTheReferenceDrawsIt(seed: Int) throws {
        try MadeOnceTrait.made(Made.self).use { made in
            let film = try RandomEffectFilm(seed: seed, made.films)
            do {
                for (number, likeness) in try Self.likeness(film, made.fixture, made.sources) {
                    for (plane, found) in likeness.enumerated() {
                        #expect(
                            found.whole >= Self.bound,
                            "frame \(number), plane \(plane): \(found), \(film.features)\n\(film.text)")
                    }
                }
            } catch {
                Issue.record("\(error)\n\(film.features)\n\(film.text)")
            }
        }
    }

    @Test func everythingIsTried() throws {
        var uses: [String: Int] = [:]
        try MadeOnceTrait.made(Made.self).use { made in
            for seed in Self.seeds {
                for feature in try RandomEffectFilm(seed: seed, made.films).features { uses[feature, default: 0] += 1 }
            }
        }
        let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(Self.seeds.count) random trees; used: \(listed)")
        guard Self.seeds.count >= 200 else { return }
        for (feature, least) in RandomEffectFilm.wanted {
            #expect(uses[feature] ?? 0 >= least, "\(feature) is hardly tried")
        }
    }

    /// The likeness of one or two frames to the reference's, plane by plane.
    private static func likeness(_ film: RandomEffectFilm, _ fixture: RenderFixture, _ sources: ReferenceSources) throws
        -> [(number: Int, planes: [Likeness])]
    {
        let plan = try fixture.plan(film.text) { request in
            (request.picture.pixelFormat, request.rendering.chunkSeconds) = (film.pixelFormat, "none")
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
