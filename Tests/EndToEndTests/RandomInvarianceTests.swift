import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Random compositions of everything, half of them with transitions, effects and animations: how they are cut, by
    /// how many they are made and who dies meanwhile shows in no frame and no sample. Every film in every way:
    /// farms of one, two and four workers, in chunks of a third, two thirds and all of a second, those of a third
    /// with their sound in parts, and a farm whose workers are killed all the time.
    ///
    /// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one.
    @Suite struct RandomInvarianceTests {
        private static func setting(_ name: String) -> UInt64? {
            ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
        }
        private static let first = setting("SPLITREEL_SEED") ?? 1
        private static let count = setting("SPLITREEL_SEEDS") ?? 40
        private static let chunks = ["0.3", "0.7", "none"]

        @Test func anySplitByAnyNumberIsTheSame() throws {
            let media = try TestFolder("random-media")
            let made = try RandomSources(in: media, Witness(in: media))
            let films = try (Self.first..<(Self.first + Self.count)).map { seed in
                // Every other one with what is drawn and remembered on top of what is shown.
                try RandomFilm(seed: seed, made, isLong: true, hasEffects: seed.isMultiple(of: 2))
            }
            let folder = try TestFolder("random-films")
            let ways = try RandomWays(films, in: folder)
            for workers in [1, 2, 4] { try ways.expectSame(workers: workers, Self.chunks) }
            let killed = try ways.expectSame(workers: 2, ["0.3"], isDeadly: true)
            let uses = Self.uses(of: films)
            let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            print("\(Self.count) random films in ten ways, \(killed) after a kill; used: \(listed)")
            guard Self.count >= 40 else { return }
            #expect(killed > 0, "every film was made before its worker could be killed")
            let wanted = ["interlaced", "nested", "nested sound", "GIF", "VFR source", "HDR", "retimed", "ramp"]
            let drawn = ["transition", "echo", "grain", "libavfilter's effect", "animation with text", "blend mode"]
            for feature in wanted + drawn + ["pull-down", "frameTimingTrack"] {
                #expect(uses[feature] ?? 0 >= 3, "\(feature) is hardly tried")
            }
            #expect(uses["own compositor"] ?? 0 > 0)
        }

        private static func uses(of films: [RandomFilm]) -> [String: Int] {
            var uses: [String: Int] = [:]
            for feature in films.flatMap(\.features) { uses[feature, default: 0] += 1 }
            uses["HDR"] = (uses["HLG"] ?? 0) + (uses["PQ"] ?? 0)
            return uses
        }
    }
}

/// Random films, each rendered in one piece by one worker, and again by standing farms to which all of them are handed
/// at once: a film costs a farm less than a process of its own costs.
private struct RandomWays {
    private struct Job {
        var film: Int
        var identifier: String
        var output: String
        var name: String
    }

    private let films: [RandomFilm]
    private let folder: TestFolder
    private let witness: Witness
    private let program: Splitreel
    private let files: [String]
    private let references: [InvarianceCheck.Film]

    init(_ films: [RandomFilm], in folder: TestFolder) throws {
        (self.films, self.folder, witness) = (films, folder, Witness(in: folder))
        // The example of a program with a compositor of its own.
        let (program, witness) = (try Splitreel(in: folder).sibling("CustomCompositor"), witness)
        self.program = program
        let files = try films.map { try folder.write($0.text, to: "\($0.seed).json") }
        self.files = files
        references = try zip(films, files).map { film, file in
            let path = folder.file("\(film.seed).mkv")
            do {
                try program.render(
                    file, to: path, Self.options(film) + ["--workers", "1", "--chunk-seconds", "none"])
                return try InvarianceCheck.Film(path, witness)
            } catch {
                throw ToolFailure("seed \(film.seed): \(error)\n\(film.text)")
            }
        }
    }

    private static func options(_ film: RandomFilm) -> [String] {
        InvarianceCheck.lossless + ["--pixel-format", film.pixelFormat] + (film.usesProxies ? ["--proxy"] : [])
    }

    /// Answers how many films were made in spite of a kill.
    ///
    /// - Parameter isDeadly: processes that render are killed all the time.
    @discardableResult
    func expectSame(workers: Int, _ chunks: [String], isDeadly: Bool = false) throws -> Int {
        let name = "\(workers)\(isDeadly ? "-deadly" : "")"
        let farm = try Farm(
            in: folder, program, workers: (0..<workers).map { "w\(name)-\($0)" }, data: "state-\(name)")
        let jobs = try chunks.flatMap { chunk in
            try films.indices.map { film in
                let output = folder.file("\(name)-\(chunk)-\(films[film].seed).mkv")
                // The shortest chunks with the sound in parts, as far as it can be cut.
                let sound = ["--sound-part-seconds", chunk == "0.3" ? "1" : "none"]
                let options = Self.options(films[film]) + ["--chunk-seconds", chunk] + sound
                return Job(
                    film: film, identifier: try farm.submit(files[film], to: output, options), output: output,
                    name: "seed \(films[film].seed), \(name) workers, chunks of \(chunk) s")
            }
        }
        var killed = 0
        for (number, job) in jobs.enumerated() {
            try wait(for: job, farm)
            if isDeadly { farm.killSlot(ofWorker: number % workers) }
            #expect(try InvarianceCheck.Film(job.output, witness) == references[job.film], "\(job.name)")
            try FileManager.default.removeItem(atPath: job.output)
            if isDeadly, try farm.job(job.identifier).chunks.contains(where: { $0.attempt > 1 }) { killed += 1 }
        }
        return killed
    }

    /// A film is put into its place when it is whole.
    private func wait(for job: Job, _ farm: Farm) throws {
        func isThere() -> Bool { FileManager.default.fileExists(atPath: job.output) }
        for _ in 0..<20 where !eventually(seconds: 6, isThere) {
            // Asked once: it may end between two questions.
            let found = try farm.job(job.identifier)
            if found.isOver, found.state != "completed" {
                throw ToolFailure("\(job.name): \(found.state)\n\(films[job.film].text)")
            }
        }
        guard isThere() else { throw ToolFailure("\(job.name) takes too long") }
    }
}
