import Diagnostics
import Libav
import MediaFacts
import MediaReading
import MediaWriting
import Outputs
import Planning

/// The sound of a plan that is a run of a source's packets: they are copied into the segment, and nothing is decoded.
struct CopiedSoundRendering {
    let session: RenderSession
    let copied: CopiedSound
    /// The path of the segment.
    let path: String
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    private static let packetsOfStep = 256

    /// Answers the facts of the segment. Throws `.mediaChanged` where the source has other packets than the plan, or
    /// another header.
    func run() throws -> SegmentFacts {
        let plan = session.plan
        guard let settings = plan.output.audio, let facts = plan.assets[copied.asset] else {
            throw SplitreelError(
                .internalFault, operation: "copying sound", subject: copied.asset, reason: "the plan lacks this asset")
        }
        let source = try session.files.open(facts, for: .sound)
        let packets = try IndexedPackets(source, track: copied.track)
        let own = copied.packets
        guard try copied.header(of: packets.soundClock().header, for: settings) == own.header else {
            throw changed("the header of track \(copied.track) is not the planned one", facts.path)
        }
        let frame = settings.codec.frameLength(settings.sampleRate)
        let writer = try SegmentWriter(
            path: path, copying: settings, header: own.header, priming: own.priming, sampleCount: plan.sampleCount)
        for place in 0..<own.count {
            if place % Self.packetsOfStep == 0 {
                try cancellation.check()
                progress(min(place * frame, plan.sampleCount), plan.sampleCount)
            }
            guard let stored = try packets.packet(own.firstPacket + place) else {
                throw changed(
                    "packet \(own.firstPacket + place) of track \(copied.track) is not the planned one", facts.path)
            }
            let isLast = place == own.count - 1
            try writer.write(
                copyOf: stored, at: place * frame - own.priming,
                duration: isLast ? copied.lastPacketDuration(sampleCount: plan.sampleCount, frame: frame) : frame)
        }
        return try writer.finish()
    }

    private func changed(_ reason: String, _ path: String) -> SplitreelError {
        SplitreelError(
            .mediaChanged, operation: "copying sound", subject: path, reason: "\(reason)",
            hint: "render it again, and leave the file alone meanwhile")
    }
}
