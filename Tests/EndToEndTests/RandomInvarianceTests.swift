import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Random compositions of everything: how they are cut and by how many they are made shows in no frame and no
    /// sample. `SPLITREEL_SEEDS=N` tries N of them in all ways, `SPLITREEL_SEED=N` begins with that one.
    @Suite struct RandomInvarianceTests {
        private static func setting(_ name: String) -> UInt64? {
            ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
        }
        private static let asked = setting("SPLITREEL_SEEDS")
        private static let first = setting("SPLITREEL_SEED") ?? 1
        private static let count = asked ?? 40

        private static let ways: [(workers: Int, chunks: String)] = [1, 2, 4].flatMap { workers in
            ["0.3", "0.7", "none"].map { (workers, $0) }
        }.filter { $0 != (1, "none") }

        @Test func anySplitByAnyNumberIsTheSame() throws {
            let media = try TestFolder("random-media")
            let made = try RandomSources(in: media, Witness(in: media))
            var uses: [String: Int] = [:]
            var kills = 0
            for seed in Self.first..<(Self.first + Self.count) {
                let film = try RandomFilm(seed: seed, made, isLong: true)
                for feature in film.features { uses[feature, default: 0] += 1 }
                do {
                    if try Self.check(film, number: Int(seed - Self.first)) { kills += 1 }
                } catch {
                    Issue.record("seed \(seed): \(error)\n\(film.text)")
                }
            }
            let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            print("\(Self.count) random films in several splits; used: \(listed)")
            guard Self.count >= 40 else { return }
            #expect(kills > 0, "every film was made before its worker could be killed")
            uses["HDR"] = (uses["HLG"] ?? 0) + (uses["PQ"] ?? 0)
            let wanted = ["interlaced", "nested", "nested sound", "GIF", "VFR source", "HDR", "retimed", "ramp"]
            for feature in wanted { #expect(uses[feature] ?? 0 >= 5, "\(feature) is hardly tried") }
        }

        /// Answers whether a worker was killed on the way: of each tenth film, which some machines make too fast.
        private static func check(_ film: RandomFilm, number: Int) throws -> Bool {
            let folder = try TestFolder("random-film")
            let check = InvarianceCheck(
                name: "seed \(film.seed)", file: try folder.write(film.text, to: "cut.json"),
                options: ["--pixel-format", film.pixelFormat], folder: folder, witness: Witness(in: folder),
                program: try Splitreel(in: folder), isLively: false)
            let reference = try check.reference()
            // Two of eight ways each, so that every way is tried as often as any other.
            let some = (0..<2).map { ways[(number * 2 + $0) % ways.count] }
            try check.expectSame(as: reference, asked == nil ? some : ways)
            guard number % 10 == 3 else { return false }
            do {
                try check.expectSameAfterAKill(as: reference, chunks: "none")
                return true
            } catch is Farm.NoWorkerCaught {
                return false
            }
        }
    }
}
