import Foundation
import Splitreel
import Testing

/// A film that a program writes with the library's values, beside the file that a person writes of the same film.
@Suite("Projects that programs write") struct ComposedProjectTests {
    private let white = Colour(red: 1, green: 1, blue: 1)

    private func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }

    private func range(_ start: Int64, _ duration: Int64) -> TimeRange {
        TimeRange(start: seconds(start), duration: seconds(duration))
    }

    private func canonical(_ text: String) throws -> Data { try JSONValue(parsing: Data(text.utf8)).canonicalBytes() }

    private static let dissolve = """
        {"format": "splitreel/1", "name": "Dissolve", "chapters": "markers",
         "assets": {"a": {"url": "a.mp4"}, "photo": {"kind": "image", "url": "photo.jpg"},
                    "music": {"kind": "media", "url": "music.flac"}},
         "composition": {"markers": [{"time": "5s", "name": "Photo"}], "tracks": [
           {"id": 1, "type": "video", "segments": [
             {"asset": "a", "source": ["2s", "5s"], "target": ["0s", "5s"]}, {"target": ["5s", "3s"]}]},
           {"id": 2, "type": "video", "language": "de", "segments": [
             {"target": ["0s", "4s"]}, {"asset": "photo", "target": ["4s", "4s"]}]},
           {"id": 3, "type": "audio", "segments": [
             {"asset": "music", "source": ["0s", "16s"], "target": ["0s", "8s"], "pitch": "timeDomain",
              "fadeIn": {"duration": "1s", "curve": "linear"}}]}]},
         "video": {"renderSize": [1280, 720], "frameDuration": "1/25", "color": {"blendSpace": "linear"},
           "instructions": [
             {"range": ["0s", "4s"], "layers": [{"track": 1, "fit": "contain"}]},
             {"range": ["4s", "1s"], "background": [1, 1, 1, 1], "layers": [
               {"track": 1, "fit": "contain",
                "opacity": [{"range": ["4s", "1s"], "from": 1, "to": 0, "easing": "ease-in-out"}]},
               {"track": 2, "opacity": [{"at": "4s", "value": 0.5}],
                "transform": [{"at": "0s", "value": {"scale": [0.5, 0.5], "anchor": "center"}}]}]},
             {"range": ["5s", "3s"], "layers": [{"track": 2, "fit": "cover", "blend": "soft-light"}],
              "effects": [{"id": "gaussian-blur", "params": {"radius": 2.5}}]}]},
         "audio": {"loudness": {"target": -23},
           "inputs": [{"track": 3, "volume": [{"range": ["6s", "2s"], "from": 1, "to": 0}], "output": 2}]},
         "outputs": [
           {"url": "film.mp4", "size": [640, 360], "videoSettings": {"codec": "hevc", "crf": 21},
            "audioSettings": {"codec": "aac", "bitRate": 128000, "channelLayout": "stereo"}},
           {"type": "images", "url": "frame-%03d.png", "times": ["1s", "5s"]}]}
        """

    @Test func dissolveWithMusic() throws {
        let tracks = [
            Track(
                id: 1, .video,
                segments: [TrackSegment("a", source: range(2, 5), at: .zero), .empty(range(5, 3))]),
            Track(
                id: 2, .video,
                segments: [.empty(range(0, 4)), TrackSegment("photo", target: range(4, 4))], language: "de"),
            Track(
                id: 3, .audio,
                segments: [
                    TrackSegment(
                        "music", source: range(0, 16), target: range(0, 8), pitch: .timeDomain,
                        fadeIn: FadeSettings(duration: seconds(1), curve: .linear))
                ]),
        ]
        let instructions = [
            Instruction(range(0, 4), layers: [Layer(track: 1, fit: .contain)]),
            Instruction(
                range(4, 1), background: white,
                layers: [
                    Layer(track: 1, fit: .contain, opacity: [.ramp(range(4, 1), from: 1, to: 0, easing: .easeInOut)]),
                    Layer(
                        track: 2,
                        transform: [.constant(.parts(TransformParts(scale: NumberPair(0.5), anchor: .middle)))],
                        opacity: [.at(seconds(4), 0.5)]),
                ]),
            Instruction(
                range(5, 3), layers: [Layer(track: 2, fit: .cover, blend: .softLight)],
                effects: [RegisteredChoice(id: "gaussian-blur", params: .object(["radius": .number(2.5)]))]),
        ]
        let project = Project(
            name: "Dissolve",
            assets: ["a": .file("a.mp4"), "photo": .image("photo.jpg"), "music": .media("music.flac")],
            composition: Composition(
                tracks: tracks, markers: [Marker(time: seconds(5), name: "Photo")]),
            video: VideoComposition(
                renderSize: PixelSize(width: 1280, height: 720), frameDuration: MediaTime(value: 1, timescale: 25),
                color: ColourSettings(blendSpace: .linear), instructions: instructions),
            audio: AudioMix(
                inputs: [AudioInput(track: 3, volume: [.ramp(range(6, 2), from: 1, to: 0)], output: 2)],
                loudness: LoudnessSettings(target: -23)),
            chapters: .markers,
            outputs: [
                .film(
                    "film.mp4", size: PixelSize(width: 640, height: 360),
                    videoSettings: PictureRequest(codec: .hevc, crf: 21),
                    audioSettings: SoundRequest(codec: .aac, bitRate: 128_000, channelLayout: .stereo)),
                .images("frame-%03d.png", times: [seconds(1), seconds(5)]),
            ])
        let written = String(decoding: project.data(), as: UTF8.self)
        #expect(written == String(decoding: try canonical(Self.dissolve), as: UTF8.self))
        #expect(try Project(project.data()) == project)
        let coded = try JSONDecoder().decode(Project.self, from: JSONEncoder().encode(project))
        #expect(coded == project)
    }

    @Test func titlesOverAGenerator() throws {
        var title = AnimationLayer.text(
            TextSettings(
                "Hello", font: "Inter, Noto Sans", size: 64, weight: .bold, wrap: .never,
                outline: OutlineSettings(width: 2), background: BackgroundSettings(color: .black, padding: 4.5),
                reveal: RevealSettings(by: .word, duration: seconds(1))),
            bounds: Rect(x: 0, y: 0, width: 600, height: 90), position: LayerPoint(320, 180))
        title.animations = [
            .basic(.opacity, from: 0, to: 1, duration: seconds(1), timing: AnimationTiming(.easeIn), fill: .both),
            .keyframe(
                .position, values: [LayerPoint(320, 180), LayerPoint(320, 200)], begin: seconds(1), duration: seconds(2)
            ),
            .group([.basic(.textColor, to: white, duration: seconds(1))], duration: seconds(2)),
        ]
        title.repeats = .forever
        title.speed = ExactNumber(Rational(24, 25))
        let badge = AnimationLayer.shape(
            ShapeSettings(ellipse: Rect(x: 0, y: 0, width: 40, height: 40), fillColor: white, lineCap: .round),
            bounds: Rect(x: 0, y: 0, width: 40, height: 40), position: LayerPoint(600, 30))
        let project = Project(
            assets: [
                "field": .gradient(
                    GradientSettings(
                        shape: .radial, stops: [GradientStop(at: 0, color: white), GradientStop(at: 1, color: .black)])
                ),
                "tone": .tone(440), "frames": .imageSequence("f-%d.png", rate: 24), "quiet": .silence,
                "inner": .composition(Project(assets: ["c": .colour(white)])),
            ],
            composition: Composition(tracks: [
                Track(id: 1, .video, segments: [TrackSegment("field", target: range(0, 4))])
            ]),
            video: VideoComposition(
                subtitles: [SubtitleSettings(asset: "texts", mode: .both, place: .top)],
                animation: AnimationTree(
                    mode: .additionalLayer, trackID: 9,
                    root: AnimationLayer(
                        bounds: Rect(x: 0, y: 0, width: 640, height: 360), sublayers: [title, badge]))))
        let text = """
            {"format": "splitreel/1",
             "assets": {
               "field": {"kind": "gradient", "gradient": {"shape": "radial", "stops": [
                 {"at": 0, "color": [1, 1, 1, 1]}, {"at": 1, "color": [0, 0, 0, 1]}]}},
               "tone": {"kind": "tone", "frequency": 440}, "quiet": {"kind": "silence"},
               "frames": {"kind": "imageSequence", "url": "f-%d.png", "rate": 24},
               "inner": {"kind": "composition", "project": {"format": "splitreel/1", "composition": {"tracks": []},
                 "assets": {"c": {"kind": "color", "color": [1, 1, 1, 1]}}}}},
             "composition": {"tracks": [
               {"id": 1, "type": "video", "segments": [{"asset": "field", "target": ["0s", "4s"]}]}]},
             "video": {"subtitles": [{"asset": "texts", "mode": "both", "place": "top"}],
               "animation": {"mode": "additionalLayer", "trackID": 9, "root": {"bounds": [0, 0, 640, 360],
                "sublayers": [
                 {"bounds": [0, 0, 600, 90], "position": [320, 180], "repeat": "inf", "speed": "24/25",
                  "contents": {"text": {"string": "Hello", "font": ["Inter", "Noto Sans"], "size": 64, "weight": 700,
                    "wrap": "none", "outline": {"width": 2},
                    "background": {"color": [0, 0, 0, 1], "padding": [4.5, 4.5, 4.5, 4.5]},
                    "reveal": {"by": "word", "duration": "1s"}}},
                  "animations": [
                    {"type": "basic", "keyPath": "opacity", "from": 0, "to": 1, "duration": "1s", "timing": "ease-in",
                     "fill": "both"},
                    {"type": "keyframe", "keyPath": "position", "values": [[320, 180], [320, 200]], "begin": "1s",
                     "duration": "2s"},
                    {"type": "group", "duration": "2s", "animations": [
                      {"type": "basic", "keyPath": "text.color", "to": [1, 1, 1, 1], "duration": "1s"}]}]},
                 {"bounds": [0, 0, 40, 40], "position": [600, 30], "contents": {"shape": {
                    "ellipse": [0, 0, 40, 40], "fillColor": [1, 1, 1, 1], "lineCap": "round"}}}]}}}}
            """
        #expect(String(decoding: project.data(), as: UTF8.self) == String(decoding: try canonical(text), as: UTF8.self))
        #expect(try Project(project.data(pretty: true)) == project)
    }

    @Test func filesAreReadAndWritten() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "composed-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "film.json").path()
        var project = Project(assets: ["a": .file("a.mp4"), "b": .file("s3://films/b.mp4")])
        try project.write(to: path)
        project.assets["a"]?.proxy = "small.mp4"
        try project.write(to: path)
        #expect(try Data(contentsOf: URL(filePath: path)) == project.data(pretty: true))
        let read = try Project(contentsOf: path)
        #expect(read.assets["a"]?.url == folder.appending(path: "a.mp4").path())
        #expect(read.assets["a"]?.proxy == folder.appending(path: "small.mp4").path())
        #expect(read.assets["b"]?.url == "s3://films/b.mp4")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["film.json"])
        try Data("{\n \"format\": \"splitreel/1\", \"assets\": 7}".utf8).write(to: URL(filePath: path))
        #expect {
            try Project(contentsOf: path)
        } throws: { error in
            (error as? SplitreelError)?.subject.description == "\(path):2:27"
        }
    }
}
