internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import Pictures

/// A decoded picture that is looked at more than once, with its luma in 8 bits. Planar Y'CbCr(A) only.
@safe
final class KeptPicture {
    let frame: Frame
    /// The upper 8 bits of deeper samples; empty where the picture's own are bytes.
    private let narrowed: [UInt8]
    private let luma: Plane

    init(_ frame: consuming Frame) {
        let image = frame.imageOfKeptFrame()
        let shift = image.encoding.bitDepth - 8
        luma = image.luma
        var narrowed: [UInt8] = []
        if shift > 0 {
            let plane = image.luma
            narrowed.reserveCapacity(plane.width * plane.height)
            for y in 0..<plane.height {
                let row = unsafe (plane.base + y * plane.stride).assumingMemoryBound(to: UInt16.self)
                for x in 0..<plane.width { unsafe narrowed.append(UInt8(truncatingIfNeeded: row[x] >> shift)) }
            }
        }
        self.narrowed = narrowed
        self.frame = frame
    }

    func isLike(_ other: KeptPicture) -> Bool {
        let (mine, theirs) = (frame.fields, other.frame.fields)
        return (mine.width, mine.height, mine.format) == (theirs.width, theirs.height, theirs.format)
    }

    func withLuma<Result>(_ body: (FieldKernels.Luma) -> Result) -> Result {
        let (width, height) = (luma.width, luma.height)
        guard narrowed.isEmpty else {
            return unsafe narrowed.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { preconditionFailure("a picture has samples") }
                return unsafe body(FieldKernels.Luma(base: base, stride: width, width: width, height: height))
            }
        }
        let base = unsafe UnsafePointer(luma.base.assumingMemoryBound(to: UInt8.self))
        return unsafe body(FieldKernels.Luma(base: base, stride: luma.stride, width: width, height: height))
    }

    /// A frame of its own even rows and of the odd rows of the other picture, which is of the same size and format.
    func woven(with other: KeptPicture) throws -> Frame {
        let (format, fields) = (frame.pixelFormat, frame.fields)
        let made = try Frame()
        try made.allocate(format, width: fields.width, height: fields.height, alignment: 64, subject: "a film frame")
        try made.copyProperties(of: frame, subject: "a film frame")
        made.update { $0.interlaced_frame = 0 }
        for plane in 0..<4 {
            guard let to = unsafe made.rows(plane), let top = unsafe frame.rows(plane),
                let bottom = unsafe other.frame.rows(plane)
            else { break }
            for y in unsafe 0..<to.count {
                let from = unsafe y % 2 == 0 ? top : bottom
                unsafe (to.base + y * to.stride).update(from: from.base + y * from.stride, count: to.bytes)
            }
        }
        return made
    }
}

extension Frame {
    /// A plane as bytes; nil where there is none.
    fileprivate func rows(_ plane: Int) -> (base: UnsafeMutablePointer<UInt8>, stride: Int, bytes: Int, count: Int)? {
        guard plane < av_pix_fmt_count_planes(pixelFormat), let layout = PlanarLayout(pixelFormat) else { return nil }
        let image = imageOfKeptFrame()
        let planes = [image.luma, image.cb, image.cr] + (image.alpha.map { [$0] } ?? [])
        let one = planes[plane]
        return unsafe (
            one.base.assumingMemoryBound(to: UInt8.self), one.stride, one.width * (layout.bitDepth > 8 ? 2 : 1),
            one.height
        )
    }
}
