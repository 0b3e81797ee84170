import Libav
package import MediaFacts
import MediaReading
import MediaTime
import Outputs
import Planning
import SplitreelFiles

extension SoundFinding {
    /// Finds the packets of a run in its source. The file is indexed where it is not yet, and one packet is read.
    /// Throws an error about the file.
    package static func reading(_ run: SoundRun, of path: String) throws -> SoundFinding {
        guard let codec = SoundCodec(rawValue: run.codec), !codec.copyContainers.isEmpty else {
            return .unfit("packets of \(run.codec) are not copied")
        }
        let packets = try IndexedPackets(openSource(path), track: run.track)
        let clock = try packets.soundClock()
        guard let times = packets.soundTimes, let first = try packets.packet(0) else {
            return .unfit("its packets have no times of their own")
        }
        let opus = OpusHeader(clock.header, channels: run.channels)
        let isPlain = AACHeader.isPlain(clock.header, sampleRate: run.sampleRate, channels: run.channels)
        guard codec == .opus ? opus != nil : isPlain else {
            return .unfit("its header is not the one that the film would have")
        }
        let grid = SoundGrid(
            frame: codec.frameLength(run.sampleRate), sampleRate: run.sampleRate, ticks: times.ticks,
            tick: clock.tick, origin: clock.origin, skipped: first.startTrim ?? opus?.preSkip ?? 0,
            dropped: times.dropped, cut: times.cut)
        let found = grid.packets(of: run, lead: codec.copyLead, header: clock.header)
        guard let opus, case .packets(var own) = found else { return found }
        let even = try opusPackets(packets.source, track: run.track)
        guard even.length == grid.frame, own.firstPacket + own.count <= even.count else {
            return .unfit("its packets are not all as long as the film's")
        }
        own.header = opus.skipping(own.priming)
        return .packets(own)
    }
}
