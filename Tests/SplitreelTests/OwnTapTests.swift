import Diagnostics
import Foundation
import Hashing
import Outputs
import Planning
import Preparation
import Rendering
import Splitreel
import SplitreelProject
import TestTools
import Testing
import Threads

/// The facts of sound that a program's own tap is told, and what becomes of its answer.
@Suite("A program's own taps") struct OwnTapTests {
    private let folder: TestFolder
    private static let rate = 48_000
    private static let count = 30_000
    /// Samples of 24 bits, so that files hold them exactly.
    private static let sound = (0..<count).map { Double((($0 * 7919) % 65_521) - 32_760) / 65_536 }
    private static let other = (0..<count).map { Double((($0 * 31) % 257) - 128) / 512 }

    init() throws { folder = try TestFolder("own-taps") }

    /// A tap that does with blocks what a closure says.
    private final class Tap: AudioProcessingTap {
        let latency: Int
        let memory: AudioTapMemory
        private let body: (AudioBlock, EffectValues) throws -> Void

        init(
            latency: Int = 0, memory: AudioTapMemory = .samples(0),
            _ body: @escaping (AudioBlock, EffectValues) throws -> Void
        ) {
            (self.latency, self.memory, self.body) = (latency, memory, body)
        }

        func process(_ block: AudioBlock, _ parameters: EffectValues) throws { try body(block, parameters) }
    }

    /// The samples that ffmpeg decodes of a lossless film of one channel with the tap on track 1, from one on.
    ///
    /// `apart`: track 2 goes into another sound track.
    private func samples(
        _ id: String, params: String = "", version: Int = 1, lead: Double = 0, from first: Int = 0, apart: Bool = false
    ) async throws -> [Float] {
        func wave(_ name: String, _ samples: [Double]) throws -> String {
            try folder.write(
                SoundMedia.wave([samples.map { $0 * 8_388_608 / 8_388_607 }], rate: Self.rate), to: name + ".wav")
        }
        let length = "\(Self.count)/\(Self.rate)"
        let tracks = [1, 2].map { Text.track($0, "audio", Text.clip("s\($0)", "0s", length, at: "0s")) }
        let text = """
            {"format":"splitreel/1","assets":{"s1":{"url":"\(try wave("s1", Self.sound))"},
            "s2":{"url":"\(try wave("s2", Self.other))"}},"composition":{"tracks":[\(tracks.joined(separator: ","))]},
            "audio":{"inputs":[{"track":1,"taps":[{"id":"\(id)","version":\(version),"params":{\(params)}}]},
            {"track":2,"output":\(apart ? 2 : 1),"volume":[{"at":"0s","value":\(lead)}]}]},
            "outputs":[{"url":"x.mkv","audioTracks":[{},{}]}]}
            """
        let project = try Project(parsing: Data(text.utf8))
        let path = folder.file("sound.nut")
        try await onThread { Result { try Self.render(project, from: first, apart: apart, to: path) } }.get()
        return try Witness(in: folder).samples(path)[0]
    }

    private static func render(_ project: Project, from first: Int, apart: Bool, to path: String) throws {
        var request = OutputRequest(path: path + ".mkv")
        request.soundTracks = apart ? [SoundRequest()] : nil
        (request.sound.codec, request.sound.channels, request.sound.sampleRate) = ("flac", 1, rate)
        (request.timing.rangeStart, request.timing.rangeDuration) = ("\(first)/\(rate)", "\(count - first)/\(rate)")
        let plan = try preparePlan(project: project, request: request).plan
        _ = try SegmentRenderer().render(
            plan: plan, planHash: try plan.hash(), task: .audio(parts: []), key: ContentKey(of: [0]), segmentPath: path,
            progress: { _, _ in }, cancellation: Cancellation())
    }

    private func failure(_ id: String, params: String = "", version: Int = 1) async -> SplitreelError? {
        do {
            _ = try await samples(id, params: params, version: version)
            return nil
        } catch {
            return error as? SplitreelError
        }
    }

    private func expect(_ found: [Float], from first: Int = 0, _ wanted: (Int) -> Double) {
        #expect(found.count == Self.count - first)
        let wrong = found.indices.filter { abs(Double(found[$0]) - wanted(first + $0)) > 2.0 / 8_388_608 }
        #expect(wrong.isEmpty, "\(wrong.count) samples, the first at \(wrong.first ?? 0)")
    }

    /// What comes late is put back into its place, and blocks know where they stand.
    @Test func latencyIsMadeUpFor() async throws {
        register(
            tap: { context in
                #expect(context.sampleRate == Self.rate && context.channelCount == 1 && context.sound.isEmpty)
                var held = [Float](repeating: 0, count: 777)
                var next: Int?
                return Tap(latency: held.count, memory: .samples(held.count)) { block, _ in
                    #expect(next == nil || next == block.firstSample)
                    #expect(block.channelCount == 1 && block[0].count == block.count && block.leading(0).isEmpty)
                    next = block.firstSample + block.count
                    held += block[0]
                    for index in 0..<block.count { block[0][index] = held[index] }
                    held.removeFirst(block.count)
                }
            }, description: Description("test.late", "Holds samples back."))
        expect(try await samples("test.late")) { Self.sound[$0] }
        expect(try await samples("test.late", from: 12_345), from: 12_345) { Self.sound[$0] }
    }

