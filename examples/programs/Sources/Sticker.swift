import Splitreel

/// CLIP, STICKER.gif, ON.png, OFF.png, FILM: layers over the film: a GIF that plays by itself at the left, at the right
/// two pictures by turns as a keyframe animation of the contents, and a text above them.
func sticker(_ files: [String]) async throws {
    let clip = MediaAsset(files[0])
    guard let size = try await clip.load(.naturalSize) else { throw Fault("\(clip.name) has no picture") }
    var project = Project()
    try await project.insert(of: clip)
    project.assets["sticker"] = .animatedImage(files[1])
    project.assets["on"] = .image(files[2])
    project.assets["off"] = .image(files[3])

    func layer(_ x: Double, _ y: Double, _ width: Double, _ contents: LayerContents) -> AnimationLayer {
        AnimationLayer(
            bounds: Rect(x: 0, y: 0, width: width * size.width, height: size.height / 4),
            position: LayerPoint(x * size.width, y * size.height), contents: contents)
    }
    // On for the first quarter of each second.
    var turns = LayerAnimation.keyframe(
        .contents, values: [.image("on"), .image("off")], keyTimes: [0, 0.25, 1], calculation: .discrete, begin: .zero,
        duration: .seconds(1))
    turns.repeats = .forever
    var lamp = layer(0.75, 0.5, 0.25, .image("off"))
    lamp.animations = [turns]

    let canvas = Rect(x: 0, y: 0, width: size.width, height: size.height)
    let film = AnimationLayer(id: "film", bounds: canvas, position: LayerPoint(size.width / 2, size.height / 2))
    let text = TextSettings("Hello", size: size.height / 6, weight: .bold, color: .white, align: .center)
    let root = AnimationLayer(
        bounds: canvas,
        sublayers: [film, layer(0.25, 0.5, 0.25, .animatedImage("sticker")), lamp, layer(0.5, 0.8, 1, .text(text))])
    project.video = VideoComposition(animation: AnimationTree(videoLayers: ["film"], root: root))
    try await ExportSession(project).export(to: files[4])
}
