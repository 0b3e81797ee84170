import Diagnostics
import Foundation
import Hashing
import Planning
import Preparation
import Rendering
import Splitreel
import SplitreelProject
import Synchronization
import TestTools
import Testing
import Threads

/// A nested mix whose tap remembers everything, played backwards: what it costs, and that it can be stopped.
@Suite("Taps that remember, backwards", .serialized) struct BackwardTapTests {
    private static let (rate, seconds) = (8000, 240)
    /// Samples that the tap was given, and the render that it stops after so many.
    private static let given = Atomic<Int>(0)
    private static let stopping = Mutex<(after: Int, cancellation: Cancellation)?>(nil)

    /// Sums up all that comes; halved each time, so that it stays in bounds.
    private final class Sum: AudioProcessingTap {
        let memory = AudioTapMemory.start
        private var held: Float = 0

        func process(_ block: AudioBlock, _ parameters: EffectValues) {
            let given = BackwardTapTests.given.add(block.count, ordering: .relaxed).newValue
            BackwardTapTests.stopping.withLock { if let own = $0, given > own.after { own.cancellation.cancel() } }
            for index in block[0].indices {
                held = held / 2 + block[0][index] / 4
                block[0][index] = held
            }
        }
    }

    private static let isRegistered: Void = register(
        tap: { _ in Sum() },
        description: Description("test.backwards", "Sums up all that came."))

    private let folder: TestFolder

    init() throws {
        folder = try TestFolder("backwards")
        Self.isRegistered
    }

    private func plan(reversed: Bool, range: String? = nil) throws -> RenderPlan {
        let length = "\(Self.seconds)s"
        let sound = (0..<Self.rate * Self.seconds).map { Double(($0 * 7919) % 65_521) / 131_072 }
        let path = try folder.write(SoundMedia.wave([sound], rate: Self.rate), to: "s.wav")
        let inner = """
            {"format":"splitreel/1","assets":{"s":{"url":"\(path)"}},"composition":{"tracks":[
            \(Text.track(1, "audio", Text.clip("s", "0s", length, at: "0s")))]},
            "audio":{"taps":[{"id":"test.backwards"}]}}
            """
        let text = """
            {"format":"splitreel/1","assets":{"n":{"kind":"composition","project":\(inner)}},"composition":{"tracks":[
            {"id":1,"type":"audio","segments":[{"asset":"n","source":["0s","\(length)"],"target":["0s","\(length)"]
            \(reversed ? ",\"reverse\":true" : "")}]}]}}
            """
        var request = OutputRequest(path: folder.file("out.mkv"))
        (request.sound.codec, request.sound.channels, request.sound.sampleRate) = ("flac", 1, Self.rate)
        if let range { (request.timing.rangeStart, request.timing.rangeDuration) = (range, "1s") }
        return try preparePlan(project: try Project(parsing: Data(text.utf8)), request: request).plan
    }

    /// Answers the samples, and how many the tap was given.
    private func render(_ plan: RenderPlan, _ cancellation: Cancellation = Cancellation()) async throws -> (
        samples: [Float], given: Int
    ) {
        Self.given.store(0, ordering: .relaxed)
        let path = folder.file("sound.nut")
        try await onThread {
            Result {
                _ = try SegmentRenderer().render(
                    plan: plan, planHash: try plan.hash(), task: .audio(parts: []), key: ContentKey(of: [0]),
                    segmentPath: path,
                    progress: { _, _ in }, cancellation: cancellation)
            }
        }.get()
        return (try Witness(in: folder).samples(path)[0], Self.given.load(ordering: .relaxed))
    }

    /// Once through, however many stretches the sound is turned in; and the mirror image of forwards.
    @Test func costsWhatForwardsCosts() async throws {
        let forwards = try await render(plan(reversed: false))
        let backwards = try await render(plan(reversed: true))
        #expect(backwards.samples == forwards.samples.reversed())
        let count = Self.rate * Self.seconds
        #expect(forwards.samples.count == count && backwards.given < count + count / 10, "\(backwards.given)")
        let part = try await render(plan(reversed: true, range: "200s"))
        #expect(part.samples == Array(backwards.samples[200 * Self.rate..<201 * Self.rate]))
        #expect(part.given < 41 * Self.rate, "\(part.given)")
        #expect(try !folder.names().contains { $0.hasPrefix(".") })
    }

    /// While nothing is heard yet.
    @Test(arguments: [true, false]) func canBeStopped(reversed: Bool) async throws {
        let cancellation = Cancellation()
        Self.stopping.withLock { $0 = (30_000, cancellation) }
        defer { Self.stopping.withLock { $0 = nil } }
        let plan = try plan(reversed: reversed, range: reversed ? "1s" : "230s")
        var code: ErrorCode?
        do { _ = try await render(plan, cancellation) } catch { code = (error as? SplitreelError)?.code }
        #expect(code == .cancelled)
        #expect(Self.given.load(ordering: .relaxed) < 60_000)
        #expect(try folder.names() == ["s.wav"])
    }
}
