internal import CFFmpeg
internal import CWebP
internal import Diagnostics
internal import Libav
internal import MediaTime
internal import Outputs
internal import SplitreelFiles

/// Reads animated WebP by libwebpdemux, which puts each frame into the whole picture by the file's disposal and
/// blending.
///
/// The whole file is in memory, and so are two pictures of its canvas. Frames are made from the first on; going back
/// begins anew. Frames after one that cannot be decoded are not made: the last good one stands for them.
@safe
final class AnimatedWebP: PictureFile {
    static let name = (container: "webp", codec: "webp")

    let held: Frame
    let timeBase = Rational(1, 1000)
    private(set) var packets = PacketIndex()
    let plays: Int?
    private(set) var warnings: [String] = []

    private let source: any MediaSource
    private let file: FileBytes
    /// The picture's size in pixels, from the bytes that are in memory.
    let canvas: (width: Int, height: Int)
    private let decoder: OpaquePointer
    /// The number of the frame that the decoder makes next.
    private var next = 0
    private var heldNumber: Int?
    /// The number of the first frame that cannot be decoded; `Int.max` while none is known.
    private var firstBroken = Int.max

    /// Whether the head is of an animated WebP: the chunk that says what the file holds comes first, and has a flag for
    /// it.
    static func begins(with head: [UInt8]) -> Bool {
        head.count >= 30 && head.starts(with: Array("RIFF".utf8)) && head[8...].starts(with: Array("WEBPVP8X".utf8))
            && head[20] & 2 != 0
    }

    init(_ source: any MediaSource) throws {
        self.source = source
        let file = try FileBytes(source)
        self.file = file
        // It was looked at before, and may have changed since.
        guard Self.begins(with: (0..<min(30, file.count)).map { unsafe file.bytes[$0] }) else {
            throw sourceChanged(source.name, "it is no animated WebP any more")
        }
        canvas = (file.number(24, 3) + 1, file.number(27, 3) + 1)
        guard canvas.width <= ReadLimits.side, canvas.height <= ReadLimits.side,
            canvas.width * canvas.height <= ReadLimits.animatedPixels
        else {
            throw PictureFiles.tooLarge(
                canvas.width, canvas.height, limit: ReadLimits.animatedPixels, source)
        }
        held = try Frame()
        let end = Self.wholeLength(file)
        if end.isCut { warnings.append("the file is cut off; what is whole of it is shown") }
        var data = unsafe WebPData(
            bytes: file.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: end.length)
        guard let opened = unsafe WebPAnimDecoderNewInternal(&data, nil, WEBP_DEMUX_ABI_VERSION) else {
            throw SplitreelError(
                .mediaCannotOpen, operation: "WebPAnimDecoderNew", subject: source.name,
                reason: end.isCut ? "the file is cut off before its first frame ends" : "its frames do not make a WebP",
                hint: "the file may be damaged")
        }
        unsafe decoder = opened
        let demuxer = unsafe WebPAnimDecoderGetDemuxer(opened)
        let count = unsafe Int(WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT))
        var info = WebPAnimInfo()
        guard unsafe WebPAnimDecoderGetInfo(opened, &info) != 0, Int(info.canvas_width) == canvas.width,
            Int(info.canvas_height) == canvas.height
        else { throw sourceChanged(source.name, "its canvas is not what its header says") }
        // libwebpdemux walks its list from the start for every frame.
        guard count <= Container.mostFramesOfWebP else {
            throw SplitreelError(
                .mediaOverLimits, operation: "indexing", subject: source.name,
                reason: "it has \(count) frames, more than the \(Container.mostFramesOfWebP) that are read",
                hint: "make a film of it")
        }
        plays = count > 1 ? unsafe Int(WebPDemuxGetI(demuxer, WEBP_FF_LOOP_COUNT)) : nil
        try unsafe index(demuxer)
    }

    deinit { unsafe WebPAnimDecoderDelete(decoder) }

    /// The file's length in bytes up to the last chunk that is there in full, and whether the file is cut off. The
    /// stated length is set to that one, for libwebpdemux takes whole files only.
    private static func wholeLength(_ file: FileBytes) -> (length: Int, isCut: Bool) {
        let stated = file.number(4, 4) + 8
        var place = 12
        while place + 8 <= min(stated, file.count) {
            let chunk = file.number(place + 4, 4)
            let end = place + 8 + chunk + chunk % 2
            guard end <= file.count else { break }
            place = end
        }
        guard stated > file.count else { return (file.count, false) }
        for byte in 0..<4 { unsafe file.bytes[4 + byte] = UInt8((place - 8) >> (8 * byte) & 255) }
        return (place, true)
    }

    /// Indexes the frames. A frame of at most 10 ms lasts 100 ms, as in browsers.
    private func index(_ demuxer: OpaquePointer?) throws {
        var frame = unsafe WebPIterator()
        var time: Int64 = 0
        guard unsafe WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { return }
        defer { unsafe WebPDemuxReleaseIterator(&frame) }
        repeat {
            let duration = unsafe frame.duration > 10 ? Int64(frame.duration) : 100
            let data = unsafe frame.fragment
            let position = unsafe data.bytes.flatMap { bytes in
                unsafe file.bytes.baseAddress.map { unsafe UnsafeRawPointer(bytes) - UnsafeRawPointer($0) }
            }
            var entry = PacketEntry(
                pts: time, dts: time, position: Int64(position ?? -1), duration: duration,
                size: unsafe Int32(clamping: data.size), flags: packets.entries.isEmpty ? .key : [])
            entry.sum = unsafe av_adler32_update(1, data.bytes, data.size)
            packets.entries.append(entry)
            time += duration
        } while unsafe packets.entries.count < ReadLimits.packets && WebPDemuxNextFrame(&frame) != 0
        guard time <= Int64(ReadLimits.span) * 1000 else {
            throw SplitreelError(
                .mediaCannotOpen, operation: "indexing", subject: source.name,
                reason: "it lasts more than \(ReadLimits.span) s", hint: "the file may be damaged")
        }
        packets.rebuild()
        packets.rate = FrameRate(packets, base: AVRational(num: 1, den: 1000), guesses: [])
    }

    func find(_ place: Int) throws -> FrameFinder.Shown? {
        let target = min(place, firstBroken - 1)
        guard target >= 0 else { return nil }
        if heldNumber != target {
            if next > target { rewind() }
            var pixels: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            while next <= target {
                guard unsafe WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0 else {
                    firstBroken = next
                    // The decoder's picture is spoilt.
                    rewind()
                    return try find(place)
                }
                next += 1
            }
            try unsafe keep(pixels)
            heldNumber = target
        }
        return FrameFinder.Shown(number: target, isSubstitute: target != place, isDamaged: false, followsLoss: false)
    }

    private func rewind() {
        unsafe WebPAnimDecoderReset(decoder)
        next = 0
    }

    private func keep(_ pixels: UnsafeMutablePointer<UInt8>?) throws {
        held.clear()
        let (width, height) = (Int32(canvas.width), Int32(canvas.height))
        try held.allocate(
            AV_PIX_FMT_RGBA, width: width, height: height, alignment: 64, subject: PictureFiles.subject(source))
        unsafe av_image_copy_plane(
            held.fields.data.0, held.fields.linesize.0, pixels, width * 4, width * 4, height)
    }
}
