import Splitreel
import TestTools
import Testing

/// Pictures of an asset as a layer's contents, one after the other.
@Suite("Animations of contents", .timeLimit(.minutes(1))) struct LayerPictureTests {
    /// A GIF of four colours of a quarter of a second each goes by in one second, or in the time that is said.
    @Test(arguments: [nil, 2]) func anAnimatedImageGoesBy(seconds: Int?) async throws {
        let folder = try TestFolder("contents")
        let colours = ["red", "lime", "blue"].enumerated().map { "drawbox=c=\($1):t=fill:enable='eq(n,\($0))'" }
        _ = try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "color=white:s=32x32:r=4:d=1,format=rgb24,\(colours.joined(separator: ","))", "-loop",
            "0", folder.file("turns.gif"),
        ])

        var project = Project()
        project.assets["ground"] = .colour(.black)
        project.assets["turns"] = .animatedImage(folder.file("turns.gif"))
        let length = TimeRange(start: .zero, duration: .seconds(3))
        project.composition.tracks = [Track(id: 1, .video, segments: [TrackSegment("ground", target: length)])]
        let square = Rect(x: 0, y: 0, width: 32, height: 32)
        var layer = AnimationLayer.image("turns", bounds: square, position: LayerPoint(16, 16))
        layer.animations = [
            .animatedImage("turns", begin: .seconds(1), duration: seconds.map { .seconds($0) }, fill: .forwards)
        ]
        let film = AnimationLayer(id: "film", bounds: square, position: LayerPoint(16, 16))
        project.video = VideoComposition(
            renderSize: PixelSize(width: 32, height: 32), frameDuration: MediaTime(1, 8),
            animation: AnimationTree(
                videoLayers: ["film"], root: AnimationLayer(bounds: square, sublayers: [film, layer])))
        #expect(await project.problems().isEmpty)

        let known: [[Int]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
        let eighths = (0..<24).map { MediaTime($0, 8) }
        for try await made in ImageGenerator(project).images(for: eighths) {
            guard case .succeeded(let image, _) = made.result else {
                Issue.record("\(made)")
                continue
            }
            let pixel = image.withRow8(16) { row in (0..<3).map { Int(row[64 + $0]) } }
            let share = (Double(made.index) / 8 - 1) / Double(seconds ?? 1)
            let expected = share < 0 ? known[0] : known[min(3, Int(share * 4))]
            #expect(zip(pixel, expected).allSatisfy { abs($0 - $1) <= 4 }, "\(made.index): \(pixel), not \(expected)")
        }
    }
}
