public import JSONText
public import MediaFacts

/// The encoding of a sound that is asked for: in the file's `audioSettings`, in one of its `audioTracks` or on the
/// command line.
///
/// Codecs and layouts are texts: which of them there are depends on the container, and `resolve` refuses the others. A
/// setting that is nil may be said by the file's output, or by its preset; a track's by the sound of all.
public struct SoundRequest: ProjectObject {
    /// The codec's name, or `none` for no sound.
    public var codec: String?
    /// The bits per second; nil for the codec's usual ones.
    public var bitRate: Int?
    /// The samples per second; nil for 48000.
    public var sampleRate: Int?
    /// The number of channels, 1, 2, 6 or 8; others by `channelLayout`.
    public var channels: Int?
    /// The name of the channel layout; see `ChannelLayout`.
    public var channelLayout: String?
    /// The language as a tag of BCP 47; nil for that of the composition's tracks.
    public var language: String?
    /// The track's name, by which the composition's audio inputs know it.
    public var name: String?
    /// The purposes that players know of; nil for those of the composition's tracks.
    public var disposition: [TrackDisposition]?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "AudioSettings"
    package static let summary = "The sound's encoding."
    package static let fields: [Field<SoundRequest>] = [
        Field("codec", \.codec, "aac, flac, pcm, opus, alac, mp3 or vorbis."),
        Field("bitRate", \.bitRate, "Bits per second."),
        Field("sampleRate", \.sampleRate, "Samples per second."),
        Field("channels", \.channels, "1, 2, 6 or 8; others by channelLayout."),
        Field(
            "channelLayout", \.channelLayout,
            "Which channel is played where: mono, stereo, 2.1, 3.0, 4.0, quad, 5.0, 5.1, 5.1(side), 6.1, 7.1, others; "
                + "a sound field: ambisonic 1, 2 or 3; absent: the usual one of channels."),
        Field("language", \.language, "BCP 47 tag; absent: that of the composition's tracks."),
        Field("name", \.name, "The track's name; absent: that of the composition's tracks."),
        Field("disposition", \.disposition, "What the track is for; absent: as the composition's tracks say."),
    ]
}

extension SoundRequest {
    /// The request with what `other` says where this one says nothing. Channels and their layout are said together.
    package func taking(_ other: SoundRequest) -> SoundRequest {
        var other = other
        if saysChannels {
            other.channels = nil
            other.channelLayout = nil
        }
        return filled(from: other)
    }

    /// The request of one sound track where `all` is asked of every track: that goes before the track's own.
    /// Keys of the file that nobody reads are no part of it.
    package func yielding(to all: SoundRequest) -> SoundRequest {
        var track = self
        track.unknown = [:]
        if all.codec != nil { track.codec = nil }
        track.bitRate = all.bitRate ?? bitRate
        if all.sampleRate != nil { track.sampleRate = nil }
        if all.saysChannels {
            track.channels = nil
            track.channelLayout = nil
        }
        return track
    }

    /// The request without what is asked of the encoding: the words of the track stay.
    package var withoutEncoding: SoundRequest {
        var request = SoundRequest()
        request.language = language
        request.name = name
        request.disposition = disposition
        return request
    }

    package var saysChannels: Bool { channels != nil || channelLayout != nil }

    /// Whether no sound is wanted.
    package var isNone: Bool { codec?.lowercased() == "none" }
}
