import Foundation
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// A range of a mix is what the whole has there, sample by sample, whatever is done to its sound.
@Suite("Ranges of sound", .serialized) struct SoundRangeTests {
    private struct Case: CustomTestStringConvertible {
        var name: String
        var segments: [String]
        var input = ""
        var testDescription: String { name }
    }

    private static func clip(_ source: (Double, Double), at target: (Double, Double), _ more: String = "") -> String {
        """
        {"asset":"s","source":["\(source.0)s","\(source.1)s"],"target":["\(target.0)s","\(target.1)s"]\(more)}
        """
    }

    private static let speeds =
        ",\"speed\":[{\"range\":[\"0.25s\",\"1.5s\"],\"from\":0.5,\"to\":1.75},{\"at\":\"2s\",\"value\":0.8}]"

    private static let cases =
        [
            Case(
                name: "fades, volume, pan",
                segments: [
                    clip((0.5, 1.3), at: (0, 1.3), ",\"fadeIn\":{\"duration\":\"0.9s\"},\"volume\":0.7"),
                    clip((0.1, 1.7), at: (1.3, 1.7), ",\"fadeOut\":{\"duration\":\"1.1s\",\"curve\":\"linear\"}"),
                ],
                input: """
                    ,"declick":true,"pan":[{"range":["0.2s","2s"],"from":-1,"to":1,"easing":"ease-in-out"}],\
                    "volume":[{"range":["0.1s","1s"],"from":0,"to":1,"easing":[0.2,0,0.6,1.4]},{"at":"2s","value":0.5}]
                    """),
            Case(
                name: "backwards, and at half the speed",
                segments: [
                    clip((0.5, 1.5), at: (0, 1.5), ",\"reverse\":true"),
                    clip((2, 0.75), at: (1.5, 1.5), ",\"reverse\":true,\"pitch\":\"varispeed\""),
                ]),
            Case(
                name: "another speed from a cut on",
                segments: [
                    clip((0.2, 1), at: (0, 1)), clip((1.2, 0.8), at: (1, 1), ",\"pitch\":\"timeDomain\""),
                    clip((2, 0.6), at: (2, 1)),
                ]),
        ]
        + ["spectral", "timeDomain", "varispeed"].map {
            Case(
                name: "keyed speed, \($0)",
                segments: [clip((0.3, 3.5), at: (0, 3), speeds + ",\"pitch\":\"\($0)\"")])
        }

    @Test(arguments: cases.indices, [48_000, 44_100]) func aRangeIsTheCutOfTheWhole(number: Int, rate: Int) throws {
        let fixture = try RenderFixture("ranges")
        var numbers = SeededNumbers(seed: UInt64(number))
        let noise: [[Double]] = (0..<2).map { channel in
            let step = 0.02 + 0.01 * Double(channel)
            return (0..<4 * rate).map { index in
                let wave: Double = 0.3 * sin(Double(index) * step)
                return wave + Double(numbers.next(in: 0..<1000)) / 5000
            }
        }
        let path = try fixture.wave("s.wav", noise, rate: rate)
        let track = "{\"id\":1,\"type\":\"audio\",\"segments\":[\(Self.cases[number].segments.joined(separator: ","))]}"
        let text = Text.project(
            ["s": path], [track], size: (64, 64), frame: nil, inputs: ["{\"track\":1\(Self.cases[number].input)}"])
        func samples(_ range: (start: Int, count: Int)?) throws -> [[Float]] {
            let plan = try fixture.plan(text) {
                ($0.sound.codec, $0.sound.sampleRate, $0.sound.channels) = ("flac", 48_000, 2)
                ($0.timing.rangeStart, $0.timing.rangeDuration) = (
                    range.map { "\($0.start)/48000" }, range.map { "\($0.count)/48000" }
                )
            }
            return try fixture.witness.samples(try fixture.render(plan, .audio(parts: [])).path)
        }
        let whole = try samples(nil)
        #expect(whole.map(\.count) == [144_000, 144_000])
        for range in [(1, 30_000), (33_333, 20_000), (71_999, 50_000), (120_007, 23_993)] {
            let part = try samples(range)
            #expect(
                part == whole.map { Array($0[range.0..<range.0 + range.1]) }, "\(Self.cases[number].name), \(range)")
        }
    }
}
