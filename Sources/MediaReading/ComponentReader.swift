internal import CFFmpeg
internal import Libav

/// Reads one component of one row, in any packed or planar layout and byte order, by libavutil's description.
@safe
struct ComponentReader {
    /// The format's entry in libavutil's table, which lives as long as the program.
    private let pointer: UnsafePointer<AVPixFmtDescriptor>

    init?(_ format: AVPixelFormat) {
        guard let pointer = unsafe av_pix_fmt_desc_get(format) else { return nil }
        unsafe self.pointer = pointer
    }

    var description: AVPixFmtDescriptor { unsafe pointer.pointee }

    /// The number of components of a pixel.
    var count: Int { Int(description.nb_components) }

    /// Reads `row.count` numbers of row `y`, at most the picture's width; the picture has this reader's format. Numbers
    /// are of 2 bytes, or of 4 where samples have 4.
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
