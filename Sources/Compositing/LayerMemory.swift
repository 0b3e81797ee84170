import Pictures

/// A picture at a place: equal keys give equal rows.
struct LayerKey: Hashable {
    let picture: AnyHashable
    let transform: Affine
    let crop: Rect?
    let pixelAspect: Double
    let clip: Rect?
    let edge: LayerEdge?
    /// The layer's opacity of 32768 where the rows depend on it, along a border; 0 for other layers.
    let weight: Int
    let use: LightUse
}

/// Remembers which layers stand still, and keeps the rows of those that do (a watermark, a still, a held frame).
///
/// A layer is kept when it is painted for the third frame running, and forgotten when a frame does without it.
final class LayerMemory {
    /// The most bytes of all that is kept; a layer that finds no room is sampled for every frame.
    static let byteLimit = 64 << 20

    private struct Entry {
        var lastFrame: Int
        /// The number of frames that showed it without a gap.
        var run: Int
        var layer: KeptLayer?
        var isRefused = false
    }

    private var entries: [LayerKey: Entry] = [:]
    private var frame = 0
    private(set) var byteCount = 0

    /// Begins a frame and forgets layers that the last one did without; to be called before each frame's layers.
    func beginFrame() {
        frame += 1
        for (key, entry) in entries where entry.lastFrame < frame - 1 {
            byteCount -= entry.layer?.byteCount ?? 0
            entries[key] = nil
        }
    }

    /// The rows to paint again, if they were kept, or nil; counts the layer as seen.
    func layer(_ key: LayerKey) -> KeptLayer? {
        var entry = entries[key] ?? Entry(lastFrame: 0, run: 0)
        if entry.lastFrame < frame { entry.run += 1 }
        entry.lastFrame = frame
        entries[key] = entry
        return entry.layer
    }

    /// A store for the layer's rows while it is painted; nil where it is not worth it.
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
