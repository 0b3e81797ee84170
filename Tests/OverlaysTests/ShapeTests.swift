import Diagnostics
import Drawings
import Overlays
import Pictures
import SplitreelProject
import Testing

@Suite("Shapes")
struct ShapeTests {
    private static let size = PixelSize(width: 100, height: 60)

    private func drawn(
        _ path: String, scale: Double = 1, bitDepth: Int = 8, _ change: (inout ShapeDrawing) -> Void
    ) throws -> DrawnPicture {
        var shape = ShapeDrawing(path: try DrawingPath(svg: path))
        change(&shape)
        return try DrawnPicture(
            DrawingPicture(.shape(shape), size: Self.size, scaleX: scale, scaleY: scale), bitDepth: bitDepth)
    }

    @Test func aRectangleCoversWhatItCovers() throws {
        let picture = try drawn("M10.5 20 h40 v10.25 h-40 z") { $0.fillColour = .black }
        #expect(abs(picture.coverage - 40 * 10.25) < 0.5)
        #expect(picture.alpha(30, 25) == 255 && picture.alpha(30, 19) == 0)
        // Half of a column, a quarter of a row.
        #expect((126...129).contains(picture.alpha(10, 25)) && (126...129).contains(picture.alpha(50, 25)))
        #expect((62...66).contains(picture.alpha(30, 30)))
        #expect(picture.ink.width <= 44 && picture.ink.height <= 14)
    }

    /// A colour has the codes of BT.709's formula, in 8 and in 10 bits.
    @Test(arguments: [8, 10])
    func aColourIsTheFilms(bitDepth: Int) throws {
        let picture = try drawn("M10 10 h20 v20 h-20 z", bitDepth: bitDepth) {
            $0.fillColour = Colour(red: 1, green: 0.5, blue: 0.25, alpha: 0.6)
        }
        let scale = Double(1 << (bitDepth - 8))
        let luma = 0.2126 + 0.7152 * 0.5 + 0.0722 * 0.25
        let codes = [
            16 + 219 * luma, 128 + 224 * (0.25 - luma) / 1.8556, 128 + 224 * (1 - luma) / 1.5748,
        ].map { Int(($0 * scale).rounded()) }
        #expect(picture.code(15, 15) == codes)
        #expect(picture.alpha(15, 15) == Int((0.6 * Double((1 << bitDepth) - 1)).rounded()))
    }

    @Test func aStrokeLiesOverTheFilling() throws {
        let picture = try drawn("M20 20 h40 v20 h-40 z") {
            $0.fillColour = Colour(red: 1, green: 1, blue: 1)
            $0.strokeColour = .black
            $0.lineWidth = 4
        }
        // 44 × 24 in all, of which 36 × 16 are the filling's.
        #expect(abs(picture.coverage - 44 * 24) < 0.5)
        #expect(picture.code(19, 30)[0] == 16 && picture.code(30, 30)[0] == 235)
        let white = (0..<60).map { (y: Int) -> [Int] in
            (0..<100).filter { picture.alpha($0, y) > 0 && picture.code($0, y)[0] == 235 }
        }
        #expect(white.reduce(0) { $0 + $1.count } == 36 * 16)
    }

    @Test func dashesAndGapsHaveTheirLengths() throws {
        let picture = try drawn("M5 30 h80") {
            $0.strokeColour = .black
            $0.lineWidth = 2
            $0.dashPattern = [10, 6]
            $0.dashPhase = 4
        }
        let row = (0..<100).map { picture.alpha($0, 30) == 255 }
        let expected = (0..<100).map { (x: Int) -> Bool in (5..<85).contains(x) && (x - 5 + 4) % 16 < 10 }
        #expect(row == expected)
    }

