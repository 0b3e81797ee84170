/// The composition's drawing rules once more, in plain loops and doubles, written from their text alone.
struct ReferencePicture {
    /// A picture and where and how it is drawn.
    struct Drawing {
        var source: Planes
        /// The width of one of the source's pixels, in display pixels.
        var pixelAspect = 1.0
        var affine: [Double]
        var opacity: Double
        /// The picture's, not its border's.
        var alpha = 1.0
        /// x, y, width, height in display pixels; nil: all of it.
        var crop: [Double]?
        var edge: ReferenceEdge?
        /// The same of its height.
        var pixelHeight = 1.0

        fileprivate var pixel: (x: Double, y: Double) { (pixelAspect, pixelHeight) }

        /// Its samples are not just copied: it is scaled, turned by no quarter turn or moved by a part of a pixel.
        fileprivate var isFiltered: Bool {
            let map = InverseMap.joined([pixel.x, 0, 0, pixel.y, 0, 0], affine)
            func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) < 1e-5 }
            let sides = map[0..<4].map { abs($0) }
            let isTurned = sides.allSatisfy { abs($0) < 1e-6 || abs($0 - 1) < 1e-6 } && sides.reduce(0, +) < 2.1
            return !isTurned || !isWhole(map[4]) || !isWhole(map[5])
        }
    }

    private(set) var canvas: Planes
    private let width, height: Int
    private let light: ReferenceLight

    /// - Parameter background: R'G'B'.
    init(
        width: Int, height: Int, format: PixelFormat, encoding: ReferenceEncoding, background: [Double],
        light: ReferenceLight
    ) {
        (self.width, self.height, self.light) = (width, height, light)
        canvas = Planes(
            width: width, height: height, format: format, encoding: encoding,
            values: encoding.values(ofWritten: background))
    }

    /// Draws over what is there.
    mutating func draw(_ drawing: Drawing) {
        let map = InverseMap(drawing.affine)
        let box = Self.box(drawing)
        guard box.left < box.right, box.top < box.bottom, drawing.opacity > 0, !map.isFlat else { return }
        let paint = ReferencePaint(drawing, map, on: canvas, scalesLight: light.scales && drawing.isFiltered)
        let blend = light.blends ? LightMixing(canvas) : nil
        let top = Double(canvas.alphaTop)
        for plane in 0..<3 {
            let cell = canvas.format.cell(plane)
            let samplers = paint.samplers(plane)
            let under = blend?.samplers(plane)
            let columns = canvas.planes[plane].width
            for position in canvas.planes[plane].values.indices {
                let (x, y) = (position % columns * cell.x, position / columns * cell.y)
                // Cells end at the canvas's edge.
                let cellSize = (x: Double(min(cell.x, width - x)), y: Double(min(cell.y, height - y)))
                let whole = map.coverage(Double(x), Double(y), cellSize.x, cellSize.y, box)
                guard whole > 0 else { continue }
                // Chroma of the canvas sits left: at its first pixel across, in the middle downwards.
                let centre = (x: Double(x) + 0.5, y: Double(y) + Double(cell.y) / 2)
                var (values, alpha) = paint.sample(samplers, plane, map.back(centre.x, centre.y), all: blend != nil)
                alpha *= drawing.alpha
                var covered = whole
                if let edge = drawing.edge {
                    let (outer, inner) = edge.coverage(map, (Double(x), Double(y)), cellSize, box)
                    guard outer > 0 else { continue }
                    covered = outer
                    (values, alpha) = edge.over(values, alpha, share: 1 - inner / outer, blend)
                }
                let weight = covered * alpha * drawing.opacity
                var value = Double(canvas.planes[plane].values[position])
                if let blend, let under, weight > 0, weight < 1 {
                    value = blend.mixed(values, over: blend.sample(under, plane, centre), weight)[plane]
                } else {
                    value += (values[plane] - value) * weight
                }
                canvas.planes[plane].values[position] = Float(min(max(value, 0), top))
            }
        }
    }

    /// The part of the source that is seen, in its display pixels: crop ∩ frame.
    private static func box(_ drawing: Drawing) -> InverseMap.Box {
        let frame = drawing.source.planes[0]
        let (width, height) = (Double(frame.width) * drawing.pixel.x, Double(frame.height) * drawing.pixel.y)
        guard let crop = drawing.crop else { return (0, 0, width, height) }
        return (max(0, crop[0]), max(0, crop[1]), min(width, crop[0] + crop[2]), min(height, crop[1] + crop[3]))
    }
}

/// A picture's samples as the film's values.
private struct ReferencePaint {
    private let source: Planes
    private let pixel: (x: Double, y: Double)
    private let colour: ReferenceColour
    private let reaches: [(x: Double, y: Double)]
    /// Red, green and blue as light at the luma's places, where they are sampled so.
    private let lit: Planes?

    init(_ drawing: ReferencePicture.Drawing, _ map: InverseMap, on canvas: Planes, scalesLight: Bool) {
        (source, pixel) = (drawing.source, drawing.pixel)
        colour = ReferenceColour(from: source.encoding, to: canvas.encoding)
        reaches = (0..<3).map { map.reach(canvas.format.cell($0)) }
        lit = scalesLight ? Self.light(of: source, colour) : nil
    }

    func samplers(_ plane: Int) -> [Sampler] { (0..<3).map { Sampler(lit ?? source, $0, pixel, reaches[plane]) } }

    /// The canvas's values there, and how opaque they are; without `all` only that plane's need to be right.
    func sample(_ samplers: [Sampler], _ plane: Int, _ place: (x: Double, y: Double), all: Bool)
        -> (values: SIMD3<Double>, alpha: Double)
    {
        let own = samplers[plane].sample(place.x, place.y)
        guard own.alpha > 1e-9 else { return (.zero, 0) }
        let isAlone = colour.isPlanar && lit == nil && !all
        var values = SIMD3<Double>()
        for other in 0..<3 where other == plane || !isAlone {
            let sample = other == plane ? own : samplers[other].sample(place.x, place.y)
            values[other] = sample.value / max(sample.alpha, 1e-9)
        }
        if lit != nil { return (colour.values(ofLight: values), own.alpha) }
        guard colour.isPlanar else { return (colour.values(values), own.alpha) }
        for other in 0..<3 { values[other] = colour.value(values[other], plane: other) }
        return (values, own.alpha)
    }

    private static func light(of source: Planes, _ colour: ReferenceColour) -> Planes {
        let samplers = (0..<3).map { Sampler(source, $0, (1, 1), (1, 1)) }
        let luma = source.planes[0]
        var rows = (0..<3).map { _ in Planes.Plane(width: luma.width, height: luma.height, values: []) }
        for position in luma.values.indices {
            let place = (x: Double(position % luma.width) + 0.5, y: Double(position / luma.width) + 0.5)
            var values = SIMD3(repeating: Double(luma.values[position]))
            for plane in 0..<3 where plane > 0 || source.encoding.isRGB {
                let sample = samplers[plane].sample(place.x, place.y)
                values[plane] = sample.alpha > 0 ? sample.value / sample.alpha : 0
            }
            let light = colour.light(values)
            for plane in 0..<3 { rows[plane].values.append(Float(light[plane])) }
        }
        let depth = source.format.bits > 8 && !source.format.isFloat ? "\(source.format.bits)le" : ""
        return Planes(format: PixelFormat("gbrap" + depth), planes: rows + source.planes.dropFirst(3))
    }
}
