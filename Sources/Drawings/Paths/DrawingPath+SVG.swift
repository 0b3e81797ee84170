package import Pictures

extension DrawingPath {
    /// Reads path data as SVG 1.1 has it. All of it is refused where it is wrong, has too many segments or numbers
    /// beyond a million.
    package init(svg text: String) throws(DrawingFault) {
        var parser = SVGPathParser(text)
        self.init(try parser.read())
    }

    /// A rectangle that begins at the top left and goes to the right.
    package static func rectangle(_ rect: Rect, cornerRadius: Double) -> DrawingPath {
        let radius = max(0, min(cornerRadius, abs(rect.width) / 2, abs(rect.height) / 2))
        let (left, top, right, bottom) = (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height)
        func point(_ x: Double, _ y: Double) -> DrawingPoint { DrawingPoint(x, y) }
        guard radius > 0 else {
            return DrawingPath([
                .move(point(left, top)), .line(point(right, top)), .line(point(right, bottom)),
                .line(point(left, bottom)), .close,
            ])
        }
        let lean = radius * (1 - quarterLean)
        return DrawingPath([
            .move(point(left + radius, top)), .line(point(right - radius, top)),
            .curve(point(right - lean, top), point(right, top + lean), point(right, top + radius)),
            .line(point(right, bottom - radius)),
            .curve(point(right, bottom - lean), point(right - lean, bottom), point(right - radius, bottom)),
            .line(point(left + radius, bottom)),
            .curve(point(left + lean, bottom), point(left, bottom - lean), point(left, bottom - radius)),
            .line(point(left, top + radius)),
            .curve(point(left, top + lean), point(left + lean, top), point(left + radius, top)), .close,
        ])
    }

    /// An ellipse that begins at the right and goes downwards.
    static func ellipse(_ rect: Rect) -> DrawingPath {
        let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
        let turns = [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)]
        func point(_ a: Double, _ b: Double) -> DrawingPoint {
            DrawingPoint(x + a * rect.width / 2, y + b * rect.height / 2)
        }
        var segments = [Segment.move(point(1, 0))]
        for turn in 0..<4 {
            let ((a, b), (c, d)) = (turns[turn], turns[(turn + 1) % 4])
            let k = Self.quarterLean
            segments.append(.curve(point(a + k * c, b + k * d), point(c + k * a, d + k * b), point(c, d)))
        }
        return DrawingPath(segments + [.close])
    }

    /// The lean of a cubic curve that is a quarter of a circle, in radii: 4/3 · (√2 - 1).
    private static let quarterLean = 0.552_284_749_830_793_4
}

/// A reader of path data from left to right.
private struct SVGPathParser {
    private var scanner: TextScanner
    private var segments: [DrawingPath.Segment] = []
    private var current = DrawingPoint(0, 0)
    private var start = DrawingPoint(0, 0)
    /// The point that the next smooth curve leans from, and the command that left it; nil for none.
    private var control: (point: DrawingPoint, command: UInt8)?

    init(_ text: String) { scanner = TextScanner(text) }

    mutating func read() throws(DrawingFault) -> [DrawingPath.Segment] {
        scanner.skipBlanks()
        var command: UInt8 = 0
        while let byte = scanner.next {
            if byte.isASCIILetter {
                command = byte
                scanner.advance()
            } else if command == 0 || command | 0x20 == UInt8(ascii: "z") {
                throw scanner.fault("a command letter is missing")
            } else if command | 0x20 == UInt8(ascii: "m") {
                command = command == UInt8(ascii: "m") ? UInt8(ascii: "l") : UInt8(ascii: "L")
            }
            if segments.isEmpty, command | 0x20 != UInt8(ascii: "m") {
                throw scanner.fault("a path begins with M or m")
            }
            try step(command)
            guard segments.count <= DrawingPath.mostSegments else {
                throw scanner.fault("more than \(DrawingPath.mostSegments) segments")
            }
            scanner.skipBlanksAndComma()
        }
        return segments
    }

