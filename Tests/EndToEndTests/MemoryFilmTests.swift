import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films of media that a program holds in memory, which its workers and a farm do not share:
    /// `Tests/Support/FarmProgram/Memory.swift`.
    @Suite struct MemoryFilmTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness
        private let media: String

        init() throws {
            folder = try TestFolder("memory-film")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
            media = folder.file("take.mkv")
            // Three blocks of 1 MiB, so that blocks are asked for by their numbers.
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4,noise=alls=20", "-f", "lavfi", "-i", "sine=d=4",
                "-c:v", "ffv1", "-c:a", "flac", media,
            ])
        }

        private func films(
            of media: String? = nil, _ options: [String], environment: [String: String] = [:]
        ) throws -> (lines: [String], folder: String) {
            let out = try folder.folder("out")
            let result = try program.sibling("FarmProgram").run(
                ["memory", media ?? self.media, out] + options,
                environment: [
                    "XDG_RUNTIME_DIR": try folder.folder("run"), "XDG_CACHE_HOME": try folder.folder("cache"),
                ].merging(environment) { $1 })
            #expect(result.standardError.isEmpty, "\(result)")
            let lines = String(decoding: result.standardOutput, as: UTF8.self).split(separator: "\n").map(String.init)
            return (lines, out)
        }

        /// As of a service without a home: what is written stands in a private folder, and the next program removes it.
        @Test func noFolderOfTheUserIsNeeded() throws {
            let rooms = try folder.folder("rooms")
            for _ in 0..<2 {
                let (lines, out) = try films([], environment: ["XDG_CACHE_HOME": "/proc/none", "TMPDIR": rooms])
                #expect(lines.count == 6 && lines.allSatisfy { $0.hasSuffix(" 100") }, "\(lines)")
                #expect(try witness.hashes("\(out)/data-local.mkv", hasSound: true).frames.count == 100)
                #expect(try FileManager.default.contentsOfDirectory(atPath: rooms).count == 1)
                try FileManager.default.removeItem(atPath: out)
            }
        }

        @Test func workersReadWhatTheProgramHolds() throws {
            #expect((FileManager.default.contents(atPath: media)?.count ?? 0) > 3 << 20)
            let (lines, out) = try films([])
            let names = ["file", "data", "source"].flatMap { ["\($0)-local", "\($0)-threads"] }
            #expect(lines == names.map { $0.replacingOccurrences(of: "-", with: " ") + " 100" })
            let known = try witness.hashes("\(out)/file-local.mkv", hasSound: true)
            #expect(known.frames.count == 100)
            for name in names {
                let film = try witness.hashes("\(out)/\(name).mkv", hasSound: true)
                #expect(film.frames == known.frames && film.sound == known.sound, "\(name)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("run")).isEmpty)
        }

        /// The program reads as `splitreel render` does: the server and the credentials are the environment's.
        @Test func anObjectIsAnAsset() throws {
            let store = try ObjectServer(in: folder)
            try store.put([(media, "takes/take.mkv")])
            let (lines, out) = try films(
                of: store.address("takes/take.mkv"), [], environment: store.credentials)
            #expect(lines == ["object local 100", "object threads 100"])
            let known = try witness.hashes(media, hasSound: true)
            let films = try ["object-local", "object-threads"].map {
                try witness.hashes("\(out)/\($0).mkv", hasSound: true)
            }
            #expect(known.frames.count == 100 && films[0].frames == films[1].frames)
            #expect(films[0].sound == films[1].sound && films[0].frames.count == 100)
        }

        /// A coordinator in another process has it uploaded; the name of memory means nothing to it.
        @Test func aFarmElsewhereHasItUploaded() throws {
            let farm = try Farm(in: folder, program, workers: ["one"], endpoint: "ipc://" + folder.file("control"))
            let (lines, out) = try films([farm.endpoint])
            #expect(lines == ["file far 100", "data far 100", "source far 100"])
            let known = try witness.hashes("\(out)/file-far.mkv", hasSound: true)
            for name in ["data-far", "source-far"] {
                let film = try witness.hashes("\(out)/\(name).mkv", hasSound: true)
                #expect(film.frames == known.frames && film.sound == known.sound, "\(name)")
            }
            // Whoever writes such a name into a composition opens nothing.
            let guess = try folder.write(
                Text.project(
                    ["a": "memory://00000000-0000-0000-0000-000000000000/take.mkv"],
                    [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: (64, 36), frame: "1/25"),
                to: "guess.json")
            let refused = try program.run(
                ["submit", guess, "-o", folder.file("guess.mkv"), "--connect", farm.endpoint, "--watch", "--no-check"])
            #expect(refused.status != 0 && refused.standardError.contains("memory of another program"), "\(refused)")
            let here = try program.run(["render", guess, "-o", folder.file("guess.mkv")])
            #expect(here.status != 0 && here.standardError.contains("memory://"), "\(here)")
        }
    }
}
