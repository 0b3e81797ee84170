package import MediaTime
package import Planning

/// The picture of a film to be written.
package struct FilmVideoTrack: Sendable {
    package var settings: VideoSettings
    package var frameDuration: MediaTime
    package var frameCount: Int
    /// The codec's global header, as all segments have it.
    package var extradata: [UInt8]

    package init(settings: VideoSettings, frameDuration: MediaTime, frameCount: Int, extradata: [UInt8]) {
        (self.settings, self.frameDuration) = (settings, frameDuration)
        (self.frameCount, self.extradata) = (frameCount, extradata)
    }
}

/// The sound of a film to be written: read packet by packet from its segment while the picture goes in.
package struct FilmAudioTrack: Sendable {
    package var settings: AudioSettings
    package var segmentPath: String
    package var record: SegmentRecord

    package init(settings: AudioSettings, segmentPath: String, record: SegmentRecord) {
        (self.settings, self.segmentPath, self.record) = (settings, segmentPath, record)
    }
}
