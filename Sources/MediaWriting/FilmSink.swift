package import Libav
package import MediaReading
internal import MediaTime
package import Outputs
package import Pictures

/// A writer that makes a film of the segments' packets. Confined to one thread at a time; the film is unfinished, and
/// of no use, until `finish` returns.
package protocol FilmSink: AnyObject {
    /// The number of times that it wants all packets in order: 1, or 2 where it only looks at them the first time.
    var passCount: Int { get }
    /// Takes the next packet of the picture in decoding order; `frame` is the output frame that it shows.
    func appendVideo(_ packet: consuming Packet, frame: Int) throws
    /// Tells it that all packets came and will come once more.
    func endPass() throws
    /// Takes the film's cover, a JPEG, where the output has one; called once, before `finish`.
    func setPoster(_ picture: [UInt8]) throws
    /// Completes the film and waits until the disk has it all. `light` is the measured light of the frames, where the
    /// settings want it.
    func finish(light: ContentLight?) throws
    /// Removes the unfinished film.
    func remove()
}

extension FilmSink {
    package var passCount: Int { 1 }
    package func endPass() throws {}
    package func setPoster(_ picture: [UInt8]) throws {}
}

/// The writer of films in the output's container. Throws where the file cannot be made. `stored` are further tracks,
/// for the containers of `StoredTrack.containers` alone. `going` is called before packets of sound and of further
/// tracks, and ends the work by throwing.
package func filmSink(
    path: String, output: OutputSettings, video: FilmVideoTrack?, audio: [FilmAudioTrack], stored: [StoredTrack] = [],
    going: @escaping () throws -> Void = {}
) throws -> any FilmSink {
    switch (output.container.kind, video) {
    case (.movingImages(.gif), let video?): try GIFWriter(path: path, track: video, loopCount: output.loopCount ?? 0)
    case (.movingImages(.webp), let video?): try WebPWriter(path: path, track: video, loopCount: output.loopCount ?? 0)
    case (.rawFrames(.y4m), let video?): try Y4MWriter(path: path, track: video)
    case (.rawFrames(.nut), let video?): try NUTWriter(path: path, video: video, audio: audio)
    case (.rawFrames(.nut), nil):
        try FilmWriter(path: path, container: .nut, video: nil, audio: audio.map(\.withoutTags))
    case (.waveform, _): try WaveformWriter(path: path, output.waveform, audio: audio)
    case (.images, _?): try ImageFolder(path: path)
    default:
        try FilmWriter(
            path: path, container: output.container, video: video, audio: audio, tags: output.tags,
            texts: output.texts ?? [], chapters: output.chapters ?? [], isFragmented: output.isFragmented == true,
            hasPoster: output.posterFrame != nil, stored: stored, going: going)
    }
}

extension FilmVideoTrack {
    /// The time at which a frame begins, in whole parts of a second, rounded to the nearest. Times are rounded and not
    /// durations, so that no error adds up. The frame after the last one is the film's end.
    func time(ofFrame frame: Int, unitsPerSecond: Int) -> Int {
        let last = frameCount - 1
        let time =
            frame <= last
            ? timing.time(ofFrame: frame)
            : timing.time(ofFrame: last) + packetDuration(ofFrame: last, isLast: true)
        return (time * Rational(unitsPerSecond)).rounded()
    }
}
