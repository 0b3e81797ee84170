import Foundation
import Splitreel
import SplitreelProject
import Testing

/// A program's own effects that look at the time, and at frames before and after their own.
@Suite("A program's own effects") struct OwnEffectTests {
    /// On the left the next frame, on the right the one but one before, in the middle its own.
    private struct Around: VideoEffect {
        func render(_ source: VideoFrame, into output: VideoFrame, _ call: EffectRequest) {
            guard let next = call.frame(1), let before = call.frame(-2), call.frame(2) == nil, call.frame(-3) == nil
            else { return }
            output.withRows8 { y, target in
                for (frame, columns) in [(next, 0..<20), (source, 20..<44), (before, 44..<64)] {
                    frame.withPlanes { planes in
                        let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        for x in 4 * columns.lowerBound..<4 * columns.upperBound { target[x] = row[x] }
                    }
                }
            }
        }
    }

    /// As many tenths of white as tenths of a second have passed.
    private struct Clock: VideoEffect {
        func render(_ source: VideoFrame, into output: VideoFrame, _ call: EffectRequest) {
            let level = UInt8((255 * (call.time?.seconds ?? 0)).rounded())
            output.withRows8 { _, target in for x in 0..<4 * 64 { target[x] = x % 4 == 3 ? 255 : level } }
        }
    }

    private static let isRegistered: Void = {
        register(
            effect: Around(),
            description: Description("test.looks-around", "Looks around.", framesBehind: 2, framesAhead: 1))
        register(effect: Clock(), description: Description("test.clock", "Tells the time.", usesTime: true))
    }()

    /// Ten frames of greys, each its own, 0.04 s long; the effect on all of the film, or on the instruction from 0.08 s
    /// to 0.32 s.
    private func project(_ effect: String, inInstruction: Bool = false) throws -> Project {
        _ = Self.isRegistered
        let greys = (0..<10).map { "\"g\($0)\":{\"kind\":\"color\",\"color\":[0.\($0),0.\($0),0.\($0),1]}" }
        let segments = (0..<10).map { "{\"asset\":\"g\($0)\",\"target\":[\"\($0)/25\",\"1/25\"]}" }
        let call = "{\"id\":\"\(effect)\"}"
        let instructions = """
            "instructions":[{"range":["0/25","2/25"],"layers":[{"track":1}]},
            {"range":["2/25","6/25"],"layers":[{"track":1}],"effect":\(call)},
            {"range":["8/25","2/25"],"layers":[{"track":1}]}]
            """
        return try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{\(greys.joined(separator: ","))},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[\(segments.joined(separator: ","))]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25",
                \(inInstruction ? instructions : "\"effects\":[\(call)]")}}
                """.utf8))
    }

    /// Tenths of white on the left, in the middle and on the right.
    private func greys(_ project: Project, _ frames: Range<Int>) async throws -> [[Int]] {
        try await CompositorFixture.planes(project, at: frames.map { 4 * $0 }).map { planes in
            [5, 32, 60].map { x in
                let level = Double(Int(planes[0][64 * 20 + x]) - 16) / 219
                #expect(abs(level * 10 - (level * 10).rounded()) < 0.1)
                return Int((level * 10).rounded())
            }
        }
    }

    @Test func framesAroundAreSeen() async throws {
        let found = try await greys(project("test.looks-around"), 0..<10)
        #expect(found == (0..<10).map { [min($0 + 1, 9), $0, max($0 - 2, 0)] })
    }

    /// Frames before the effect's instruction are frames of the film; after it, its last one stands.
    @Test func anInstructionsEffectSeesItsOwnFrames() async throws {
        let found = try await greys(project("test.looks-around", inInstruction: true), 0..<10)
        for frame in [0, 1, 8, 9] { #expect(found[frame] == [frame, frame, frame]) }
        for frame in 2..<7 { #expect(found[frame][0] == frame + 1 && found[frame][1] == frame, "\(found)") }
        #expect(found[7] == [7, 7, 5])
        for frame in 4..<8 { #expect(found[frame][2] == frame - 2) }
    }

    @Test func aTimeIsTheFramesOwn() async throws {
        let planes = try await CompositorFixture.planes(project("test.clock"), at: (0..<10).map { 4 * $0 })
        for (frame, planes) in planes.enumerated() {
            let expected = 16 + 219 * (255 * Double(frame) / 25).rounded() / 255
            #expect(planes[0].allSatisfy { abs(Double($0) - expected) <= 0.6 }, "\(frame)")
        }
    }
}
