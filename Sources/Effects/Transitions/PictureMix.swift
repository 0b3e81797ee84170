import Pictures

/// Two pictures mixed by a mask's weights, by alpha too where there is some.
///
/// A luma sample has its pixel's weight. A chroma sample stands for the area of as many pixels about its own place
/// (with left siting half of the column before, one whole and half of the next) and has the mean weight of that area:
/// the triangle filter by which chroma is made of pixels. Where all weights are 0 or 1, codes are copied.
struct PictureMix {
    /// The two pictures; each may be `output`: samples are read before they are written.
    let from, to: PlanarImage
    let output: PlanarImage
    let memory: EffectMemory

    private var width: Int { output.luma.width }
    private var height: Int { output.luma.height }
    private var layout: ChromaLayout { ChromaLayout(output.encoding) }
    private var depth: Int { output.encoding.bitDepth }

    /// Mixes the whole picture by one weight.
    func evenly(_ weight: Double) { mix(by: EvenMask(weight: Float(weight))) }

    func mix(by mask: some WeightMask) {
        if from.alpha != nil || to.alpha != nil {
            mixWithAlpha(by: mask)
        } else {
            output.alpha.map { SampleRows($0, bitDepth: depth) }?.fill(UInt16((1 << depth) - 1))
            mixOpaque(by: mask)
        }
    }

    // MARK: - Without alpha

    private func mixOpaque(by mask: some WeightMask) {
        let step = 1 << layout.shiftY
        let rows = (0..<step).map { memory.floats("mix.row\($0)", width) }
        let (tall, chroma) = (memory.floats("mix.tall", width), memory.floats("mix.chroma", width))
        var kinds = [MaskRow](repeating: .even(0), count: step)
        var kind = MaskRow.even(0)
        let luma = PlaneMix(from.luma, to.luma, output.luma, depth: depth)
        let others = [
            PlaneMix(from.cb, to.cb, output.cb, depth: depth), PlaneMix(from.cr, to.cr, output.cr, depth: depth),
        ]
        for (index, y) in stride(from: 0, to: height, by: step).enumerated() {
            if y == 0 || !mask.rowsAreEqual {
                for k in 0..<step {
                    // Beyond the last row lies the last row.
                    kinds[k] = mask.row(min(y + k, height - 1), into: rows[k])
                }
                kind = chromaRow(kinds, rows, tall, chroma)
            }
            for k in 0..<min(step, height - y) { luma.mix(y + k, kinds[k], rows[k]) }
            for plane in others { plane.mix(index, kind, chroma) }
        }
    }

    /// Makes the weights of a row of chroma of those of its rows of luma.
    private func chromaRow(
        _ kinds: [MaskRow], _ rows: [UnsafeMutablePointer<Float>], _ tall: UnsafeMutablePointer<Float>,
        _ chroma: UnsafeMutablePointer<Float>
    ) -> MaskRow {
        let second = kinds.count - 1
        if case .even(let first) = kinds[0], case .even(let last) = kinds[second] {
            return .even(second == 0 ? first : (first + last) * 0.5)
        }
        var (low, high) = (width, 0)
        for (kind, row) in zip(kinds, rows) {
            switch kind {
            case .even(let weight): row.update(repeating: weight, count: width)
            case .varied(let range): (low, high) = (min(low, range.lowerBound), max(high, range.upperBound))
            }
        }
        let span = min(low, high)..<high
        var row = rows[0]
        if second > 0 {
            // Beyond the changing columns only the row's ends are asked for.
            let near = max(0, span.lowerBound - 4)..<min(width, span.upperBound + 4)
            for range in [near, 0..<min(4, width), max(0, width - 4)..<width] {
                average(rows[0], rows[1], into: tall, range)
            }
            row = tall
        }
        return filtered(row, into: chroma, changing: span)
    }

    private func filtered(
        _ row: UnsafeMutablePointer<Float>, into chroma: UnsafeMutablePointer<Float>, changing span: Range<Int>
    ) -> MaskRow {
        let count = output.cb.width
        guard layout.shiftX > 0 else {
            chroma.update(from: row, count: count)
            return .varied(span)
        }
        let low = min(max(0, span.lowerBound / 2 - 1), count)
        let changing = low..<max(low, min(count, span.upperBound / 2 + 2))
        for columns in [changing, 0..<min(1, count), max(0, count - 1)..<count] {
            if layout.isCosited {
                filterCosited(row, count: width, into: chroma, columns)
            } else {
                filterCentred(row, count: width, into: chroma, columns)
            }
        }
        return .varied(changing)
    }

    // MARK: - With alpha

