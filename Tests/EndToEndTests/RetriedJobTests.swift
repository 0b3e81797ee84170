import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Jobs of a farm that failed at their last step, and what is kept of them.
    @Suite struct RetriedJobTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let options = ["--chunk-seconds", "0.25", "--encoder-preset", "ultrafast"]

        init() throws {
            folder = try TestFolder("retry")
            program = try Splitreel(in: folder)
        }

        /// A second of noise and a tone, 20 frames in four chunks by `options`.
        private func composition() throws -> String {
            try folder.write(
                """
                {"format": "splitreel/1",
                "assets": {"n": {"kind": "noise", "size": [96, 64], "rate": 20}, "t": {"kind": "tone"}},
                "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "n", "target": ["0s", "1s"]}]},
                {"id": 2, "type": "audio", "segments": [{"asset": "t", "target": ["0s", "1s"]}]}]},
                "video": {"renderSize": [96, 64], "frameDuration": "1/20"}}
                """, to: "cut.json")
        }

        private func ask(_ arguments: [String], _ farm: Farm) throws -> ToolResult {
            try program.run(arguments + ["--connect", farm.endpoint], seconds: 60)
        }

        /// Somebody else's files stand in the films' places when these are whole.
        @Test func segmentsAreUsedByARetryAndRemovedByAPrune() throws {
            let cut = try composition()
            let films = try folder.folder("films")
            let farm = try Farm(in: folder, program, workers: [])
            let first = try farm.submit(cut, to: films + "/first.mkv", options)
            let second = try farm.submit(cut, to: films + "/second.mkv", options)
            for job in [first, second] { _ = try farm.wait(for: job) { !$0.chunks.isEmpty } }
            let others = try ["films/first.mkv", "films/second.mkv"].map { try folder.write("another film", to: $0) }
            try farm.addWorker("w")
            for job in [first, second] {
                let failed = try farm.wait(for: job)
                #expect(failed.state == "failed" && failed.chunks.count == 5, "\(failed)")
                #expect(failed.chunks.allSatisfy { $0.state == "done" && $0.attempt == 1 }, "\(failed)")
                let told = try ask(["job", job], farm)
                #expect(told.text.contains("of finished work are kept until"), "\(told.text)")
            }
            // Each keeps its hidden folder and no lock.
            let kept = try folder.names(in: "films").filter { $0.hasPrefix(".") }
            #expect(kept.count == 2 && kept[0].hasPrefix(".first.mkv.splitreel-"), "\(kept)")
            #expect(kept.allSatisfy { !$0.hasSuffix("-lock") }, "\(kept)")

            // While the cause is there a retry is refused, and nothing is lost by it.
            let refused = try ask(["retry", first], farm)
            #expect(refused.status == 5 && refused.standardError.contains("first.mkv"), "\(refused)")
            try FileManager.default.removeItem(atPath: others[0])
            let retried = try ask(["retry", first, "--watch", "--json"], farm)
            #expect(retried.status == 0 && retried.json?["state"] as? String == "completed", "\(retried)")
            let end = try farm.job(first)
            #expect(end.chunks.count == 5 && end.chunks.allSatisfy { $0.attempt == 1 }, "\(end)")
            try program.render(cut, to: folder.file("alone.mkv"), options + ["--workers", "1"])
            let bytes = FileManager.default.contents(atPath: films + "/first.mkv")
            #expect(bytes != nil && bytes == FileManager.default.contents(atPath: folder.file("alone.mkv")))
            #expect(try Witness(in: folder).frameHashes(films + "/first.mkv").count == 20)

            let pruned = try ask(["prune", second, "--json"], farm)
            #expect(pruned.status == 0 && pruned.json?["jobs"] as? [String] == [second], "\(pruned) \(pruned.text)")
            let isGone = try eventually(seconds: 10) {
                try folder.names(in: "films") == ["first.mkv", "second.mkv"]
            }
            #expect(isGone)
            #expect(FileManager.default.contents(atPath: others[1]) == Data("another film".utf8))
            let none = try ask(["retry", second], farm)
            #expect(none.status != 0 && none.standardError.contains("nothing is kept"), "\(none)")
        }
    }
}
