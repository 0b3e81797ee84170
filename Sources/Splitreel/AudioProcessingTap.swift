/// A tap, which changes the sound of a track or of the whole mix. A composition names it under `taps`, or `tap`; who
/// renders registers it first, see `register(tap:description:)`.
///
/// A film's sound is mixed from its beginning to its end, block by block, and a range of a film from as far before it
/// as the tap remembers. So that both have the same samples, the output must follow from the input, the parameters, and
/// `memory` samples before: never from where blocks begin, from a clock or from chance. One instance serves one mixing
/// and is confined to one thread at a time.
public protocol AudioProcessingTap: AnyObject {
    /// The samples by which the output lies behind the input, 0 to 10 s of them. They are made up for: sound stays
    /// where it was. Read once, before the first sample.
    var latency: Int { get }

    /// The part of the sound before a sample that decides it. Read once, before the first sample.
    var memory: AudioTapMemory { get }

    /// Changes a block's samples in place; all of them have the same parameters. Blocks follow each other without gaps.
    /// Where keys move a parameter each sample is a block by itself.
    ///
    /// An error that is thrown fails the sound with its words. Values above 1 are kept; a value that is no number
    /// becomes silence afterwards. Memory is best allocated in the initialiser.
    func process(_ block: AudioBlock, _ parameters: EffectValues) throws
}

extension AudioProcessingTap {
    public var latency: Int { 0 }
}

/// The part of the sound before a sample that decides how a tap makes it.
public enum AudioTapMemory: Sendable, Hashable {
    /// The number of samples before it; 0 for a tap without memory. Less is mixed for a range.
    case samples(Int)
    /// All samples from the composition's start on.
    case start
}

/// The properties of a mixing that are the same for all of its samples.
public struct AudioTapContext: Sendable {
    /// The samples per second.
    public let sampleRate: Int
    /// The number of channels, 1 to 8, in the order of WAV: left, right, centre, low frequencies and so on.
    public let channelCount: Int
    /// The parameters: their values where no keys move them, and where keys do, the values before the first key.
    public let parameters: EffectValues
    /// The samples of the asset that a parameter of kind `sound` names, a list for each of its own channels, at this
    /// sample rate; empty without such a parameter.
    public let sound: [[Float]]
}

/// Samples that a tap changes: a plane of 32-bit floats for each channel, full scale being −1 to 1. Good within the
/// call that hands it out; its pointers must not be kept.
public struct AudioBlock {
    private let planes: [UnsafeMutablePointer<Float>]
    private let leads: [UnsafeMutablePointer<Float>]
    private let offset: Int
    /// The number of samples of each channel, 1 to 8192.
    public let count: Int
    /// The index of the first sample, sample 0 being at the composition's time 0: a sample's time is its index divided
    /// by the sample rate. Below 0 for as long as taps before this one are late; the last block may go on beyond the
    /// end.
    public let firstSample: Int

    init(
        _ planes: [UnsafeMutablePointer<Float>], _ leads: [UnsafeMutablePointer<Float>], _ samples: Range<Int>,
        firstSample: Int
    ) {
        (self.planes, self.leads) = (planes, leads)
        offset = samples.lowerBound
        count = samples.count
        self.firstSample = firstSample
    }

    /// The number of channels, 1 to 8.
    public var channelCount: Int { planes.count }

    /// A channel's samples, from 0 on, to be read and written.
    public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(start: planes[channel] + offset, count: count)
    }

    /// The samples at the same places of the track that a parameter of kind `audioTrack` names, as it goes into the
    /// mix, to be read; zeros where that track does not go into this mix, and empty without such a parameter.
    public func leading(_ channel: Int) -> UnsafeBufferPointer<Float> {
        leads.isEmpty
            ? UnsafeBufferPointer(start: nil, count: 0)
            : UnsafeBufferPointer(start: leads[channel] + offset, count: count)
    }
}
