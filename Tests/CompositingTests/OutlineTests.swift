import Compositing
import Foundation
import Pictures
import Testing

/// Round corners and borders against points: each pixel is asked at 64 × 64 places what is there.
@Suite("Round corners and borders")
struct OutlineTests {
    private static let (width, height) = (64, 56)
    private static let (sourceWidth, sourceHeight) = (40, 30)
    private static let maps: [Affine] = [
        .translation(9, 7), .translation(9.4, 7.7), .scale(1.4, 1.3).then(.translation(3.2, 5)),
        Affine(a: 0, b: 1.1, c: -1.3, d: 0, tx: 50, ty: 6.5),
        Affine(a: 0.9, b: 0.02, c: -0.02, d: 0.9, tx: 12, ty: 9),
        Affine(a: 0.8, b: 0.5, c: -0.45, d: 0.9, tx: 22, ty: 4), .scale(2, 2).then(.translation(-13, -9)),
    ]

    /// 0 outside, 1 on the border, 2 inside it.
    private func part(_ x: Double, _ y: Double, _ rect: Rect, _ radius: Double, _ border: Double) -> Int {
        func isInside(_ inset: Double) -> Bool {
            let (left, top) = (rect.x + inset, rect.y + inset)
            let (right, bottom) = (rect.x + rect.width - inset, rect.y + rect.height - inset)
            guard x > left, x < right, y > top, y < bottom else { return false }
            let round = max(0, min(radius, rect.width / 2, rect.height / 2) - inset)
            let (dx, dy) = (max(left + round - x, x - right + round, 0), max(top + round - y, y - bottom + round, 0))
            return dx * dx + dy * dy <= round * round
        }
        if border > 0 { return isInside(border) ? 2 : isInside(0) ? 1 : 0 }
        return isInside(0) ? 2 : 0
    }

    /// Luma by counting points: 16 below, 235 in the picture, the border's own.
    private func expected(
        _ map: Affine, _ rect: Rect, _ outline: LayerOutline, opacity: Double, pictureAlpha: Double
    ) throws -> [[Double]] {
        let back = try #require(map.inverse)
        let steps = 64
        let edge = 16 + 219 * outline.borderColour.red
        let (picture, alpha) = (235.0, outline.borderColour.alpha)
        let within = 16 + (picture - 16) * pictureAlpha
        let onBorder = alpha * edge + (1 - alpha) * within
        return (0..<Self.height).map { row in
            (0..<Self.width).map { column in
                var counts = [0, 0, 0]
                for index in 0..<(steps * steps) {
                    let x = Double(column) + (Double(index % steps) + 0.5) / Double(steps)
                    let y = Double(row) + (Double(index / steps) + 0.5) / Double(steps)
                    let place = back.apply(x, y)
                    counts[part(place.x, place.y, rect, outline.cornerRadius, outline.borderWidth)] += 1
                }
                let shares = counts.map { Double($0) / Double(steps * steps) }
                let seen = (shares[1] + shares[2]) * opacity
                return 16 * (1 - seen) + opacity * (shares[1] * onBorder + shares[2] * within)
            }
        }
    }

    private func composed(
        _ map: Affine, _ crop: Rect?, _ outline: LayerOutline, opacity: Double, pictureAlpha: Double, frames: Int = 1
    ) -> Picture {
        let source = Picture(Self.sourceWidth, Self.sourceHeight, encoding(.i444)).fill(235, 128, 128)
        let level = Int((16 + 219 * outline.borderColour.red).rounded())
        let line = Picture(2, 2, encoding(.i444)).fill(level, 128, 128)
        var edge = LayerEdge(
            outline, by: nil, width: Double(Self.sourceWidth), height: Double(Self.sourceHeight))
        edge.pictureAlpha = pictureAlpha
        var picture = source.layer(map, crop: crop, opacity: opacity * pictureAlpha)
        picture.edge = edge
        picture.identity = AnyHashable("picture")
        var layers = [picture]
        if outline.hasBorder {
            var border = line.layer(map, crop: crop, opacity: opacity * outline.borderColour.alpha)
            border.edge = edge.border
            border.identity = AnyHashable("border")
            layers.append(border)
        }
        let out = Picture(Self.width, Self.height, encoding(.i444))
        var compositor = Compositor(
            size: PixelSize(width: Self.width, height: Self.height), encoding: encoding(.i444), hasAlpha: false)
        for _ in 0..<frames { compositor.compose(background: .black, layers: layers, into: out.image) }
        return out
    }

    private func expectPoints(
        _ map: Affine, _ crop: Rect?, _ outline: LayerOutline, opacity: Double, pictureAlpha: Double = 1,
        _ comment: Comment
    ) throws {
        let rect = crop ?? Rect(x: 0, y: 0, width: Double(Self.sourceWidth), height: Double(Self.sourceHeight))
        let points = try expected(map, rect, outline, opacity: opacity, pictureAlpha: pictureAlpha)
        let out = composed(map, crop, outline, opacity: opacity, pictureAlpha: pictureAlpha)
        var farthest = 0.0
        for y in 0..<Self.height {
            for x in 0..<Self.width { farthest = max(farthest, abs(Double(out[0, x, y]) - points[y][x])) }
        }
        // A share is right to 1/64; each of the two layers is rounded.
        #expect(farthest <= 219.0 / 64 + 1, "\(farthest), \(comment)")
        #expect(out.damagedGuards == 0)
        let kept = composed(map, crop, outline, opacity: opacity, pictureAlpha: pictureAlpha, frames: 5)
        #expect(kept.samples == out.samples, "\(comment)")
    }

