public import JSONText

/// The key `animation`: a tree of layers around the picture, or as one more track.
public struct AnimationTree: ProjectObject {
    /// The tree's relation to the picture.
    public enum Mode: String, Codable, ProjectWord {
        /// The tree is the picture, and the composed frame the contents of `videoLayers`.
        case postProcessing
        /// The tree is a picture with alpha that layers of instructions draw as track `trackID`.
        case additionalLayer
    }

    /// The tree's relation to the picture: around it, or a track of its own; nil for `postProcessing`.
    public var mode: Mode?
    /// The ids of the layers that show the composed frame, in a tree around it; nil for none.
    public var videoLayers: [String]?
    /// The number by which layers of instructions name a tree that is a track; nil for one around the picture.
    public var trackID: Int?
    /// The layer that holds all others: its bounds are scaled to the canvas, and its position does not count.
    public var root = AnimationLayer()
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Animation"
    package static let summary = "A tree of animated layers: around the composed picture, or as a track of its own."
    package static let fields: [Field<AnimationTree>] = [
        Field(
            "mode", \.mode, default: .string("postProcessing"),
            """
            `postProcessing`: the tree is the picture, and the composed frame the contents of `videoLayers`. \
            `additionalLayer`: the tree is a picture with alpha that layers of instructions draw as track `trackID`.
            """),
        Field("videoLayers", \.videoLayers, "postProcessing: the ids of the layers that show the composed frame."),
        Field(
            "trackID", \.trackID, "additionalLayer: the number by which layers name the tree; no track's of the file."),
        Field(
            "root", required: \.root,
            "Its bounds (absent: the canvas) are scaled to the canvas; its position does not count."),
    ]
}

extension AnimationTree {
    /// The number by which layers of instructions name the tree; nil where it is no track.
    package var track: Int? { mode == .additionalLayer ? trackID : nil }

    /// The most layers that may stand in each other, masks included.
    package static let deepest = 64
    /// The most layers in all, masks included.
    package static let mostLayers = 1000
    /// The most animations in all, those of groups included.
    package static let mostAnimations = 10_000
    /// The most values of all animations.
    package static let mostValues = 100_000

    /// Every layer with its place in the file and its depth from 1, a layer before those in it; no deeper than may be.
    package var layers: [(path: String, layer: AnimationLayer, depth: Int)] {
        var found: [(path: String, layer: AnimationLayer, depth: Int)] = []
        collect(root, "video.animation.root", 1, &found)
        return found
    }

    private func collect(
        _ layer: AnimationLayer, _ path: String, _ depth: Int,
        _ found: inout [(path: String, layer: AnimationLayer, depth: Int)]
    ) {
        found.append((path, layer, depth))
        guard depth <= Self.deepest else { return }
        if let mask = layer.mask { collect(mask, path + ".mask", depth + 1, &found) }
        for (index, sublayer) in (layer.sublayers ?? []).enumerated() {
            collect(sublayer, "\(path).sublayers[\(index)]", depth + 1, &found)
        }
    }

    /// The assets that the tree shows, each with its place.
    package var assets: [(path: String, name: String)] {
        layers.flatMap { path, layer, _ in
            (layer.contents?.asset.map { [("\(path).contents.\($0.key)", $0.name)] } ?? [])
                + Self.assets(of: layer.animations ?? [], path + ".animations", depth: 1)
        }
    }

    private static func assets(of animations: [LayerAnimation], _ path: String, depth: Int)
        -> [(path: String, name: String)]
    {
        guard depth <= deepest else { return [] }
        return animations.enumerated().flatMap { index, animation in
            let place = "\(path)[\(index)]"
            return (animation.animatedImage.map { [("\(place).animatedImage", $0)] } ?? [])
                + animation.namedAssets.map { ("\(place).\($0.path)", $0.name) }
                + assets(of: animation.animations ?? [], place + ".animations", depth: depth + 1)
        }
    }
}
