package import Diagnostics
package import MediaTime
package import Pictures

/// What a film holds as its packets tell it, for checking a finished one.
package struct FilmFacts: Sendable {
    /// libavformat's short name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package var container: String
    package var video: [Video]
    package var audio: [Audio]
    /// Streams that are neither.
    package var otherStreams: Int
    package var chapters: [Chapter] = []
    /// What is damaged and when, each stretch of it once.
    package var damage: [Notice]
    /// nil where the file does not say where it ends.
    package var end: End?

    package init(
        container: String, video: [Video], audio: [Audio], otherStreams: Int, chapters: [Chapter] = [], damage: [Notice], end: End? = nil
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
        /// In words.
        package var detail: String
    }

    package struct Chapter: Sendable {
        package var start: Rational
        package var end: Rational
        /// Of the clock that both are counted on.
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
        /// As the container has it.
        package var hdrMetadata: HDRMetadata?
        /// nil where the film does not say.
        package var isFullRange: Bool?
        package var pixelAspect: Rational?
        package var isInterlaced: Bool
        package var timeBase: Rational
        /// Frames per second, as the container states and as its frames show.
        package var averageRate: Rational?
        package var nominalRate: Rational?
        package var startsWithKeyFrame: Bool
        /// In units of `timeBase`, sorted.
        package var presentations: [Int64]
        /// Packets whose DTS is missing or not after the one before, or after their PTS.
        package var misorderedPackets: Int
        package var untimedPackets: Int
        /// nil where it was not decoded.
        package var decodedFrames: Int?
        package var decodeProblem: String?

        package init(
            codec: String, tag: String, size: PixelSize, pixelFormat: String, colour: ColourTriple? = nil, hdrMetadata: HDRMetadata? = nil, isFullRange: Bool? = nil, pixelAspect: Rational? = nil, isInterlaced: Bool, timeBase: Rational, averageRate: Rational? = nil, nominalRate: Rational? = nil, startsWithKeyFrame: Bool, presentations: [Int64], misorderedPackets: Int, untimedPackets: Int, decodedFrames: Int? = nil, decodeProblem: String? = nil
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
        /// Of the first packet and behind the last one, in seconds.
        package var start: Rational
        package var end: Rational
        /// Of the longest packet, in seconds.
        package var longestPacket: Rational
        /// Packets that do not begin where the one before ends, within the container's resolution.
        package var gaps: Int
        /// nil where it was not decoded.
        package var decodedSamples: Int?
        package var decodeProblem: String?

        package init(
            codec: String, sampleRate: Int, channels: Int, packetCount: Int, start: Rational, end: Rational, longestPacket: Rational, gaps: Int, decodedSamples: Int? = nil, decodeProblem: String? = nil
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
