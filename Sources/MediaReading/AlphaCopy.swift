internal import CFFmpeg
internal import Libav

/// Copies alpha out of any layout exactly: libswscale takes it through 15 bits, which moves it by a step.
struct AlphaCopy {
    private let rows: ComponentRows
    private let bitDepth: Int
    private var row: [UInt16]

    /// Prepares the copy; nil unless the target has alpha and is planar Y'CbCr of the source's size.
    init?(from source: borrowing Frame, to target: borrowing Frame) {
        guard let rows = ComponentRows(source.pixelFormat), let layout = PlanarLayout(target.pixelFormat),
            layout.hasAlpha
        else { return nil }
        (self.rows, bitDepth) = (rows, layout.bitDepth)
        row = [UInt16](repeating: 0, count: source.width)
    }

    /// Fills the target's alpha plane.
    static func copy(from source: borrowing Frame, to target: borrowing Frame) {
        guard var copy = AlphaCopy(from: source, to: target) else { return }
        for y in 0..<source.height { copy.copyRow(y, from: source, to: target) }
    }

    mutating func copyRow(_ y: Int, from source: borrowing Frame, to target: borrowing Frame) {
        guard let base = unsafe target.fields.data.3 else { return }
        rows.read(rows.alpha, y, of: source, into: &row)
        unsafe Self.write(row, to: base + y * Int(target.fields.linesize.3), from: rows.alphaDepth, to: bitDepth)
    }

    static func write(_ row: [UInt16], to out: UnsafeMutableRawPointer, from depth: Int, to target: Int) {
        let (top, whole) = ((1 << depth) - 1, (1 << target) - 1)
        for x in row.indices {
            let value = depth == target ? Int(row[x]) : (Int(row[x]) * whole + top / 2) / max(1, top)
            if target > 8 {
                unsafe out.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * x, as: UInt16.self)
            } else {
                unsafe out.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: x, as: UInt8.self)
            }
        }
    }
}

/// Converts gray, with or without alpha, to planar Y'CbCr without colour: every sample as it is, in the target's depth.
enum GrayConversion {
    static func convert(_ source: borrowing Frame, into target: borrowing Frame) {
        let (planes, strides) = unsafe (target.fields.data, target.fields.linesize)
        guard let rows = ComponentRows(source.pixelFormat), let layout = PlanarLayout(target.pixelFormat),
            let luma = unsafe planes.0, let cb = unsafe planes.1, let cr = unsafe planes.2
        else { return }
        var row = [UInt16](repeating: 0, count: source.width)
        for y in 0..<source.height {
            rows.read(0, y, of: source, into: &row)
            unsafe AlphaCopy.write(row, to: luma + y * Int(strides.0), from: rows.lumaDepth, to: layout.bitDepth)
        }
        let neutral = [UInt16](
            repeating: 1 << (layout.bitDepth - 1), count: -(-source.width >> layout.chromaShiftX))
        for y in 0..<(-(-source.height >> layout.chromaShiftY)) {
            unsafe AlphaCopy.write(neutral, to: cb + y * Int(strides.1), from: layout.bitDepth, to: layout.bitDepth)
            unsafe AlphaCopy.write(neutral, to: cr + y * Int(strides.2), from: layout.bitDepth, to: layout.bitDepth)
        }
        if layout.hasAlpha { AlphaCopy.copy(from: source, to: target) }
    }
}
