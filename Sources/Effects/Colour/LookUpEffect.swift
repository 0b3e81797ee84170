import MediaFacts
import Pictures
import SplitreelProject

/// A LUT from a .cube file: by component linearly, by a lattice tetrahedrally.
struct LookUpEffect: EffectKernel {
    private struct Name: Hashable {
        var sum: String
        var encoding: PixelEncoding
    }

    /// The form of a file for pictures of one encoding.
    enum Look {
        case lattice(Lattice)
        case curves(CurveTables)
        /// No look: planning refuses such files.
        case none
    }

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let (input, amount) = (inputs[0], Float(call.number("amount")))
        guard amount > 0, let file = memory.file("lut", of: call) else { return copyPicture(input, output) }
        let look: Look = memory.table(Name(sum: file.sum, encoding: input.encoding)) {
            guard let table = try? LookUpTable(file, path: "") else { return .none }
            return table.look(ColourCodes(input.encoding))
        }
        let room = memory.floats("look.room", max(latticeRoom, curveRoom))
        let change: (ColourRow) -> Void
        switch look {
        case .lattice(let lattice): change = { latticeRow($0, lattice, room: room) }
        case .curves(let tables): change = { curveRow($0, tables, room: room) }
        case .none: return copyPicture(input, output)
        }
        let pass = ColourPass(input, memory)
        guard amount < 1 else { return pass.run(input, output, change) }
        let length = input.luma.width + 8
        let old = (0..<3).map { memory.floats("look.old\($0)", length) }
        pass.run(input, output) { row in
            let parts = zip(old, [row.luma, row.cb, row.cr])
            for (kept, new) in parts { kept.update(from: new, count: row.count) }
            change(row)
            for (kept, new) in parts { mixRow(kept, new, amount, row.count) }
        }
    }
}

private func mixRow(_ old: UnsafePointer<Float>, _ new: UnsafeMutablePointer<Float>, _ amount: Float, _ count: Int) {
    var i = 0
    while i < count {
        put(four(old, i) + (four(new, i) - four(old, i)) * amount, new, i)
        i &+= 4
    }
}

extension LookUpTable {
    func look(_ codes: ColourCodes) -> LookUpEffect.Look {
        if isByComponent { return .curves(CurveTables(codes, (0..<3).map { component in { value($0, component) } })) }
        let scale = (0..<3).map { Double(size - 1) / (high[$0] - low[$0]) }
        let places = zip(codes.decoding, zip(scale, low)).map { row, end in
            Four(
                Float(row.luma * end.0), Float(row.cb * end.0), Float(row.cr * end.0),
                Float((row.offset - end.1) * end.0))
        }
        return .lattice(
            Lattice(size: size, places: places) { k in
                codes.encoded([Double(values[3 * k]), Double(values[3 * k + 1]), Double(values[3 * k + 2])])
            })
    }

    /// A component's value in a table of its own, linear between two rows.
    private func value(_ x: Double, _ component: Int) -> Double {
        let place = (x - low[component]) / (high[component] - low[component]) * Double(size - 1)
        let bounded = min(max(place, 0), Double(size - 1))
        let index = min(Int(bounded), size - 2)
        let (from, to) = (Double(values[3 * index + component]), Double(values[3 * index + 3 + component]))
        return from + (to - from) * (bounded - Double(index))
    }
}
