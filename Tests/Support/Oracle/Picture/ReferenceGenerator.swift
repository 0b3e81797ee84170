import Foundation
import TestTools

/// Generators' pictures by their formulas: R'G'B' and alpha of a pixel.
struct ReferenceGenerator {
    let asset: JSON
    let kind: String
    let width: Int
    let height: Int

    private typealias Colour = SIMD4<Double>

    /// With a colour for each pixel, in a film of that encoding; `frame` is noise's.
    func picture(frame: Int, _ film: ReferenceEncoding) throws -> Planes {
        let film = film.ofWrittenColours
        let colour = try formula(frame)
        let format = PixelFormat("yuva444p" + (film.bits > 8 ? "\(film.bits)le" : ""))
        var planes = (0..<4).map { _ in Planes.Plane(width: width, height: height, values: []) }
        let top = Planes(format: format, planes: []).alphaTop
        for y in 0..<height {
            for x in 0..<width {
                let found = colour(x, y)
                let values = film.values(SIMD3(found[0], found[1], found[2]))
                for plane in 0..<3 { planes[plane].values.append(Float(values[plane])) }
                planes[3].values.append(Float(found[3]) * top)
            }
        }
        var picture = Planes(format: format, planes: planes)
        picture.encoding = film
        return picture
    }

    private func formula(_ frame: Int) throws -> (Int, Int) -> Colour {
        switch kind {
        case "gradient": return try gradient()
        case "bars": return try asset["standard"].ifPresent { try $0.text } == "ebu" ? ebu : smpte
        case "checker":
            let cell = try asset["cell"].ifPresent { try $0.numbers } ?? [32, 32]
            let colours =
                try asset["colors"].ifPresent { try $0.list.map { try Self.colour($0.numbers) } }
                ?? [Colour(0.75, 0.75, 0.75, 1), Colour(0.5, 0.5, 0.5, 1)]
            return { x, y in colours[(x / Int(cell[0]) + y / Int(cell[1])) % 2] }
        case "noise": return try noise(frame)
        default: throw ToolFailure("\(kind) is no generator")
        }
    }

    private static func colour(_ numbers: [Double]) -> Colour { Colour(numbers[0], numbers[1], numbers[2], numbers[3]) }

    private func gradient() throws -> (Int, Int) -> Colour {
        let json = asset["gradient"]
        let isRadial = try json["shape"].ifPresent { try $0.text } == "radial"
        let size = SIMD2(Double(width), Double(height))
        func point(_ key: String, _ absent: SIMD2<Double>) throws -> SIMD2<Double> {
            try json[key].ifPresent { SIMD2(try $0.numbers) } ?? absent
        }
        let from = try point("from", SIMD2(isRadial ? 0.5 : 0, 0.5)) * size
        let way = try point("to", SIMD2(1, 0.5)) * size - from
        let stops = try json["stops"].list.map {
            (place: try $0["at"].number, colour: Self.colour(try $0["color"].numbers))
        }
        return { x, y in
            let off = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - from
            let place =
                isRadial
                ? ((off * off).sum() / (way * way).sum()).squareRoot() : (off * way).sum() / (way * way).sum()
            guard let next = stops.firstIndex(where: { $0.place > place }) else { return stops[stops.count - 1].colour }
            if next == 0 { return stops[0].colour }
            let (a, b) = (stops[next - 1], stops[next])
            return a.colour + (b.colour - a.colour) * (place - a.place) / (b.place - a.place)
        }
    }

    /// White, yellow, cyan, green, magenta, red, blue, black of 75 %.
    private static func bar(_ index: Int) -> Colour {
        let rows: [[Double]] = [
            [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0],
        ]
        return Colour(rows[index][0] * 0.75, rows[index][1] * 0.75, rows[index][2] * 0.75, 1)
    }

    private func ebu(_ x: Int, _ y: Int) -> Colour {
        x * 8 / width == 0 ? Colour(1, 1, 1, 1) : Self.bar(x * 8 / width)
    }

    /// SMPTE EG 1; -I and +Q as near as R'G'B' comes.
    private func smpte(_ x: Int, _ y: Int) -> Colour {
        let bar = x * 7 / width
        if y * 3 < height * 2 { return Self.bar(bar) }
        if y * 4 < height * 3 { return bar % 2 == 0 ? Self.bar(6 - bar) : Self.bar(7) }
        let wide: [Colour] = [
            Colour(0, 33.0 / 255, 76.0 / 255, 1), Colour(1, 1, 1, 1), Colour(50.0 / 255, 0, 106.0 / 255, 1),
        ]
        let place = x * 28 / (5 * width)
        if place < 3 { return wide[place] }
        let steps: [Int: Double] = [15: -0.04, 17: 0.04]
        let step = steps[x * 21 / width] ?? 0
        return Colour(step, step, step, 1)
    }

    private func noise(_ frame: Int) throws -> (Int, Int) -> Colour {
        func mixed(_ value: UInt64) -> UInt64 {
            var numbers = SeededNumbers(seed: value)
            return numbers.next()
        }
        let seed = try asset["seed"].ifPresent { try $0.index } ?? 0
        let isGrey = try asset["monochrome"].ifPresent { try $0.flag } ?? true
        let start = mixed(mixed(UInt64(bitPattern: Int64(seed))) &+ UInt64(frame))
        return { x, y in
            let word = mixed(start &+ (UInt64(y) << 32 | UInt64(x)))
            func level(_ shift: UInt64) -> Double { Double(word >> shift & 0xFFFF) / 65535 }
            return isGrey
                ? Colour(level(48), level(48), level(48), 1) : Colour(level(48), level(32), level(16), 1)
        }
    }
}
