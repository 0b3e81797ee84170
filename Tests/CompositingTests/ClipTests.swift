import Compositing
import Pictures
import Testing

@Suite("Layers are seen inside the clip only")
struct ClipTests {
    @Test("A covering layer leaves the bars to the background", arguments: [0.0, 0.3])
    func bars(angle: Double) {
        let source = Picture(60, 40, encoding()).paintScene(seed: 9)
        // The second is sheared, so that its coverage is that of a polygon.
        let map = Affine(a: 4, b: angle, c: 0, d: 4, tx: -60, ty: -60)
        var layer = source.layer(map)
        let whole = Picture(60, 40, encoding()).compose([layer])
        layer.clip = Rect(x: 10, y: 4, width: 32, height: 30)
        let clipped = Picture(60, 40, encoding()).compose([layer])
        let bars = [16, 128, 128]
        for plane in 0..<3 {
            let (w, h) = clipped.size(plane)
            let shift = plane == 0 ? 0 : 1
            var wrong = 0
            for y in 0..<h {
                for x in 0..<w {
                    let isInside =
                        (10..<42).contains(x << shift) && (4..<34).contains(y << shift)
                    if clipped[plane, x, y] != (isInside ? whole[plane, x, y] : bars[plane]) { wrong += 1 }
                }
            }
            #expect(wrong == 0, "plane \(plane)")
        }
        #expect(clipped.damagedGuards == 0)
    }
}
