import Foundation

/// Effects that look at more than one pixel, or at where it is. `unit` is the picture's pixels to one of the file's.
struct SpatialEffects {
    let sheet: Sheet
    let call: EffectOfFile
    let unit: (x: Double, y: Double)

    /// nil for an effect that is none of these.
    func result() throws -> Sheet? {
        switch call.id {
        case "blur":
            let radius = try call.number("radius", 8)
            return sheet.filtered { Sheet.blur($0, (radius * unit.x, radius * unit.y)) }
        case "box-blur":
            let radius = try call.number("radius", 8)
            return sheet.filtered { Sheet.boxBlur($0, (radius * unit.x, radius * unit.y)) }
        case "directional-blur": return try directional()
        case "sharpen": return try sharpened()
        case "glow": return try glowing()
        case "vignette": return try vignetted()
        case "pixelate":
            let side = try call.number("size", 16)
            return sheet.filtered { pixelated($0, (side * unit.x, side * unit.y)) }
        case "mirror": return try mirrored()
        case "lens-distortion": return try bent()
        default: return nil
        }
    }

    /// A place for each sample of the longer axis, the ends by their parts.
    private func directional() throws -> Sheet {
        let (angle, length) = (try call.number("angle", 0) * .pi / 180, try call.number("length", 20))
        let way = (x: cos(angle) * length * unit.x, y: sin(angle) * length * unit.y)
        return sheet.filtered { field in
            let (dx, dy) = (way.x / Double(field.cell.x), way.y / Double(field.cell.y))
            let reach = max(abs(dx), abs(dy)) / 2
            let whole = Int(reach)
            let step = (x: dx / reach / 2, y: dy / reach / 2)
            return field.map { x, y in
                (-whole - 1...whole + 1).reduce(0.0) { sum, k in
                    let share = abs(k) > whole ? reach - Double(whole) : 1
                    let place = (Double(x) + Double(k) * step.x, Double(y) + Double(k) * step.y)
                    return sum + share * field.at(place.0, place.1)
                } / (2 * reach + 1)
            }
        }
    }

    private func sharpened() throws -> Sheet {
        let (amount, radius) = (try call.number("amount", 0.6), try call.number("radius", 1.5))
        let soft = sheet.filtered { Sheet.blur($0, (radius * unit.x, radius * unit.y)) }
        var result = sheet
        result.planes[0] = zip(sheet.planes[0], soft.planes[0]).map { $0 + amount * ($0 - $1) }
        return result
    }

    private func glowing() throws -> Sheet {
        let (threshold, radius) = (try call.number("threshold", 0.7), try call.number("radius", 20))
        let intensity = try call.number("intensity", 1)
        let bright = sheet.planes[0].indices.map { place in
            min(max((sheet.planes[0][place] - threshold) / (1 - threshold), 0), 1) * (sheet.alpha?[place] ?? 1)
        }
        var result = sheet
        for plane in 0..<3 {
            let light = zip(sheet.planes[plane], sheet.blocks(bright, plane)).map { $0 * $1 }
            let field = sheet.field(plane, light, isClear: !sheet.isOpaque)
            let soft = Sheet.blur(field, (radius * unit.x, radius * unit.y))
            result.planes[plane] = zip(sheet.planes[plane], soft).map { $0 + intensity * $1 }
        }
        return result
    }

    private func vignetted() throws -> Sheet {
        let (amount, start) = (try call.number("amount", 0.5), try call.number("start", 0.4))
        let end = try call.number("end", 1)
        var result = sheet
        for plane in 0..<3 {
            let field = sheet.field(plane, sheet.planes[plane], isClear: false)
            result.planes[plane] = field.map { x, y in
                let place = field.pixel(x, y)
                let across = (place.x + 0.5) / Double(sheet.width) * 2 - 1
                let down = (place.y + 0.5) / Double(sheet.height) * 2 - 1
                let far = ((across * across + down * down) / 2).squareRoot()
                let t = min(max((far - start) / max(end - start, 1e-3), 0), 1)
                return field[x, y] * (1 - amount * t * t * (3 - 2 * t))
            }
        }
        return result
    }

    private func pixelated(_ field: Sheet.Field, _ side: (x: Double, y: Double)) -> [Double] {
        func square(_ x: Int, _ y: Int) -> [Int] {
            [Int(Double(x * field.cell.x) / max(1, side.x)), Int(Double(y * field.cell.y) / max(1, side.y))]
        }
        var sums: [[Int]: (Double, Double)] = [:]
        for y in 0..<field.height {
            for x in 0..<field.width {
                let (sum, count) = sums[square(x, y)] ?? (0, 0)
                sums[square(x, y)] = (sum + field[x, y], count + 1)
            }
        }
        return field.map { x, y in sums[square(x, y)].map { $0.0 / $0.1 } ?? 0 }
    }

