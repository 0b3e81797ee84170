import Diagnostics
import Foundation
import JSONText
import MediaTime
import SplitreelProject
import Testing
import Validation

@Suite struct ProjectTests {
    @Test func wholeExampleIsKeptByteForByte() throws {
        let data = try example("every-key")
        let (project, problems) = Project.parse(data)
        #expect(problems == [])
        let expected = try JSONValue(parsing: data).canonicalBytes()
        #expect(project?.canonicalBytes() == expected)
        #expect(try Project(parsing: expected) == project)
    }

    @Test func exampleHasNoUnknownKey() throws {
        let project = try Project(parsing: example("every-key"))
        #expect(project.unknown.isEmpty)
        #expect(project.composition.unknown.isEmpty)
        #expect(project.assets.values.allSatisfy { $0.keys.unknown.isEmpty })
        #expect(
            project.composition.tracks.allSatisfy { $0.unknown.isEmpty && $0.segments.allSatisfy(\.unknown.isEmpty) })
        let video = try #require(project.video)
        #expect(video.unknown.isEmpty && video.color?.unknown == [:] && video.compositor?.unknown == [:])
        for instruction in video.instructions ?? [] {
            #expect(instruction.unknown.isEmpty)
            #expect(instruction.layers?.allSatisfy(\.unknown.isEmpty) == true)
        }
        #expect(project.audio?.inputs?.allSatisfy { $0.unknown.isEmpty && $0.tap?.unknown ?? [:] == [:] } == true)
        #expect(project.outputs?.allSatisfy { $0.unknown.isEmpty && $0.videoSettings?.unknown ?? [:] == [:] } == true)
    }

    @Test func minimalExample() throws {
        let project = try Project(parsing: example("minimal"))
        #expect(project.composition.tracks[1].segments[1].target.start.description == "4/1")
        #expect(project.video?.instructions?[1].layers?[0].opacity?[0].to == 0)
        let bytes = project.canonicalBytes()
        #expect(try Project(parsing: bytes).canonicalBytes() == bytes)
        #expect(project.validate(assets: nil) == [])
    }

    @Test func timesAreWrittenAsStored() throws {
        let project = try project(
            tracks: #"""
                {"id": 1, "type": "video", "segments": [
                  {"target": ["0/600", "2.50s"]}, {"target": ["2400/960", "+inf"]}]}
                """#)
        let text = String(decoding: project.canonicalBytes(), as: UTF8.self)
        #expect(text.contains(#"["0/600","2.50s"]"#))
        #expect(text.contains(#"["2400/960","+inf"]"#))
    }

    /// Adds a key to every object of a tree; its value reads as an asset too, so that `assets` may have it.
    private func salted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(var members):
            members = members.mapValues(salted)
            members["x-unknown"] = .object(["url": .string("u"), "n": .number(0.25)])
            return .object(members)
        case .array(let elements): return .array(elements.map(salted))
        default: return value
        }
    }

    @Test(arguments: ["every-key"])
    func unknownKeysAreKeptAtEveryLevel(name: String) throws {
        let salted = salted(try JSONValue(parsing: example(name)))
        let (project, problems) = Project.parse(salted.canonicalBytes())
        // An asset of that name is an asset, and has a key that none has.
        #expect(problems.map { "\($0.severity) \($0.path)" } == ["warning assets.x-unknown.n"])
        let written = try #require(project).canonicalBytes()
        #expect(written == salted.canonicalBytes())
        let count = String(decoding: written, as: UTF8.self).components(separatedBy: "x-unknown").count - 1
        #expect(count > 60)
    }

    @Test func formatIsRefusedByName() {
        for (text, word) in [
            (#"{"format": "splitreel/2"}"#, "splitreel/2"), (#"{"assets": {}}"#, "missing"),
            (#"{"format": 1}"#, "number"),
        ] {
            let (project, problems) = Project.parse(Data(text.utf8))
            #expect(project == nil)
            #expect(problems.map(\.code) == [.formatUnknown])
            #expect(problems.first?.path == "format")
            #expect(problems.first?.message.contains(word) == true)
        }
        for text in ["", "[]", "{", "7"] {
            #expect(Project.parse(Data(text.utf8)).problems.map(\.code) == [.compositionUnreadable])
        }
    }

    @Test func everyProblemOfFormIsCollectedWithItsPath() {
        let text = """
            {"format": "splitreel/1", "name": 7, "assets": {"a": {"url": 1, "kind": "film"}, "b": 3},
             "composition": {"naturalSize": [1, 2.5], "tracks": [
               {"id": "x", "type": "vidio", "segments": [{"source": ["0s"], "target": ["0s", "1x"]}, 5]}, {"id": 1}]},
             "video": {"frameDuration": 0.04, "renderSize": [1, 2, 3], "instructions": [
               {"range": ["0s", "1s"], "background": [0, 0, 0, 2], "layers": [
                  {"track": 1, "transform": [{"at": "0s", "value": [1, 0, 0, 1, 0]}],
                   "opacity": [{"at": 1, "value": "x"}]}]}]},
             "audio": {"inputs": {}}, "outputs": [{}], "name": 8}
            """
        let (project, problems) = Project.parse(Data(text.utf8))
        #expect(project != nil)
        let found = Set(problems.map { "\($0.code) \($0.path)" })
        let wrong = ErrorCode.valueWrong.number
        let missing = ErrorCode.keyMissing.number
        let word = ErrorCode.valueNotAllowed.number
        let expected: Set<String> = [
            "\(ErrorCode.usedTwice.number) name", "\(wrong) name", "\(wrong) assets.a.url", "\(word) assets.a.kind",
            "\(wrong) assets.b", "\(wrong) composition.naturalSize", "\(wrong) composition.tracks[0].id",
            "\(word) composition.tracks[0].type", "\(wrong) composition.tracks[0].segments[0].source",
            "\(wrong) composition.tracks[0].segments[0].target[1]", "\(wrong) composition.tracks[0].segments[1]",
            "\(missing) composition.tracks[1].type", "\(missing) composition.tracks[1].segments",
            "\(wrong) video.frameDuration", "\(wrong) video.renderSize",
            "\(word) video.instructions[0].background", "\(wrong) video.instructions[0].layers[0].transform[0].value",
            "\(wrong) video.instructions[0].layers[0].opacity[0].at",
            "\(wrong) video.instructions[0].layers[0].opacity[0].value", "\(wrong) audio.inputs",
        ]
        #expect(found == expected)
        // Meaning is looked at too, but nothing more is said of what could not even be read, nor of what depends on it.
        let (_, all) = Project.check(Data(text.utf8), assets: nil)
        #expect(Array(all.prefix(problems.count)) == problems)
        let further = all.dropFirst(problems.count).map(\.path)
        #expect(further == ["outputs[0].url"])
    }

    @Test func urlsAreMadeAbsolute() throws {
        let project = try Project(parsing: example("every-key")).resolvingURLs(
            against: "/films/trip")
        #expect(project.assets["A"]?.keys.url == "/films/trip/media/a.mov")
        #expect(project.assets["B"]?.keys.proxy == "/films/trip/proxy/portrait.mov")
        #expect(project.outputs?[0].url == "/films/trip/out/master.mov")
        #expect(project.resolvingURLs(against: "/elsewhere") == project)
        var other = project
        other.assets["A"]?.keys.url = "file:///a%20b/%C3%A9.mov"
        #expect(other.resolvingURLs(against: "/").assets["A"]?.keys.url == "/a b/é.mov")
    }

    @Test func schemaIsTheOneInDocs() throws {
        let file = repository.appendingPathComponent("docs/splitreel-1.schema.json")
        let schema = projectJSONSchema()
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try schema.write(to: file) }
        #expect(try Data(contentsOf: file) == schema, "UPDATE_GOLDEN=1 rewrites it")
    }
}
