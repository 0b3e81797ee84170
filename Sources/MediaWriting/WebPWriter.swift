internal import CFFmpeg
internal import Diagnostics
internal import Foundation
internal import Glibc
package import Libav
internal import MediaReading
internal import Outputs
package import Pictures
internal import SplitreelFiles

/// Writes an animated WebP: a file of WebP for each frame becomes a chunk `ANMF` that replaces the whole picture. Times
/// are in milliseconds.
package final class WebPWriter: FilmSink {
    private let path: String
    private let track: FilmVideoTrack
    private let descriptor: Int32
    private var byteCount = 0
    private var isOpen = true

    /// Begins the file. `loopCount` is the number of times that it is played, 0 for ever.
    init(path: String, track: FilmVideoTrack, loopCount: Int = 0) throws {
        (self.path, self.track) = (path, track)
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
        let size = track.settings.size
        let flags = 0x02 | (track.settings.format.hasAlpha ? 0x10 : 0)
        let head = number(flags, 4) + number(size.width - 1, 3) + number(size.height - 1, 3)
        // The file's length is put in at the end. The background is transparent.
        try write("RIFF".utf8 + number(0, 4) + "WEBP".utf8)
        try write(chunk("VP8X", head) + chunk("ANIM", number(0, 4) + number(loopCount, 2)))
    }

    deinit { if isOpen { close(descriptor) } }

    package func appendVideo(_ packet: consuming Packet, frame: Int) throws {
        let file = unsafe bytes(packet.fields.data, count: packet.fields.size)
        guard file.count >= 20, file.starts(with: "RIFF".utf8), file[8..<12].elementsEqual("WEBP".utf8) else {
            throw invalidSegment(path, "frame \(frame) is no WebP")
        }
        // The film states once the canvas that each picture's file states.
        var start = 12
        if file[12..<16].elementsEqual("VP8X".utf8) { start = 30 }
        let size = track.settings.size
        let begin = track.time(ofFrame: frame, unitsPerSecond: 1000)
        let length = track.time(ofFrame: frame + 1, unitsPerSecond: 1000) - begin
        var body = number(0, 3) + number(0, 3) + number(size.width - 1, 3) + number(size.height - 1, 3)
        // The flag says that the picture is not blended but takes the place of the one before.
        body += number(min(max(0, length), 1 << 24 - 1), 3) + [0x02]
        try write(chunk("ANMF", body + file[min(start, file.count)...]))
    }

    package func finish(light: ContentLight?) throws {
        guard byteCount <= Int(UInt32.max) else {
            throw SplitreelError(
                .muxFailed, operation: "finishing", subject: "\(path)", reason: "a WebP has 4 GiB at most",
                hint: "say a higher \(.crf), a smaller \(.size) or a part by \(.range)")
        }
        let length = number(byteCount - 8, 4)
        guard unsafe pwrite(descriptor, length, 4, 4) == 4, fsync(descriptor) == 0 else {
            throw writingFailure("write", path, errno: errno)
        }
        isOpen = false
        guard close(descriptor) == 0 else { throw writingFailure("close", path, errno: errno) }
    }

    package func remove() { _ = unsafe unlink(path) }

    private func write(_ bytes: some Collection<UInt8>) throws {
        try writeWhole(Data(bytes), to: descriptor, path: path)
        byteCount += bytes.count
    }

    /// The bytes of a chunk, padded to an even length.
    private func chunk(_ name: String, _ body: some Collection<UInt8>) -> [UInt8] {
        name.utf8 + number(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }
}

/// The number in `count` bytes, the lowest byte first.
private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