    /// The line is at a pixel's edge or middle; a sample between two kept ones is of kept ones alone.
    private func mirrored() throws -> Sheet {
        let keep = try call.word("keep", "left")
        let isAcross = keep == "left" || keep == "right"
        let keepsFirst = keep == "left" || keep == "top"
        let length = Double(isAcross ? sheet.width : sheet.height)
        let line = (try call.number("at", 0.5) * length * 2).rounded() / 2 - 0.5
        func isKept(_ place: Double) -> Bool { (place <= line) == keepsFirst || place == line }
        return sheet.filtered { field in
            let places = (0..<(isAcross ? field.width : field.height)).map {
                isAcross ? field.pixel($0, 0).x : field.pixel(0, $0).y
            }
            let kept = places.filter(isKept)
            let last = keepsFirst ? kept.last ?? 0 : kept.first ?? length - 1
            func image(_ place: Double) -> Double {
                if isKept(place) { return place }
                let image = min(max(2 * line - place, 0), length - 1)
                return keepsFirst ? min(image, last) : max(image, last)
            }
            return field.map { x, y in
                let place = field.pixel(x, y)
                return isAcross ? field.atPixel(image(place.x), place.y) : field.atPixel(place.x, image(place.y))
            }
        }
    }

    private func bent() throws -> Sheet {
        let (k1, k2) = (try call.number("k1", 0), try call.number("k2", 0))
        let centre = try call.numbers("center", [0.5, 0.5])
        let middle = (x: centre[0] * Double(sheet.width) - 0.5, y: centre[1] * Double(sheet.height) - 0.5)
        let half = hypot(Double(sheet.width) / unit.x, Double(sheet.height) / unit.y) / 2
        return sheet.filtered(clears: true) { field in
            field.map { x, y in
                let place = field.pixel(x, y)
                let (across, down) = (place.x - middle.x, place.y - middle.y)
                let r = hypot(across / unit.x, down / unit.y) / half
                let scale = 1 + k1 * r * r + k2 * r * r * r * r
                return field.atPixel(middle.x + across * scale, middle.y + down * scale)
            }
        }
    }
}

extension Sheet {
    /// Its alpha times shares of its pixels.
    func masked(by shares: [Double]) -> Sheet {
        var result = self
        result.alpha = shares.indices.map { (alpha?[$0] ?? 1) * shares[$0] }
        return result
    }

    /// As another picture says: its alpha, or its luma times that; nothing for nil.
    func masked(by other: Sheet?, usesLuma: Bool, isInverted: Bool) -> Sheet {
        masked(
            by: (0..<width * height).map { place in
                var share = other.map { $0.alpha?[place] ?? 1 } ?? 0
                if usesLuma { share *= min(max(other?.planes[0][place] ?? 0, 0), 1) }
                return isInverted ? 1 - share : share
            })
    }

    /// The sheet with alpha by each pixel's distance from a shape's edge.
    func masked(byShape call: EffectOfFile, unit: (x: Double, y: Double)) throws -> Sheet {
        let centre = try call.numbers("center", [0.5, 0.5])
        let size = try call.numbers("size", [0.5, 0.5])
        let scale = (unit.x * unit.y).squareRoot()
        let feather = max(1, try call.number("feather", 0) * scale)
        let half = (x: size[0] * Double(width) / 2, y: size[1] * Double(height) / 2)
        let radius = min(try call.number("radius", 0) * scale, half.x, half.y)
        let isEllipse = try call.word("shape", "rectangle") == "ellipse"
        let isInverted = try call.flag("invert")
        return masked(
            by: (0..<width * height).map { place in
                let x = Double(place % width) + 0.5 - centre[0] * Double(width)
                let y = Double(place / width) + 0.5 - centre[1] * Double(height)
                var far: Double
                if isEllipse {
                    let reach = hypot(x / half.x, y / half.y)
                    far = reach > 1e-6 ? hypot(x, y) * (1 - 1 / reach) : -min(half.x, half.y)
                } else {
                    let (a, b) = (abs(x) - half.x + radius, abs(y) - half.y + radius)
                    far = hypot(max(a, 0), max(b, 0)) + min(max(a, b), 0) - radius
                }
                let share = min(max(0.5 - far / feather, 0), 1)
                return isInverted ? 1 - share : share
            })
    }

    /// Its blurred alpha in a colour beneath it.
    func shadowed(offset: (x: Double, y: Double), radius: (x: Double, y: Double), colour: [Double]) -> Sheet {
        guard !isOpaque, colour[3] > 0, let alpha else { return self }
        let own = field(0, alpha, isClear: true)
        let moved = field(0, own.map { own.at(Double($0) - offset.x, Double($1) - offset.y) }, isClear: true)
        let under = zip(Sheet.blur(moved, radius), alpha).map { $0 * colour[3] * (1 - $1) }
        let code = Self.values(SIMD3(colour[0], colour[1], colour[2]), encoding)
        var result = self
        for plane in 0..<3 {
            let (mine, cast) = (blocks(alpha, plane), blocks(under, plane))
            result.planes[plane] = planes[plane].indices.map { k in
                cast[k] > 1e-9
                    ? (planes[plane][k] * mine[k] + code[plane] * cast[k]) / (mine[k] + cast[k]) : planes[plane][k]
            }
        }
        result.alpha = zip(alpha, under).map { $0 + $1 }
        return result
    }
}
