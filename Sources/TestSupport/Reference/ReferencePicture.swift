/// The composition's drawing rules once more, in plain loops and doubles, written from their text alone.
struct ReferencePicture {
    /// A picture and where and how it is drawn.
    struct Drawing {
        var source: Planes
        var pixelAspect: Double
        var affine: [Double]
        var opacity: Double
        /// The picture's, not its border's.
        var alpha = 1.0
        /// x, y, width, height in display pixels; nil: all of it.
        var crop: [Double]?
        var edge: ReferenceEdge?
    }

    private(set) var canvas: Planes
    private let width, height: Int

    /// - Parameter background: R'G'B'.
    init(width: Int, height: Int, format: PixelFormat, encoding: ReferenceEncoding, background: [Double]) {
        (self.width, self.height) = (width, height)
        canvas = Planes(
            width: width, height: height, format: format, encoding: encoding,
            values: encoding.values(SIMD3(background[0], background[1], background[2])))
    }

    /// Draws over what is there.
    mutating func draw(_ drawing: Drawing) {
        let map = InverseMap(drawing.affine)
        let box = Self.box(drawing)
        guard box.left < box.right, box.top < box.bottom, drawing.opacity > 0, !map.isFlat else { return }
        let colour = ReferenceColour(from: drawing.source.encoding, to: canvas.encoding)
        let top = Double(canvas.alphaTop)
        for plane in 0..<3 {
            let cell = canvas.format.cell(plane)
            // Chroma of the canvas sits left: at its first pixel across, in the middle downwards.
            let centre = (x: 0.5, y: Double(cell.y) / 2)
            let reach = map.reach(cell)
            let samplers = (0..<3).map { Sampler(drawing.source, $0, drawing.pixelAspect, reach) }
            let columns = canvas.planes[plane].width
            for position in canvas.planes[plane].values.indices {
                let (x, y) = (position % columns * cell.x, position / columns * cell.y)
                // Cells end at the canvas's edge.
                let cellSize = (x: Double(min(cell.x, width - x)), y: Double(min(cell.y, height - y)))
                let whole = map.coverage(Double(x), Double(y), cellSize.x, cellSize.y, box)
                guard whole > 0 else { continue }
                let place = map.back(Double(x) + centre.x, Double(y) + centre.y)
                var (value, alpha) = Self.sample(samplers, plane, place, colour)
                alpha *= drawing.alpha
                var covered = whole
                if let edge = drawing.edge {
                    let (outer, inner) = edge.coverage(map, (Double(x), Double(y)), cellSize, box)
                    guard outer > 0 else { continue }
                    covered = outer
                    (value, alpha) = edge.over(value, alpha, plane: plane, share: 1 - inner / outer)
                }
                let weight = covered * alpha * drawing.opacity
                let under = Double(canvas.planes[plane].values[position])
                canvas.planes[plane].values[position] = Float(min(max(under + (value - under) * weight, 0), top))
            }
        }
    }

    /// The value of one plane of the canvas, and how opaque it is there.
    private static func sample(
        _ samplers: [Sampler], _ plane: Int, _ place: (x: Double, y: Double), _ colour: ReferenceColour
    ) -> (value: Double, alpha: Double) {
        let own = samplers[plane].sample(place.x, place.y)
        guard own.alpha > 1e-9 else { return (0, 0) }
        if colour.isPlanar { return (colour.value(own.value / own.alpha, plane: plane), own.alpha) }
        var values = SIMD3<Double>()
        for other in 0..<3 {
            let sample = other == plane ? own : samplers[other].sample(place.x, place.y)
            values[other] = sample.value / max(sample.alpha, 1e-9)
        }
        return (colour.values(values)[plane], own.alpha)
    }

    /// What is seen of the source, in its display pixels: crop ∩ frame.
    private static func box(_ drawing: Drawing) -> InverseMap.Box {
        let frame = drawing.source.planes[0]
        let (width, height) = (Double(frame.width) * drawing.pixelAspect, Double(frame.height))
        guard let crop = drawing.crop else { return (0, 0, width, height) }
        return (max(0, crop[0]), max(0, crop[1]), min(width, crop[0] + crop[2]), min(height, crop[1] + crop[3]))
    }
}
