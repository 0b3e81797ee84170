internal import CFFmpeg
internal import Diagnostics

/// Sets the memory of pictures before a decoder writes to it, and can tell what a decoder left unwritten.
///
/// libavcodec hands out memory of earlier pictures again, in an order that depends on when their last owners let go.
/// Decoders that meet damage may leave parts of a picture unwritten, some without a complaint, and those parts would
/// show by chance. Confined to one thread at a time, so a decoder with it has no threads of its own.
@safe
final class ClearedPictures {
    enum Filling {
        /// Grey where the format's grey is known, or else zero.
        case plain
        /// The plain filling with a mark in every block of 16×16 samples, which decoding destroys.
        case marked
    }

    private let filling: Filling
    /// The pictures that were handed out since the last look.
    private var fresh: [(buffer: UnsafeMutablePointer<AVBufferRef>, shape: Shape)] = unsafe []

    private struct Shape {
        var stride: Int
        var width: Int
        var height: Int
        var isDeep: Bool
    }

    /// A mark of eight bytes that no picture shows: as 16-bit samples they are of 10 bits.
    private static let mark: UInt64 = 0x0217_03b9_0145_02ec

    init(_ filling: Filling) { self.filling = filling }

    deinit { forget() }

    /// Installs itself in a decoder that is set to one thread and not opened yet; it must live as long as the decoder.
    func install(in context: UnsafeMutablePointer<AVCodecContext>) {
        unsafe precondition(context.pointee.thread_count == 1, "pictures are marked and looked at on one thread")
        unsafe sr_keep_pictures(context, Unmanaged.passUnretained(self).toOpaque())
        unsafe context.pointee.get_buffer2 = { context, frame, flags in
            let result = unsafe avcodec_default_get_buffer2(context, frame, flags)
            if let context = unsafe context, let frame = unsafe frame, let owner = unsafe sr_pictures(context),
                result >= 0
            {
                unsafe Unmanaged<ClearedPictures>.fromOpaque(owner).takeUnretainedValue().prepare(frame)
            }
            return result
        }
    }

    private func prepare(_ frame: UnsafeMutablePointer<AVFrame>) {
        let (isMiddleGrey, depth) = Self.layout(unsafe frame.pointee.format)
        for index in 0..<4 {
            guard let buffer = unsafe av_frame_get_plane_buffer(frame, Int32(index)),
                let data = unsafe buffer.pointee.data
            else { continue }
            unsafe memset(data, isMiddleGrey ? 0x80 : 0, Int(buffer.pointee.size))
        }
        guard filling == .marked, let buffer = unsafe frame.pointee.buf.0,
            unsafe buffer.pointee.data == frame.pointee.data.0, unsafe frame.pointee.linesize.0 > 0,
            let own = unsafe av_buffer_ref(buffer)
        else { return }
        let shape = unsafe Shape(
            stride: Int(frame.pointee.linesize.0), width: Int(frame.pointee.width), height: Int(frame.pointee.height),
            isDeep: depth > 8)
        unsafe Self.forEachBlock(of: own, shape) { place in
            unsafe place.storeBytes(of: Self.mark, as: UInt64.self)
            return true
        }
        unsafe fresh.append((own, shape))
    }

    /// Whether a block of the pictures that were handed out since the last call was not decoded; call when the decoder
    /// is done with a packet.
    func takeUnwritten() -> Bool {
        defer { forget() }
        return unsafe fresh.contains { picture in
            var isWritten = true
            unsafe Self.forEachBlock(of: picture.buffer, picture.shape) { place in
                isWritten = unsafe place.loadUnaligned(as: UInt64.self) != Self.mark
                return isWritten
            }
            return !isWritten
        }
    }

    private func forget() {
        while let picture = unsafe fresh.popLast() {
            var buffer: UnsafeMutablePointer<AVBufferRef>? = unsafe picture.buffer
            unsafe av_buffer_unref(&buffer)
        }
    }

    /// Calls `body` with the place of every whole block's mark until it answers false. The marks keep off the blocks'
    /// edges, which the filters of their neighbours change.
    private static func forEachBlock(
        of buffer: UnsafeMutablePointer<AVBufferRef>, _ shape: Shape, _ body: (UnsafeMutableRawPointer) -> Bool
    ) {
        guard let data = unsafe buffer.pointee.data else { return }
        let bytes = shape.isDeep ? 2 : 1
        for y in stride(from: 4, to: shape.height - 11, by: 16) {
            for x in stride(from: 4, to: shape.width - 11, by: 16) {
                let offset = y * shape.stride + x * bytes
                guard unsafe offset + 8 <= Int(buffer.pointee.size), unsafe body(UnsafeMutableRawPointer(data + offset))
                else { return }
            }
        }
    }

    /// Whether bytes of 128 are middle grey, as in 8-bit Y'CbCr, and the number of bits of a sample.
    private static func layout(_ format: Int32) -> (isMiddleGrey: Bool, depth: Int) {
        guard let layout = unsafe av_pix_fmt_desc_get(AVPixelFormat(format)) else { return (false, 8) }
        let refused = UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL)
        let depth = unsafe Int(layout.pointee.comp.0.depth)
        return unsafe (depth == 8 && layout.pointee.flags & refused == 0, depth)
    }
}
