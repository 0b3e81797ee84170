/// The composition's drawing rules once more, in plain loops and doubles, written from their text alone.
struct ReferencePicture {
    /// A source frame and where and how it is drawn.
    struct Drawing {
        /// In the composition's Y'CbCr.
        var source: Planes
        var pixelAspect: Double
        var affine: [Double]
        var opacity: Double
        /// x, y, width, height in display pixels; nil: all of it.
        var crop: [Double]?
    }

    private(set) var canvas: Planes

    /// Black, opaque.
    init(width: Int, height: Int, format: PixelFormat) {
        canvas = Planes(format: format, planes: [])
        for (plane, black) in zip(0..<3, [16, 128, 128] as [Float]) {
            let cell = format.cell(plane)
            let (columns, rows) = ((width + cell.x - 1) / cell.x, (height + cell.y - 1) / cell.y)
            canvas.planes.append(
                Planes.Plane(
                    width: columns, height: rows, values: [Float](repeating: black, count: columns * rows)))
        }
    }

    /// Draws over what is there.
    mutating func draw(_ drawing: Drawing) {
        let map = InverseMap(drawing.affine)
        let box = Self.box(drawing)
        guard box.left < box.right, box.top < box.bottom, drawing.opacity > 0 else { return }
        for plane in 0..<3 {
            let cell = canvas.format.cell(plane)
            // Chroma of the canvas sits left: at its first pixel across, in the middle downwards.
            let centre = (x: 0.5, y: Double(cell.y) / 2)
            let sampler = Sampler(drawing.source, plane, drawing.pixelAspect, map.reach(cell))
            let width = canvas.planes[plane].width
            for position in canvas.planes[plane].values.indices {
                let (x, y) = (Double(position % width * cell.x), Double(position / width * cell.y))
                let covered = map.coverage(x, y, Double(cell.x), Double(cell.y), box) * drawing.opacity
                guard covered > 0 else { continue }
                let place = map.back(x + centre.x, y + centre.y)
                let sample = sampler.sample(place.x, place.y)
                let under = Double(canvas.planes[plane].values[position])
                canvas.planes[plane].values[position] = Float(
                    under * (1 - covered * sample.alpha) + covered * sample.value)
            }
        }
    }

    /// What is seen of the source, in its display pixels: crop ∩ frame.
    private static func box(_ drawing: Drawing) -> InverseMap.Box {
        let frame = drawing.source.planes[0]
        let (width, height) = (Double(frame.width) * drawing.pixelAspect, Double(frame.height))
        guard let crop = drawing.crop else { return (0, 0, width, height) }
        return (max(0, crop[0]), max(0, crop[1]), min(width, crop[0] + crop[2]), min(height, crop[1] + crop[3]))
    }
}
