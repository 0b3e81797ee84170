import Splitreel

/// CLIP, PICTURE, FILM: a parent layer holds the film's layer and, over it, a watermark. Layers have y upwards: a
/// quarter of the height is in the lower quarter of the picture.
func watermark(_ files: [String]) async throws {
    let clip = MediaAsset(files[0])
    guard let size = try await clip.load(.naturalSize) else { throw Fault("\(clip.name) has no picture") }
    var project = Project()
    try await project.insert(of: clip)
    project.assets["mark"] = .image(files[1])

    let canvas = Rect(x: 0, y: 0, width: size.width, height: size.height)
    let film = AnimationLayer(
        id: "film", bounds: canvas, position: LayerPoint(size.width / 2, size.height / 2))
    let mark = AnimationLayer.image(
        "mark", bounds: Rect(x: 0, y: 0, width: size.width / 4, height: size.height / 4),
        position: LayerPoint(size.width / 2, size.height / 4))
    let root = AnimationLayer(bounds: canvas, sublayers: [film, mark])
    project.video = VideoComposition(animation: AnimationTree(videoLayers: ["film"], root: root))
    try await ExportSession(project).export(to: files[2])
}
