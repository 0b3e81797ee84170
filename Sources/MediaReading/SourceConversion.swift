internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import Pictures

/// Turns decoded pictures of any layout into planar Y'CbCr(A); those that already are pass untouched.
///
/// R'G'B' becomes limited-range 4:4:4 of the same depth with the matrix asked for (`RGBConversion`), floats of 16 bits
/// (`FloatConversion`); gray becomes 4:2:0 without colour; semi-planar, packed and big-endian Y'CbCr is only laid out
/// anew. Alpha is kept, straight and full range. One thread at a time: a SwsContext is not shared.
@safe
final class SourceConversion {
    private struct Shape: Equatable {
        var source: Int32
        var target: Int32
        var width: Int32
        var height: Int32
        var isFullRange: Bool
        var matrix: ColourMatrix
    }

    private let subject: String
    /// Whether floats brighter than reference white stay so.
    private let keepsHighlights: Bool
    private var shape: Shape?
    private var scaler: OpaquePointer?

    init(subject: String, keepsHighlights: Bool = false) {
        (self.subject, self.keepsHighlights) = (subject, keepsHighlights)
    }

    deinit { unsafe sws_freeContext(scaler) }

    static func isNeeded(_ frame: borrowing Frame) -> Bool {
        PlanarLayout(frame.pixelFormat) == nil
    }

    /// Fills `target` with the converted picture, properties copied. Only for frames where `isNeeded`. With
    /// `spendsSource` nobody looks at `frame` afterwards, and nobody else owns its memory.
    func convert(
        _ frame: borrowing Frame, matrix: ColourMatrix, into target: borrowing Frame, spendsSource: Bool = false
    ) throws {
        let source = frame.fields
        let format = frame.pixelFormat
        let kind = try kind(of: format)
        target.clear()
        try target.allocate(
            kind.target, width: source.width, height: source.height, alignment: 64, subject: subject)
        try target.copyProperties(of: frame, subject: subject)
        let isFull = source.color_range == AVCOL_RANGE_JPEG
        let isFullRange = !kind.isRGB && (isFull || kind.isFullByDefault && source.color_range != AVCOL_RANGE_MPEG)
        target.update {
            $0.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
            guard kind.isRGB else { return }
            $0.colorspace = ColourTags(ColourTriple(primaries: .bt709, transfer: .bt709, matrix: matrix)).matrix
            // The matrix is the film's and says nothing of the picture's primaries.
            let tags = ColourTags(primaries: $0.color_primaries, transfer: $0.color_trc, matrix: $0.colorspace)
            guard !tags.namesPrimaries else { return }
            let isHDR = tags.triple?.transfer.isHDR ?? false
            if isHDR || matrix == .bt2020 { $0.color_primaries = isHDR ? AVCOL_PRI_BT2020 : AVCOL_PRI_BT709 }
        }
        if kind.isFloat {
            return FloatConversion(matrix: matrix, keepsHighlights: keepsHighlights).convert(frame, into: target)
        }
        if kind.isExactRGB {
            return RGBConversion(matrix: matrix).convert(frame, into: target, spendsSource: spendsSource)
        }
        if kind.isExactGray { return GrayConversion.convert(frame, into: target) }
        let wanted = Shape(
            source: format.rawValue, target: kind.target.rawValue, width: source.width,
            height: source.height, isFullRange: isFullRange, matrix: matrix)
        if shape != wanted { try prepare(wanted, isRGB: kind.isRGB) }
        try unsafe scale(frame.pointer, into: target.pointer)
        if kind.hasExactAlpha { AlphaCopy.copy(from: frame, to: target) }
    }

