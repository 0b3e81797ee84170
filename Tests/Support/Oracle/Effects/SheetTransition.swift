import Foundation
import TestTools

/// A transition between two pictures, both opaque.
struct SheetTransition {
    let from: Sheet
    let to: Sheet
    let call: EffectOfFile
    let progress: Double
    let unit: (x: Double, y: Double)
    /// The picture of a parameter, stretched over the canvas.
    let matte: Sheet?

    private var size: (x: Double, y: Double) { (Double(from.width), Double(from.height)) }

    func result() throws -> Sheet {
        if progress <= 0 { return from }
        if progress >= 1 { return to }
        let parts = call.id.split(separator: ".", maxSplits: 1).map(String.init)
        let way = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "dissolve": return Self.mix(from, to, progress)
        case "dip-to-color":
            let colour = from.sheet(try call.numbers("color", [0, 0, 0, 1]))
            return progress < 0.5 ? Self.mix(from, colour, 2 * progress) : Self.mix(colour, to, 2 * progress - 1)
        case "wipe", "iris", "clock": return Self.mix(from, to, try shape(parts[0], way))
        case "blinds": return Self.mix(from, to, try blinds())
        case "slide", "push", "cover", "reveal": return try moved(parts[0], way)
        case "luma-matte": return Self.mix(from, to, try lumaMatte())
        case "film-burn": return try burned()
        case "zoom": return try zoomed()
        case "blur-through":
            let radius = try call.number("radius", 40) * (1 - abs(2 * progress - 1)) / 2
            let weight = min(max(3 * progress - 1, 0), 1)
            func soft(_ sheet: Sheet) -> Sheet {
                sheet.filtered { Sheet.twiceBoxed($0, (radius * unit.x, radius * unit.y)) }.rounded
            }
            return Self.mix(soft(from), soft(to), weight)
        default: throw ToolFailure("\(call.id) is no transition")
        }
    }

    static func mix(_ from: Sheet, _ to: Sheet, _ share: Double) -> Sheet {
        mix(from, to, [Double](repeating: share, count: from.width * from.height))
    }

    /// The mix of two pictures by a share for each pixel. Chroma goes by the shares about it.
    static func mix(_ from: Sheet, _ to: Sheet, _ shares: [Double]) -> Sheet {
        var result = from
        let chroma = from.gather(shares)
        for plane in 0..<3 {
            let weights = plane == 0 ? shares : chroma
            for k in weights.indices {
                result.planes[plane][k] += (to.planes[plane][k] - from.planes[plane][k]) * weights[k]
            }
        }
        return result.rounded
    }

    // MARK: Shapes

    /// How far along its way the edge passes a point, 0…1; of sharp edges the area that it has passed.
    private func shape(_ kind: String, _ way: String) throws -> [Double] {
        let softness = try call.number("softness", 0)
        let place = passing(kind, way)
        let ramp = softness * length(kind, way)
        return (0..<from.width * from.height).map { pixel in
            let (x, y) = (Double(pixel % from.width), Double(pixel / from.width))
            guard ramp < 1, softness < 0.02 else {
                return min(max((progress * (1 + softness) - place(x + 0.5, y + 0.5)) / softness, 0), 1)
            }
            var count = 0.0
            for row in 0..<16 {
                for column in 0..<16 {
                    let point = (x + (Double(column) + 0.5) / 16, y + (Double(row) + 0.5) / 16)
                    if place(point.0, point.1) < progress { count += 1 }
                }
            }
            return count / 256
        }
    }

    /// In pixels.
    private func length(_ kind: String, _ way: String) -> Double { kind == "clock" ? 1e9 : min(size.x, size.y) }

    private func passing(_ kind: String, _ way: String) -> (Double, Double) -> Double {
        let size = size
        switch kind {
        case "iris" where way == "circle":
            return { hypot($0 - size.x / 2, $1 - size.y / 2) / hypot(size.x, size.y) * 2 }
        case "iris": return { abs($0 / size.x - 0.5) + abs($1 / size.y - 0.5) }
        case "clock":
            return { x, y in
                let turn = atan2(x - size.x / 2, size.y / 2 - y) / 2 / .pi
                return turn < 0 ? turn + 1 : turn
            }
        default:
            var ends: [(Double, Double) -> Double] = []
            if way.contains("left") { ends.append { x, _ in 1 - x / size.x } }
            if way.contains("right") { ends.append { x, _ in x / size.x } }
            if way.contains("up") { ends.append { _, y in 1 - y / size.y } }
            if way.contains("down") { ends.append { _, y in y / size.y } }
            return { x, y in ends.reduce(0) { $0 + $1(x, y) } / Double(ends.count) }
        }
    }

    private func blinds() throws -> [Double] {
        let isVertical = try call.word("direction", "horizontal") == "vertical"
        let slat = (isVertical ? size.x : size.y) / (try call.number("count", 8)).rounded()
        return (0..<from.width * from.height).map { pixel in
            let place = isVertical ? pixel % from.width : pixel / from.width
            let points = (0..<64).filter { point in
                let along = (Double(place) + (Double(point) + 0.5) / 64) / slat
                return along - along.rounded(.down) < progress
            }
            return Double(points.count) / 64
        }
    }

    // MARK: Moves

    private func moved(_ kind: String, _ way: String) throws -> Sheet {
        let isAcross = way == "left" || way == "right"
        let isBack = way == "left" || way == "up"
        let length = isAcross ? from.width : from.height
        let gone = Int((Double(length) * progress).rounded())
        func move(_ sheet: Sheet, _ pixels: Int) -> Sheet {
            let signed = isBack ? -pixels : pixels
            var result = sheet
            for plane in 0..<3 {
                let field = sheet.field(plane, sheet.planes[plane], isClear: false)
                let cell = isAcross ? field.cell.x : field.cell.y
                let step = Double(signed) / Double(cell)
                result.planes[plane] = field.map { x, y in
                    isAcross ? field.at(Double(x) - step, Double(y)) : field.at(Double(x), Double(y) - step)
                }
            }
            return result.rounded
        }
        let old = kind == "push" || kind == "reveal" ? move(from, gone) : from
        let new = kind == "reveal" ? to : move(to, gone - length)
        let edge = isBack ? length - gone : gone
        func along(_ pixel: Int) -> Int { isAcross ? pixel % from.width : pixel / from.width }
        let shares = (0..<from.width * from.height).map { (along($0) < edge) != isBack ? 1.0 : 0 }
        let result = Self.mix(old, new, shares)
        guard kind == "cover" || kind == "reveal" else { return result }
        let dark = try call.number("shadow", 0.5)
        let wide = min(
            try call.number("shadowWidth", 40) * (isAcross ? unit.x : unit.y),
            Double(kind == "cover" ? gone : length - gone))
        guard dark > 0, wide > 0 else { return result }
        // On what the moving picture does not hide.
        let isBefore = isBack == (kind == "cover")
        let cast = (0..<from.width * from.height).map { pixel -> Double in
            let place = Double(along(pixel)) + 0.5 - Double(edge)
            let far = isBefore ? -place : place
            return far > 0 ? dark * pow(max(0, 1 - far / wide), 2) : 0
        }
        return Self.mix(result, result.sheet([0, 0, 0, 1]), cast)
    }

    private func zoomed() throws -> Sheet {
        let (largest, centre) = (try call.number("scale", 3), try call.numbers("center", [0.5, 0.5]))
        let middle = (x: centre[0] * size.x - 0.5, y: centre[1] * size.y - 0.5)
        func large(_ sheet: Sheet, _ scale: Double) -> Sheet {
            sheet.filtered { field in
                field.map { x, y in
                    let place = field.pixel(x, y)
                    return field.atPixel(
                        middle.x + (place.x - middle.x) / scale, middle.y + (place.y - middle.y) / scale)
                }
            }.rounded
        }
        return Self.mix(large(from, pow(largest, progress)), large(to, pow(largest, 1 - progress)), progress)
    }

    // MARK: Mattes

    /// 0 for black or nothing, 1 for white.
    private func brightness() throws -> [Double] {
        guard let matte else { throw ToolFailure("\(call.id) without a matte") }
        let light = matte.planes[0].indices.map { min(max(matte.planes[0][$0], 0), 1) * (matte.alpha?[$0] ?? 1) }
        return try call.flag("invert") ? light.map { 1 - $0 } : light
    }

    private func lumaMatte() throws -> [Double] {
        let ramp = max(try call.number("softness", 0), 1 / (219 * pow(2, Double(from.format.bits - 8))))
        return try brightness().map { min(max((progress * (1 + ramp) - $0) / ramp, 0), 1) }
    }

    private func burned() throws -> Sheet {
        let shares = try brightness()
        let glow = try call.number("glow", 1)
        let mixed = Self.mix(from, to, shares)
        guard glow > 0 else { return mixed }
        let colour = from.sheet(try call.numbers("color", [1, 0.55, 0.1, 1]))
        return Self.mix(mixed, colour, shares.map { min(1, 4 * glow * $0 * (1 - $0)) })
    }
}
