import Pictures

/// The shape of a layer on the canvas: its (crop ∩ frame), transformed and cut to the canvas.
struct LayerShape {
    /// The corners in canvas pixels, in either sense; convex.
    let polygon: Polygon
    /// Whether the edges are parallel to the axes: coverage is then a product of two one-dimensional overlaps.
    let isAxisAligned: Bool
    let left, right, top, bottom: Double
    let coversCanvas: Bool
    /// The part of the polygon that is painted where it has round corners or a border; nil for all of it.
    let edged: EdgedShape?
    let edge: LayerEdge?

    /// The largest coordinate in canvas pixels. A layer beyond it is taken for nonsense and not drawn.
    private static let farthest = 1e12

    /// The shape of a layer; nil where nothing is visible: empty, outside, degenerate or not finite.
    ///
    /// - Parameter frame: The source's display size in its own display pixels.
    init?(
        frame: (width: Double, height: Double), crop: Rect?, transform: Affine, isAxisAligned: Bool, canvas: PixelSize,
        clip: Rect? = nil, edge: LayerEdge? = nil
    ) {
        var (x0, y0, x1, y1) = (0.0, 0.0, frame.width, frame.height)
        if let crop, !crop.isInfinite {
            let edges = [crop.x, crop.y, crop.x + crop.width, crop.y + crop.height]
            guard edges.allSatisfy({ !$0.isNaN }) else { return nil }
            (x0, y0, x1, y1) = (max(x0, edges[0]), max(y0, edges[1]), min(x1, edges[2]), min(y1, edges[3]))
        }
        guard x1 > x0, y1 > y0 else { return nil }
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        var outline = Polygon()
        for (x, y) in [(x0, y0), (x1, y0), (x1, y1), (x0, y1)] {
            let point = transform.apply(x, y)
            guard abs(point.x) <= Self.farthest, abs(point.y) <= Self.farthest else { return nil }
            outline.append(Self.snapped(point.x), Self.snapped(point.y))
        }
        outline = outline.clipped(vertical: false, from: 0, to: width).clipped(vertical: true, from: 0, to: height)
        if let clip {
            outline = outline.clipped(vertical: false, from: clip.x, to: clip.x + clip.width)
                .clipped(vertical: true, from: clip.y, to: clip.y + clip.height)
        }
        guard outline.count >= 3, outline.area > 1e-7 else { return nil }
        polygon = outline
        self.isAxisAligned = isAxisAligned
        (left, right) = outline.extent(vertical: false)
        let lines = outline.extent(vertical: true)
        (top, bottom) = lines
        let seen = Rect(x: x0, y: y0, width: x1 - x0, height: y1 - y0)
        self.edge = edge
        edged = edge.flatMap {
            EdgedShape(
                $0, rect: seen, transform: transform, isAxisAligned: isAxisAligned, top: lines.low, bottom: lines.high)
        }
        if edge != nil, edged == nil { return nil }
        // The corners decide, so that no cell of a covering layer is blended with the canvas before it.
        let (first, last) = (outline.extent(onLine: 0), outline.extent(onLine: height))
        coversCanvas = edge == nil && first?.low == 0 && first?.high == width && last?.low == 0 && last?.high == width
    }

    /// The coordinate, put on a pixel boundary where arithmetic left it a hair beside one.
    static func snapped(_ value: Double) -> Double {
        let whole = value.rounded()
        return abs(value - whole) < 1e-6 ? whole : value
    }
}
