internal import CFFmpeg
internal import Diagnostics
internal import Foundation
internal import Glibc
package import Libav
internal import MediaReading
internal import Outputs
package import Pictures
internal import SplitreelFiles

/// Writes YUV4MPEG2: a line of text about the film, then each frame's samples after a line of its own. Bytes are
/// written once, in order, so that the file can be read while it grows.
package final class Y4MWriter: FilmSink {
    private let path: String
    private let pictures: SegmentPictures
    private var descriptor: Int32?

    init(path: String, track: FilmVideoTrack) throws {
        self.path = path
        pictures = try SegmentPictures(track: track, path: path)
        let opened = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard opened >= 0 else { throw writingFailure("open", path, errno: errno) }
        descriptor = opened
        try writeWhole(Data(try Self.header(track).utf8), to: opened, path: path)
    }

    deinit { if let descriptor { close(descriptor) } }

    private static func header(_ track: FilmVideoTrack) throws -> String {
        let settings = track.settings
        let size = settings.size
        let aspect = settings.sampleAspect
        let tick = try track.tick()
        return "YUV4MPEG2 W\(size.width) H\(size.height) F\(tick.den):\(tick.num) Ip A\(aspect.num):\(aspect.den) "
            + "C\(chroma(settings.format)) XCOLORRANGE=LIMITED\n"
    }

    /// The name of the format's chroma; `mpeg2` is 4:2:0 whose colour samples are sited at the left.
    private static func chroma(_ format: WorkingFormat) -> String {
        let deep = format.bitDepth > 8 ? "p\(format.bitDepth)" : ""
        return switch format.chromaShift {
        case (1, 1): deep.isEmpty ? "420mpeg2" : "420" + deep
        case (1, _): "422" + deep
        default: "444" + deep
        }
    }

    package func appendVideo(_ packet: consuming Packet, frame: Int) throws {
        guard let descriptor else { throw invalidSegment(path, "frame \(frame) came after the film's end") }
        try pictures.decode(packet, frame: frame)
        let raw = try pictures.rawPacket()
        let samples = unsafe bytes(raw.fields.data, count: raw.fields.size)
        try writeWhole(Data("FRAME\n".utf8) + samples, to: descriptor, path: path)
    }

    package func finish(light: ContentLight?) throws {
        guard let open = descriptor.take() else { return }
        let failure = fsync(open) == 0 ? nil : errno
        guard close(open) == 0, failure == nil else { throw writingFailure("write", path, errno: failure ?? errno) }
    }

    package func remove() { _ = unsafe unlink(path) }
}

/// Writes NUT without metadata, with raw frames and, where there is some, sound of PCM. Bytes are written once, in
/// order.
package final class NUTWriter: FilmSink {
    private let film: FilmWriter
    private let pictures: SegmentPictures

    init(path: String, video: FilmVideoTrack, audio: [FilmAudioTrack]) throws {
        pictures = try SegmentPictures(track: video, path: path)
        var bare = video
        bare.extradata = []
        film = try FilmWriter(path: path, container: .nut, video: bare, audio: audio.map(\.withoutTags))
    }

    package func appendVideo(_ packet: consuming Packet, frame: Int) throws {
        try pictures.decode(packet, frame: frame)
        try film.appendVideo(try pictures.rawPacket(), frame: frame)
    }

    package func finish(light: ContentLight?) throws { try film.finish(light: nil) }

    package func remove() { film.remove() }
}

extension FilmAudioTrack {
    /// The track for NUT, which says nothing of its streams here.
    var withoutTags: FilmAudioTrack {
        var track = self
        track.tags = nil
        return track
    }
}
