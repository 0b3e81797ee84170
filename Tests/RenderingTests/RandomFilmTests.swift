import Foundation
import MediaTime
import Oracle
import Outputs
import Planning
import RandomFilms
import Rendering
import TestTools
import Testing

/// Random compositions of everything that sources, geometry and colour can be, against a renderer in floating point
/// that was written from the format's text and the standards' formulas.
///
/// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one; one alone is printed.
@Suite struct RandomFilmTests {
    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    private static let count = setting("SPLITREEL_SEEDS") ?? 200
    private static let first = setting("SPLITREEL_SEED") ?? 1

    /// Decibels that every plane has at least.
    private static let bound = 46.0

    @Test func filmsAreAsTheReferenceDrawsThem() throws {
        let fixture = try RenderFixture("random")
        let made = try RandomSources(in: fixture.folder, fixture.witness)
        let sources = ReferenceSources(
            fixture.witness, twins: made.twins, films: made.films, parts: made.parts)
        var (uses, layered): ([String: Int], Int) = ([:], 0)
        var (least, largest, planes) = (99.0, 0.0, 0)
        for seed in Self.first..<(Self.first + Self.count) {
            let film = try RandomFilm(seed: seed, made)
            for feature in film.features { uses[feature, default: 0] += 1 }
            if film.layerCount > 2 { layered += 1 }
            if Self.count == 1 { print(film.text) }
            do {
                for (number, likeness) in try Self.likeness(film, fixture, sources) {
                    for (plane, found) in likeness.enumerated() {
                        (least, largest) = (min(least, found.whole), max(largest, found.largest))
                        planes += 1
                        #expect(
                            found.whole >= Self.bound,
                            "seed \(seed), frame \(number), plane \(plane): \(found), \(film.features.sorted())")
                    }
                }
            } catch {
                Issue.record("seed \(seed): \(error)\n\(film.features.sorted())\n\(film.text)")
            }
        }
        let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print(
            """
            \(Self.count) random films, \(planes) planes: at least \(least) dB, at most \(largest) of 255 off; \
            \(layered) of three layers or more
            used: \(listed)
            """)
        guard Self.count >= 200 else { return }
        #expect(layered * 2 >= Int(Self.count))
        for feature in RandomFilm.allFeatures { #expect(uses[feature] ?? 0 >= 5, "\(feature) is hardly tried") }
    }

    /// Of one to three frames.
    private static func likeness(_ film: RandomFilm, _ fixture: RenderFixture, _ sources: ReferenceSources) throws
        -> [(number: Int, planes: [Likeness])]
    {
        let plan = try fixture.plan(film.text) { request in
            (request.pixelFormat, request.chunkSeconds) = (film.pixelFormat, "none")
            request.proxy = film.usesProxies
            if film.pixelAspect != Fraction(1) {
                request.pixelAspect = [film.pixelAspect.top, film.pixelAspect.bottom]
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
