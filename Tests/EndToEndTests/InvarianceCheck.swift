import TestSupport
import Testing

/// Renders one composition in many ways: what ffmpeg decodes of each film must be the same, frame by frame and sample
/// by sample.
struct InvarianceCheck {
    /// Hashes of what ffmpeg decodes.
    struct Film: Equatable {
        var frames: [String]
        /// When they show.
        var times: [String]
        var sound: String

        init(_ file: String, _ witness: Witness, hasSound: Bool = true) throws {
            (frames, times, sound) = try witness.hashes(file, hasSound: hasSound)
        }
    }

    static let lossless = ["--video-codec", "ffv1", "--audio-codec", "flac"]

    /// The picture in chunks of so many seconds, and then the sound in parts of one.
    private static func split(_ chunks: String) -> [String] {
        ["--chunk-seconds", chunks, "--sound-part-seconds", chunks == "none" ? "none" : "1"]
    }

    let name: String
    let file: String
    let options: [String]
    let folder: TestFolder
    let witness: Witness
    let program: Splitreel
    /// Nothing in it stands still for long, or equality would say little.
    var isLively = true
    var hasSound = true

    /// One film, and what the program says of it.
    func film(_ output: String, workers: Int, chunks: String) throws -> (Film, [String: Any]?) {
        let path = folder.file(output)
        let result = try program.render(
            file, to: path, Self.lossless + options + Self.split(chunks) + ["--workers", "\(workers)"])
        return (try Film(path, witness, hasSound: hasSound), result.json)
    }

    /// In one piece by one worker, as `one.mkv`.
    func reference() throws -> Film {
        let (reference, report) = try film("one.mkv", workers: 1, chunks: "none")
        #expect(report?["frames"] as? Int == reference.frames.count, "\(name)")
        #expect((report?["chunks"] as? [String: Any])?["total"] as? Int == 1, "\(name)")
        #expect(!isLively || Set(reference.frames).count * 3 > reference.frames.count, "\(name)")
        return reference
    }

    /// Other splits by more workers.
    func expectSame(as reference: Film, _ others: [(workers: Int, chunks: String)]) throws {
        for (workers, chunks) in others {
            let (other, report) = try film("\(workers)-\(chunks).mkv", workers: workers, chunks: chunks)
            #expect(other == reference, "\(name): \(workers) workers, chunks of \(chunks) s")
            if let length = Double(chunks), length <= 1 {
                #expect((report?["chunks"] as? [String: Any])?["total"] as? Int ?? 0 > 1, "\(name)")
            }
        }
    }

    /// A farm of two, one of which is killed with a lease in its hands.
    func expectSameAfterAKill(as reference: Film, chunks: String) throws {
        let farm = try Farm(in: folder, program, workers: ["first", "second"])
        let job = try farm.renderKillingAWorker(
            file, to: folder.file("killed.mkv"), Self.lossless + options + Self.split(chunks))
        #expect(job.chunks.contains { $0.attempt > 1 }, "\(name): no second attempt")
        #expect(try Film(folder.file("killed.mkv"), witness, hasSound: hasSound) == reference, "\(name): worker killed")
    }
}
