import Foundation
import RandomFilms
import TestTools
import Testing

/// Random compositions of everything, of more than three seconds, with transitions, effects and animations: how they
/// are cut, by how many they are made and who dies meanwhile shows in no frame and no sample. Every film is made in one
/// piece, in chunks of one second with its sound in parts, and in chunks of three; by farms of one, two and four
/// workers, each of which gets each length in its turn; and every third film again with a worker that is killed with a
/// chunk in its hands.
///
/// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one.
@Suite(
    .serialized, .standingFarms,
    .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
struct RandomInvarianceTests {
    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    private static let seeds: Range<UInt64> = {
        let first = setting("SPLITREEL_SEED") ?? 1
        return first..<(first + (setting("SPLITREEL_SEEDS") ?? 40))
    }()

    @Test(arguments: seeds) func anySplitByAnyNumberIsTheSame(seed: UInt64) throws {
        try #require(StandingFarmsTrait.current).use { try $0.expectSame(seed) }
    }

    @Test func everythingIsTried() throws {
        var uses: [String: Int] = [:]
        try #require(StandingFarmsTrait.current).use { farms in
            for seed in Self.seeds { for feature in try farms.film(seed).features { uses[feature, default: 0] += 1 } }
        }
        uses["HDR"] = (uses["HLG"] ?? 0) + (uses["PQ"] ?? 0)
        let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(Self.seeds.count) random films in three ways; used: \(listed)")
        guard Self.seeds.count >= 40 else { return }
        let wanted = ["interlaced", "nested", "nested sound", "GIF", "VFR source", "HDR", "retimed", "ramp"]
        for feature in wanted + ["pull-down", "frameTimingTrack"] {
            #expect(uses[feature] ?? 0 >= 3, "\(feature) is hardly tried")
        }
        for (feature, least) in RandomFilm.decorations {
            #expect(uses[feature] ?? 0 >= least, "\(feature) is hardly tried")
        }
    }
}
