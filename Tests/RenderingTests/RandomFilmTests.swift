import Foundation
import MediaTime
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
    let films: RandomSources
    let sources: ReferenceSources

    init() throws {
        fixture = try RenderFixture("random")
        films = try RandomSources(in: fixture.folder, fixture.witness)
        sources = ReferenceSources(
            fixture.witness, twins: films.twins, films: films.films, parts: films.parts)
    }
}

/// Random compositions of everything that sources, geometry and colour can be, against a renderer in floating point
/// that was written from the format's text and the standards' formulas.
///
/// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one.
@Suite(.making { try Made() }) struct RandomFilmTests {
    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    private static let seeds: Range<UInt64> = {
        let first = setting("SPLITREEL_SEED") ?? 1
        return first..<(first + (setting("SPLITREEL_SEEDS") ?? 200))
    }()

    /// Decibels that every plane has at least.
    private static let bound = 46.0

    @Test(arguments: seeds) func filmIsAsTheReferenceDrawsIt(seed: UInt64) throws {
        try MadeOnceTrait.made(Made.self).use { made in
            let film = try RandomFilm(seed: seed, made.films)
            do {
                for (number, likeness) in try Self.likeness(film, made.fixture, made.sources) {
                    for (plane, found) in likeness.enumerated() {
                        #expect(
                            found.whole >= Self.bound,
                            "frame \(number), plane \(plane): \(found), \(film.features.sorted())\n\(film.text)")
                    }
                }
            } catch {
                Issue.record("\(error)\n\(film.features.sorted())\n\(film.text)")
            }
        }
    }

    @Test func everythingIsTried() throws {
        var (uses, layered): ([String: Int], Int) = ([:], 0)
        try MadeOnceTrait.made(Made.self).use { made in
            for seed in Self.seeds {
                let film = try RandomFilm(seed: seed, made.films)
                for feature in film.features { uses[feature, default: 0] += 1 }
                if film.layerCount > 2 { layered += 1 }
            }
        }
        let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(Self.seeds.count) random films, \(layered) of three layers or more; used: \(listed)")
        guard Self.seeds.count >= 200 else { return }
        #expect(layered * 2 >= Self.seeds.count)
        for feature in RandomFilm.allFeatures { #expect(uses[feature] ?? 0 >= 5, "\(feature) is hardly tried") }
    }

    /// The likeness of one to three frames to the reference's, plane by plane.
    private static func likeness(_ film: RandomFilm, _ fixture: RenderFixture, _ sources: ReferenceSources) throws
        -> [(number: Int, planes: [Likeness])]
    {
        let plan = try fixture.plan(film.text) { request in
            (request.picture.pixelFormat, request.rendering.chunkSeconds) = (film.pixelFormat, "none")
            request.rendering.proxy = film.usesProxies
            if film.pixelAspect != Fraction(1) {
                request.picture.pixelAspect = [film.pixelAspect.top, film.pixelAspect.bottom]
            }
        }
        var reference = try ReferenceFilm(film.text, sources)
        (reference.usesProxies, reference.pixelAspect) = (film.usesProxies, film.pixelAspect)
        let (times, count) = (try reference.frameTimes, plan.frameCount)
        #expect(times.count == count, "seed \(film.seed)")
        let isTimely = zip(0..., times).allSatisfy { index, time in
            // No clock holds some lists exactly: a frame may begin a tick later.
            let late = plan.timing.time(ofFrame: index) - Rational(time.top, time.bottom)
            return late >= .zero && late < Rational(1, 1_000_000)
        }
        #expect(isTimely, "seed \(film.seed): \(times.map(\.text))")
        let numbers = Set([[1], [0, 3], [1, 3, 5]][Int(film.seed % 3)].map { count * $0 / 6 }).sorted()
        let (path, _) = try fixture.render(plan, .chunk(0), to: "film.nut")
        let likeness = try reference.compare(path, numbers, format: PixelFormat(film.pixelFormat))
        return Array(zip(numbers, likeness)).map { (number: $0, planes: $1) }
    }
}
