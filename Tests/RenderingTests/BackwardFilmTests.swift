import Foundation
import Planning
import Rendering
import TestTools
import Testing

/// Films backwards and at speeds that change, whose frames carry their numbers; groups of 100 pictures with B-frames.
@Suite("Films backwards", .serialized) struct BackwardFilmTests {
    private func shown(_ segment: String, _ count: Int, rate: String, chunk: String) throws -> [Int?] {
        let fixture = try RenderFixture("backwards")
        // Matroska's clock has milliseconds: its times are rounded either way.
        let path = try fixture.film(
            "a.mkv", count, rate: rate, coding: ["-c:v", "libx264", "-g", "100", "-bf", "3", "-crf", "4"])
        let parts = rate.split(separator: "/")
        let frame = parts.count == 2 ? "\(parts[1])/\(parts[0])" : "1/\(rate)"
        let plan = try fixture.plan(
            Text.project(["a": path], [Text.track(1, "video", segment)], size: RenderFixture.size, frame: frame)
        ) { $0.rendering.chunkSeconds = chunk }
        #expect(plan.chunks.count > 1)
        return try plan.chunks.indices.flatMap { index in
            try fixture.numbers(try fixture.render(plan, .chunk(index), to: "\(index).nut").path)
        }
    }

    @Test(arguments: ["25", "24000/1001", "30000/1001"]) func everyFrameOnceFromTheLast(rate: String) throws {
        let parts = rate.split(separator: "/").compactMap { Int($0) }
        let length = parts.count == 2 ? "\(120 * parts[1])/\(parts[0])" : "120/\(parts[0])"
        let segment = "{\"asset\":\"a\",\"source\":[\"0s\",\"\(length)\"],\"target\":[\"0s\",\"\(length)\"],"
        let found = try shown(segment + "\"reverse\":true}", 120, rate: rate, chunk: "2s")
        #expect(found == (0..<120).map { 119 - $0 })
    }

    /// From a standstill to four times the speed over 2 s: after t seconds t² of the source.
    @Test func frameNumbersFollowTheIntegral() throws {
        let segment =
            "{\"asset\":\"a\",\"source\":[\"0s\",\"4s\"],\"target\":[\"0s\",\"2s\"],"
            + "\"speed\":[{\"range\":[\"0s\",\"2s\"],\"from\":0,\"to\":4}]}"
        let found = try shown(segment, 100, rate: "25", chunk: "0.5s")
        // Frame k is at k/25 s, where k²/25 frames of the source have passed.
        #expect(found == (0..<50).map { $0 * $0 / 25 })
    }
}
