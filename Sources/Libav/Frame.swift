package import CFFmpeg
internal import Diagnostics
package import Outputs
package import Pictures

/// Owns one AVFrame. Confined to one thread at a time; sharing its buffers is an explicit `reference()`.
@safe
package struct Frame: ~Copyable {
    /// libav's frame, good as long as this value lives.
    package let pointer: UnsafeMutablePointer<AVFrame>

    /// An empty frame, for libav to fill.
    package init() throws {
        unsafe pointer = try checkAllocated(av_frame_alloc(), "av_frame_alloc")
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&owned)
    }

    /// libav's fields as they are.
    package var fields: AVFrame { unsafe pointer.pointee }

    /// Sets libav's fields in place.
    package borrowing func update(_ body: (inout AVFrame) -> Void) { unsafe body(&pointer.pointee) }

    /// Gives an empty frame buffers for a picture; the samples are whatever was there before.
    package borrowing func allocate(
        _ format: AVPixelFormat, width: Int32, height: Int32, alignment: Int32, subject: String
    ) throws {
        update {
            $0.format = format.rawValue
            $0.width = width
            $0.height = height
        }
        try unsafe check(
            av_frame_get_buffer(pointer, alignment), "av_frame_get_buffer", subject: subject, as: .internalFault)
    }

    /// Copies times, colour and all other properties of the other picture, but not its samples.
    package borrowing func copyProperties(of other: borrowing Frame, subject: String) throws {
        try unsafe check(
            av_frame_copy_props(pointer, other.pointer), "av_frame_copy_props", subject: subject, as: .internalFault)
    }

    /// Copies another frame's samples and properties into memory of its own.
    package borrowing func copy(of other: borrowing Frame, subject: String) throws {
        clear()
        try allocate(
            other.pixelFormat, width: other.fields.width, height: other.fields.height, alignment: 64, subject: subject)
        try copyProperties(of: other, subject: subject)
        try unsafe check(av_frame_copy(pointer, other.pointer), "av_frame_copy", subject: subject, as: .internalFault)
    }

    /// A second owner of the same buffers; neither may write then (see `makeWritable`).
    package borrowing func reference() throws -> Frame {
        let copy = try Frame()
        try unsafe check(av_frame_ref(copy.pointer, pointer), "av_frame_ref", subject: "frame", as: .internalFault)
        return copy
    }

    /// Lets go of the buffers; the frame can be filled again.
    package borrowing func clear() { unsafe av_frame_unref(pointer) }

    /// Takes over the other's buffers and properties, letting go of its own; the other is empty afterwards.
    package borrowing func take(from other: borrowing Frame) {
        unsafe av_frame_unref(pointer)
        unsafe av_frame_move_ref(pointer, other.pointer)
    }

    package var isEmpty: Bool { unsafe pointer.pointee.buf.0 == nil }
    package var width: Int { Int(fields.width) }
    package var height: Int { Int(fields.height) }
    /// libavutil's name, such as `yuv420p10le`; empty for an empty or an audio frame.
    package var pixelFormatName: String { pixelFormat.name ?? "" }
    /// The width of a pixel over its height as the frame's codec says it; nil where it does not.
    package var statedPixelAspect: Double? {
        let aspect = fields.sample_aspect_ratio
        guard aspect.num > 0, aspect.den > 0 else { return nil }
        let ratio = Double(aspect.num) / Double(aspect.den)
        // Beyond 1:64 it is a mistake in the file.
        return ratio < 64 && ratio > 1.0 / 64 ? ratio : nil
    }
    package var pixelFormat: AVPixelFormat { AVPixelFormat(fields.format) }
    /// The number of samples per channel of an audio frame.
    package var sampleCount: Int { Int(fields.nb_samples) }

    /// A checksum of the samples of the first plane.
    package var firstPlaneSum: UInt32 {
        let fields = fields
        let bytes = Int(av_image_get_linesize(pixelFormat, fields.width, 0))
        guard let data = unsafe fields.data.0, bytes > 0 else { return 0 }
        return (0..<height).reduce(1) { sum, y in
            unsafe av_adler32_update(sum, data + y * Int(fields.linesize.0), bytes)
        }
    }

    /// Whether another owner shares a buffer, so that writing needs `makeWritable` first.
    package var isReferencedElsewhere: Bool { unsafe av_frame_is_writable(pointer) == 0 }

    /// Copies the buffers where they are shared; afterwards writing touches no other frame.
    package borrowing func makeWritable() throws {
        try unsafe check(
            av_frame_make_writable(pointer), "av_frame_make_writable", subject: "frame", as: .internalFault)
    }

    /// A fresh, uninitialised picture with 64-byte aligned strides, limited range, left chroma siting and the
    /// colour's tags. Making many of one kind: use `FramePool`.
    package static func make(format: WorkingFormat, size: PixelSize, colour: ColourTriple) throws -> Frame {
        try FramePool(format: format, size: size, colour: colour).take()
    }

    /// A fresh, uninitialised picture in 4:4:4 of 8 or 10 bits, with or without alpha, otherwise like the one above.
    package static func make(bitDepth: Int, hasAlpha: Bool, size: PixelSize, colour: ColourTriple) throws -> Frame {
        let name = "yuv\(hasAlpha ? "a" : "")444p" + (bitDepth > 8 ? "\(bitDepth)le" : "")
        let frame = try Frame()
        try frame.allocate(
            AVPixelFormat(name: name), width: Int32(size.width), height: Int32(size.height), alignment: 64,
            subject: "a generator's picture")
        let tags = ColourTags(colour)
        frame.update {
            ($0.color_range, $0.chroma_location) = (AVCOL_RANGE_MPEG, AVCHROMA_LOC_LEFT)
            ($0.color_primaries, $0.color_trc, $0.colorspace) = (tags.primaries, tags.transfer, tags.matrix)
        }
        return frame
    }
}
