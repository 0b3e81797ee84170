import Foundation
import RandomFilms
import Synchronization
import TestTools
import Testing

/// Sources of random films, and farms that stand while the tests of a suite run: a film costs a farm less than a
/// process of its own costs. What they make is held against the film that one worker made in one piece.
struct StandingFarms {
    /// Beside the film in one piece.
    private static let chunks = ["1", "3"]

    private let folder: TestFolder
    private let witness: Witness
    private let program: Splitreel
    private let sources: RandomSources
    /// The farms of one, two and four workers.
    private let farms: [Farm]
    /// The farm of two workers that are killed.
    private let deadly: Farm

    init() throws {
        let folder = try TestFolder("random-films")
        (self.folder, witness) = (folder, Witness(in: folder))
        // The example of a program with a compositor of its own.
        let program = try Splitreel(in: folder).sibling("CustomCompositor")
        self.program = program
        sources = try RandomSources(in: folder, witness, seconds: 4)
        farms = try [1, 2, 4].map { workers in
            try Farm(in: folder, program, workers: (0..<workers).map { "w\(workers)-\($0)" }, data: "state-\(workers)")
        }
        deadly = try Farm(in: folder, program, workers: ["first", "second"], data: "state-deadly")
    }

    func film(_ seed: UInt64) throws -> RandomFilm {
        try RandomFilm(seed: seed, sources, isLong: true, hasEffects: true)
    }

    /// In each length of chunks by one of the farms: which by which changes from seed to seed.
    func expectSame(_ seed: UInt64) throws {
        let film = try film(seed)
        do {
            let file = try folder.write(film.text, to: "\(seed).json")
            let whole = folder.file("\(seed).mkv")
            try program.render(file, to: whole, Self.options(film, "none") + ["--workers", "1"])
            let reference = try taken(whole)
            let jobs = try Self.chunks.enumerated().map { place, chunk in
                let farm = farms[(place + Int(seed % 3)) % farms.count]
                let output = folder.file("\(seed)-\(place).mkv")
                let job = try farm.submit(file, to: output, Self.options(film, chunk))
                return (farm, job, output, "\(farm.workers.count) workers, chunks of \(chunk) s")
            }
            for (farm, job, output, name) in jobs {
                try wait(for: output, job, farm, name)
                guard try taken(output) == reference else { throw ToolFailure("\(name): another film") }
            }
            // Every third one once more, by workers one of which is killed while it holds a chunk of the film.
            guard seed.isMultiple(of: 3) else { return }
            let output = folder.file("\(seed)-killed.mkv")
            let job = try deadly.renderKillingAWorker(file, to: output, Self.options(film, "1"))
            guard job.chunks.contains(where: { $0.attempt > 1 }) else { throw ToolFailure("no second attempt") }
            guard try taken(output) == reference else { throw ToolFailure("a worker killed: another film") }
        } catch {
            throw ToolFailure("seed \(seed): \(error)\n\(film.text)")
        }
    }

    /// The shortest chunks with the sound in parts, as far as it can be cut.
    private static func options(_ film: RandomFilm, _ chunks: String) -> [String] {
        InvarianceCheck.lossless + ["--pixel-format", film.pixelFormat] + (film.usesProxies ? ["--proxy"] : [])
            + ["--chunk-seconds", chunks, "--sound-part-seconds", chunks == "1" ? "1" : "none"]
    }

    /// A film is put into its place when it is whole: to look for it costs less than to ask the farm.
    private func wait(for output: String, _ job: String, _ farm: Farm, _ name: String) throws {
        func isThere() -> Bool { FileManager.default.fileExists(atPath: output) }
        for _ in 0..<20 where !eventually(seconds: 6, isThere) {
            // Asked once: it may end between two questions.
            let found = try farm.job(job)
            if found.isOver, found.state != "completed" { throw ToolFailure("\(name): \(found.state)") }
        }
        guard isThere() else { throw ToolFailure("\(name): takes too long") }
    }

    /// The content of a film that is looked at once and then removed.
    private func taken(_ file: String) throws -> InvarianceCheck.Film {
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try InvarianceCheck.Film(file, witness)
    }
}

/// Lets the tests of a suite have the same farms, one test at a time.
struct StandingFarmsTrait: SuiteTrait, TestScoping {
    final class Shared: Sendable {
        private let farms: Mutex<StandingFarms>

        init() throws { farms = Mutex(try StandingFarms()) }

        func use(_ body: (borrowing StandingFarms) throws -> Void) rethrows { try farms.withLock { try body($0) } }
    }

    @TaskLocal static var current: Shared?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(try Shared()) { try await function() }
    }
}

extension Trait where Self == StandingFarmsTrait {
    static var standingFarms: Self { Self() }
}
