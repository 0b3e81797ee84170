internal import Diagnostics
internal import Hashing
package import MediaFacts
package import Outputs

/// The packets of a source that are the film's whole sound, which then is not mixed.
package struct CopiedSound: Hashable, Codable, Sendable {
    /// The asset's name in the composition.
    package var asset: String
    /// The position of the track in the file, from 1.
    package var track: Int
    package var packets: SoundPackets

    package init(asset: String, track: Int, packets: SoundPackets) {
        (self.asset, self.track, self.packets) = (asset, track, packets)
    }

    /// The most samples that a film's sound may begin with and that are not heard: what a header of Opus can say.
    package static let mostPriming = 65_535
    /// The most samples that the last packet may stand for.
    private static let longestPacket = 1 << 20

    /// The samples that the last packet stands for in a film of so many, whose other packets have `frame` each.
    package func lastPacketDuration(sampleCount: Int, frame: Int) -> Int {
        packets.priming + sampleCount - frame * (packets.count - 1)
    }

    /// Whether so many packets of `frame` samples can be a sound of that length.
    func fits(sampleCount: Int, frame: Int) -> Bool {
        (0..<1 << 31).contains(packets.firstPacket) && (1..<1 << 31).contains(packets.count)
            && (0...Self.mostPriming).contains(packets.priming) && packets.header.count <= 1 << 16
            && (1...Self.longestPacket).contains(lastPacketDuration(sampleCount: sampleCount, frame: frame))
    }

    /// The codec's global header in the film.
    package var header: [UInt8] { packets.header }

    /// Whether a segment of sound with that record can hold the packets: it has their number, their priming and their
    /// header.
    package func canBe(_ record: SegmentRecord) -> Bool {
        record.packetCount == packets.count && record.priming == packets.priming
            && record.extradataHash == sha256(header)
    }

    /// The header of a film of those settings for packets of a track that has the header `source`; nil where such a
    /// film cannot have them.
    package func header(of source: [UInt8], for settings: AudioSettings) -> [UInt8]? {
        let (rate, channels) = (settings.sampleRate, settings.channels)
        switch settings.codec {
        case .aac: return AACHeader.isPlain(source, sampleRate: rate, channels: channels) ? source : nil
        case .opus: return OpusHeader(source, channels: channels)?.skipping(packets.priming)
        default: return nil
        }
    }
}

extension RenderPlan {
    /// Takes what was found for the run of `asset` that the whole sound is.
    package mutating func copySound(_ finding: SoundFinding, _ asset: String, track: Int) {
        switch finding {
        case .unfit(let reason): soundWhy = "mixed: \(asset): \(reason)"
        case .packets(let packets):
            let copied = CopiedSound(asset: asset, track: track, packets: packets)
            guard let audio = output.audio,
                copied.fits(sampleCount: sampleCount, frame: audio.codec.frameLength(audio.sampleRate))
            else {
                soundWhy = "mixed: \(asset): its packets are not of the film's length"
                return
            }
            (copiedSound, soundCuts) = (copied, nil)
            soundWhy = "copied: it is one run of \(asset), track \(track)"
            // The rate is the source's.
            output.audio?.bitRate = nil
        }
    }

    /// Throws where copied sound cannot be, or the plan is of a kind that copies none. Its header has to be one of the
    /// film's settings: it goes into the film.
    func checkCopiedSound() throws(SplitreelError) {
        guard let copiedSound else { return }
        let audio = output.audio
        let track = assets[copiedSound.asset].flatMap { $0.kind == .media ? $0.track(copiedSound.track) : nil }
        try demand(
            further == nil && output.sounds.count == 1 && lead == nil && soundCuts == nil && output.mostBytes == nil
                && audio.map { audio in
                    track?.codec == audio.codec.libavName && audio.codec.copyContainers.contains(output.container)
                        && track?.audio?.sampleRate == audio.sampleRate && track?.audio?.channels == audio.channels
                        && copiedSound.fits(
                            sampleCount: sampleCount, frame: audio.codec.frameLength(audio.sampleRate))
                } ?? false,
            "copied sound of a film that cannot have it")
        try demand(
            audio.flatMap { copiedSound.header(of: copiedSound.header, for: $0) } == copiedSound.header,
            "copied sound with a header of other sound")
    }
}
