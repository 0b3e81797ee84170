import Foundation

/// Drawing onto sheets, opaque ones and others, by the rules of layers.
extension Sheet {
    /// A rectangle that what is drawn is cut off at, with round corners and a border: its place and its size.
    struct Clip {
        var affine: [Double]
        var width, height: Double
        var edge: ReferenceEdge?

        /// The shares of a cell that lie in the shape, in the shape within its border, and in both the shape and a
        /// picture.
        func coverage(
            _ corner: (x: Double, y: Double), _ size: (x: Double, y: Double), _ picture: InverseMap,
            _ box: InverseMap.Box
        ) -> (outer: Double, inner: Double, seen: Double) {
            let (map, steps) = (InverseMap(affine), 16)
            let whole = ReferenceEdge(radius: edge?.radius ?? 0, width: 0, values: .zero, alpha: 0)
            let own: InverseMap.Box = (0, 0, width, height)
            var counts = (outer: 0.0, inner: 0.0, seen: 0.0)
            for row in 0..<steps {
                for column in 0..<steps {
                    let point = (
                        x: corner.x + size.x * (Double(column) + 0.5) / Double(steps),
                        y: corner.y + size.y * (Double(row) + 0.5) / Double(steps)
                    )
                    let found = map.back(point.x, point.y)
                    guard whole.contains(found, own, inside: 0) else { continue }
                    counts.outer += 1
                    if edge?.contains(found, own, inside: edge?.width ?? 0) ?? true { counts.inner += 1 }
                    let place = picture.back(point.x, point.y)
                    if place.x >= box.left, place.x <= box.right, place.y >= box.top, place.y <= box.bottom {
                        counts.seen += 1
                    }
                }
            }
            let all = Double(steps * steps)
            return (counts.outer / all, counts.inner / all, counts.seen / all)
        }
    }

    /// The shares of a cell: how much of it is drawn, what share of that the picture has, and what share a border.
    private struct Cover {
        var whole: Double
        var seen = 1.0
        var border = 0.0

        init?(
            _ drawing: ReferencePicture.Drawing, _ clip: Clip?, _ map: InverseMap, _ box: InverseMap.Box,
            _ corner: (x: Double, y: Double), _ size: (x: Double, y: Double)
        ) {
            if let clip {
                let (outer, inner, seen) = clip.coverage(corner, size, map, box)
                guard outer > 0 else { return nil }
                (whole, self.seen, border) = (outer, seen / outer, clip.edge == nil ? 0 : 1 - inner / outer)
                return
            }
            whole = map.coverage(corner.x, corner.y, size.x, size.y, box)
            guard whole > 0 else { return nil }
            guard let edge = drawing.edge else { return }
            let (outer, inner) = edge.coverage(map, corner, size, box)
            guard outer > 0 else { return nil }
            (whole, border) = (outer, 1 - inner / outer)
        }
    }

    /// Draws over what is there, and rounds.
    mutating func draw(_ drawing: ReferencePicture.Drawing, clip: Clip? = nil) {
        let map = InverseMap(drawing.affine)
        let frame = drawing.source.planes[0]
        var box: InverseMap.Box = (0, 0, Double(frame.width) * drawing.pixelAspect, Double(frame.height))
        if let crop = drawing.crop {
            box = (
                max(0, crop[0]), max(0, crop[1]), min(box.right, crop[0] + crop[2]), min(box.bottom, crop[1] + crop[3])
            )
        }
        guard box.left < box.right, box.top < box.bottom, drawing.opacity > 0, !map.isFlat else { return }
        // Chroma first: it counts by the canvas's alpha as it was.
        for plane in [1, 2, 0] { draw(drawing, clip, plane, map, box) }
        if alpha != nil { drawAlpha(drawing, clip, map, box) }
        round()
    }