    /// The outline of a rectangle is 160 long: a quarter to a half of it is from the end of its upper side on.
    @Test func aStrokeMayShowAPart() throws {
        let picture = try drawn("M10 10 h60 v20 h-60 z") {
            $0.strokeColour = .black
            $0.lineWidth = 2
            $0.strokeStart = 0.25
            $0.strokeEnd = 0.5
        }
        #expect(abs(picture.coverage - (20 * 2 + 20 * 2 + 1)) < 1.5)
        #expect(picture.alpha(49, 10) == 0 && picture.alpha(51, 10) == 255 && picture.alpha(69, 29) == 255)
        let none = try drawn("M10 10 h60") {
            $0.strokeColour = .black
            $0.strokeEnd = 0
        }
        #expect(none.coverage == 0)
    }

    @Test func dashesStandStillWhileAStrokeGrows() throws {
        func row(_ end: Double) throws -> [Bool] {
            let picture = try drawn("M0 30 L20 30 L100 30") {
                $0.strokeColour = .black
                $0.lineWidth = 2
                $0.dashPattern = [4, 4]
                $0.strokeStart = 0.1
                $0.strokeEnd = end
            }
            return (0..<100).map { picture.alpha($0, 30) > 128 }
        }
        let whole = (0..<100).map { $0 >= 10 && $0 % 8 < 4 }
        #expect(try row(1) == whole)
        #expect(try row(0.6) == whole.enumerated().map { $0 < 60 && $1 })
    }

    /// A circle, an ellipse, three quarters of a circle with the last one's triangle, two parabolas, a cubic curve.
    @Test(arguments: [
        ("M30 30 A20 20 0 0 1 70 30 A20 20 0 0 1 30 30 z", 1256.64),
        ("M30 30 A20 10 90 0 1 50 30 A20 10 90 0 1 30 30 z", 628.32),
        ("M50 10 A20 20 0 1 1 30 30 z", 1142.48),
        ("M10 10 Q50 50 90 10 z", 1066.67),
        ("M10 10 q20 20 40 20 t40 -20 z", 1066.67),
        ("M10 10 C10 50 90 50 90 10 z", 1920),
    ])
    func curvesEncloseTheirArea(path: String, area: Double) throws {
        let picture = try drawn(path) { $0.fillColour = .black }
        #expect(abs(picture.coverage - area) < area * 0.005, "\(picture.coverage) of \(area)")
    }

    @Test func holesFollowTheRule() throws {
        let path = "M10 10 h40 v40 h-40 z M20 20 h20 v20 h-20 z"
        let whole = try drawn(path) { $0.fillColour = .black }
        let hollow = try drawn(path) {
            $0.fillColour = .black
            $0.fillRule = .evenOdd
        }
        #expect(abs(whole.coverage - 1600) < 0.5 && abs(hollow.coverage - 1200) < 0.5)
    }

    @Test func anEndlessShapeIsRefused() {
        let path = "M0 0" + String(repeating: "L100 60L0 0", count: 45_000)
        #expect(throws: SplitreelError.self) { try drawn(path) { $0.fillColour = .black } }
        #expect(throws: SplitreelError.self) {
            try drawn("M0 0" + String(repeating: "h1", count: 9000)) {
                ($0.strokeColour, $0.lineWidth, $0.join) = (.black, 1000, .round)
            }
        }
    }

    @Test func halfTheSizeIsTheSamePicture() throws {
        let path = "M20 20 h60 v40 h-60 z"
        let picture = try drawn(path, scale: 0.5) { $0.fillColour = .black }
        #expect(picture.coverage == 600 && picture.alpha(10, 10) == 255 && picture.alpha(39, 29) == 255)
    }

    @Test(arguments: [
        ("", "L1 1", "begins with M"), ("a number", "M1 1 L x", "number"), ("a flag", "M0 0 A1 1 0 2 0 5 5", "flag"),
        ("a command", "M0 0 B1 1", "command"), ("a huge number", "M0 0 L1e9 0", "1000000"),
        ("too many", "M0 0" + String(repeating: "h1", count: 100_001), "100000"),
    ])
    func pathsThatAreWrongAreRefused(what: String, path: String, reason: String) {
        #expect(throws: DrawingFault.self) { try DrawingPath(svg: path) }
        do { _ = try DrawingPath(svg: path) } catch { #expect(error.reason.contains(reason)) }
    }
}
