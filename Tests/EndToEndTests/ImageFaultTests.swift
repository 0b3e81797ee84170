import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Moving images and sequences while processes die and disks fill up: all of it or nothing, and always the same.
    @Suite struct ImageFaultTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let composition: String

        init() throws {
            folder = try TestFolder("image-faults")
            program = try Splitreel(in: folder)
            try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=24:d=5,noise=alls=40:allf=t:all_seed=5", "-c:v", "ffv1",
                folder.file("noise.mkv"),
            ])
            composition = try folder.write(
                Text.project(
                    ["a": "noise.mkv"],
                    [Text.track(1, "video", Text.clip("a", "0s", "5s", at: "0s"))], size: (320, 180), frame: "1/24"),
                to: "film.json")
        }

        /// All that lies in a folder, hidden things too.
        private func contents(_ name: String) throws -> [String: Data] {
            let names = try folder.names(in: name)
            let files = try names.map { try Data(contentsOf: URL(fileURLWithPath: folder.file("\(name)/\($0)"))) }
            return Dictionary(uniqueKeysWithValues: zip(names, files))
        }

        @Test(arguments: ["%03d.png", "a.gif"]) func theSameBytesWhoeverDies(name: String) throws {
            for place in ["alone", "worker", "coordinator"] { _ = try folder.folder(place) }
            let options = ["--chunk-seconds", "0.25", "--range", "0s,3s"]
            try program.render(composition, to: folder.file("alone/" + name), options + ["--workers", "1"])
            let expected = try contents("alone")
            #expect(expected.count == (name == "a.gif" ? 1 : 72))
            let farm = try Farm(
                in: folder, program, workers: ["first", "second"], endpoint: "ipc://\(folder.file("control"))")
            _ = try farm.renderKillingAWorker(composition, to: folder.file("worker/" + name), options)
            #expect(try contents("worker") == expected)
            let identifier = try farm.submit(composition, to: folder.file("coordinator/" + name), options)
            let seen = try farm.wait(for: identifier) { $0.chunks.contains { $0.state == "done" } }
            #expect(!seen.isOver)
            farm.coordinator.send(SIGKILL)
            _ = farm.coordinator.finish(seconds: 10)
            // Until all of it is there, none of it has its name.
            #expect(try folder.names(in: "coordinator").allSatisfy { $0.hasPrefix(".") })
            try farm.restartCoordinator()
            #expect(try farm.wait(for: identifier).state == "completed")
            #expect(try contents("coordinator") == expected)
        }

        /// A full disk is a limit on the largest file that may be written, in units of 512 bytes. Segments are larger
        /// than the first limit, the GIF is larger than the second.
        @Test(arguments: [("%03d.png", 2048), ("a.gif", 2048), ("a.gif", 6000)])
        func aFullDiskLeavesNothing(name: String, limit: Int) throws {
            _ = try folder.folder("set")
            let script = "trap '' XFSZ; ulimit -f \(limit); exec \"$0\" render \"$1\" -o \"$2\" --chunk-seconds 0.5"
            let result = try Tool(
                "/bin/sh", ["-c", script, program.path, composition, folder.file("set/" + name)], in: folder
            ).finish()
            #expect(result.status == 5 && result.standardError.contains("error 20106"), "\(result)")
            #expect(try folder.names(in: "set").isEmpty)
        }

        /// Where not even the job store has room, in units of 512 bytes, the folder is as it was before.
        @Test(arguments: [200, 300, 400]) func aFullDiskOfTheFarmLeavesNothing(limit: Int) throws {
            _ = try folder.folder("store")
            let script = "trap '' XFSZ; ulimit -f \(limit); exec \"$0\" render \"$1\" -o \"$2\" --chunk-seconds 0.1"
            let result = try Tool(
                "/bin/sh", ["-c", script, program.path, composition, folder.file("store/film.mp4")], in: folder
            ).finish(seconds: 200)
            #expect(result.status != 0 && result.standardError.contains("error 30001"), "\(result)")
            #expect(try folder.names(in: "store").isEmpty, "\(result)")
        }
    }
}
