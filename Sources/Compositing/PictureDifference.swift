import Foundation
package import Pictures

/// The difference of one picture from another, plane by plane, as ffmpeg's filters psnr and ssim define it.
package struct PictureDifference: Hashable, Sendable {
    /// The mean squares of the samples' differences, of Y', Cb and Cr.
    package var meanSquares: [Double]
    /// The similarities of Y', Cb and Cr, 1 for equal pictures.
    package var similarities: [Double]
    /// The numbers of samples of each plane: whole numbers, so that equal pictures are alike by exactly 1.
    private let samples: [Double]
    /// The largest code.
    private let peak: Double

    /// The mean square of all three planes, weighted by their samples; 0 for equal pictures.
    package var meanSquare: Double { mean(meanSquares) }

    /// The ratio of signal to noise in decibels; nil for equal pictures, whose ratio has no end.
    package var signalToNoise: Double? { decibels(meanSquare) }
    package var signalToNoiseOfLuma: Double? { decibels(meanSquares[0]) }

    /// The similarity of all three planes, weighted by their samples; 1 for equal pictures.
    package var similarity: Double { mean(similarities) }

    private func mean(_ values: [Double]) -> Double {
        zip(values, samples).reduce(0) { $0 + $1.0 * $1.1 } / samples.reduce(0, +)
    }

    /// The ratio in decibels for a mean square in pictures of these codes; nil for 0.
    package func decibels(_ meanSquare: Double) -> Double? {
        meanSquare > 0 ? 10 * log10(peak * peak / meanSquare) : nil
    }

    /// The difference of two pictures of one size, depth and subsampling; alpha is not looked at. Sums are whole
    /// numbers.
    package init(_ one: PlanarImage, _ other: PlanarImage) {
        let planes = [(one.luma, other.luma), (one.cb, other.cb), (one.cr, other.cr)]
        precondition(
            planes.allSatisfy { $0.width == $1.width && $0.height == $1.height }
                && one.encoding.bitDepth == other.encoding.bitDepth, "pictures of one shape are compared")
        let isWide = one.encoding.bitDepth > 8
        samples = planes.map { Double($0.0.width * $0.0.height) }
        peak = Double((1 << one.encoding.bitDepth) - 1)
        (meanSquares, similarities) = ([], [])
        for (first, second) in planes {
            var sums = PlaneSums(width: first.width, height: first.height)
            sums.add(first, second, isWide: isWide)
            meanSquares.append(Double(sums.squares) / Double(first.width * first.height))
            similarities.append(sums.similarity(peak: peak))
        }
    }
}

/// The sums that two planes are compared by: all squared differences, and for each cell of 4×4 samples the sums that
/// windows of four cells are made of.
private struct PlaneSums {
    /// The sums of one cell.
    struct Cell {
        var one = 0
        var other = 0
        /// The sum of both planes' squares; `products` is the sum of their products.
        var squares = 0
        var products = 0

        static func + (left: Cell, right: Cell) -> Cell {
            Cell(
                one: left.one + right.one, other: left.other + right.other, squares: left.squares + right.squares,
                products: left.products + right.products)
        }
    }

    private let width: Int
    private let height: Int
    private(set) var squares = 0
    private var cells: [Cell]
    private var columns: Int { width / 4 }
    private var rows: Int { height / 4 }

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        cells = Array(repeating: Cell(), count: (width / 4) * (height / 4))
    }

    mutating func add(_ first: Plane, _ second: Plane, isWide: Bool) {
        let one = UnsafeMutablePointer<UInt16>.allocate(capacity: 2 * width)
        defer { one.deallocate() }
        let other = one + width
        for y in 0..<height {
            read(first, y, isWide, into: one)
            read(second, y, isWide, into: other)
            squares += squaredDifferences(one, other, width)
            guard y / 4 < rows else { continue }
            let row = y / 4 * columns
            for column in 0..<columns { add(one + 4 * column, other + 4 * column, to: row + column) }
        }
    }

    private mutating func add(_ one: UnsafePointer<UInt16>, _ other: UnsafePointer<UInt16>, to cell: Int) {
        var sum = cells[cell]
        for x in 0..<4 {
            let (a, b) = (Int(one[x]), Int(other[x]))
            sum.one += a
            sum.other += b
            sum.squares += a * a + b * b
            sum.products += a * b
        }
        cells[cell] = sum
    }

    private func read(_ plane: Plane, _ y: Int, _ isWide: Bool, into row: UnsafeMutablePointer<UInt16>) {
        let source = plane.base + y * plane.stride
        if isWide {
            row.update(from: source.assumingMemoryBound(to: UInt16.self), count: width)
        } else {
            let bytes = source.assumingMemoryBound(to: UInt8.self)
            for x in 0..<width { row[x] = UInt16(bytes[x]) }
        }
    }

    /// The mean similarity of the windows of 8×8 samples, one every four samples each way. Planes smaller than a window
    /// have 1 where they are equal, and 0 where they are not.
    func similarity(peak: Double) -> Double {
        guard rows > 1, columns > 1 else { return squares == 0 ? 1 : 0 }
        // The constants are for the sums of 64 samples in a window, which are not divided by 64.
        let first = (0.01 * 0.01 * peak * peak * 64 + 0.5).rounded(.down)
        let second = (0.03 * 0.03 * peak * peak * 64 * 63 + 0.5).rounded(.down)
        var sum = 0.0
        for y in 1..<rows {
            for x in 1..<columns {
                let here = y * columns + x
                let window = cells[here] + cells[here - 1] + cells[here - columns] + cells[here - columns - 1]
                let both = window.one * window.one + window.other * window.other
                let variances = window.squares * 64 - both
                let product = window.one * window.other
                let covariance = window.products * 64 - product
                sum +=
                    (2 * Double(product) + first) * (2 * Double(covariance) + second)
                    / ((Double(both) + first) * (Double(variances) + second))
            }
        }
        return sum / Double((rows - 1) * (columns - 1))
    }
}

private func squaredDifferences(_ one: UnsafePointer<UInt16>, _ other: UnsafePointer<UInt16>, _ count: Int) -> Int {
    var sum = 0
    for x in 0..<count {
        let difference = Int(one[x]) - Int(other[x])
        sum += difference * difference
    }
    return sum
}
