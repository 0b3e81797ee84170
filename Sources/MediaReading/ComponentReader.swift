internal import CFFmpeg
internal import Libav

/// Reads one component of one row, in any packed or planar layout and order of bytes, by libavutil's description.
@safe
struct ComponentReader {
    /// In libavutil's table.
    private let pointer: UnsafePointer<AVPixFmtDescriptor>

    init?(_ format: AVPixelFormat) {
        guard let pointer = unsafe av_pix_fmt_desc_get(format) else { return nil }
        unsafe self.pointer = pointer
    }

    var description: AVPixFmtDescriptor { unsafe pointer.pointee }

    /// Components of a pixel.
    var count: Int { Int(description.nb_components) }

    /// The picture has this format; the row is as wide as it is. Numbers are of 2 bytes, or of 4 where samples are.
    func read<Number: BitwiseCopyable>(
        _ component: Int, _ y: Int, of frame: borrowing Frame, into row: inout [Number]
    ) {
        precondition(y < frame.height && row.count <= frame.width, "no such row in the picture")
        let (width, size) = (Int32(row.count), Int32(MemoryLayout<Number>.size))
        let (data, lines) = unsafe (frame.fields.data, frame.fields.linesize)
        unsafe withUnsafePointer(to: data) { data in
            unsafe withUnsafePointer(to: lines) { lines in
                unsafe av_read_image_line2(
                    &row, UnsafeMutableRawPointer(mutating: data).assumingMemoryBound(to: UnsafePointer<UInt8>?.self),
                    UnsafeRawPointer(lines).assumingMemoryBound(to: Int32.self), pointer, 0, Int32(y),
                    Int32(component), width, 0, size)
            }
        }
    }
}
