import Effects
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import Testing

/// The picture that a colour effect should make of another, in doubles, written from the documentation.
struct ColourReference {
    let picture: TestPicture

    private var kind: TransitionTests.Kind { picture.kind }
    private var unit: Double { Double(1 << (kind.bits - 8)) }

    /// BT.709 in limited range.
    private static let (red, blue) = (0.2126, 0.0722)

    func rgb(_ y: Double, _ cb: Double, _ cr: Double) -> [Double] {
        let luma = (y / unit - 16) / 219
        let (b, r) = ((cb / unit - 128) / 224, (cr / unit - 128) / 224)
        let (first, last) = (luma + 2 * (1 - Self.red) * r, luma + 2 * (1 - Self.blue) * b)
        return [first, (luma - Self.red * first - Self.blue * last) / (1 - Self.red - Self.blue), last]
    }

    func codes(_ rgb: [Double]) -> [Double] {
        let luma = Self.red * rgb[0] + (1 - Self.red - Self.blue) * rgb[1] + Self.blue * rgb[2]
        let (b, r) = ((rgb[2] - luma) / (2 * (1 - Self.blue)), (rgb[0] - luma) / (2 * (1 - Self.red)))
        return [(16 + 219 * luma) * unit, (128 + 224 * b) * unit, (128 + 224 * r) * unit]
    }

    /// A chroma plane at a luma sample, interpolated from where it is sited.
    func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let size = TestPicture.size(kind, plane)
        func parts(_ place: Double, _ count: Int) -> [(index: Int, weight: Double)] {
            let low = place.rounded(.down)
            return [(Int(low), 1 - (place - low)), (Int(low) + 1, place - low)].map {
                (min(max($0.0, 0), count - 1), $0.1)
            }
        }
        let across = parts(kind.shiftX > 0 ? Double(x) / 2 : Double(x), size.width)
        let down = parts(kind.shiftY > 0 ? (Double(y) - 0.5) / 2 : Double(y), size.height)
        var sum = 0.0
        for column in across {
            for row in down {
                sum += column.weight * row.weight * Double(picture.planes[plane][row.index * size.width + column.index])
            }
        }
        return sum
    }

    /// Colours of all pixels.
    var pixels: [[Double]] {
        (0..<kind.width * kind.height).map { index in
            let (x, y) = (index % kind.width, index / kind.width)
            return rgb(Double(picture.planes[0][index]), chroma(1, x, y), chroma(2, x, y))
        }
    }

    /// The codes of the three planes of a picture of such colours.
    func planes(_ colours: [[Double]]) -> [[Double]] {
        let all = colours.map { codes($0) }
        return (0..<3).map { plane in
            let size = TestPicture.size(kind, plane)
            return (0..<size.width * size.height).map { index in
                let (x, y) = (index % size.width, index / size.width)
                return Self.taps(kind, x, y, isChroma: plane > 0).reduce(0) {
                    $0 + $1.weight * all[$1.index][plane]
                }
            }
        }
    }

    /// The pixels that a sample is made of.
    static func taps(_ kind: TransitionTests.Kind, _ x: Int, _ y: Int, isChroma: Bool) -> [(index: Int, weight: Double)]
    {
        let columns: [(Int, Double)] =
            isChroma && kind.shiftX > 0 ? [(2 * x - 1, 0.25), (2 * x, 0.5), (2 * x + 1, 0.25)] : [(x, 1)]
        let rows: [(Int, Double)] = isChroma && kind.shiftY > 0 ? [(2 * y, 0.5), (2 * y + 1, 0.5)] : [(y, 1)]
        return columns.flatMap { column in
            rows.map { row in
                let place = (min(max(column.0, 0), kind.width - 1), min(max(row.0, 0), kind.height - 1))
                return (place.1 * kind.width + place.0, column.1 * row.1)
            }
        }
    }
}

extension TestPicture {
    /// The picture that an effect makes of another; `withAlpha` where the effect makes alpha.
    static func changed(
        _ id: String, _ params: JSONValue?, _ picture: TestPicture, files: [String: DataFile] = [:],
        withAlpha: Bool = false
    ) throws -> TestPicture {
        let description = try #require(EffectRegistry.description(of: id, version: nil))
        let kernel = try #require(EffectKernels.kernel(id: id, version: 1))
        var problems: [Problem] = []
        let parameters = EffectParameters(params, of: description, "", problems: &problems)
        try #require(problems.isEmpty, "\(problems)")
        let call = EffectCall(id: id, version: 1, values: parameters.values(at: .zero))
        let kind = picture.kind
        var result = TestPicture(
            TransitionTests.Kind(
                bits: kind.bits, shiftX: kind.shiftX, shiftY: kind.shiftY, width: kind.width, height: kind.height,
                hasAlpha: kind.hasAlpha || withAlpha), seed: 99)
        let memory = EffectMemory()
        memory.hold(files)
        picture.withImage { input in
            result.withWritableImage { kernel.render(call, [input], into: $0, memory) }
        }
        return result
    }

    /// How far the farthest sample of a plane is from what it should be, which codes of the depth bound.
    func worst(_ plane: Int, _ expected: [Double]) -> Double {
        let most = Double((1 << kind.bits) - 1)
        return zip(planes[plane], expected).reduce(0) { max($0, abs(Double($1.0) - min(max($1.1, 0), most))) }
    }
}
