import Foundation
import TestTools

/// SVG path data of absolute M, L, C and Z, one letter for each segment.
struct ShapePath {
    private var letters: [Character] = []
    private(set) var numbers: [Double] = []

    init(svg: String) throws {
        for word in svg.replacingOccurrences(of: ",", with: " ").split(separator: " ") {
            if let number = Double(word) {
                numbers.append(number)
            } else if word.count == 1, let letter = word.first, "MLCZ".contains(letter) {
                letters.append(letter)
            } else {
                throw ToolFailure("the reference knows no \(word) in a path")
            }
        }
    }

    func with(_ numbers: [Double]) -> ShapePath {
        var result = self
        result.numbers = numbers
        return result
    }

    private static func count(_ letter: Character) -> Int { letter == "C" ? 6 : letter == "Z" ? 0 : 2 }

    var svg: String {
        var rest = numbers[...]
        return letters.map { letter in
            let own = rest.prefix(Self.count(letter))
            rest = rest.dropFirst(own.count)
            return ([String(letter)] + own.map { "\($0)" }).joined(separator: " ")
        }.joined(separator: " ")
    }

    /// Lines, and whether they are closed.
    var lines: [ShapeLine] {
        var (result, rest) = ([ShapeLine](), numbers[...])
        for letter in letters {
            let own = Array(rest.prefix(Self.count(letter)))
            rest = rest.dropFirst(own.count)
            switch letter {
            case "M": result.append(ShapeLine(points: [SIMD2(own[0], own[1])]))
            case "L": result[result.count - 1].points.append(SIMD2(own[0], own[1]))
            case "C":
                let start = result[result.count - 1].points.last ?? .zero
                let (b, c, d) = (SIMD2(own[0], own[1]), SIMD2(own[2], own[3]), SIMD2(own[4], own[5]))
                for step in 1...64 {
                    let t = Double(step) / 64
                    let (near, far) = ((1 - t) * (1 - t), t * t)
                    let point = start * (near * (1 - t)) + b * (3 * near * t) + c * (3 * (1 - t) * far) + d * (far * t)
                    result[result.count - 1].points.append(point)
                }
            default: result[result.count - 1].isClosed = true
            }
        }
        return result
    }
}

/// Points joined by straight lines.
struct ShapeLine {
    var points: [SIMD2<Double>]
    var isClosed = false

    /// Its pieces, the closing one too.
    var pieces: [(SIMD2<Double>, SIMD2<Double>)] {
        let next = isClosed ? points.dropFirst() + [points[0]] : points.dropFirst()
        return Array(zip(points, next))
    }
}

/// A shape: counted at points, with lines that have round ends and joints.
struct ShapeSheet {
    private let json: JSON
    private let lines: [ShapeLine]
    private let width: Double

    init(_ json: JSON) throws {
        self.json = json
        if !json["path"].isAbsent {
            lines = try ShapePath(svg: json["path"].text).lines
        } else if !json["polygon"].isAbsent {
            lines = [ShapeLine(points: try json["polygon"].list.map { SIMD2(try $0.numbers) }, isClosed: true)]
        } else if !json["ellipse"].isAbsent {
            lines = [Self.ellipse(try json["ellipse"].numbers)]
        } else {
            lines = [Self.box(try json["rect"].numbers, try json["cornerRadius"].ifPresent { try $0.number } ?? 0)]
        }
        width = try json["lineWidth"].ifPresent { try $0.number } ?? 1
    }

    /// From the right, clockwise as it is seen.
    private static func ellipse(_ box: [Double]) -> ShapeLine {
        let (middle, half) = (SIMD2(box[0] + box[2] / 2, box[1] + box[3] / 2), SIMD2(box[2] / 2, box[3] / 2))
        return ShapeLine(
            points: (0..<360).map { middle + half * SIMD2(cos(Double($0) * .pi / 180), sin(Double($0) * .pi / 180)) },
            isClosed: true)
    }

    private static func box(_ box: [Double], _ radius: Double) -> ShapeLine {
        let round = min(radius, box[2] / 2, box[3] / 2)
        let (left, top) = (box[0] + round, box[1] + round)
        let (right, low) = (box[0] + box[2] - round, box[1] + box[3] - round)
        let points = [(right, top, 270), (right, low, 0), (left, low, 90), (left, top, 180)].flatMap { x, y, start in
            (0...(round > 0 ? 30 : 0)).map { step -> SIMD2<Double> in
                let angle = Double(start + step * 3) * .pi / 180
                return SIMD2(x + round * cos(angle), y + round * sin(angle))
            }
        }
        // Where the outline begins.
        return ShapeLine(points: [SIMD2(left, box[1])] + points, isClosed: true)
    }

    /// In the layer's units: what it covers at most.
    private func extent() -> (left: Double, top: Double, right: Double, bottom: Double) {
        let points = lines.flatMap(\.points)
        let reach = json["strokeColor"].isAbsent ? 0 : width / 2
        return (
            (points.map(\.x).min() ?? 0) - reach, (points.map(\.y).min() ?? 0) - reach,
            (points.map(\.x).max() ?? 0) + reach, (points.map(\.y).max() ?? 0) + reach
        )
    }

