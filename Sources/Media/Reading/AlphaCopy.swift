internal import CFFmpeg

/// Copies alpha out of any layout exactly: libswscale takes it through 15 bits, which moves it by a step.
enum AlphaCopy {
    /// Fills the target's alpha plane; both pictures have the same size, the target is planar Y'CbCr with alpha.
    static func copy(from source: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) {
        let format = AVPixelFormat(source.pointee.format)
        guard let description = av_pix_fmt_desc_get(format), let base = target.pointee.data.3,
            let layout = PlanarLayout(AVPixelFormat(target.pointee.format)), layout.hasAlpha
        else { return }
        let width = Int(source.pointee.width)
        var row = [UInt16](repeating: 0, count: width)
        let isPalette = description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
        let depth = isPalette ? 8 : alphaDepth(description.pointee)
        for y in 0..<Int(source.pointee.height) {
            if isPalette { readPalette(source, y, &row) } else { read(source, description, y, &row) }
            let out = UnsafeMutableRawPointer(base + y * Int(target.pointee.linesize.3))
            write(row, to: out, from: depth, to: layout.bitDepth)
        }
    }

    private static func alphaDepth(_ description: AVPixFmtDescriptor) -> Int {
        Int(description.nb_components == 2 ? description.comp.1.depth : description.comp.3.depth)
    }

    private static func read(
        _ source: UnsafeMutablePointer<AVFrame>, _ description: UnsafePointer<AVPixFmtDescriptor>, _ y: Int,
        _ row: inout [UInt16]
    ) {
        let component = Int32(description.pointee.nb_components) - 1
        let (width, data, lines) = (Int32(row.count), source.pointee.data, source.pointee.linesize)
        withUnsafePointer(to: data) { data in
            withUnsafePointer(to: lines) { lines in
                av_read_image_line2(
                    &row, UnsafeMutableRawPointer(mutating: data).assumingMemoryBound(to: UnsafePointer<UInt8>?.self),
                    UnsafeRawPointer(lines).assumingMemoryBound(to: Int32.self), description, 0, Int32(y), component, width,
                    0, 2)
            }
        }
    }

    /// A palette is 256 native words of alpha, red, green and blue.
    private static func readPalette(_ source: UnsafeMutablePointer<AVFrame>, _ y: Int, _ row: inout [UInt16]) {
        guard let indexes = source.pointee.data.0, let palette = source.pointee.data.1 else { return }
        let line = indexes + y * Int(source.pointee.linesize.0)
        let words = UnsafeRawPointer(palette)
        for x in row.indices {
            row[x] = UInt16(words.loadUnaligned(fromByteOffset: 4 * Int(line[x]), as: UInt32.self) >> 24)
        }
    }

    private static func write(_ row: [UInt16], to out: UnsafeMutableRawPointer, from depth: Int, to target: Int) {
        let (top, whole) = ((1 << depth) - 1, (1 << target) - 1)
        for x in row.indices {
            let value = depth == target ? Int(row[x]) : (Int(row[x]) * whole + top / 2) / max(1, top)
            if target > 8 {
                out.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * x, as: UInt16.self)
            } else {
                out.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: x, as: UInt8.self)
            }
        }
    }
}
