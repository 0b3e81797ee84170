internal import CFFmpeg
internal import Diagnostics
package import Outputs
package import Pictures

/// A pool of pictures of one format whose buffers come back for reuse when their last owner lets go, on whatever
/// thread.
///
/// A taken frame's samples are whatever was there before. Strides are multiples of 64 bytes and each plane has spare
/// rows and bytes after it, as libav's own allocator gives. Confined to one thread at a time.
@safe
package final class FramePool {
    package let format: WorkingFormat
    package let size: PixelSize
    private let colour: ColourTriple
    private let pixelFormat: AVPixelFormat
    private let pool: OpaquePointer
    private let strides: [Int32]
    private let offsets: [Int]

    package init(format: WorkingFormat, size: PixelSize, colour: ColourTriple) throws {
        self.format = format
        self.size = size
        self.colour = colour
        pixelFormat = AVPixelFormat(name: format.rawValue)
        let bytes = format.bitDepth > 8 ? 2 : 1
        let chroma = format.chromaShift
        guard size.width > 0, size.height > 0, size.width <= 32768, size.height <= 32768 else {
            throw SplitreelError(
                .settingsImpossible, operation: "making a picture", subject: "\(size.width)x\(size.height)",
                reason: "sizes go from 1 to 32768")
        }
        var strides: [Int32] = []
        var offsets: [Int] = []
        var end = 0
        for plane in 0..<(format.hasAlpha ? 4 : 3) {
            let isChroma = plane == 1 || plane == 2
            let width = isChroma ? -(-size.width >> chroma.x) : size.width
            let height = isChroma ? -(-size.height >> chroma.y) : size.height
            let stride = (width * bytes + 63) / 64 * 64
            strides.append(Int32(stride))
            offsets.append(end)
            end += stride * ((height + 31) / 32 * 32) + 64
        }
        (self.strides, self.offsets) = (strides, offsets)
        unsafe pool = try checkAllocated(av_buffer_pool_init(end + 64, nil), "av_buffer_pool_init")
    }

    deinit {
        var owned: OpaquePointer? = unsafe pool
        unsafe av_buffer_pool_uninit(&owned)
    }

    package func take() throws -> Frame {
        let frame = try Frame()
        let buffer = try unsafe checkAllocated(av_buffer_pool_get(pool), "av_buffer_pool_get")
        let raw = unsafe frame.pointer
        unsafe raw.pointee.buf.0 = buffer
        let misaligned = unsafe Int(bitPattern: buffer.pointee.data) & 63
        let start = unsafe buffer.pointee.data + (misaligned == 0 ? 0 : 64 - misaligned)
        unsafe withUnsafeMutablePointer(to: &raw.pointee.data) { data in
            unsafe data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
                for (plane, offset) in offsets.enumerated() { unsafe data[plane] = unsafe start + offset }
            }
        }
        unsafe withUnsafeMutablePointer(to: &raw.pointee.linesize) { lines in
            unsafe lines.withMemoryRebound(to: Int32.self, capacity: 8) { lines in
                for (plane, stride) in strides.enumerated() { unsafe lines[plane] = stride }
            }
        }
        unsafe raw.pointee.extended_data = UnsafeMutableRawPointer(raw).assumingMemoryBound(
            to: UnsafeMutablePointer<UInt8>?.self)
        frame.update { describe(&$0) }
        return frame
    }

    private func describe(_ frame: inout AVFrame) {
        frame.format = pixelFormat.rawValue
        frame.width = Int32(size.width)
        frame.height = Int32(size.height)
        frame.sample_aspect_ratio = AVRational(num: 1, den: 1)
        frame.color_range = AVCOL_RANGE_MPEG
        frame.chroma_location = AVCHROMA_LOC_LEFT
        let tags = ColourTags(colour)
        frame.color_primaries = tags.primaries
        frame.color_trc = tags.transfer
        frame.colorspace = tags.matrix
    }
}
