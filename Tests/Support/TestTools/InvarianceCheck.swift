/// Renders one composition in many ways: what ffmpeg decodes of each film must be the same, frame by frame and sample
/// by sample. The first that is not is thrown, by its name.
package struct InvarianceCheck {
    /// Hashes of what ffmpeg decodes.
    package struct Film: Equatable {
        package var frames: [String]
        /// When they show.
        package var times: [String]
        package var sound: String

        package init(_ file: String, _ witness: Witness, hasSound: Bool = true) throws {
            (frames, times, sound) = try witness.hashes(file, hasSound: hasSound)
        }
    }

    package static let lossless = ["--video-codec", "ffv1", "--audio-codec", "flac"]

    /// The picture in chunks of so many seconds, and then the sound in parts of one.
    private static func split(_ chunks: String) -> [String] {
        ["--chunk-seconds", chunks, "--sound-part-seconds", chunks == "none" ? "none" : "1"]
    }

    private let name: String
    private let file: String
    private let options: [String]
    private let folder: TestFolder
    private let witness: Witness
    private let program: Splitreel
    private let isLively: Bool
    private let hasSound: Bool

    /// - Parameter isLively: nothing in it stands still for long, or equality would say little.
    package init(
        name: String, file: String, options: [String], folder: TestFolder, witness: Witness, program: Splitreel,
        isLively: Bool = true, hasSound: Bool = true
    ) {
        (self.name, self.file, self.options) = (name, file, options)
        (self.folder, self.witness, self.program) = (folder, witness, program)
        (self.isLively, self.hasSound) = (isLively, hasSound)
    }

    /// One film, and what the program says of it.
    package func film(_ output: String, workers: Int, chunks: String) throws -> (Film, [String: Any]?) {
        let path = folder.file(output)
        let result = try program.render(
            file, to: path, Self.lossless + options + Self.split(chunks) + ["--workers", "\(workers)"])
        return (try Film(path, witness, hasSound: hasSound), result.json)
    }

    /// In one piece by one worker, as `one.mkv`.
    package func reference() throws -> Film {
        let (reference, report) = try film("one.mkv", workers: 1, chunks: "none")
        let count = reference.frames.count
        try require(report?["frames"] as? Int == count, "told of other frames than the \(count) that there are")
        try require((report?["chunks"] as? [String: Any])?["total"] as? Int == 1, "not made in one piece")
        try require(!isLively || Set(reference.frames).count * 3 > count, "stands still")
        return reference
    }

    /// Other splits by more workers.
    package func expectSame(as reference: Film, _ others: [(workers: Int, chunks: String)]) throws {
        for (workers, chunks) in others {
            let (other, report) = try film("\(workers)-\(chunks).mkv", workers: workers, chunks: chunks)
            try require(other == reference, "\(workers) workers, chunks of \(chunks) s: another film")
            if let length = Double(chunks), length <= 1 {
                let total = (report?["chunks"] as? [String: Any])?["total"] as? Int ?? 0
                try require(total > 1, "\(workers) workers, chunks of \(chunks) s: \(total) chunk")
            }
        }
    }

    /// A farm of two, one of which is killed with a lease in its hands.
    package func expectSameAfterAKill(as reference: Film, chunks: String) throws {
        let farm = try Farm(in: folder, program, workers: ["first", "second"])
        let job = try farm.renderKillingAWorker(
            file, to: folder.file("killed.mkv"), Self.lossless + options + Self.split(chunks))
        try require(job.chunks.contains { $0.attempt > 1 }, "no second attempt")
        let killed = try Film(folder.file("killed.mkv"), witness, hasSound: hasSound)
        try require(killed == reference, "worker killed: another film")
    }

    private func require(_ isSo: Bool, _ otherwise: String) throws {
        if !isSo { throw ToolFailure("\(name): \(otherwise)") }
    }
}
