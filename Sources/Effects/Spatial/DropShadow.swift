import Pictures
import SplitreelProject

/// A layer over its own blurred alpha, which is moved and has one colour.
struct DropShadow: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let (colour, offset) = (call.numbers("color"), call.numbers("offset"))
        guard source.isTransparentSomewhere, let target = output.alpha, colour.count == 4, offset.count == 2,
            colour[3] > 0
        else { return output.copy(source) }
        let encoding = source.encoding
        let width = target.width
        let height = target.height
        let depth = encoding.bitDepth
        let alpha = BlockShares(source, 0, 0, memory)
        let mover = MovedRow(x: offset[0] * call.scaleX, width: width, memory)
        let down = offset[1] * call.scaleY
        let radius = call.number("radius")
        let shadow = SmoothPlane(
            width: width, height: height, deviation: (radius * call.scaleX, radius * call.scaleY), outside: .clear,
            memory, "shadow.smooth"
        ) { y, row in
            let place = Double(y) - down
            let near = place.rounded(.down)
            row.update(repeating: 0, count: width)
            for (line, share) in [(near, 1 - (place - near)), (near + 1, place - near)]
            where share > 0 && line >= 0 && line < Double(height) {
                alpha.read(Int(line), into: mover.row)
                mover.add(Float(share), into: row)
            }
        }
        let painter = ShadowPainter(source, output, colour, memory)
        let whole = Float((1 << depth) - 1)
        let alphas = SampleRows(target, bitDepth: depth)
        let room = memory.floats("shadow.rows", 3 * (width + 24))
        let (own, under, total) = (room, room + width + 24, room + 2 * (width + 24))
        for y in 0..<height {
            alpha.read(y, into: own)
            shadow.row(y, into: under)
            let strength = Float(colour[3])
            for x in 0..<width {
                under[x] = max(0, min(1, under[x])) * strength * (1 - own[x])
                total[x] = (own[x] + under[x]) * whole
            }
            alphas.write(total, to: y)
            painter.paint(y, own, under)
        }
    }
}

/// A row that is moved by a part of a pixel, between two of its values.
private struct MovedRow {
    let row: UnsafeMutablePointer<Float>
    private let width, shift: Int
    private let part: Float

    init(x: Double, width: Int, _ memory: EffectMemory) {
        let held = min(max(x, -Double(width) - 2), Double(width) + 2)
        shift = Int(held.rounded(.down))
        part = Float(held - held.rounded(.down))
        self.width = width
        row = memory.floats("moved", width + 16)
    }

    func add(_ share: Float, into out: UnsafeMutablePointer<Float>) {
        for (shift, weight) in [(shift, 1 - part), (shift + 1, part)] where weight > 0 {
            let (start, end) = (min(max(shift, 0), width), max(min(width + shift, width), 0))
            guard start < end else { continue }
            for x in start..<end { out[x] += row[x - shift] * (weight * share) }
        }
    }
}

/// Mixes colours by the shares of the layer and of the shadow that is seen; chroma by those of its blocks.
private struct ShadowPainter {
    private let luma: (SampleRows, SampleRows)
    private let chroma: [(SampleRows, SampleRows, Float)]
    private let encoding: PixelEncoding
    private let code: Float
    private let height: Int
    private let row, own, under: UnsafeMutablePointer<Float>

    init(_ source: PlanarImage, _ output: PlanarImage, _ colour: [Double], _ memory: EffectMemory) {
        encoding = source.encoding
        height = source.luma.height
        let depth = encoding.bitDepth
        func rows(_ plane: Plane) -> SampleRows { SampleRows(plane, bitDepth: depth) }
        let scale = ColourScale(encoding)
        let shown = Colour(red: colour[0], green: colour[1], blue: colour[2]).brought(into: encoding.colour)
        let parts = [shown.red, shown.green, shown.blue].map { [Float](repeating: Float($0), count: 4) }
        var (lumas, blues, reds) = (parts[0], parts[0], parts[0])
        encodeColours(parts[0], parts[1], parts[2], scale, &lumas, &blues, &reds, 1)
        code = lumas[0]
        let (cb, cr) = (blues[0], reds[0])
        luma = (rows(source.luma), rows(output.luma))
        chroma = [
            (rows(source.cb), rows(output.cb), scale.chromaZero + cb * scale.chromaStep),
            (rows(source.cr), rows(output.cr), scale.chromaZero + cr * scale.chromaStep),
        ]
        let room = memory.floats("shadow.painter", 3 * (source.luma.width + 24))
        (row, own) = (room, room + source.luma.width + 24)
        under = room + 2 * (source.luma.width + 24)
    }

    func paint(_ y: Int, _ own: UnsafePointer<Float>, _ under: UnsafePointer<Float>) {
        luma.0.read(y, into: row)
        mixRow(row, own, under, code, luma.0.width)
        luma.1.write(row, to: y)
        let (shiftX, shiftY) = (encoding.chromaShiftX, encoding.chromaShiftY)
        let count = chroma[0].0.width
        if y & ((1 << shiftY) - 1) == 0 {
            self.own.update(repeating: 0, count: count)
            self.under.update(repeating: 0, count: count)
        }
        addBlocks(own, into: self.own, shiftX, luma.0.width, count)
        addBlocks(under, into: self.under, shiftX, luma.0.width, count)
        guard (y + 1) & ((1 << shiftY) - 1) == 0 || y == height - 1 else { return }
        for (source, target, code) in chroma {
            source.read(y >> shiftY, into: row)
            mixRow(row, self.own, self.under, code, count)
            target.write(row, to: y >> shiftY)
        }
    }
}

private func mixRow(
    _ row: UnsafeMutablePointer<Float>, _ own: UnsafePointer<Float>, _ under: UnsafePointer<Float>, _ code: Float,
    _ count: Int
) {
    for x in 0..<count where under[x] > 0 { row[x] = (row[x] * own[x] + code * under[x]) / (own[x] + under[x]) }
}
