internal import CFFmpeg
package import Composition
internal import Diagnostics
package import Planning

/// Owns one AVFrame. Confined to one thread at a time; sharing its buffers is an explicit `reference()`.
package struct Frame: ~Copyable {
    /// Good as long as this value lives.
    let pointer: UnsafeMutablePointer<AVFrame>

    /// An empty frame, for libav to fill.
    package init() throws {
        pointer = try checkAllocated(av_frame_alloc(), "av_frame_alloc")
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&owned)
    }

    /// A second owner of the same buffers; neither may write then (see `makeWritable`).
    package borrowing func reference() throws -> Frame {
        let copy = try Frame()
        try check(av_frame_ref(copy.pointer, pointer), "av_frame_ref", subject: "frame", as: .internalFault)
        return copy
    }

    /// Lets go of the buffers; the frame can be filled again.
    package borrowing func clear() { av_frame_unref(pointer) }

    /// Takes over the other's buffers and properties, letting go of its own; the other is empty afterwards.
    package borrowing func take(from other: borrowing Frame) {
        av_frame_unref(pointer)
        av_frame_move_ref(pointer, other.pointer)
    }

    package var isEmpty: Bool { pointer.pointee.buf.0 == nil }
    package var width: Int { Int(pointer.pointee.width) }
    package var height: Int { Int(pointer.pointee.height) }
    /// libavutil's name, such as `yuv420p10le`; empty for an empty or an audio frame.
    package var pixelFormatName: String {
        av_get_pix_fmt_name(AVPixelFormat(pointer.pointee.format)).map { String(cString: $0) } ?? ""
    }
    /// Audio: samples per channel.
    package var sampleCount: Int { Int(pointer.pointee.nb_samples) }

    /// Whether another owner shares a buffer, so that writing needs `makeWritable` first.
    package var isReferencedElsewhere: Bool { av_frame_is_writable(pointer) == 0 }

    /// Copies the buffers where they are shared; afterwards writing touches no other frame.
    package borrowing func makeWritable() throws {
        try check(av_frame_make_writable(pointer), "av_frame_make_writable", subject: "frame", as: .internalFault)
    }

    /// A fresh, uninitialised picture with 64-byte aligned strides, limited range, left chroma siting and the
    /// colour's tags. Making many of one kind: use `FramePool`.
    package static func make(format: WorkingFormat, size: PixelSize, colour: ColourTriple) throws -> Frame {
        try FramePool(format: format, size: size, colour: colour).take()
    }
}