    /// A sum over the last samples: a range begins as it is in the middle of the whole. Two versions are two taps.
    @Test func memoryIsFilledBeforeARange() async throws {
        for (version, isWhole) in [(1, false), (2, true)] {
            register(
                tap: { _ in
                    var held: [Double] = []
                    return Tap(memory: isWhole ? .start : .samples(499)) { block, _ in
                        for index in block[0].indices {
                            held.append(Double(block[0][index]))
                            if !isWhole, held.count > 500 { held.removeFirst() }
                            block[0][index] = Float(held.reduce(0, +) / 500)
                            if isWhole { held = [held.reduce(0, +)] }
                        }
                    }
                }, description: Description("test.sum", version: version, "Sums samples up."))
        }
        var sums = [0.0]
        for sample in Self.sound { sums.append((sums.last ?? 0) + sample) }
        for first in [0, 20_001] {
            expect(try await samples("test.sum", from: first), from: first) {
                (sums[$0 + 1] - sums[max(0, $0 - 499)]) / 500
            }
            expect(try await samples("test.sum", version: 2, from: first), from: first) { sums[$0 + 1] / 500 }
        }
    }

    /// Numbers move by each sample's own time; words, flags and points stay.
    @Test func parametersComeAsTheFileHasThem() async throws {
        register(
            tap: { context in
                let points = context.parameters.numbers("points")
                #expect(points == [1, 2, 3, 4] && context.parameters.number("level") == 0.25)
                return Tap { block, parameters in
                    #expect(
                        parameters.word("kind") == "b" && parameters.flag("isOn") && parameters.number("fixed") == 7)
                    let level = Float(parameters.number("level"))
                    for index in block[0].indices { block[0][index] *= level }
                }
            },
            description: Description(
                "test.level", "Louder or softer.",
                parameters: [
                    .number("level", 0...1, default: 0.25, "How loud."), .constant("fixed", 0...9, default: 1, ""),
                    .word("kind", ["a", "b"], default: "a", ""), .flag("isOn", default: false, ""),
                    .points("points", width: 2, 0...9, ""),
                ]))
        let keys = "[{\"range\":[\"10000/48000\",\"10000/48000\"],\"from\":1,\"to\":0}]"
        let params = "\"level\":\(keys),\"fixed\":7,\"kind\":\"b\",\"isOn\":true,\"points\":[[1,2],[3,4]]"
        expect(try await samples("test.level", params: params)) { sample in
            let level = sample < 10_000 ? 0.25 : sample < 20_000 ? 1 - Double(sample - 10_000) / 10_000 : 0
            return Self.sound[sample] * level
        }
        let wrong = await failure("test.level", params: "\"fixed\":[{\"at\":\"0s\",\"value\":1}]")
        #expect(wrong?.code == .parameterWrong && wrong?.subject == "audio.inputs[0].taps[0].params.fixed")
    }

    /// Another track's sound, and that of a file, at the same places.
    @Test func otherSoundsLead() async throws {
        register(
            tap: { context in
                let sound = context.sound
                return Tap { block, _ in
                    let lead = block.leading(0)
                    for index in block[0].indices {
                        // The last block goes on beyond the end.
                        let place = block.firstSample + index
                        block[0][index] = lead[index] + (place < sound[0].count ? sound[0][place] : 0)
                    }
                }
            },
            description: Description(
                "test.led", "Is another sound.",
                parameters: [.audioTrack("track", "Which."), .sound("sound", longest: 1, "Which file.")]))
        // The track leads as it goes into the mix, where it is heard besides.
        expect(try await samples("test.led", params: "\"track\":2,\"sound\":\"s2\"", lead: 0.5)) {
            2 * Self.other[$0]
        }
        // Who goes into another sound track is silent here.
        expect(try await samples("test.led", params: "\"track\":2,\"sound\":\"s2\"", lead: 0.5, apart: true)) {
            Self.other[$0]
        }
        let none = await failure("test.led", params: "\"track\":2")
        #expect(none?.code == .parameterWrong && none?.subject == "audio.inputs[0].taps[0].params.sound")
    }

    private struct Broken: Error, CustomStringConvertible { let description = "its valve is broken" }

    @Test func errorsNameTheTapAndTheTime() async throws {
        register(
            tap: { _ in
                Tap { block, _ in if block.firstSample + block.count > 24_000 { throw Broken() } }
            }, description: Description("test.broken", version: 3, "Breaks."))
        register(tap: { _ in throw Broken() }, description: Description("test.unmade", "Is not made."))
        register(tap: { _ in Tap(latency: -1) { _, _ in } }, description: Description("test.early", "Comes early."))
        var error = await failure("test.broken", version: 3)
        #expect(error?.code == .tapFailed && error?.reason == "its valve is broken")
        #expect(error?.subject.hasPrefix("test.broken, version 3, at 0.") == true)
        error = await failure("test.unmade")
        #expect(error?.code == .tapFailed && error?.subject == "test.unmade, version 1")
        error = await failure("test.early")
        #expect(error?.reason == "its latency, -1 samples, is not from 0 to 10 s")
    }
}
