internal import CFFmpeg

/// Copies alpha out of any layout exactly: libswscale takes it through 15 bits, which moves it by a step.
enum AlphaCopy {
    /// Fills the target's alpha plane; both pictures have the same size, the target is planar Y'CbCr with alpha.
    static func copy(from source: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) {
        guard let rows = ComponentRows(source), let base = target.pointee.data.3,
            let layout = PlanarLayout(AVPixelFormat(target.pointee.format)), layout.hasAlpha
        else { return }
        var row = [UInt16](repeating: 0, count: Int(source.pointee.width))
        for y in 0..<Int(source.pointee.height) {
            rows.read(rows.alpha, y, into: &row)
            let out = UnsafeMutableRawPointer(base + y * Int(target.pointee.linesize.3))
            write(row, to: out, from: rows.alphaDepth, to: layout.bitDepth)
        }
    }

    static func write(_ row: [UInt16], to out: UnsafeMutableRawPointer, from depth: Int, to target: Int) {
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

/// Gray, with or without alpha, to planar Y'CbCr without colour: every sample as it is, in the target's depth.
enum GrayConversion {
    static func convert(_ source: UnsafeMutablePointer<AVFrame>, into target: UnsafeMutablePointer<AVFrame>) {
        guard let rows = ComponentRows(source), let luma = target.pointee.data.0,
            let layout = PlanarLayout(AVPixelFormat(target.pointee.format))
        else { return }
        var row = [UInt16](repeating: 0, count: Int(source.pointee.width))
        for y in 0..<Int(source.pointee.height) {
            rows.read(0, y, into: &row)
            let out = UnsafeMutableRawPointer(luma + y * Int(target.pointee.linesize.0))
            AlphaCopy.write(row, to: out, from: rows.lumaDepth, to: layout.bitDepth)
        }
        let neutral = [UInt16](
            repeating: 1 << (layout.bitDepth - 1), count: -(-Int(source.pointee.width) >> layout.chromaShiftX))
        for y in 0..<(-(-Int(source.pointee.height) >> layout.chromaShiftY)) {
            for (plane, stride) in [
                (target.pointee.data.1, target.pointee.linesize.1), (target.pointee.data.2, target.pointee.linesize.2),
            ] {
                guard let plane else { continue }
                let out = UnsafeMutableRawPointer(plane + y * Int(stride))
                AlphaCopy.write(neutral, to: out, from: layout.bitDepth, to: layout.bitDepth)
            }
        }
        if layout.hasAlpha { AlphaCopy.copy(from: source, to: target) }
    }
}
