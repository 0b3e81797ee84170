package import Diagnostics
package import MediaTime
package import Pictures

/// The facts of a film as its packets tell them, for checking a finished one.
package struct FilmFacts: Sendable {
    /// libavformat's short name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package var container: String
    package var video: [Video]
    package var audio: [Audio]
    /// The number of streams that are neither video nor audio.
    package var otherStreams: Int
    package var chapters: [Chapter] = []
    /// The notices of damage with its times, each stretch of it once.
    package var damage: [Notice]
    /// The file's end; nil where the file does not say where it ends.
    package var end: End?

    package init(
        container: String, video: [Video], audio: [Audio], otherStreams: Int, chapters: [Chapter] = [],
        damage: [Notice], end: End? = nil
    ) {
        self.container = container
        self.video = video
        self.audio = audio
        self.otherStreams = otherStreams
        self.chapters = chapters
        self.damage = damage
        self.end = end
    }

    package struct End: Sendable {
        package var isWhole: Bool
        /// The finding in words.
        package var detail: String
    }

    package struct Chapter: Sendable {
        package var start: Rational
        package var end: Rational
        /// The tick, in seconds, of the clock that both times are counted on.
        package var tick: Rational
        package var title: String

        package init(start: Rational, end: Rational, tick: Rational, title: String) {
            self.start = start
            self.end = end
            self.tick = tick
            self.title = title
        }
    }

    package struct Video: Sendable {
        package var codec: String
        package var tag: String
        package var size: PixelSize
        package var pixelFormat: String
        package var colour: ColourTriple?
        /// The HDR metadata of the container.
        package var hdrMetadata: HDRMetadata?
        /// Whether the samples' range is full; nil where the film does not say.
        package var isFullRange: Bool?
        package var pixelAspect: Rational?
        package var isInterlaced: Bool
        package var timeBase: Rational
        /// The frames a second that the container states (`averageRate`), and those that its frames show
        /// (`nominalRate`).
        package var averageRate: Rational?
        package var nominalRate: Rational?
        package var startsWithKeyFrame: Bool
        /// The frames' presentation times in units of `timeBase`, sorted.
        package var presentations: [Int64]
        /// The presentation times of those that are key frames.
        package var keyFrames: Set<Int64> = []
        /// The number of packets whose DTS is missing, not after the one before, or after their PTS.
        package var misorderedPackets: Int
        package var untimedPackets: Int
        /// The number of frames that were decoded; nil where the track was not decoded.
        package var decodedFrames: Int?
        package var decodeProblem: String?

        package init(
            codec: String, tag: String, size: PixelSize, pixelFormat: String, colour: ColourTriple? = nil,
            hdrMetadata: HDRMetadata? = nil, isFullRange: Bool? = nil, pixelAspect: Rational? = nil,
            isInterlaced: Bool, timeBase: Rational, averageRate: Rational? = nil, nominalRate: Rational? = nil,
            startsWithKeyFrame: Bool, presentations: [Int64], misorderedPackets: Int, untimedPackets: Int,
            decodedFrames: Int? = nil, decodeProblem: String? = nil
        ) {
            self.codec = codec
            self.tag = tag
            self.size = size
            self.pixelFormat = pixelFormat
            self.colour = colour
            self.hdrMetadata = hdrMetadata
            self.isFullRange = isFullRange
            self.pixelAspect = pixelAspect
            self.isInterlaced = isInterlaced
            self.timeBase = timeBase
            self.averageRate = averageRate
            self.nominalRate = nominalRate
            self.startsWithKeyFrame = startsWithKeyFrame
            self.presentations = presentations
            self.misorderedPackets = misorderedPackets
            self.untimedPackets = untimedPackets
            self.decodedFrames = decodedFrames
            self.decodeProblem = decodeProblem
        }
    }

    package struct Audio: Sendable {
        package var codec: String
        package var sampleRate: Int
        package var channels: Int
        package var packetCount: Int
        /// The time of the first packet in seconds; `end` is the time behind the last one.
        package var start: Rational
        package var end: Rational
        /// The length of the longest packet, in seconds.
        package var longestPacket: Rational
        /// The number of packets that do not begin where the one before ends, within the container's resolution.
        package var gaps: Int
        /// The number of samples that were decoded; nil where the track was not decoded.
        package var decodedSamples: Int?
        package var decodeProblem: String?
        /// The codec's global header; empty where it has none.
        package var header: [UInt8] = []

        package init(
            codec: String, sampleRate: Int, channels: Int, packetCount: Int, start: Rational, end: Rational,
            longestPacket: Rational, gaps: Int, decodedSamples: Int? = nil, decodeProblem: String? = nil
        ) {
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
            self.packetCount = packetCount
            self.start = start
            self.end = end
            self.longestPacket = longestPacket
            self.gaps = gaps
            self.decodedSamples = decodedSamples
            self.decodeProblem = decodeProblem
        }
    }
}