    /// A picture of whole pixels of `raster`, and where in the layer's units it begins.
    func drawn(_ raster: (x: Double, y: Double), _ stage: EffectStage) throws -> (picture: Planes, x: Double, y: Double)
    {
        let extent = extent()
        let (left, top) = ((extent.left * raster.x).rounded(.down), (extent.top * raster.y).rounded(.down))
        let size = (
            Int((extent.right * raster.x).rounded(.up) - left), Int((extent.bottom * raster.y).rounded(.up) - top)
        )
        let format = PixelFormat(stage.base.format.bits > 8 ? "yuv444p10le" : "yuv444p")
        var sheet = Sheet(
            width: max(1, size.0), height: max(1, size.1), format: format, encoding: stage.base.encoding, isClear: true)
        let stroked = try strokes()
        let rule = try json["fillRule"].ifPresent { try $0.text } ?? "non-zero"
        let (fill, stroke) = (try fillColour(), try json["strokeColor"].ifPresent { try $0.numbers })
        let steps = 8
        for place in 0..<sheet.width * sheet.height {
            var counts = (filled: 0.0, stroked: 0.0)
            for k in 0..<steps * steps {
                let point = SIMD2(
                    (left + Double(place % sheet.width) + (Double(k % steps) + 0.5) / Double(steps)) / raster.x,
                    (top + Double(place / sheet.width) + (Double(k / steps) + 0.5) / Double(steps)) / raster.y)
                if fill != nil, isInside(point, rule) { counts.filled += 1 }
                if stroke != nil, stroked.contains(where: { Self.distance(point, $0) <= width / 2 }) {
                    counts.stroked += 1
                }
            }
            let all = Double(steps * steps)
            for (colour, share) in [(fill, counts.filled / all), (stroke, counts.stroked / all)] {
                guard let colour, share > 0 else { continue }
                let values = Sheet.values(SIMD3(colour[0], colour[1], colour[2]), sheet.encoding)
                let (own, under) = (share * colour[3], sheet.alpha?[place] ?? 0)
                let total = own + under * (1 - own)
                for plane in 0..<3 where total > 0 {
                    sheet.planes[plane][place] =
                        (values[plane] * own + sheet.planes[plane][place] * under * (1 - own)) / total
                }
                sheet.alpha?[place] = total
            }
        }
        return (sheet.rounded.picture, left / raster.x, top / raster.y)
    }

    private func fillColour() throws -> [Double]? {
        if let colour = try json["fillColor"].ifPresent({ try $0.numbers }) { return colour }
        return json["strokeColor"].isAbsent ? [0, 0, 0, 1] : nil
    }

    private func isInside(_ point: SIMD2<Double>, _ rule: String) -> Bool {
        var turns = 0
        for line in lines {
            var line = line
            line.isClosed = true
            for (a, b) in line.pieces where (a.y <= point.y) != (b.y <= point.y) {
                let x = a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
                if x > point.x { turns += a.y < b.y ? 1 : -1 }
            }
        }
        return rule == "even-odd" ? turns % 2 != 0 : turns != 0
    }

    private static func distance(_ point: SIMD2<Double>, _ piece: (SIMD2<Double>, SIMD2<Double>)) -> Double {
        let way = piece.1 - piece.0
        let length = (way * way).sum()
        let share = length > 0 ? min(max(((point - piece.0) * way).sum() / length, 0), 1) : 0
        let off = point - (piece.0 + way * share)
        return (off * off).sum().squareRoot()
    }

    /// The stretches of the lines that are stroked: a part of their whole length, in dashes of lines and gaps.
    private func strokes() throws -> [(SIMD2<Double>, SIMD2<Double>)] {
        func length(_ piece: (SIMD2<Double>, SIMD2<Double>)) -> Double {
            hypot(piece.1.x - piece.0.x, piece.1.y - piece.0.y)
        }
        let start = try json["strokeStart"].ifPresent { try $0.number } ?? 0
        let end = try json["strokeEnd"].ifPresent { try $0.number } ?? 1
        let dashes = try json["lineDashPattern"].each { try $0.number }
        let phase = try json["lineDashPhase"].ifPresent { try $0.number } ?? 0
        let all = lines.flatMap(\.pieces).map(length).reduce(0, +)
        var (result, before) = ([(SIMD2<Double>, SIMD2<Double>)](), 0.0)
        for line in lines {
            var along = 0.0
            for piece in line.pieces where length(piece) > 0 {
                let own = length(piece)
                for (from, to) in Self.dashed(along, along + own, dashes, phase) {
                    let (low, high) = (max(from, start * all - before), min(to, end * all - before))
                    guard low < high || (start <= 0 && end >= 1) else { continue }
                    func point(_ place: Double) -> SIMD2<Double> {
                        piece.0 + (piece.1 - piece.0) * ((place - along) / own)
                    }
                    result.append((point(low), point(high)))
                }
                along += own
            }
            before += along
        }
        return result
    }

    /// The parts of a stretch of a line that are drawn, by their places along the line.
    private static func dashed(_ from: Double, _ to: Double, _ dashes: [Double], _ phase: Double) -> [(Double, Double)]
    {
        let whole = dashes.reduce(0, +)
        guard whole > 0 else { return [(from, to)] }
        // They go on before the beginning too; of an odd number of them a line is a gap the next time.
        let period = dashes.count % 2 == 0 ? whole : 2 * whole
        var (place, index) = ((phase / period).rounded(.down) * period - phase, 0)
        var result: [(Double, Double)] = []
        while place < to {
            let next = place + dashes[index % dashes.count]
            if index % 2 == 0, next > from { result.append((max(place, from), min(next, to))) }
            (place, index) = (next, index + 1)
        }
        return result
    }
}