    @Test("A corner is round wherever the layer stands", arguments: maps)
    func corners(map: Affine) throws {
        for radius in [0.5, 6, 15, 400] {
            try expectPoints(map, nil, LayerOutline(cornerRadius: radius), opacity: 1, "radius \(radius) \(map)")
        }
    }

    @Test("A border lies inside the edge, and nothing shines through beside it", arguments: maps)
    func borders(map: Affine) throws {
        let grey = Colour(red: 0.5, green: 0.5, blue: 0.5)
        let glass = Colour(red: 0.5, green: 0.5, blue: 0.5, alpha: 0.4)
        for (radius, width, colour, opacity) in [(0.0, 3.0, grey, 1.0), (9, 2.5, grey, 0.6), (5, 7, glass, 0.7)] {
            try expectPoints(
                map, nil, LayerOutline(cornerRadius: radius, borderWidth: width, borderColour: colour),
                opacity: opacity, "radius \(radius), border \(width) \(map)")
        }
    }

    @Test("A picture's own alpha does not fade its border", arguments: maps)
    func ownAlpha(map: Affine) throws {
        for (colour, opacity, own) in [(0.8, 1.0, 0.3), (0.8, 0.7, 0.5), (0.2, 1, 0.05)] {
            let line = Colour(red: colour, green: colour, blue: colour, alpha: opacity == 1 ? 1 : 0.6)
            try expectPoints(
                map, nil, LayerOutline(cornerRadius: 6, borderWidth: 2.5, borderColour: line), opacity: opacity,
                pictureAlpha: own, "\(own) of \(opacity) \(map)")
        }
    }

    @Test("Both follow the crop; a border wider than the picture is all there is")
    func cropAndWideBorder() throws {
        let crop = Rect(x: 4.5, y: 3, width: 25, height: 20)
        let outline = LayerOutline(
            cornerRadius: 6, borderWidth: 2, borderColour: Colour(red: 0.5, green: 0.5, blue: 0.5))
        try expectPoints(Self.maps[1], crop, outline, opacity: 0.8, "crop")
        var wide = outline
        wide.borderWidth = 60
        try expectPoints(Self.maps[5], crop, wide, opacity: 0.8, "wide")
    }

    @Test("Where chroma is subsampled it is covered as the pixels of its cell are")
    func subsampled() {
        let source = Picture(40, 30, encoding()).fill(235, 200, 60)
        var layer = source.layer(.translation(10, 8))
        layer.edge = LayerEdge(LayerOutline(cornerRadius: 15), by: nil, width: 40, height: 30)
        let out = Picture(64, 56, encoding()).compose([layer])
        var farthest = 0.0
        for y in 0..<28 {
            for x in 0..<32 {
                let places: [(x: Int, y: Int)] = [(0, 0), (1, 0), (0, 1), (1, 1)]
                let luma = places.map { place -> Double in Double(out[0, 2 * x + place.x, 2 * y + place.y]) - 16 }
                let share = luma.reduce(0, +) / 4 / 219
                farthest = max(farthest, abs(Double(out[1, x, y]) - (128 + 72 * share)))
            }
        }
        #expect(farthest <= 72.0 / 32 + 1)
    }

    @Test(
        "A cell of chroma that a border shares with its picture is half of each, on a clear canvas too",
        arguments: [0.0, 8])
    func sharedCells(radius: Double) {
        let outline = LayerOutline(cornerRadius: radius, borderWidth: 5, borderColour: .black)
        let edge = LayerEdge(outline, by: nil, width: 40, height: 30)
        let (source, line) = (
            Picture(40, 30, encoding()).fill(120, 200, 90), Picture(2, 2, encoding()).fill(120, 60, 190)
        )
        var (picture, border) = (source.layer(.translation(10, 8)), line.layer(.translation(10, 8)))
        (picture.edge, picture.identity) = (edge, AnyHashable("picture"))
        (border.edge, border.identity) = (edge.border, AnyHashable("border"))
        let out = Picture(64, 48, encoding(), alpha: true)
        var compositor = Compositor(size: PixelSize(width: 64, height: 48), encoding: encoding(), hasAlpha: true)
        let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0)
        // Made, kept and shown again.
        for _ in 0..<4 {
            compositor.compose(background: clear, layers: [picture, border], into: out.image)
            // The edges inside the border are at 15 and 45, 13 and 33: in the middles of cells 7 and 22, 6 and 16.
            for (x, y) in [(7, 11), (22, 11), (15, 6), (15, 16)] {
                #expect(abs(out[1, x, y] - 130) <= 1 && abs(out[2, x, y] - 140) <= 1, "\(x), \(y): \(out[1, x, y])")
            }
            for (x, y) in [(6, 11), (23, 11), (15, 5), (15, 17)] { #expect(abs(out[1, x, y] - 60) <= 1, "\(x), \(y)") }
            for (x, y) in [(8, 11), (21, 11), (15, 7), (15, 15)] { #expect(abs(out[1, x, y] - 200) <= 1, "\(x), \(y)") }
        }
        withExtendedLifetime((source, line)) {}
    }
}
