import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import Testing

/// The estimate held against peaks that were measured: of the proportional set (PSS) of the one slot of a render with
/// `--workers 1`, in MiB, from /proc/PID/smaps_rollup ten times a second.
@Suite("Memory of a slot") struct SlotMemoryTests {
    struct Case: Sendable, CustomStringConvertible {
        var codec: PictureCodec
        var preset: String
        var format: WorkingFormat
        var size: PixelSize
        /// The size and the depth of the film that fills the frames; nil for a generator.
        var source: PixelSize?
        var depth = 8
        var measured: Int

        var description: String { "\(codec) \(preset) \(size) \(format.rawValue)" }
    }

    private static let wide = PixelSize(width: 1920, height: 1080)
    private static let small = PixelSize(width: 1280, height: 720)

    /// Three seconds of bars at 30 frames a second; the last one is a second of a film in HEVC.
    static let cases: [Case] = [
        Case(codec: .h264, preset: "medium", format: .yuv420p, size: wide, measured: 362),
        Case(codec: .h264, preset: "ultrafast", format: .yuv420p, size: wide, measured: 65),
        Case(codec: .h264, preset: "medium", format: .yuv420p10, size: small, measured: 322),
        Case(codec: .h264, preset: "fast", format: .yuv420p, size: small, measured: 165),
        Case(codec: .h264, preset: "veryfast", format: .yuv420p, size: small, measured: 108),
        Case(codec: .h264, preset: "slower", format: .yuv420p, size: small, measured: 208),
        Case(codec: .hevc, preset: "medium", format: .yuv420p10, size: wide, measured: 654),
        Case(codec: .hevc, preset: "medium", format: .yuv420p10, size: small, measured: 348),
        Case(codec: .hevc, preset: "medium", format: .yuv420p, size: small, measured: 223),
        Case(codec: .hevc, preset: "ultrafast", format: .yuv420p10, size: small, measured: 210),
        Case(codec: .hevc, preset: "ultrafast", format: .yuv420p, size: wide, measured: 266),
        Case(codec: .vp9, preset: "4", format: .yuv420p, size: small, measured: 179),
        Case(codec: .av1, preset: "8", format: .yuv420p, size: small, measured: 206),
        Case(codec: .av1, preset: "8", format: .yuv420p10, size: small, measured: 262),
        Case(codec: .ffv1, preset: "", format: .yuv420p, size: small, measured: 173),
        Case(codec: .mpeg2, preset: "", format: .yuv420p, size: small, measured: 51),
        Case(codec: .prores, preset: "hq", format: .yuv422p10, size: small, measured: 40),
        Case(codec: .mjpeg, preset: "", format: .yuv420p, size: small, measured: 42),
        Case(
            codec: .mpeg2, preset: "", format: .yuv420p, size: small, source: PixelSize(width: 3840, height: 2160),
            depth: 10, measured: 250),
    ]

    private func estimate(_ wanted: Case, encoderThreads: Int? = 2) throws -> SlotMemory {
        var fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil, sound: false)
        var plan = try fixture.plan()
        for place in plan.chunks.indices { plan.chunks[place].encoderThreads = encoderThreads }
        plan.output.video = VideoSettings(
            codec: wanted.codec, size: wanted.size, format: wanted.format,
            colour: try #require(plan.output.video).colour, crf: 20, bitRate: nil, preset: wanted.preset,
            keyFrameInterval: 60)
        if let source = wanted.source {
            fixture.assets["a"]?.tracks[0].video?.codedSize = source
            fixture.assets["a"]?.tracks[0].video?.bitDepth = wanted.depth
            plan.assets = fixture.assets
        } else {
            plan.assets = [:]
        }
        return SlotMemory(plan, fixture.timeline)
    }

    /// Seven seconds of 4K HEVC in 10 bits took 2.2 GB; two of them killed each other under 3 GiB, and one did not.
    @Test("one chunk of 4K HEVC in 10 bits fits into 3 GiB, and two do not")
    func ultra() throws {
        let size = PixelSize(width: 3840, height: 2160)
        let wanted = Case(
            codec: .hevc, preset: "medium", format: .yuv420p10, size: size, source: size, depth: 10, measured: 0)
        let bytes = try estimate(wanted, encoderThreads: nil).bytes
        #expect((2_200_000_000...2_700_000_000).contains(bytes), "\(bytes)")
        // The only chunk is the last one, and its encoder has two threads: 2499 MiB became 2638 MiB.
        let wide = try estimate(wanted).bytes
        #expect((120 << 20...160 << 20).contains(wide - bytes), "\(wide - bytes)")
        #expect(wide < 3 << 30 && 2 * wide > 3 << 30)
    }

    @Test("it is near what was measured, and not below it", arguments: cases)
    func nearMeasured(wanted: Case) throws {
        let mebibytes = try estimate(wanted).bytes >> 20
        #expect(mebibytes >= wanted.measured * 9 / 10, "\(mebibytes) of \(wanted.measured) MiB")
        #expect(mebibytes <= wanted.measured * 3 / 2 + 32, "\(mebibytes) of \(wanted.measured) MiB")
    }
}
