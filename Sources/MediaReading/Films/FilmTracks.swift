package import CFFmpeg
internal import Libav
package import MediaTime
package import Outputs
internal import Pictures

/// The picture of a film to be written.
package struct FilmVideoTrack: Sendable {
    package var settings: VideoSettings
    package var timing: FrameTiming
    package var frameCount: Int
    /// The bytes of the codec's global header, as all segments have it.
    package var extradata: [UInt8]

    package init(settings: VideoSettings, timing: FrameTiming, frameCount: Int, extradata: [UInt8]) {
        (self.settings, self.timing) = (settings, timing)
        (self.frameCount, self.extradata) = (frameCount, extradata)
    }
}

extension FilmVideoTrack {
    /// The clock that all frames are on, in lowest terms.
    package func tick() throws -> AVRational {
        switch timing {
        case .even(let grid): try frameTimeBase(grid.frameDuration)
        case .listed(let times, _): AVRational(num: 1, den: Int32(clamping: times.tick.denominator))
        }
    }

    /// The decode time, in seconds from the first frame's time, of the packet at a place. A packet is decoded as early
    /// as the frame of that number is shown; negative places, where no frame is shown yet, go on in even steps.
    package func decodeTime(_ place: Int) -> Rational {
        guard case .listed(let times, _) = timing, place < 0 else { return timing.time(ofFrame: place) }
        let step = max(1, (Rational(timing.pace) / times.tick).rounded())
        return times.tick * Rational(step) * Rational(place)
    }

    /// The length in seconds that a packet states; players hold the last frame to the film's end. MP4 and QuickTime
    /// take a track's length from its last packet, whichever frame it shows.
    package func packetDuration(ofFrame frame: Int, isLast: Bool) -> Rational {
        guard isLast, case .listed(_, let end) = timing else { return timing.duration(ofFrame: frame) }
        return end - timing.time(ofFrame: frame)
    }
}

/// A sound stream of a film to be written: read packet by packet from its segment while the picture goes in.
package struct FilmAudioTrack: Sendable {
    package var settings: AudioSettings
    package var segmentPath: String
    package var record: SegmentRecord
    package var tags: FilmTags.Track?

    package init(settings: AudioSettings, segmentPath: String, record: SegmentRecord, tags: FilmTags.Track? = nil) {
        (self.settings, self.segmentPath) = (settings, segmentPath)
        (self.record, self.tags) = (record, tags)
    }
}