    private mutating func draw(
        _ drawing: ReferencePicture.Drawing, _ clip: Clip?, _ plane: Int, _ map: InverseMap, _ box: InverseMap.Box
    ) {
        let colour = ReferenceColour(from: drawing.source.encoding, to: encoding)
        let (cell, size, back) = (format.cell(plane), size(plane), shares(plane))
        let reach = map.reach(cell)
        let samplers = (0..<3).map { Sampler(drawing.source, $0, drawing.pixelAspect, reach) }
        let levels = encoding.levels(plane)
        for place in planes[plane].indices {
            let (x, y) = (place % size.width * cell.x, place / size.width * cell.y)
            let (wide, high) = (Double(min(cell.x, width - x)), Double(min(cell.y, height - y)))
            guard let cover = Cover(drawing, clip, map, box, (Double(x), Double(y)), (wide, high)) else { continue }
            // Left of its cell, and in its middle downwards.
            let point = map.back(Double(x) + 0.5, Double(y) + Double(cell.y) / 2)
            var (value, own) = Self.sample(samplers, plane, point, colour)
            own *= drawing.alpha * cover.seen
            if let edge = clip?.edge ?? drawing.edge {
                (value, own) = edge.over(value, own, plane: plane, share: cover.border)
            }
            let weight = cover.whole * own * drawing.opacity
            let under = back[place] * (1 - weight)
            guard weight + under > 1e-9 else { continue }
            let shown = (value - levels.zero) / levels.span
            planes[plane][place] = (shown * weight + planes[plane][place] * under) / (weight + under)
        }
    }

    private mutating func drawAlpha(
        _ drawing: ReferencePicture.Drawing, _ clip: Clip?, _ map: InverseMap, _ box: InverseMap.Box
    ) {
        let sampler = Sampler(drawing.source, 0, drawing.pixelAspect, map.reach((1, 1)))
        for place in 0..<width * height {
            let (x, y) = (Double(place % width), Double(place / width))
            guard let cover = Cover(drawing, clip, map, box, (x, y), (1, 1)) else { continue }
            let point = map.back(x + 0.5, y + 0.5)
            var own = sampler.sample(point.x, point.y).alpha * drawing.alpha * cover.seen
            if let edge = clip?.edge ?? drawing.edge { own = edge.over(0, own, plane: 0, share: cover.border).alpha }
            let weight = cover.whole * own * drawing.opacity
            let under = alpha?[place] ?? 1
            alpha?[place] = weight + under * (1 - weight)
        }
    }

    /// A plane's value in 8-bit codes, and how opaque it is there.
    private static func sample(
        _ samplers: [Sampler], _ plane: Int, _ place: (x: Double, y: Double), _ colour: ReferenceColour
    ) -> (Double, Double) {
        let own = samplers[plane].sample(place.x, place.y)
        guard own.alpha > 1e-9 else { return (0, 0) }
        if colour.isPlanar { return (colour.value(own.value / own.alpha, plane: plane), own.alpha) }
        let values = (0..<3).map { other in
            let sample = other == plane ? own : samplers[other].sample(place.x, place.y)
            return sample.value / max(sample.alpha, 1e-9)
        }
        return (colour.values(SIMD3(values[0], values[1], values[2]))[plane], own.alpha)
    }

    /// As a drawing that stands where it is.
    var drawing: ReferencePicture.Drawing {
        ReferencePicture.Drawing(source: picture, pixelAspect: 1, affine: [1, 0, 0, 1, 0, 0], opacity: 1)
    }
}

extension ReferenceEdge {
    /// Whether a point lies in a box with its round corners, so far inside of its edge.
    func contains(_ point: (x: Double, y: Double), _ box: InverseMap.Box, inside: Double) -> Bool {
        let outer = min(radius, min(box.right - box.left, box.bottom - box.top) / 2)
        let round = max(0, outer - inside)
        let (left, right) = (box.left + inside, box.right - inside)
        let (top, bottom) = (box.top + inside, box.bottom - inside)
        guard point.x >= left, point.x <= right, point.y >= top, point.y <= bottom else { return false }
        let x = max(left + round - point.x, point.x - (right - round), 0)
        let y = max(top + round - point.y, point.y - (bottom - round), 0)
        return x == 0 || y == 0 || x * x + y * y <= round * round
    }
}
