import Foundation
import JSONText
import Splitreel
import SplitreelProject
import Testing
import Validation

/// A program's own transition, between segments and in an instruction: what it is told, and where it is not asked.
@Suite("A program's own transitions") struct OwnTransitionTests {
    /// The second picture from the top down, in lines of the height that is asked for.
    private struct Rows: VideoTransition {
        var pixelFormat: PixelFormat { .rgba8 }

        func render(
            from first: VideoFrame, to second: VideoFrame, progress: Double, into output: VideoFrame,
            _ call: EffectRequest
        ) {
            let step = call.parameters.number("step")
            let limit = (progress * Double(output.height) / step).rounded(.down) * step
            output.withRows8 { y, target in
                (Double(y) < limit ? second : first).withPlanes { planes in
                    let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<4 * output.width { target[x] = row[x] }
                }
            }
        }
    }

    private static let isRegistered: Void = register(
        transition: Rows(),
        description: Description(
            "test.rows", version: 3, "Row by row.", parameters: [.number("step", 1...36, default: 1, "Rows at a time.")]
        ))

    /// Red, then green, with a second of the transition over the cut at 1 s; 64×36 at 25 frames a second.
    private func project(_ transition: String) throws -> Project {
        _ = Self.isRegistered
        return try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{"a":{"kind":"color","color":[1,0,0,1]},
                "b":{"kind":"color","color":[0,0.5,0,1]}},"composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"a","target":["0s","1s"]},
                {"asset":"b","target":["1s","1s"],"transition":{"duration":"0.96s",\(transition)}}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25"}}
                """.utf8))
    }

    /// How many lines of the second picture there are, at hundredths of a second.
    private func lines(_ transition: String, at hundredths: [Int]) async throws -> [Int] {
        let frames = try await CompositorFixture.planes(try project(transition), at: hundredths)
        return frames.map { planes in
            // BT.709: red has a luma of 63, that green about 16 + 219 · 0.7152 · 0.5.
            let isSecond = (0..<36).map { y in planes[0][64 * y..<64 * (y + 1)].allSatisfy { abs(Int($0) - 94) <= 1 } }
            let count = isSecond.prefix { $0 }.count
            #expect(!isSecond.dropFirst(count).contains(true))
            #expect(planes[0][(64 * count)...].allSatisfy { abs(Int($0) - 63) <= 1 })
            return count
        }
    }

    /// From 0.52 s to 1.48 s, in 24 frames.
    @Test func itIsAskedInBetween() async throws {
        let found = try await lines("\"id\":\"test.rows\"", at: [0, 48, 52, 56, 76, 100, 124, 148, 196])
        #expect(found == [0, 0, 0, 1, 9, 18, 27, 36, 36])
    }

    @Test func itHasParametersAndAnEasing() async throws {
        let found = try await lines(
            "\"id\":\"test.rows\",\"version\":3,\"params\":{\"step\":12}", at: [56, 96, 100, 124])
        #expect(found == [0, 12, 12, 24])
        let held = try await lines("\"id\":\"test.rows\",\"easing\":\"hold\"", at: [56, 144, 148])
        #expect(held == [0, 0, 36])
    }

    @Test func anotherVersionIsNotThere() throws {
        let problems = try project("\"id\":\"test.rows\",\"version\":2").validate(assets: [:], outputs: false)
        #expect(problems.contains { $0.path.contains("transition") && $0.severity == .error })
    }
}
