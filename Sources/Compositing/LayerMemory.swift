import Pictures

/// A picture at a place: equal keys give equal rows.
struct LayerKey: Hashable {
    let picture: AnyHashable
    let transform: Affine
    let crop: Rect?
    let pixelAspect: Double
    let clip: Rect?
    let edge: LayerEdge?
    /// Where it has a say in the rows: along a border; else 0.
    let weight: Int
    let use: LightUse
}

/// Remembers which layers stand still, and keeps the rows of those that do (a watermark, a still, a held frame).
///
/// A layer is kept when it is painted for the third frame running, and forgotten when a frame does without it.
final class LayerMemory {
    /// Of all that is kept; what finds no room is sampled for every frame.
    static let byteLimit = 64 << 20

    private struct Entry {
        var lastFrame: Int
        /// Frames that showed it without a gap.
        var run: Int
        var layer: KeptLayer?
        var isRefused = false
    }

    private var entries: [LayerKey: Entry] = [:]
    private var frame = 0
    private(set) var byteCount = 0

    /// Before each frame's layers.
    func beginFrame() {
        frame += 1
        for (key, entry) in entries where entry.lastFrame < frame - 1 {
            byteCount -= entry.layer?.byteCount ?? 0
            entries[key] = nil
        }
    }

    /// The rows to paint again, if they were kept; counts the layer as seen.
    func layer(_ key: LayerKey) -> KeptLayer? {
        var entry = entries[key] ?? Entry(lastFrame: 0, run: 0)
        if entry.lastFrame < frame { entry.run += 1 }
        entry.lastFrame = frame
        entries[key] = entry
        return entry.layer
    }

    /// Something to keep the layer's rows in while it is painted, where that is worth it.
    func keeper(_ key: LayerKey) -> KeptLayer? {
        guard let entry = entries[key], entry.run >= 3, !entry.isRefused else { return nil }
        return KeptLayer(room: Self.byteLimit - byteCount)
    }

    func keep(_ layer: KeptLayer, as key: LayerKey) {
        guard !layer.isRefused else {
            entries[key]?.isRefused = true
            return
        }
        entries[key]?.layer = layer
        byteCount += layer.byteCount
    }
}
