/// A run of a track's samples, without a break, that a film's whole sound is.
package struct SoundRun: Hashable, Codable, Sendable {
    /// The codec's name as the film's settings have it.
    package var codec: String
    /// The position of the track in its file, from 1.
    package var track: Int
    package var sampleRate: Int
    package var channels: Int
    /// The first sample, counted from asset time 0; and the number of all.
    package var first: Int
    package var count: Int
    /// The samples for which the film goes on in silence after the run.
    package var rest: Int

    package init(codec: String, track: Int, sampleRate: Int, channels: Int, first: Int, count: Int, rest: Int) {
        (self.codec, self.track, self.sampleRate, self.channels) = (codec, track, sampleRate, channels)
        (self.first, self.count, self.rest) = (first, count, rest)
    }
}

/// The packets of a track that hold a run of its samples, with those before them that a decoder needs.
package struct SoundPackets: Hashable, Codable, Sendable {
    /// The place of the first packet in the track's index, from 0, and the number of all.
    package var firstPacket: Int
    package var count: Int
    /// The decoded samples before the run's first one.
    package var priming: Int
    /// The codec's global header as the film has it.
    package var header: [UInt8]

    package init(firstPacket: Int, count: Int, priming: Int, header: [UInt8]) {
        (self.firstPacket, self.count, self.priming, self.header) = (firstPacket, count, priming, header)
    }
}

/// The answer to the question whether a run can be copied.
package enum SoundFinding: Hashable, Codable, Sendable {
    case packets(SoundPackets)
    /// The reason why it cannot, as a clause about the track.
    case unfit(String)
}
