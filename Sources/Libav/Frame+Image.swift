package import CFFmpeg
package import Pictures

extension Frame {
    /// Hands out the planes of a planar Y'CbCr(A) picture of 8…16 bits; the pointers die with the closure.
    ///
    /// A frame of another layout is a programming fault: sources go through `SourceConversion` first.
    package borrowing func withImage<R>(_ body: (PlanarImage) throws -> R) rethrows -> R {
        try body(imageOfKeptFrame())
    }

    /// The frame's planes for a caller who keeps the frame, unchanged, as long as they are used: a picture of many
    /// layers would need a closure within a closure for each of them.
    package borrowing func imageOfKeptFrame() -> PlanarImage {
        let encoding = pixelEncoding
        guard let encoding, let luma = plane(0), let cb = plane(1), let cr = plane(2) else {
            preconditionFailure("an image needs a planar Y'CbCr picture, not \(pixelFormatName)")
        }
        return PlanarImage(luma: luma, cb: cb, cr: cr, alpha: hasAlphaPlane ? plane(3) : nil, encoding: encoding)
    }

    /// The colours that the samples stand for; nil where the picture is not planar Y'CbCr of 8…16 bits.
    ///
    /// Untagged pictures have the matrix of BT.709 from 720 lines up and that of BT.601 below, but that of BT.2020 with
    /// its primaries or in HDR. Their transfer and primaries are those of BT.709, or those of BT.2020 where an HDR
    /// transfer or BT.2020's matrix is tagged. Their range is limited unless tagged or `yuvj`.
    package var pixelEncoding: PixelEncoding? {
        let raw = fields
        guard let layout = PlanarLayout(pixelFormat) else { return nil }
        let tags = ColourTags(primaries: raw.color_primaries, transfer: raw.color_trc, matrix: raw.colorspace)
        let offset = chromaOffset(raw.chroma_location)
        let matrix = tags.knownMatrix ?? (tags.needsBT2020 ? .bt2020 : .ofUntagged(lines: Int(raw.height)))
        var colour = tags.triple ?? .bt709
        colour.matrix = matrix
        let isGuess = !tags.namesPrimaries
        if isGuess, colour.primaries.isOrdinary { colour.primaries = .bt709 }
        var encoding = PixelEncoding(
            bitDepth: layout.bitDepth, chromaShiftX: layout.chromaShiftX, chromaShiftY: layout.chromaShiftY,
            chromaOffsetX: layout.chromaShiftX > 0 ? offset.x : 0,
            chromaOffsetY: layout.chromaShiftY > 0 ? offset.y : 0,
            colour: colour,
            isFullRange: raw.color_range == AVCOL_RANGE_JPEG
                || (layout.isFullRangeByName && raw.color_range != AVCOL_RANGE_MPEG))
        encoding.guessesPrimaries = isGuess
        return encoding
    }

    /// Tags the frame with the overrides: its samples stand for those colours from now on.
    package func tag(_ overrides: ColourOverrides) {
        update {
            if let primaries = overrides.primaries { $0.color_primaries = ColourTags.tag(primaries) }
            if let transfer = overrides.transfer { $0.color_trc = ColourTags.tag(transfer) }
            if let matrix = overrides.matrix { $0.colorspace = ColourTags.tag(matrix) }
            if let isFull = overrides.isFullRange {
                $0.color_range = isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
            }
        }
    }

    /// Tags the frame with that matrix, unless it names one that is known.
    package func tag(untagged matrix: ColourMatrix) {
        update {
            let tags = ColourTags(primaries: $0.color_primaries, transfer: $0.color_trc, matrix: $0.colorspace)
            if tags.knownMatrix == nil { $0.colorspace = ColourTags.tag(matrix) }
        }
    }

    private var hasAlphaPlane: Bool { PlanarLayout(pixelFormat)?.hasAlpha ?? false }

    private func plane(_ index: Int) -> Plane? {
        guard let layout = PlanarLayout(pixelFormat) else { return nil }
        let base = unsafe withUnsafePointer(to: pointer.pointee.data) {
            unsafe $0.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { unsafe $0[index] }
        }
        let stride = unsafe withUnsafePointer(to: pointer.pointee.linesize) {
            unsafe $0.withMemoryRebound(to: Int32.self, capacity: 8) { unsafe Int($0[index]) }
        }
        guard let base = unsafe base else { return nil }
        let isChroma = index == 1 || index == 2
        return unsafe Plane(
            base: UnsafeMutableRawPointer(base), stride: stride,
            width: isChroma ? -(-width >> layout.chromaShiftX) : width,
            height: isChroma ? -(-height >> layout.chromaShiftY) : height)
    }

    /// The offset of chroma in luma samples; libav's "unspecified" is left, as in MPEG-2 and H.264.
    private func chromaOffset(_ location: AVChromaLocation) -> (x: Double, y: Double) {
        switch location {
        case AVCHROMA_LOC_CENTER: (0.5, 0.5)
        case AVCHROMA_LOC_TOPLEFT: (0, 0)
        case AVCHROMA_LOC_TOP: (0.5, 0)
        case AVCHROMA_LOC_BOTTOMLEFT: (0, 1)
        case AVCHROMA_LOC_BOTTOM: (0.5, 1)
        default: (0, 0.5)
        }
    }
}

/// The layouts that compositing takes as they are: planar Y'CbCr with or without alpha, native byte order, chroma
/// halved at most once in each direction (and never only vertically).
package struct PlanarLayout {
    package let bitDepth: Int
    package let chromaShiftX: Int
    package let chromaShiftY: Int
    package let hasAlpha: Bool
    package let isFullRangeByName: Bool

    package init?(_ format: AVPixelFormat) {
        guard let description = format.descriptor else { return nil }
        let refused = UInt64(
            AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
                | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BE)
        guard description.flags & refused == 0, description.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0,
            description.nb_components >= 3, av_pix_fmt_count_planes(format) == Int32(description.nb_components)
        else { return nil }
        let component = description.comp.0
        let (shiftX, shiftY) = (Int(description.log2_chroma_w), Int(description.log2_chroma_h))
        guard component.shift == 0, (8...16).contains(component.depth), shiftX <= 1, shiftY <= shiftX else {
            return nil
        }
        bitDepth = Int(component.depth)
        (chromaShiftX, chromaShiftY) = (shiftX, shiftY)
        hasAlpha = description.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        isFullRangeByName =
            format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_YUVJ422P || format == AV_PIX_FMT_YUVJ444P
    }
}
