/// One plane of a source, sampled with a triangle along each of its axes; its edge samples go on for ever.
struct Sampler {
    private let plane: Planes.Plane
    /// 0 to 1, as large as `plane`; nil where the source is opaque.
    private let alpha: [Float]?
    /// Display pixels to a sample.
    private let scale: (x: Double, y: Double)
    /// Where the first sample sits, in samples.
    private let shift: (x: Double, y: Double)
    /// Half the triangle's base, in samples.
    private let half: (x: Double, y: Double)

    /// - Parameters:
    ///   - pixel: one of the source's, in display pixels.
    ///   - reach: display pixels of the source to one step on the canvas.
    init(_ source: Planes, _ index: Int, _ pixel: (x: Double, y: Double), _ reach: (x: Double, y: Double)) {
        let cell = source.format.cell(index)
        plane = source.planes[index]
        alpha = source.planes.count > 3 ? Self.means(source.planes[3], cell, top: source.alphaTop) : nil
        scale = (pixel.x * Double(cell.x), pixel.y * Double(cell.y))
        shift = source.place(ofPlane: index)
        half = (max(1, reach.x / scale.x), max(1, reach.y / scale.y))
    }

    init(_ source: Planes, _ index: Int, _ pixelAspect: Double, _ reach: (x: Double, y: Double)) {
        self.init(source, index, (pixelAspect, 1), reach)
    }

    /// At a point in display pixels: the value times alpha, and alpha.
    func sample(_ x: Double, _ y: Double) -> (value: Double, alpha: Double) {
        let (u, v) = (x / scale.x - shift.x, y / scale.y - shift.y)
        var (sum, opaque, total) = (0.0, 0.0, 0.0)
        for row in Int((v - half.y).rounded(.up))...Int((v + half.y).rounded(.down)) {
            let high = 1 - abs(Double(row) - v) / half.y
            let line = min(max(row, 0), plane.height - 1) * plane.width
            for column in Int((u - half.x).rounded(.up))...Int((u + half.x).rounded(.down)) {
                let weight = high * (1 - abs(Double(column) - u) / half.x)
                let position = line + min(max(column, 0), plane.width - 1)
                var seen = weight
                if let alpha { seen *= Double(alpha[position]) }
                sum += seen * Double(plane.values[position])
                opaque += seen
                total += weight
            }
        }
        return (sum / total, opaque / total)
    }

    /// Alpha's means over each cell, what lies outside of the picture left out.
    private static func means(_ plane: Planes.Plane, _ cell: (x: Int, y: Int), top: Float) -> [Float] {
        let (columns, rows) = ((plane.width + cell.x - 1) / cell.x, (plane.height + cell.y - 1) / cell.y)
        return (0..<(columns * rows)).map { position in
            var (sum, count): (Float, Float) = (0, 0)
            for y in 0..<cell.y {
                for x in 0..<cell.x {
                    let (row, column) = (position / columns * cell.y + y, position % columns * cell.x + x)
                    guard row < plane.height, column < plane.width else { continue }
                    sum += plane.values[row * plane.width + column]
                    count += 1
                }
            }
            return sum / count / top
        }
    }
}
