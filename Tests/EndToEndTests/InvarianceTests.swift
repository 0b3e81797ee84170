import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Any chunking × any number of workers × a worker that dies: the same frames and samples as one chunk on one.
    @Suite struct InvarianceTests {
        private static let lossless = ["--video-codec", "ffv1", "--audio-codec", "flac"]

        private struct Film: Equatable {
            var frames: [String]
            var sound: String

            init(_ file: String, _ witness: Witness) throws {
                frames = try witness.frameHashes(file)
                sound = try witness.soundHash(file)
            }
        }

        @Test(
            .enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"),
            arguments: VariedComposition.all.indices)
        func sameFilm(index: Int) throws {
            let composition = VariedComposition.all[index]
            let text = try #require(composition.text())
            let folder = try TestFolder("invariance")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let file = try folder.write(text, to: "cut.json")
            let options = Self.lossless + composition.options
            func film(_ name: String, _ workers: Int, _ chunks: String) throws -> (Film, [String: Any]?) {
                let output = folder.file(name)
                let result = try program.render(
                    file, to: output, options + ["--workers", "\(workers)", "--chunk-seconds", chunks])
                return (try Film(output, witness), result.json)
            }
            let (reference, report) = try film("one.mkv", 1, "none")
            #expect(report?["frames"] as? Int == reference.frames.count, "\(composition.name)")
            #expect((report?["chunks"] as? [String: Any])?["total"] as? Int == 1, "\(composition.name)")
            let expected = try ReferenceFilm(text, witness)
            #expect(expected.frameCount == reference.frames.count, "\(composition.name)")
            try expected.check(folder.file("one.mkv"), composition.name)
            // Nothing in it stands still for long, or equality would say little.
            #expect(Set(reference.frames).count * 3 > reference.frames.count, "\(composition.name)")
            let others = [1, 2, 4].flatMap { workers in ["1", "3", "none"].map { (workers, $0) } } + [(1, "0.4")]
            for (workers, chunks) in others where (workers, chunks) != (1, "none") {
                let (other, report) = try film("\(workers)-\(chunks).mkv", workers, chunks)
                #expect(other == reference, "\(composition.name): \(workers) workers, chunks of \(chunks) s")
                if chunks == "1" || chunks == "0.4" {
                    #expect((report?["chunks"] as? [String: Any])?["total"] as? Int ?? 0 > 1, "\(composition.name)")
                }
            }
            let farm = try Farm(in: folder, program, workers: ["first", "second"])
            let job = try farm.renderKillingAWorker(
                file, to: folder.file("killed.mkv"), options + ["--chunk-seconds", "1"])
            #expect(job.chunks.contains { $0.attempt > 1 }, "\(composition.name): no second attempt")
            #expect(try Film(folder.file("killed.mkv"), witness) == reference, "\(composition.name): worker killed")
        }
    }
}
