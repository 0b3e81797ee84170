import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// Disks that fill while a farm renders, and have room again a while later.
    @Suite(.enabled(if: SmallDisk.isPossible, "needs mount namespaces: root, or user namespaces that are allowed"))
    struct FullDiskTests {
        private let folder: TestFolder
        private let disk: SmallDisk
        /// The program outside, which does not see the disk.
        private let outside: Splitreel
        private let inside: Splitreel
        private let options = ["--chunk-seconds", "0.15", "--encoder-preset", "ultrafast"]

        init() throws {
            folder = try TestFolder("full-disk")
            disk = try SmallDisk(in: folder, "disk", megabytes: 12)
            outside = try Splitreel(in: folder)
            inside = try disk.inside(outside)
        }

        /// Noise and a tone: 20 frames a second, three of them a chunk by `options`.
        private func composition(_ name: String, seconds: Int, outputs: [String] = []) throws -> String {
            let films = outputs.map { "{\"url\": \"\($0)\"}" }.joined(separator: ", ")
            let last = films.isEmpty ? "" : ", \"outputs\": [\(films)]"
            return try folder.write(
                """
                {"format": "splitreel/1",
                "assets": {"n": {"kind": "noise", "size": [96, 64], "rate": 20}, "t": {"kind": "tone"}},
                "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "n", "target": ["0s", "\(seconds)s"]}]},
                {"id": 2, "type": "audio", "segments": [{"asset": "t", "target": ["0s", "\(seconds)s"]}]}]},
                "video": {"renderSize": [96, 64], "frameDuration": "1/20"}\(last)}
                """, to: name)
        }

        private func farm(workers: [String], data: String) throws -> Farm {
            try Farm(in: folder, inside, workers: workers, endpoint: "ipc://\(folder.file("control"))", data: data)
        }

        /// The chunks that an accident may cost: those in hand at that time.
        private final class Costs {
            var held: Set<Int> = []
            var killed: Set<Int> = []
        }

        /// Fills the disk when so many chunks are done, until the job says that it waits, and makes room again.
        private func fill(_ farm: Farm, _ job: String, after count: Int, _ costs: Costs) throws {
            try farm.halt(job, when: { $0.doneCount >= count }) { state in
                #expect(!state.isOver, "all was done before the disk was full")
                costs.held.formUnion(state.chunks.filter(\.isHeld).map(\.index))
                disk.fill()
            }
            let isTold = try eventually(seconds: 20) {
                disk.fill()
                let state = try farm.job(job)
                costs.held.formUnion(state.chunks.filter(\.isHeld).map(\.index))
                guard state.delay != nil else { return false }
                let list = try inside.run(["jobs", "--connect", farm.endpoint], seconds: 20)
                return list.status == 0 && list.text.contains("waits since")
            }
            #expect(isTold, "nothing says what the job waits for")
            try disk.makeRoom()
        }

        /// `kill -9` of a slot with a chunk in hand, when so many chunks are done.
        private func kill(_ farm: Farm, _ job: String, after count: Int, _ costs: Costs) throws {
            func isPicture(_ chunk: Farm.Chunk) -> Bool { chunk.isHeld && chunk.kind != "audio" }
            try farm.halt(job, when: { $0.doneCount >= count && $0.chunks.contains(where: isPicture) }) { state in
                let chunk = try #require(state.chunks.first(where: isPicture), "no slot was caught at work")
                #expect(farm.killSlot(holding: chunk))
                costs.killed.insert(chunk.index)
            }
        }

        @Test("the disk fills three times, two slots are killed, and only chunks in hand are rendered again")
        func threeTimesFull() throws {
            let cut = try composition("cut.json", seconds: 6)
            let film = disk.path + "/film.mkv"
            let farm = try farm(workers: ["first", "second"], data: "disk/state")
            let job = try farm.submit(cut, to: film, options)
            let watch = try inside.start(["watch", job, "--connect", farm.endpoint])
            let costs = Costs()
            try fill(farm, job, after: 2, costs)
            try kill(farm, job, after: 8, costs)
            try fill(farm, job, after: 16, costs)
            try kill(farm, job, after: 24, costs)
            try fill(farm, job, after: 32, costs)
            let end = try farm.wait(for: job, seconds: 60)
            #expect(end.state == "completed")
            let pictures = end.chunks.filter { $0.kind != "audio" }
            #expect(pictures.count == 40 && pictures.allSatisfy { $0.state == "done" })
            let again = end.chunks.filter { $0.attempt > 1 }
            #expect(!again.isEmpty && costs.killed.count == 2)
            for chunk in again {
                // One that was begun on the full disk itself has that error, 20106.
                let isInHand = costs.killed.contains(chunk.index) || costs.held.contains(chunk.index)
                #expect(isInHand || chunk.error == 20106, "chunk \(chunk.index) had \(chunk.attempt) attempts")
            }
            // Each time two slots can have a chunk in hand, and one more that they took when the other was done.
            let most = 2 + 3 * 4
            #expect(again.count <= most)
            let watched = watch.finish(seconds: 20)
            #expect(watched.status == 0 && watched.standardError.contains("waits since"), "\(watched)")
            #expect(try disk.names() == ["film.mkv", "state"])
            // The film is the one that nobody disturbed, byte for byte.
            try outside.render(cut, to: folder.file("alone.mkv"), options + ["--workers", "1"])
            let bytes = FileManager.default.contents(atPath: disk.seen + "/film.mkv")
            #expect(bytes != nil && bytes == FileManager.default.contents(atPath: folder.file("alone.mkv")))
            let hashes = try Witness(in: folder).frameHashes(disk.seen + "/film.mkv")
            #expect(hashes.count == 120 && Set(hashes).count > 100)
        }

        @Test("planning and stitching wait for room on the disk of an output, and no chunk is rendered again")
        func planningAndStitchingWait() throws {
            // The work of one film is on the full disk; of the other only the second output.
            let (film, there) = (disk.path + "/film.mkv", disk.path + "/there.mkv")
            let one = try composition("one.json", seconds: 1)
            let both = try composition("both.json", seconds: 1, outputs: [folder.file("here.mkv"), there])
            let farm = try farm(workers: ["first"], data: "state")
            disk.fill()
            let planning = try farm.submit(one, to: film, options)
            let submitted = try inside.run(["submit", both, "--connect", farm.endpoint] + options, seconds: 30)
            #expect(submitted.status == 0, "\(submitted)")
            let stitching = submitted.text.trimmingCharacters(in: .whitespacesAndNewlines)
            let isTold = try eventually(seconds: 30) {
                disk.fill()
                return try farm.job(planning).delay == "planning" && farm.job(stitching).delay == "stitching"
            }
            let list = try inside.run(["jobs", "--connect", farm.endpoint], seconds: 20)
            #expect(isTold, "\(list.text)")
            try disk.makeRoom()
            for job in [planning, stitching] {
                let end = try farm.wait(for: job, seconds: 60)
                #expect(end.state == "completed" && end.chunks.allSatisfy { $0.attempt == 1 }, "\(end)")
            }
            #expect(try disk.names() == ["film.mkv", "there.mkv"])
            try outside.render(one, to: folder.file("alone.mkv"), options + ["--workers", "1"])
            let witness = Witness(in: folder)
            let hashes = try witness.frameHashes(folder.file("alone.mkv"))
            #expect(hashes.count == 20 && Set(hashes).count > 15)
            for path in [disk.seen + "/film.mkv", disk.seen + "/there.mkv", folder.file("here.mkv")] {
                #expect(try witness.frameHashes(path) == hashes, "\(path)")
            }
        }
    }
}