    private mutating func step(_ command: UInt8) throws(DrawingFault) {
        let origin = command & 0x20 == 0 ? DrawingPoint(0, 0) : current
        var lean: (point: DrawingPoint, command: UInt8)?
        switch command | 0x20 {
        case UInt8(ascii: "m"):
            current = try point(origin)
            start = current
            segments.append(.move(current))
        case UInt8(ascii: "z"):
            segments.append(.close)
            current = start
        case UInt8(ascii: "l"): line(to: try point(origin))
        case UInt8(ascii: "h"): line(to: DrawingPoint(origin.x + (try number()), current.y))
        case UInt8(ascii: "v"): line(to: DrawingPoint(current.x, origin.y + (try number())))
        case UInt8(ascii: "c"), UInt8(ascii: "s"):
            let isSmooth = command | 0x20 == UInt8(ascii: "s")
            let first = isSmooth ? mirrored(UInt8(ascii: "c")) : try point(origin)
            let second = try point(origin)
            curve(first, second, to: try point(origin))
            lean = (second, UInt8(ascii: "c"))
        case UInt8(ascii: "q"), UInt8(ascii: "t"):
            let isSmooth = command | 0x20 == UInt8(ascii: "t")
            let middle = isSmooth ? mirrored(UInt8(ascii: "q")) : try point(origin)
            let end = try point(origin)
            func third(_ from: DrawingPoint) -> DrawingPoint {
                DrawingPoint(from.x + (middle.x - from.x) * 2 / 3, from.y + (middle.y - from.y) * 2 / 3)
            }
            curve(third(current), third(end), to: end)
            lean = (middle, UInt8(ascii: "q"))
        case UInt8(ascii: "a"): try arc(origin)
        default: throw scanner.fault("there is no command `\(Character(UnicodeScalar(command)))`")
        }
        control = lean
    }

    private mutating func line(to end: DrawingPoint) {
        segments.append(.line(end))
        current = end
    }

    private mutating func curve(_ first: DrawingPoint, _ second: DrawingPoint, to end: DrawingPoint) {
        segments.append(.curve(first, second, end))
        current = end
    }

    /// The last control point on the other side of the current point; the current point itself after another command.
    private func mirrored(_ command: UInt8) -> DrawingPoint {
        guard let control, control.command == command else { return current }
        return DrawingPoint(2 * current.x - control.point.x, 2 * current.y - control.point.y)
    }

    private mutating func arc(_ origin: DrawingPoint) throws(DrawingFault) {
        let (width, height, turn) = (try number(), try number(), try number())
        let (isLarge, isClockwise) = (try flag(), try flag())
        let end = try point(origin)
        if end == current { return }
        guard width != 0, height != 0 else { return line(to: end) }
        let arc = EllipticArc(
            from: current, to: end, radii: (abs(width), abs(height)), degrees: turn, isLarge: isLarge,
            isClockwise: isClockwise)
        segments += arc.curves
        current = end
    }

    private mutating func point(_ origin: DrawingPoint) throws(DrawingFault) -> DrawingPoint {
        DrawingPoint(origin.x + (try number()), origin.y + (try number()))
    }

    private mutating func flag() throws(DrawingFault) -> Bool {
        scanner.skipBlanksAndComma()
        guard let byte = scanner.next, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else {
            throw scanner.fault("a flag is 0 or 1")
        }
        scanner.advance()
        return byte == UInt8(ascii: "1")
    }

    private mutating func number() throws(DrawingFault) -> Double {
        scanner.skipBlanksAndComma()
        guard let number = scanner.number() else { throw scanner.fault("a number is missing") }
        guard abs(number) <= 1_000_000 else { throw scanner.fault("numbers go from -1000000 to 1000000") }
        return number
    }
}

/// A reader of the bytes of a text, from left to right.
struct TextScanner {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func advance() { place += 1 }

    mutating func skipBlanks() { while let next, next.isASCIIBlank { place += 1 } }

    mutating func skipBlanksAndComma() {
        skipBlanks()
        if next == UInt8(ascii: ",") {
            place += 1
            skipBlanks()
        }
    }

    /// The decimal number that stands next; nil, and nothing passed over, where none does.
    mutating func number() -> Double? {
        var end = place
        func isDigit() -> Bool { end < bytes.count && (48...57).contains(bytes[end]) }
        func isOne(of letters: String) -> Bool { end < bytes.count && letters.utf8.contains(bytes[end]) }
        func digits() -> Int {
            let start = end
            while isDigit() { end += 1 }
            return end - start
        }
        if isOne(of: "+-") { end += 1 }
        var count = digits()
        if isOne(of: ".") {
            end += 1
            count += digits()
        }
        guard count > 0 else { return nil }
        let mantissa = end
        if isOne(of: "eE") {
            end += 1
            if isOne(of: "+-") { end += 1 }
            if digits() == 0 { end = mantissa }
        }
        guard let number = Double(String(decoding: bytes[place..<end], as: UTF8.self)), number.isFinite else {
            return nil
        }
        place = end
        return number
    }

    func fault(_ reason: String) -> DrawingFault { DrawingFault(offset: place, reason: reason) }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
    fileprivate var isASCIIBlank: Bool { self == 32 || (9...13).contains(self) }
}