    private func scale(_ source: UnsafeMutablePointer<AVFrame>, into output: UnsafeMutablePointer<AVFrame>) throws {
        let rows = unsafe withUnsafePointer(to: &source.pointee.data) { from in
            unsafe withUnsafePointer(to: &source.pointee.linesize) { fromLines in
                unsafe withUnsafePointer(to: &output.pointee.data) { to in
                    unsafe withUnsafePointer(to: &output.pointee.linesize) { toLines in
                        unsafe sws_scale(
                            scaler,
                            UnsafeRawPointer(from).assumingMemoryBound(to: UnsafePointer<UInt8>?.self),
                            UnsafeRawPointer(fromLines).assumingMemoryBound(to: Int32.self), 0, source.pointee.height,
                            UnsafeRawPointer(to).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self),
                            UnsafeRawPointer(toLines).assumingMemoryBound(to: Int32.self))
                    }
                }
            }
        }
        try check(rows, "sws_scale", subject: subject)
    }

    private func prepare(_ wanted: Shape, isRGB: Bool) throws {
        unsafe sws_freeContext(scaler)
        unsafe (scaler, shape) = (nil, nil)
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        unsafe scaler = sws_getContext(
            wanted.width, wanted.height, AVPixelFormat(wanted.source), wanted.width, wanted.height,
            AVPixelFormat(wanted.target), flags, nil, nil, nil)
        guard let scaler = unsafe scaler else {
            throw SplitreelError(
                .mediaUnsupported, operation: "sws_getContext", subject: subject,
                reason: Libav.takeLogLine() ?? "the pixel format cannot be converted")
        }
        let standard =
            switch wanted.matrix {
            case .bt709: SWS_CS_ITU709
            case .bt601: SWS_CS_ITU601
            case .smpte240M: SWS_CS_SMPTE240M
            case .bt2020: SWS_CS_BT2020
            }
        let coefficients = unsafe sws_getCoefficients(standard)
        let sourceRange: Int32 = isRGB || wanted.isFullRange ? 1 : 0
        // A negative result says only that there was nothing to set: both sides are Y'CbCr of one kind.
        _ = unsafe sws_setColorspaceDetails(
            scaler, coefficients, sourceRange, coefficients, wanted.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
        shape = wanted
    }

    private struct Kind {
        var target: AVPixelFormat
        /// Whether the format is R'G'B', or floats of one component.
        var isRGB: Bool
        var isFloat: Bool
        var isFullByDefault: Bool
        /// Whether it is R'G'B' of whole numbers, converted without libswscale.
        var isExactRGB: Bool
        var isExactGray: Bool
        /// Whether its alpha is of whole numbers, to be copied as it is.
        var hasExactAlpha: Bool
    }

    private func kind(of format: AVPixelFormat) throws -> Kind {
        guard let description = format.descriptor, sws_isSupportedInput(format) > 0,
            description.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
        else {
            throw SplitreelError(
                .mediaUnsupported, operation: "converting", subject: subject,
                reason: "pixel format \(format.name ?? "unknown") is not handled")
        }
        let isXYZ = format == AV_PIX_FMT_XYZ12LE || format == AV_PIX_FMT_XYZ12BE
        let isFloat = FloatConversion.handles(description)
        let isRGB = isXYZ || isFloat || description.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
        let hasAlpha = description.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        let isGray = description.nb_components <= 2 && !isRGB
        let depth =
            description.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0
            ? 16 : isRGB && description.comp.0.depth < 8 ? 8 : max(8, Int(description.comp.0.depth))
        var chroma = (x: Int(description.log2_chroma_w), y: Int(description.log2_chroma_h))
        if isRGB || (isGray && hasAlpha) { chroma = (0, 0) } else if isGray { chroma = (1, 1) }
        if chroma.x > 1 || chroma.y > 1 || chroma.y > chroma.x { chroma = (0, 0) }
        guard let target = Self.planar(depth: depth, chroma: chroma, hasAlpha: hasAlpha) else {
            throw SplitreelError(
                .mediaUnsupported, operation: "converting", subject: subject,
                reason: "pixel format \(format.name ?? "unknown") is not handled")
        }
        return Kind(
            target: target, isRGB: isRGB, isFloat: isFloat, isFullByDefault: isGray,
            isExactRGB: RGBConversion.handles(description),
            isExactGray: isGray && !isFloat && description.comp.0.depth >= 8,
            hasExactAlpha: hasAlpha && !isFloat)
    }

    private static func planar(depth: Int, chroma: (x: Int, y: Int), hasAlpha: Bool) -> AVPixelFormat? {
        let layout = chroma == (0, 0) ? "444" : chroma == (1, 0) ? "422" : "420"
        let depths = hasAlpha ? (layout == "420" ? [8, 9, 10, 16] : [8, 9, 10, 12, 16]) : [8, 9, 10, 12, 14, 16]
        guard let fitting = depths.first(where: { $0 >= depth }) else { return nil }
        let format = AVPixelFormat(name: "yuv\(hasAlpha ? "a" : "")\(layout)p" + (fitting > 8 ? "\(fitting)le" : ""))
        return format == AV_PIX_FMT_NONE ? nil : format
    }
}
