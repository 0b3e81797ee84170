import Diagnostics
import Foundation
import Planning
import Preparation
import SplitreelProject
import TestTools
import Testing

/// Small real media that the tests make, and plans over them.
final class PreparationFixture {
    let folder: TestFolder
    let witness: Witness

    init(_ name: String = "preparation") throws {
        folder = try TestFolder(name)
        witness = Witness(in: folder)
    }

    func film(
        _ name: String, _ count: Int = 50, rate: String = "25", coding: [String] = ["-c:v", "ffv1"],
        sound: String? = nil
    ) throws -> String {
        let path = folder.file(name)
        try NumberedMedia.write(count, rate: rate, to: path, coding: coding, sound: sound, with: witness)
        return path
    }

    /// A second of a tone.
    func wave(_ name: String, rate: Int = 48_000, channels: Int = 1) throws -> String {
        let tone = SoundMedia.tone(440, count: rate, rate: rate)
        return try folder.write(
            SoundMedia.wave([[Double]](repeating: tone, count: channels), rate: rate), to: name)
    }

    func request(_ name: String = "out.mp4", _ change: (inout OutputRequest) -> Void = { _ in }) -> OutputRequest {
        var request = OutputRequest(path: folder.file(name))
        change(&request)
        return request
    }

    static func project(_ text: String) throws -> Project { try Project(parsing: Data(text.utf8)) }

    /// A picture alone over one film.
    static func cut(_ path: String, _ length: String = "1s", size: (Int, Int) = (256, 144), frame: String? = "1/25")
        -> String
    {
        Text.project(
            ["a": path], [Text.track(1, "video", Text.clip("a", "0s", length, at: "0s"))], size: size, frame: frame)
    }

    /// The error that stands in the way of a plan.
    func refusal(
        _ text: String, _ request: OutputRequest? = nil,
        authorize: @escaping @Sendable (String) throws -> Void = { _ in }
    ) throws -> SplitreelError {
        let project = try Self.project(text)
        return try #require(throws: SplitreelError.self) {
            _ = try preparePlan(project: project, request: request ?? self.request(), authorize: authorize)
        }
    }
}
