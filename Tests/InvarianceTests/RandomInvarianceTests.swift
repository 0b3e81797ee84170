import Foundation
import RandomFilms
import TestTools
import Testing

/// Random compositions of everything, of more than three seconds, with transitions, effects and animations: how
/// they are cut, by how many they are made and who dies meanwhile shows in no frame and no sample. Every film in
/// every way: farms of one, two and four workers, in chunks of one second, of three and in one, those of one with
/// their sound in parts; and again with a worker that is killed with a chunk in its hands.
///
/// `SPLITREEL_SEEDS=N` tries N of them, `SPLITREEL_SEED=N` begins with that one.
@Suite(.enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
struct RandomInvarianceTests {
    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    private static let first = setting("SPLITREEL_SEED") ?? 1
    private static let count = setting("SPLITREEL_SEEDS") ?? 40
    private static let chunks = ["1", "3", "none"]

    @Test func anySplitByAnyNumberIsTheSame() throws {
        let media = try TestFolder("random-media")
        let made = try RandomSources(in: media, Witness(in: media), seconds: 4)
        let films = try (Self.first..<(Self.first + Self.count)).map { seed in
            try RandomFilm(seed: seed, made, isLong: true, hasEffects: true)
        }
        let folder = try TestFolder("random-films")
        let ways = try RandomWays(films, in: folder)
        for workers in [1, 2, 4] { try ways.expectSame(workers: workers, Self.chunks) }
        try ways.expectSameAfterKills()
        let uses = Self.uses(of: films)
        let listed = uses.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(Self.count) random films in ten ways; used: \(listed)")
        guard Self.count >= 40 else { return }
        let wanted = ["interlaced", "nested", "nested sound", "GIF", "VFR source", "HDR", "retimed", "ramp"]
        for feature in wanted + ["pull-down", "frameTimingTrack"] {
            #expect(uses[feature] ?? 0 >= 3, "\(feature) is hardly tried")
        }
        for (feature, least) in RandomFilm.decorations {
            #expect(uses[feature] ?? 0 >= least, "\(feature) is hardly tried")
        }
    }

    private static func uses(of films: [RandomFilm]) -> [String: Int] {
        var uses: [String: Int] = [:]
        for feature in films.flatMap(\.features) { uses[feature, default: 0] += 1 }
        uses["HDR"] = (uses["HLG"] ?? 0) + (uses["PQ"] ?? 0)
        return uses
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
                    file, to: path, Self.options(film, "none") + ["--workers", "1"])
                return try InvarianceCheck.Film(path, witness)
            } catch {
                throw ToolFailure("seed \(film.seed): \(error)\n\(film.text)")
            }
        }
    }

    /// The shortest chunks with the sound in parts, as far as it can be cut.
    private static func options(_ film: RandomFilm, _ chunks: String) -> [String] {
        InvarianceCheck.lossless + ["--pixel-format", film.pixelFormat] + (film.usesProxies ? ["--proxy"] : [])
            + ["--chunk-seconds", chunks, "--sound-part-seconds", chunks == "1" ? "1" : "none"]
    }

    /// All of them in chunks of each of these lengths.
    func expectSame(workers: Int, _ chunks: [String]) throws {
        let farm = try Farm(
            in: folder, program, workers: (0..<workers).map { "w\(workers)-\($0)" }, data: "state-\(workers)")
        let jobs = try chunks.flatMap { chunk in
            try films.indices.map { film in
                let output = folder.file("\(workers)-\(chunk)-\(films[film].seed).mkv")
                let options = Self.options(films[film], chunk)
                return Job(
                    film: film, identifier: try farm.submit(files[film], to: output, options), output: output,
                    name: "seed \(films[film].seed), \(workers) workers, chunks of \(chunk) s")
            }
        }
        for job in jobs {
            try wait(for: job, farm)
            try expectSame(job.film, job.output, job.name)
        }
    }

    /// Each by two workers, one of which is killed while it holds one of the film's chunks.
    func expectSameAfterKills() throws {
        let farm = try Farm(in: folder, program, workers: ["first", "second"], data: "state-deadly")
        for film in films.indices {
            let output = folder.file("killed-\(films[film].seed).mkv")
            let job = try farm.renderKillingAWorker(files[film], to: output, Self.options(films[film], "1"))
            #expect(job.chunks.contains { $0.attempt > 1 }, "seed \(films[film].seed): no second attempt")
            try expectSame(film, output, "seed \(films[film].seed), a worker killed")
        }
    }

    private func expectSame(_ film: Int, _ output: String, _ name: String) throws {
        #expect(try InvarianceCheck.Film(output, witness) == references[film], "\(name)")
        try FileManager.default.removeItem(atPath: output)
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
