import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

@Suite("Nested compositions")
struct NestedTests {
    private static let clip = #"{"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}"#
    private static let shown = #"{"asset": "n", "source": ["1s", "2s"], "target": ["0s", "1s"]}"#
    private static let inner = """
        {"format": "splitreel/1", "assets": {"a": {"url": "/a.mp4"}},
         "composition": {"tracks": [{"id": 1, "type": "video", "segments": [\(clip)]},
                                    {"id": 2, "type": "audio", "segments": [\(clip)]}]},
         "video": {"renderSize": [640, 360], "frameDuration": "1/10"}}
        """

    private func outer(_ rest: String = "", tracks: [Int] = [1], inner: String = inner) throws -> Project {
        let listed = tracks.map { #"{"id": \#($0), "type": "video", "segments": [\#(Self.shown)]}"# }
        return try project(
            assets: #""n": {"kind": "composition", "project": \#(inner)}"#, tracks: listed.joined(separator: ","), rest)
    }

    private func facts(_ project: Project) -> [String: AssetFacts] {
        var facts = ["n/a": filmFacts()]
        project.addNestedFacts(to: &facts)
        return facts
    }

    @Test func itIsAFilmOfItsCanvasAndRate() throws {
        let project = try outer()
        let known = try #require(facts(project)["n"])
        #expect(known.kind == .composition && known.duration == time("4s"))
        #expect(known.tracks.map(\.type) == [.video, .audio])
        #expect(known.tracks[0].video?.codedSize == PixelSize(width: 640, height: 360))
        #expect(known.tracks[0].video?.nominalFrameRate == time("10/1"))
        #expect(project.validate(assets: facts(project)).filter { $0.severity == .error } == [])
        let timeline = try Timeline(project: project, assets: facts(project))
        #expect(timeline.renderSize == PixelSize(width: 640, height: 360))
        #expect(timeline.frameDuration == time("1/10"))
    }

    /// Twice as fast, from 1 s on: at t it shows its own frame ⌊(1 + 2t) × 10⌋.
    @Test func itIsSampledOnItsOwnFrames() throws {
        let project = try outer(#""video": {"frameDuration": "1/30"}"#)
        let timeline = try Timeline(project: project, assets: facts(project))
        for frame in 0..<30 {
            let layer = try #require(timeline.recipe(at: Rational(frame, 30)).layers.first)
            let source = try #require(layer.picture.needs.first)
            #expect(source.asset == "n/a")
            #expect(source.time == Rational((30 + 2 * frame) * 10 / 30, 10), "frame \(frame)")
        }
    }

    @Test func whatTwoLayersShowIsOnePicture() throws {
        let project = try outer(tracks: [1, 2])
        let recipe = try Timeline(project: project, assets: facts(project)).recipe(at: Rational(1, 2))
        let needs = recipe.needs
        #expect(needs.count == 2 && needs[0].track != needs[1].track)
        let shown = recipe.resolved { source in
            var source = source
            source.track = 0
            return .source(source)
        }
        #expect(shown.layers.count == 2 && shown.layers[0].picture == shown.layers[1].picture)
    }

    /// Its background is a part of its picture, whatever its layers show.
    @Test func aBackgroundStays() throws {
        let project = try outer()
        let recipe = try Timeline(project: project, assets: facts(project)).recipe(at: .zero)
        #expect(recipe.resolved { _ in nil }.layers.count == 1)
    }

    @Test func problemsStandUnderTheirPlace() throws {
        let gap = Self.inner.replacingOccurrences(
            of: #""target": ["0s", "4s"]"#, with: #""target": ["1s", "3s"], "pitch": "varispeed""#)
        let project = try outer(inner: gap)
        let paths = project.validate(assets: nil).filter { $0.severity == .error }.map(\.path)
        #expect(paths.first == "assets.n.project.composition.tracks[0].segments[0].target")
        var unread = project
        unread.assets["n"]?.keys.project = nil
        #expect(unread.validate(assets: nil).contains { $0.path == "assets.n.url" })
        unread.assets["n"]?.keys.url = "/inner.json"
        #expect(unread.validate(assets: nil).contains { $0.path == "assets.n.project" })
    }

    @Test func namesThatMeetAreRefused() throws {
        var project = try outer()
        project.assets["n/a"] = project.assets["n"]?.keys.project?.assets["a"]
        #expect(project.validate(assets: nil).contains { $0.code == .usedTwice })
    }

    /// What an effect looks at is played, and counts.
    @Test func effectsShowThem() throws {
        func shown(_ effect: String, in nested: String) throws -> Project {
            let solid = #""c": {"kind": "color", "color": [1, 0, 0, 1]}"#
            return try project(
                assets: solid + #", "n": {"kind": "composition", "project": \#(nested)}"#,
                tracks: #"{"id": 1, "type": "video", "segments": [{"asset": "c", "target": ["0s", "4s"]}]}"#,
                #""video": {"renderSize": [640, 360], "frameDuration": "1/10", "effects": [\#(effect)]}"#)
        }
        let mask = #"{"id": "mask", "params": {"image": "n"}}"#
        let small = try shown(mask, in: Self.inner)
        let known = facts(small)
        #expect(small.validate(assets: known).filter { $0.severity == .error } == [])
        let needs = try Timeline(project: small, assets: known).recipe(at: Rational(1)).needs
        #expect(needs.map(\.asset) == ["n/a"])
        let large = try shown(mask, in: Self.inner.replacingOccurrences(of: "[640, 360]", with: "[16384, 16384]"))
        #expect(large.validate(assets: nil).map(\.code) == [.nestingImpossible])
    }

    /// A film that sees nine frames at once, in an animation that shows it in so many layers.
    @Test(arguments: [(2, 0), (900, 0), (2, 1), (900, 1)]) func picturesOfAFilmHaveALimit(layers: Int, echoes: Int)
        throws
    {
        let listed = (0..<layers).map { #"{"id": "\#($0)", "bounds": [0, 0, 9, 9]}"# }.joined(separator: ",")
        let names = (0..<layers).map { "\"\($0)\"" }.joined(separator: ",")
        let echo = Array(repeating: #"{"id": "echo"}"#, count: echoes).joined(separator: ",")
        let clips = (1...2).map {
            #"{"id": \#($0), "type": "video", "segments": [{"asset": "c", "target": ["0s", "4s"]}]}"#
        }
        let film = try project(
            assets: #""c": {"kind": "color", "color": [1, 0, 0, 1]}"#, tracks: clips.joined(separator: ","),
            #"""
            "video": {"renderSize": [64, 36], "frameDuration": "1/10", "effects": [\#(echo)],
             "animation": {"videoLayers": [\#(names)], "root": {"sublayers": [\#(listed)]}}}
            """#)
        let errors = film.validate(assets: nil).filter { $0.severity == .error }
        #expect(errors.map(\.path) == (layers > 2 && echoes > 0 ? ["video"] : []))
    }

    @Test func canvasesInOneAnotherHaveALimit() throws {
        let project = try outer(
            inner: Self.inner.replacingOccurrences(of: "[640, 360]", with: "[16384, 16384]"))
        #expect(project.validate(assets: nil).map(\.code) == [.nestingImpossible])
    }

    /// Too deep is one thing, too many another.
    @Test func whichLimitIsExceededIsSaid() throws {
        func reason(_ count: Int, of next: @escaping (String) -> [String]) throws -> String? {
            let outer = try project(
                assets: (0..<count).map { #""n\#($0)": {"kind": "composition", "url": "/0-\#($0).json"}"# }
                    .joined(separator: ","), tracks: "")
            let read = NestedFiles(of: outer, path: "/outer.json", identity: "/outer.json") { path in
                let listed = next(path).map { #""m": {"kind": "composition", "url": "\#($0)"}"# }
                let text = projectText(assets: listed.joined(separator: ","), tracks: "")
                return NestedFiles.Text(bytes: text, identity: path)
            }
            #expect(read.problems.count == 1)
            return read.problems.first?.message
        }
        let deep = try reason(1) { ["/1" + $0.dropFirst(1)] }
        #expect(deep == "compositions nest more than 16 deep")
        #expect(try reason(300) { _ in [] } == "there are more than 256 files of nested compositions")
    }

    @Test func filesAreTakenInWithTheirOwnPaths() throws {
        let text = Self.inner.replacingOccurrences(of: "/a.mp4", with: "media/a.mp4")
        let outer = try project(
            assets: #""n": {"kind": "composition", "url": "/films/inner.json"}"#,
            tracks: #"{"id": 1, "type": "video", "segments": [\#(Self.shown)]}"#)
        let read = NestedFiles(of: outer, path: "/outer.json", identity: "/outer.json") { path in
            #expect(path == "/films/inner.json")
            return NestedFiles.Text(bytes: Data(text.utf8), identity: path)
        }
        #expect(read.problems == [])
        #expect(read.project.allAssets.map(\.name) == ["n", "n/a"])
        #expect(read.project.allAssets[1].asset.keys.url == "/films/media/a.mp4")
        // What is sent says all of it: it reads back as the same without the file.
        #expect(try Project(parsing: read.project.canonicalBytes()) == read.project)
        let located = read.located(.error(.assetUnknown, "assets.n.project.video.frameDuration", ""))
        #expect(located.file == "/films/inner.json" && located.path == "video.frameDuration" && located.line == 4)
    }
}
