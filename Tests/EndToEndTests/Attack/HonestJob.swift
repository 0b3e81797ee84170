import TestTools
import Testing

/// A render whose frames are known by their numbers, to be done while others do harm.
struct HonestJob {
    private let composition: String
    private let folder: TestFolder
    private static let frames = 100

    init(in folder: TestFolder) throws {
        self.folder = folder
        try NumberedMedia.write(
            Self.frames, rate: "25", to: folder.file("honest.mp4"),
            coding: ["-c:v", "libx264", "-crf", "12", "-g", "10", "-bf", "2"], with: Witness(in: folder))
        composition = try folder.write(
            Text.project(
                ["a": folder.file("honest.mp4")], [Text.track(1, "video", Text.clip("a", "0s", "4s", at: "0s"))],
                size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25"), to: "honest.json")
    }

    /// Hands it in and waits for its end; every frame must be the right one.
    func expectDone(by farm: Farm, as name: String, seconds: Double = 240) throws {
        let output = folder.file(name + ".mp4")
        let job = try farm.submit(
            composition, to: output,
            ["--chunk-seconds", "0.5", "--encoder-preset", "veryfast", "--priority", "100", "--timeout", "30"])
        let ended = try farm.wait(for: job, seconds: seconds)
        guard ended.state == "completed" else {
            throw ToolFailure("\(name) \(ended.state): \(farm.coordinator.errorsSoFar.suffix(2000))")
        }
        let numbers = try Witness(in: folder).luma(output).map { NumberedMedia.number($0) }
        #expect(numbers == Array(0..<Self.frames), "\(name)")
    }
}
