import Foundation

/// Filters of planes: in an opaque picture edge samples go on; outside of one with alpha is nothing, and colours count
/// by their alpha.
extension Sheet {
    /// A plane to be filtered: which one it is, its pixels to a sample, and its value anywhere.
    struct Field {
        let plane: Int
        let width, height: Int
        let cell: (x: Int, y: Int)
        private let values: [Double]
        let isNothingOutside: Bool

        init(
            _ plane: Int, _ size: (width: Int, height: Int), _ cell: (x: Int, y: Int), _ values: [Double], isClear: Bool
        ) {
            (self.plane, width, height, self.cell) = (plane, size.width, size.height, cell)
            (self.values, isNothingOutside) = (values, isClear)
        }

        subscript(x: Int, y: Int) -> Double {
            if isNothingOutside, x < 0 || y < 0 || x >= width || y >= height { return 0 }
            return values[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
        }

        /// Linearly between samples, at a place in samples.
        func at(_ x: Double, _ y: Double) -> Double {
            let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
            let (right, low) = (x - x.rounded(.down), y - y.rounded(.down))
            let upper = self[left, top] * (1 - right) + self[left + 1, top] * right
            return upper * (1 - low) + (self[left, top + 1] * (1 - right) + self[left + 1, top + 1] * right) * low
        }

        /// At a place in pixels, the first one's centre being 0.
        func atPixel(_ x: Double, _ y: Double) -> Double {
            at(x / Double(cell.x), (y - (cell.y > 1 ? 0.5 : 0)) / Double(cell.y))
        }

        /// Where a sample stands, in such pixels.
        func pixel(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
            (Double(x * cell.x), Double(y * cell.y) + (cell.y > 1 ? 0.5 : 0))
        }

        /// New values of all samples.
        func map(_ value: (Int, Int) -> Double) -> [Double] {
            (0..<width * height).map { value($0 % width, $0 / width) }
        }
    }

    func field(_ plane: Int, _ values: [Double], isClear: Bool) -> Field {
        Field(plane, size(plane), format.cell(plane), values, isClear: isClear)
    }

    /// - Parameter clears: outside of an opaque picture is nothing too.
    func filtered(clears: Bool = false, _ filter: (Field) -> [Double]) -> Sheet {
        var result = self
        guard clears || !isOpaque else {
            for plane in 0..<3 { result.planes[plane] = filter(field(plane, planes[plane], isClear: false)) }
            return result
        }
        for plane in 0..<3 {
            let shares = shares(plane)
            let alpha = filter(field(plane, shares, isClear: true))
            let colour = filter(field(plane, zip(planes[plane], shares).map { $0 * $1 }, isClear: true))
            result.planes[plane] = zip(colour, alpha).map { $1 > 1e-4 ? $0 / $1 : 0 }
            if plane == 0 { result.alpha = alpha }
        }
        return result
    }

    /// Weights of a gaussian of a deviation in samples, from the middle on.
    private static func gaussian(_ deviation: Double) -> [Double] {
        guard deviation > 0.05 else { return [1] }
        let weights = (0...Int((4.5 * deviation).rounded(.up))).map {
            exp(-Double($0 * $0) / 2 / deviation / deviation)
        }
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        return weights.map { $0 / sum }
    }

    /// Weights of a box that reaches so many samples to each side.
    private static func box(_ reach: Double) -> [Double] {
        let whole = Int(reach)
        let all = [Double](repeating: 1, count: whole + 1) + [reach - Double(whole)]
        return all.map { $0 / (2 * reach + 1) }
    }

    /// Both axes by symmetric weights.
    private static func separable(_ field: Field, _ across: [Double], _ down: [Double]) -> [Double] {
        // Rows beyond the picture are filtered too: they may be nothing.
        let tall = Field(
            field.plane, (field.width, field.height), field.cell,
            field.map { x, y in
                across.indices.reduce(0.0) { sum, k in
                    sum + across[k] * (k == 0 ? field[x, y] : field[x - k, y] + field[x + k, y])
                }
            }, isClear: field.isNothingOutside)
        return tall.map { x, y in
            down.indices.reduce(0.0) { sum, k in
                sum + down[k] * (k == 0 ? tall[x, y] : tall[x, y - k] + tall[x, y + k])
            }
        }
    }

    static func blur(_ field: Field, _ deviation: (x: Double, y: Double)) -> [Double] {
        separable(
            field, gaussian(deviation.x / Double(field.cell.x)), gaussian(deviation.y / Double(field.cell.y)))
    }

    /// A box as wide on chroma, with its sample, as on luma.
    static func boxBlur(_ field: Field, _ radius: (x: Double, y: Double)) -> [Double] {
        func reach(_ radius: Double, _ cell: Int) -> Double { max(0, ((2 * radius + 1) / Double(cell) - 1) / 2) }
        return separable(field, box(reach(radius.x, field.cell.x)), box(reach(radius.y, field.cell.y)))
    }

    /// Twice a box of so many pixels to each side.
    static func twiceBoxed(_ field: Field, _ radius: (x: Double, y: Double)) -> [Double] {
        let (across, down) = (box(radius.x / Double(field.cell.x)), box(radius.y / Double(field.cell.y)))
        let once = Field(
            field.plane, (field.width, field.height), field.cell, separable(field, across, down), isClear: false)
        return separable(once, across, down)
    }
}
