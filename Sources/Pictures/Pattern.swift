/// A picture of a generator, which is a function of the pixel alone.
package enum Pattern: Sendable, Hashable {
    case gradient(Gradient)
    case bars(ColourBars)
    case checker(Checker)
    case noise(Noise)

    package var isOpaque: Bool {
        switch self {
        case .gradient(let gradient): gradient.stops.allSatisfy { $0.colour.alpha == 1 }
        case .checker(let checker): checker.even.alpha == 1 && checker.odd.alpha == 1
        case .bars, .noise: true
        }
    }

    /// Fills row `y` of a picture of that size, from 0 at the top; `row` is as long as the picture is wide.
    package func fill(_ row: inout [Colour], y: Int, of size: PixelSize) {
        switch self {
        case .gradient(let gradient): gradient.fill(&row, y: y, of: size)
        case .bars(let bars): for x in row.indices { row[x] = bars.colour(x, y, size) }
        case .checker(let checker): for x in row.indices { row[x] = checker.colour(x, y) }
        case .noise(let noise):
            let start = noise.start
            for x in row.indices { row[x] = noise.colour(x, y, from: start) }
        }
    }
}

/// Colours that go evenly into each other along a line or around a point.
package struct Gradient: Sendable, Hashable {
    package struct Stop: Sendable, Hashable {
        /// The stop's place on the way, from 0 to 1.
        package var place: Double
        package var colour: Colour

        package init(place: Double, colour: Colour) { (self.place, self.colour) = (place, colour) }
    }

    package var isRadial: Bool
    /// The points where the way begins (the centre of a radial one) and where it ends, in widths and heights of the
    /// picture.
    package var from: (x: Double, y: Double) { (line[0], line[1]) }
    package var to: (x: Double, y: Double) { (line[2], line[3]) }
    private var line: [Double]
    /// The stops in the order of their places; at least one.
    package var stops: [Stop]

    package init(isRadial: Bool, from: (x: Double, y: Double), to: (x: Double, y: Double), stops: [Stop]) {
        precondition(!stops.isEmpty, "a gradient has a stop")
        (self.isRadial, self.stops) = (isRadial, stops)
        line = [from.x, from.y, to.x, to.y]
    }

    fileprivate func fill(_ row: inout [Colour], y: Int, of size: PixelSize) {
        let (width, height) = (Double(size.width), Double(size.height))
        let (startX, startY) = (from.x * width, from.y * height)
        let (wayX, wayY) = (to.x * width - startX, to.y * height - startY)
        let square = wayX * wayX + wayY * wayY
        let offY = Double(y) + 0.5 - startY
        for x in row.indices {
            let offX = Double(x) + 0.5 - startX
            let place =
                isRadial
                ? ((offX * offX + offY * offY) / square).squareRoot() : (offX * wayX + offY * wayY) / square
            row[x] = colour(at: place)
        }
    }

    /// The colour at a place of the way. It is the first stop's before that stop, and the last one's after that. Where
    /// two stops are at one place, the later one counts from there on.
    package func colour(at place: Double) -> Colour {
        guard let next = stops.firstIndex(where: { $0.place > place }) else { return stops[stops.count - 1].colour }
        guard next > 0 else { return stops[0].colour }
        let (a, b) = (stops[next - 1], stops[next])
        let part = (place - a.place) / (b.place - a.place)
        func between(_ x: Double, _ y: Double) -> Double { x + (y - x) * part }
        return Colour(
            red: between(a.colour.red, b.colour.red), green: between(a.colour.green, b.colour.green),
            blue: between(a.colour.blue, b.colour.blue), alpha: between(a.colour.alpha, b.colour.alpha))
    }
}

/// Test bars of 75 %.
public enum ColourBars: String, Sendable, CaseIterable {
    /// Seven bars; beneath them reversed ones, and a row for setting black.
    case smpte
    /// Eight bars, the first of full white.
    case ebu

    fileprivate func colour(_ x: Int, _ y: Int, _ size: PixelSize) -> Colour {
        let (width, height) = (size.width, size.height)
        guard self == .smpte else {
            let bar = x * 8 / width
            return bar == 0 ? .grey(1) : Self.bar(bar)
        }
        let bar = x * 7 / width
        if y * 3 < height * 2 { return Self.bar(bar) }
        if y * 4 < height * 3 { return bar % 2 == 0 ? Self.bar(6 - bar) : .black }
        // -I, white, +Q, of 5/28 of the width each; black; then three narrow ones: darker than black, black, lighter.
        switch x * 28 / (5 * width) {
        case 0: return Colour(red: 0, green: 33.0 / 255, blue: 76.0 / 255)
        case 1: return .grey(1)
        case 2: return Colour(red: 50.0 / 255, green: 0, blue: 106.0 / 255)
        default:
            let narrow = x * 21 / width - 15
            return narrow == 0 ? .grey(-0.04) : narrow == 2 ? .grey(0.04) : .black
        }
    }

    /// White, yellow, cyan, green, magenta, red, blue and black.
    private static func bar(_ index: Int) -> Colour {
        Colour(
            red: index & 2 == 0 ? 0.75 : 0, green: index & 4 == 0 ? 0.75 : 0, blue: index & 1 == 0 ? 0.75 : 0)
    }
}

/// Fields of two colours, the first at the top left.
package struct Checker: Sendable, Hashable {
    /// The size of a field in pixels.
    package var cell: PixelSize
    package var even: Colour
    package var odd: Colour

    package init(cell: PixelSize, even: Colour, odd: Colour) {
        self.cell = cell
        self.even = even
        self.odd = odd
    }

    fileprivate func colour(_ x: Int, _ y: Int) -> Colour {
        (x / cell.width + y / cell.height) % 2 == 0 ? even : odd
    }
}

/// A random value for each pixel, the same for the same seed and frame on any machine.
package struct Noise: Sendable, Hashable {
    package var seed: Int
    package var isColoured: Bool
    /// The index of the picture among those of its seed.
    package var frame: Int

    package init(seed: Int, isColoured: Bool, frame: Int = 0) {
        self.seed = seed
        self.isColoured = isColoured
        self.frame = frame
    }

    fileprivate var start: UInt64 {
        splitMix64(splitMix64(UInt64(bitPattern: Int64(seed))) &+ UInt64(bitPattern: Int64(frame)))
    }

    /// - Parameter start: the picture's own word, see `start` above.
    fileprivate func colour(_ x: Int, _ y: Int, from start: UInt64) -> Colour {
        let word = splitMix64(start &+ (UInt64(y) << 32 | UInt64(x)))
        func level(_ shift: UInt64) -> Double { Double(word >> shift & 0xFFFF) / 65535 }
        return isColoured ? Colour(red: level(48), green: level(32), blue: level(16)) : .grey(level(48))
    }
}

extension Colour {
    fileprivate static func grey(_ level: Double) -> Colour { Colour(red: level, green: level, blue: level) }
}