    private func mixWithAlpha(by mask: some WeightMask) {
        let step = 1 << layout.shiftY
        let scratch = (0..<step).map { AlphaRows(memory, $0, width) }
        let chroma = AlphaRows(memory, 2, width)
        let share = memory.floats("mix.share", width)
        let luma = PlaneMix(from.luma, to.luma, output.luma, depth: depth)
        let others = [
            PlaneMix(from.cb, to.cb, output.cb, depth: depth), PlaneMix(from.cr, to.cr, output.cr, depth: depth),
        ]
        for (index, y) in stride(from: 0, to: height, by: step).enumerated() {
            for k in 0..<step {
                let rows = scratch[k]
                let line = min(y + k, height - 1)
                if case .even(let weight) = mask.row(line, into: rows.weights) {
                    rows.weights.update(repeating: weight, count: width)
                }
                guard y + k < height else {
                    rows.copy(scratch[0], width)
                    continue
                }
                read(from.alpha, line, into: rows.first)
                read(to.alpha, line, into: rows.second)
                alphaParts(
                    rows.first, rows.second, rows.weights, parts: rows.parts, totals: rows.totals, count: width)
                shares(rows.parts, of: rows.totals, rows.weights, into: share, count: width)
                luma.mix(line, .varied(0..<width), share)
                guard let alpha = output.alpha else { continue }
                rows.first.update(from: rows.totals, count: width)
                scale(rows.first, by: Float((1 << depth) - 1), count: width)
                SampleRows(alpha, bitDepth: depth).write(rows.first, to: line)
            }
            for (source, target) in [
                (\AlphaRows.parts, chroma.parts), (\.totals, chroma.totals), (\.weights, chroma.weights),
            ] {
                var row = scratch[0][keyPath: source]
                if step > 1 {
                    average(row, scratch[1][keyPath: source], into: share, 0..<width)
                    row = share
                }
                _ = filtered(row, into: target, changing: 0..<width)
            }
            let count = output.cb.width
            shares(chroma.parts, of: chroma.totals, chroma.weights, into: share, count: count)
            for plane in others { plane.mix(index, .varied(0..<count), share) }
        }
    }

    /// Reads a row of alpha as shares of 1; 1 without alpha.
    private func read(_ alpha: Plane?, _ y: Int, into row: UnsafeMutablePointer<Float>) {
        guard let alpha else { return row.update(repeating: 1, count: width) }
        SampleRows(alpha, bitDepth: depth).read(y, into: row)
        scale(row, by: 1 / Float((1 << depth) - 1), count: width)
    }

    private struct AlphaRows {
        let weights, first, second, parts, totals: UnsafeMutablePointer<Float>

        init(_ memory: EffectMemory, _ index: Int, _ width: Int) {
            weights = memory.floats("mix.weights\(index)", width)
            first = memory.floats("mix.first\(index)", width)
            second = memory.floats("mix.second\(index)", width)
            parts = memory.floats("mix.parts\(index)", width)
            totals = memory.floats("mix.totals\(index)", width)
        }

        func copy(_ other: AlphaRows, _ width: Int) {
            weights.update(from: other.weights, count: width)
            parts.update(from: other.parts, count: width)
            totals.update(from: other.totals, count: width)
        }
    }
}

/// A mask with the same weight everywhere.
private struct EvenMask: WeightMask {
    let weight: Float

    var rowsAreEqual: Bool { true }

    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> MaskRow { .even(weight) }
}

/// The mix of one plane of two pictures.
private struct PlaneMix {
    private let from, to, out: SampleRows
    private let width: Int
    private let isWide: Bool

    init(_ from: Plane, _ to: Plane, _ out: Plane, depth: Int) {
        self.from = SampleRows(from, bitDepth: depth)
        self.to = SampleRows(to, bitDepth: depth)
        self.out = SampleRows(out, bitDepth: depth)
        (width, isWide) = (out.width, depth > 8)
    }

    func mix(_ y: Int, _ kind: MaskRow, _ weights: UnsafePointer<Float>) {
        switch kind {
        case .even(let weight): mix(y, 0..<width, evenly: weight)
        case .varied(let range):
            guard width > 0 else { return }
            let range = range.clamped(to: 0..<width)
            mix(y, 0..<range.lowerBound, evenly: weights[0])
            mix(y, range, weights)
            mix(y, range.upperBound..<width, evenly: weights[width - 1])
        }
    }

    private func mix(_ y: Int, _ range: Range<Int>, evenly weight: Float) {
        guard !range.isEmpty else { return }
        let (x, count) = (range.lowerBound, range.count)
        if weight <= 0 || weight >= 1 {
            let source = weight <= 0 ? from : to
            if source.address(x, y) != out.address(x, y) { out.copy(y, from: x, count: count, of: source) }
        } else if isWide {
            mixWordsEvenly(
                words(from, x, y), words(to, x, y), weight, into: words(out, x, y), count: count)
        } else {
            mixBytesEvenly(
                bytes(from, x, y), bytes(to, x, y), weight, into: bytes(out, x, y), count: count)
        }
    }

    private func mix(_ y: Int, _ range: Range<Int>, _ weights: UnsafePointer<Float>) {
        guard !range.isEmpty else { return }
        let (x, count) = (range.lowerBound, range.count)
        if isWide {
            mixWords(
                words(from, x, y), words(to, x, y), weights + x, into: words(out, x, y), count: count)
        } else {
            mixBytes(
                bytes(from, x, y), bytes(to, x, y), weights + x, into: bytes(out, x, y), count: count)
        }
    }

    private func bytes(_ rows: SampleRows, _ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        rows.address(x, y).assumingMemoryBound(to: UInt8.self)
    }

    private func words(_ rows: SampleRows, _ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt16> {
        rows.address(x, y).assumingMemoryBound(to: UInt16.self)
    }
}
