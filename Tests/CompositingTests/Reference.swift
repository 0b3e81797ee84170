import Compositing
import Pictures

/// The composition rules once more, in plain doubles and loops, from the text alone: no code shared with the module.
struct Reference {
    let width, height: Int
    let encoding: PixelEncoding
    /// Sub-squares per side of a cell by which coverage is counted.
    var fineness = 20
    private(set) var planes: [[Double]] = []

    init(_ width: Int, _ height: Int, _ encoding: PixelEncoding, background: [Double]) {
        (self.width, self.height, self.encoding) = (width, height, encoding)
        for plane in 0..<3 {
            let (w, h) = size(plane)
            planes.append([Double](repeating: background[plane], count: w * h))
        }
    }

    private func size(_ plane: Int) -> (Int, Int) {
        guard plane > 0 else { return (width, height) }
        let (x, y) = (1 << encoding.chromaShiftX, 1 << encoding.chromaShiftY)
        return ((width + x - 1) / x, (height + y - 1) / y)
    }

    var samples: [[Int]] { planes.map { $0.map { Int($0) } } }

    /// Source and canvas must agree in matrix, range and depth; layouts and sitings may differ.
    mutating func draw(_ source: Picture, _ layer: LayerImage) {
        let t = layer.transform
        let determinant = t.a * t.d - t.c * t.b
        // Canvas pixel to source display pixel.
        func back(_ x: Double, _ y: Double) -> (Double, Double) {
            let (dx, dy) = (x - t.tx, y - t.ty)
            return ((t.d * dx - t.c * dy) / determinant, (t.a * dy - t.b * dx) / determinant)
        }
        let aspect = layer.pixelAspect
        var box = (0.0, 0.0, Double(source.width) * aspect, Double(source.height))
        if let crop = layer.crop {
            box = (
                max(box.0, crop.x), max(box.1, crop.y), min(box.2, crop.x + crop.width),
                min(box.3, crop.y + crop.height)
            )
        }
        for plane in 0..<3 {
            let (columns, rows) = size(plane)
            let (cellX, cellY) = plane == 0 ? (1, 1) : (1 << encoding.chromaShiftX, 1 << encoding.chromaShiftY)
            let (sourceX, sourceY) =
                plane == 0 ? (1, 1) : (1 << source.encoding.chromaShiftX, 1 << source.encoding.chromaShiftY)
            let offset = (cellX > 1 ? encoding.chromaOffsetX : 0, cellY > 1 ? encoding.chromaOffsetY : 0)
            let from = (
                sourceX > 1 ? source.encoding.chromaOffsetX : 0, sourceY > 1 ? source.encoding.chromaOffsetY : 0
            )
            // Source samples per canvas sample, by axis.
            let (cx, cy) = (Double(cellX), Double(cellY))
            let rx = hypot2(t.d / determinant * cx, -t.c / determinant * cy) / aspect / Double(sourceX)
            let ry = hypot2(-t.b / determinant * cx, t.a / determinant * cy) / Double(sourceY)
            for j in 0..<rows {
                for i in 0..<columns {
                    let covered = coverage(i, j, cellX, cellY, box, back)
                    guard covered > 0 else { continue }
                    let centre = back(Double(i * cellX) + 0.5 + offset.0, Double(j * cellY) + 0.5 + offset.1)
                    let u = (centre.0 / aspect - 0.5 - from.0) / Double(sourceX)
                    let v = (centre.1 - 0.5 - from.1) / Double(sourceY)
                    let value = sample(source, plane, u, v, max(1, rx), max(1, ry))
                    let under = planes[plane][j * columns + i]
                    let weight = covered * layer.opacity
                    planes[plane][j * columns + i] = (under + (value - under) * weight + 0.5).rounded(.down)
                }
            }
        }
    }

    private func hypot2(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

    private func coverage(
        _ i: Int, _ j: Int, _ cellX: Int, _ cellY: Int, _ box: (Double, Double, Double, Double),
        _ back: (Double, Double) -> (Double, Double)
    ) -> Double {
        var hits = 0
        func isInside(_ a: Double, _ b: Double) -> Bool {
            let p = back(Double(i * cellX) + a * Double(cellX), Double(j * cellY) + b * Double(cellY))
            return p.0 >= box.0 && p.0 < box.2 && p.1 >= box.1 && p.1 < box.3
        }
        let corners = [isInside(0, 0), isInside(1, 0), isInside(0, 1), isInside(1, 1)]
        if corners.allSatisfy({ $0 }) { return 1 }
        for b in 0..<fineness {
            for a in 0..<fineness
            where isInside((Double(a) + 0.5) / Double(fineness), (Double(b) + 0.5) / Double(fineness)) {
                hits += 1
            }
        }
        return Double(hits) / Double(fineness * fineness)
    }

    private func sample(
        _ source: Picture, _ plane: Int, _ u: Double, _ v: Double, _ hx: Double, _ hy: Double
    ) -> Double {
        let size = source.size(plane)
        var (sum, total) = (0.0, 0.0)
        for y in Int((v - hy).rounded(.up))...Int((v + hy).rounded(.down)) {
            let wy = max(0, 1 - abs(Double(y) - v) / hy)
            for x in Int((u - hx).rounded(.up))...Int((u + hx).rounded(.down)) {
                let w = wy * max(0, 1 - abs(Double(x) - u) / hx)
                sum += w * Double(source[plane, min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1)])
                total += w
            }
        }
        return sum / total
    }
}
