import ExactMath
package import Pictures

/// Measures the light of pictures in HDR: the brightest of each pixel's red, green and blue, by the standard's own
/// formulas, BT.2100's PQ or HLG on its display of 1,000 cd/m².
///
/// Integers alone: a grey has the light of its code, to 1/1000 cd/m². A pixel has the chroma sample of its block. One
/// thread at a time; memory is one row.
package final class LightMeter {
    /// The number of the table's places for each code of luma.
    static let places = 16

    private let chroma: (x: Int, y: Int)
    private let isWide: Bool
    private let offsets: ChromaOffsets
    private let tables: LightMeterTables
    private let memory = Scratch()

    /// - Parameter encoding: The pictures' encoding, PQ or HLG, limited range of 8 to 10 bits.
    package init(encoding: PixelEncoding) {
        precondition(encoding.colour.transfer.isHDR && !encoding.isFullRange, "Light is measured in films in HDR.")
        precondition((8...10).contains(encoding.bitDepth), "Films have 8 to 10 bits a sample.")
        chroma = (encoding.chromaShiftX, encoding.chromaShiftY)
        isWide = encoding.bitDepth > 8
        offsets = ChromaOffsets(encoding)
        tables = LightMeterTables(encoding)
    }

    package func measure(_ image: PlanarImage) -> MeasuredLight {
        let (width, height) = (image.luma.width, image.luma.height)
        let room = image.cb.width
        let rows = memory.int32s(3 * room)
        let components = ComponentOffsets(red: rows, green: rows + room, blue: rows + 2 * room)
        var (most, sum) = (UInt32(0), UInt64(0))
        for y in 0..<height {
            if y & ((1 << chroma.y) - 1) == 0 { read(image, row: y >> chroma.y, into: components) }
            let base = image.luma.base + y * image.luma.stride
            let row =
                isWide
                ? tables.measure(base.assumingMemoryBound(to: UInt16.self), components, chroma.x, count: width)
                : tables.measure(base.assumingMemoryBound(to: UInt8.self), components, chroma.x, count: width)
            most = max(most, row.most)
            sum += row.sum
        }
        let count = UInt64(max(1, width * height))
        return MeasuredLight(most: Int(most), average: Int((sum + count / 2) / count))
    }

    private func read(_ image: PlanarImage, row: Int, into out: ComponentOffsets) {
        let (cb, cr) = (image.cb.base + row * image.cb.stride, image.cr.base + row * image.cr.stride)
        if isWide {
            offsets.read(
                cb.assumingMemoryBound(to: UInt16.self), cr.assumingMemoryBound(to: UInt16.self), into: out,
                count: image.cb.width, joined: tables.joinsComponents)
        } else {
            offsets.read(
                cb.assumingMemoryBound(to: UInt8.self), cr.assumingMemoryBound(to: UInt8.self), into: out,
                count: image.cb.width, joined: tables.joinsComponents)
        }
    }
}

/// The places that a row's chroma adds to those of its luma.
struct ComponentOffsets {
    let red, green, blue: UnsafeMutablePointer<Int32>
}

/// The conversion from chroma codes to the places that they add to R', G' and B'.
private struct ChromaOffsets {
    private let red, greenFromCb, greenFromCr, blue: Int32
    private let zero, black: Int32

    init(_ encoding: PixelEncoding) {
        let scale = CodeScale(encoding)
        let weights = encoding.matrix.weights
        let green = 1 - weights.red - weights.blue
        let unit = scale.lumaStep / scale.chromaStep * Double(LightMeter.places << 16)
        let (ofCr, ofCb) = (2 * (1 - weights.red) * unit, 2 * (1 - weights.blue) * unit)
        (red, blue) = (Int32(ofCr.rounded()), Int32(ofCb.rounded()))
        greenFromCb = Int32((-weights.blue / green * ofCb).rounded())
        greenFromCr = Int32((-weights.red / green * ofCr).rounded())
        (zero, black) = (Int32(scale.chromaZero), Int32(scale.lumaZero) * Int32(LightMeter.places))
    }

    /// Converts a row of chroma. With `joined` red gets the largest of the three.
    func read<Sample: FixedWidthInteger>(
        _ cb: UnsafePointer<Sample>, _ cr: UnsafePointer<Sample>, into out: ComponentOffsets, count: Int, joined: Bool
    ) {
        for i in 0..<count {
            let (b, r) = (Int32(truncatingIfNeeded: cb[i]) &- zero, Int32(truncatingIfNeeded: cr[i]) &- zero)
            let ofRed = (r &* red &+ 0x8000) >> 16 &- black
            let ofGreen = (b &* greenFromCb &+ r &* greenFromCr &+ 0x8000) >> 16 &- black
            let ofBlue = (b &* blue &+ 0x8000) >> 16 &- black
            out.red[i] = joined ? max(ofRed, ofGreen, ofBlue) : ofRed
            (out.green[i], out.blue[i]) = (ofGreen, ofBlue)
        }
    }
}

/// The tables from places to light.
private final class LightMeterTables {
    /// Whether the largest component alone counts: PQ rises with its component, so that the largest one is the
    /// brightest.
    let joinsComponents: Bool
    private let top: Int32
    /// The light at each place: for PQ in 1/1000 cd/m², for HLG the scene's, of which 65,536 is 1.
    private let light: [UInt32]
    /// The factors of HLG's OOTF, by the luminance's upper bits: 65,536 of the scene's light in 1/1000 cd/m².
    private let gain: [UInt32]
    private let weights: (red: UInt32, green: UInt32, blue: UInt32)
    private static let gainShift: UInt32 = 4

    init(_ encoding: PixelEncoding) {
        let scale = CodeScale(encoding)
        joinsComponents = encoding.colour.transfer == .pq
        let last = joinsComponents ? scale.lumaStep : scale.maximum - scale.lumaZero
        let count = Int(last) * LightMeter.places
        let unit = 1 / (scale.lumaStep * Double(LightMeter.places))
        top = Int32(count)
        if joinsComponents {
            light = (0...count).map { UInt32((TransferCurve.pqLight(Double($0) * unit) * 1000).rounded()) }
            (gain, weights) = ([], (0, 0, 0))
            return
        }
        light = (0...count).map { UInt32((TransferCurve.hlg.light(Double($0) * unit) * 65_536).rounded()) }
        let luminance = encoding.colour.primaries.toXYZ.rows[1].map { UInt32(($0 * 65_536).rounded()) }
        weights = (luminance[0], 65_536 - luminance[0] - luminance[2], luminance[2])
        let brightest = (light.last ?? 0) >> Self.gainShift
        let peak = TransferCurve.hdrPeak * 1000
        gain = (0...brightest).map {
            let y = (Double($0) + 0.5) * Double(1 << Self.gainShift) / 65_536
            return UInt32((power(y, TransferCurve.hlgSystemGamma - 1) * peak).rounded())
        }
    }

    /// The brightest light of a row in 1/1000 cd/m², and the sum of all of its light.
    func measure<Sample: FixedWidthInteger>(
        _ luma: UnsafePointer<Sample>, _ offsets: ComponentOffsets, _ shift: Int, count: Int
    ) -> (most: UInt32, sum: UInt64) {
        light.withUnsafeBufferPointer { light in
            if joinsComponents {
                return measureRow(count) { x in
                    light[self.place(luma[x], offsets.red[x >> shift])]
                }
            }
            return gain.withUnsafeBufferPointer { gain in
                measureRow(count) { x in
                    let i = x >> shift
                    let r = light[self.place(luma[x], offsets.red[i])]
                    let g = light[self.place(luma[x], offsets.green[i])]
                    let b = light[self.place(luma[x], offsets.blue[i])]
                    let y =
                        (UInt64(r) * UInt64(weights.red) + UInt64(g) * UInt64(weights.green)
                            + UInt64(b) * UInt64(weights.blue)) >> 16
                    let factor = gain[min(Int(y >> UInt64(Self.gainShift)), gain.count - 1)]
                    return UInt32(truncatingIfNeeded: (UInt64(max(r, g, b)) * UInt64(factor)) >> 16)
                }
            }
        }
    }

    @inline(__always)
    private func place<Sample: FixedWidthInteger>(_ luma: Sample, _ offset: Int32) -> Int {
        let place = Int32(truncatingIfNeeded: luma) &* Int32(LightMeter.places) &+ offset
        return Int(min(max(place, 0), top))
    }

    @inline(__always)
    private func measureRow(_ count: Int, _ light: (Int) -> UInt32) -> (most: UInt32, sum: UInt64) {
        var (most, sum) = (UInt32(0), UInt64(0))
        for x in 0..<count {
            let value = light(x)
            most = max(most, value)
            sum &+= UInt64(value)
        }
        return (most, sum)
    }
}
