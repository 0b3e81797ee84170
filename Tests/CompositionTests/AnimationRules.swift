import Diagnostics
import Foundation
import JSONText
import SplitreelProject
import Testing
import Validation

/// The problems of wrong trees, and the places where they are told.
@Suite("Wrong animations") struct AnimationRules {
    private static let layer = "video.animation.root.sublayers[1]"

    /// The film's layer is the first of the root.
    private static func problems(layer: String, animation: String = "") throws -> [Problem] {
        let animations = animation.isEmpty ? "" : ", \"animations\": [\(animation)]"
        return try problems(
            #"""
            {"videoLayers": ["film"], "root": {"sublayers": [
                {"id": "film", "bounds": [0, 0, 200, 100]}, {"bounds": [0, 0, 9, 9]\#(layer)\#(animations)}]}}
            """#)
    }

    private static func problems(_ tree: String) throws -> [Problem] {
        let text = #"""
            {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 1, 1]}, "t": {"kind": "tone"}},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "20s"]}]}]},
             "video": {"renderSize": [200, 100], "animation": \#(tree)}}
            """#
        let (project, found) = Project.parse(Data(text.utf8))
        return found + (project?.validate(assets: nil) ?? [])
    }

    @Test(arguments: [
        (#", "opacity": 1.5"#, ErrorCode.opacityOutOfRange, ".opacity"),
        (#", "cornerRadius": -1"#, .valueNotAllowed, ".cornerRadius"),
        (#", "position": [1]"#, .valueWrong, ".position"),
        (#", "duration": "0s""#, .valueNotAllowed, ".duration"),
        (#", "speed": 0"#, .valueNotAllowed, ".speed"),
        (#", "repeat": -2"#, .valueNotAllowed, ".repeat"),
        (#", "id": "film""#, .usedTwice, ".id"),
        (#", "transform": [1, 2]"#, .valueWrong, ".transform"),
        (#", "transform": {"perspective": -5}"#, .valueNotAllowed, ".transform.perspective"),
        (#", "contents": {}"#, .valueNotAllowed, ".contents"),
        (#", "contents": {"image": "a", "film": "a"}"#, .valueNotAllowed, ".contents"),
        (#", "contents": {"image": "b"}"#, .assetUnknown, ".contents.image"),
        (#", "contents": {"image": "t"}"#, .valueNotAllowed, ".contents.image"),
        (#", "contents": {"shape": {"path": "M 0 x"}}"#, .valueNotAllowed, ".contents.shape.path"),
        (#", "contents": {"gradient": {"stops": []}}"#, .valueNotAllowed, ".contents.gradient.stops"),
        (#", "mask": {"opacity": 2}"#, .opacityOutOfRange, ".mask.opacity"),
    ])
    func layers(_ layer: String, _ code: ErrorCode, _ place: String) throws {
        let found = try Self.problems(layer: layer)
        #expect(found.map { "\($0.code) \($0.path)" } == ["\(code.number) \(Self.layer)\(place)"])
    }

    @Test(arguments: [
        (#"{"keyPath": "opacty", "from": 0, "duration": "1s"}"#, ErrorCode.valueNotAllowed, ".keyPath"),
        (#"{"from": 0, "duration": "1s"}"#, .keyMissing, ".keyPath"),
        (#"{"keyPath": "text.size", "from": 0, "duration": "1s"}"#, .valueNotAllowed, ".keyPath"),
        (#"{"keyPath": "opacity", "from": 0}"#, .keyMissing, ".duration"),
        (#"{"keyPath": "opacity", "duration": "1s"}"#, .keyInvalid, ""),
        (#"{"keyPath": "opacity", "from": 0, "values": [1], "duration": "1s"}"#, .keyInvalid, ""),
        (#"{"keyPath": "opacity", "from": 0, "to": 1, "by": 1, "duration": "1s"}"#, .keyInvalid, ".by"),
        (#"{"keyPath": "opacity", "from": [0, 1], "duration": "1s"}"#, .valueWrong, ".from"),
        (#"{"keyPath": "position", "values": [[0, 1], 2, [3, 4, 5]], "duration": "1s"}"#, .valueWrong, ".values[2]"),
        (
            #"{"keyPath": "opacity", "values": [0, 1], "keyTimes": [0, 0.5, 1], "duration": "1s"}"#, .keyInvalid,
            ".keyTimes"
        ),
        (#"{"keyPath": "opacity", "values": [0, 1], "keyTimes": [1, 0], "duration": "1s"}"#, .keyInvalid, ".keyTimes"),
        (
            #"{"keyPath": "opacity", "values": [0, 1, 0], "timing": ["linear"], "duration": "1s"}"#, .keyInvalid,
            ".timing"
        ),
        (#"{"keyPath": "opacity", "from": 0, "timing": "fast", "duration": "1s"}"#, .valueNotAllowed, ".timing"),
        (#"{"keyPath": "hidden", "from": true, "additive": true, "duration": "1s"}"#, .valueNotAllowed, ".additive"),
        (#"{"keyPath": "opacity", "animatedImage": "a"}"#, .valueNotAllowed, ".animatedImage"),
        (#"{"keyPath": "contents", "values": ["a", "nobody"], "duration": "1s"}"#, .assetUnknown, ".values[1]"),
        (
            #"{"keyPath": "position.x", "values": [0, 1e200], "calculation": "paced", "duration": "1s"}"#, .valueWrong,
            ".values[1]"
        ),
        (#"{"keyPath": "transform", "to": {"translate": [-1e8, 0]}, "duration": "1s"}"#, .valueWrong, ".to"),
        (
            #"{"keyPath": "contents", "values": [{"text": {"string": "a", "tracking": 1e9}}], "duration": "1s"}"#,
            .valueNotAllowed, ".values[0].text.tracking"
        ),
        (#"{"type": "group", "duration": "1s"}"#, .keyMissing, ".animations"),
        (#"{"duration": "1s", "animations": [{"keyPath": "opacity", "to": "x"}]}"#, .valueWrong, ".animations[0].to"),
    ])
    func animations(_ animation: String, _ code: ErrorCode, _ place: String) throws {
        let found = try Self.problems(layer: "", animation: animation)
        #expect(found.map { "\($0.code) \($0.path)" } == ["\(code.number) \(Self.layer).animations[0]\(place)"])
    }

    @Test(arguments: [
        (#"{"root": {}}"#, ErrorCode.keyMissing, ".videoLayers"),
        (#"{"videoLayers": ["flm"], "root": {"id": "film"}}"#, .valueNotAllowed, ".videoLayers[0]"),
        (#"{"videoLayers": ["film"], "root": {"id": "film", "bounds": [0, 0, 0, 5]}}"#, .sizeInvalid, ".root.bounds"),
        (#"{"mode": "additionalLayer", "root": {}}"#, .keyMissing, ".trackID"),
        (#"{"mode": "additionalLayer", "trackID": 1, "root": {}}"#, .usedTwice, ".trackID"),
        (#"{"mode": "additionalLayer", "trackID": 7, "root": {}}"#, .layersNotDrawn, ""),
    ])
    func trees(_ tree: String, _ code: ErrorCode, _ place: String) throws {
        #expect(try Self.problems(tree).map { "\($0.code) \($0.path)" } == ["\(code.number) video.animation\(place)"])
    }

    /// A layer that shows the tree has no other frames to look at.
    @Test func echoesOfATreeAreRefused() throws {
        let text = #"""
            {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 1, 1]}},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "20s"]}]}]},
             "video": {"renderSize": [200, 100], "frameDuration": "1/25", "instructions": [{"range": ["0s", "20s"],
                "layers": [{"track": 7, "effects": [{"id": "echo"}]}, {"track": 1, "effects": [{"id": "echo"}]}]}],
                "animation": {"mode": "additionalLayer", "trackID": 7, "root": {}}}}
            """#
        let found = try Project(parsing: Data(text.utf8)).validate(assets: nil)
        #expect(
            found.map { "\($0.code) \($0.path)" } == [
                "\(ErrorCode.valueNotAllowed.number) video.instructions[0].layers[0].effects[0]"
            ])
    }

    @Test func nearestNamesAreHinted() throws {
        let found = try Self.problems(
            layer: "", animation: #"{"keyPath": "transform.rotaton", "to": 0, "duration": "1s"}"#)
        #expect(found.first?.hint == "did you mean `transform.rotation`?")
    }

    /// A tree that is too deep, and one of too many layers, are told of once.
    @Test func limits() throws {
        let deep = String(repeating: #"{"sublayers": ["#, count: 70) + "{}" + String(repeating: "]}", count: 70)
        let found = try Self.problems(#"{"videoLayers": ["film"], "root": {"id": "film", "sublayers": [\#(deep)]}}"#)
        #expect(found.count == 1 && found.first?.message.contains("64 deep") == true)
        let many = Array(repeating: "{}", count: 1000).joined(separator: ",")
        let wide = try Self.problems(#"{"videoLayers": ["film"], "root": {"id": "film", "sublayers": [\#(many)]}}"#)
        #expect(wide.count == 1 && wide.first?.message.contains("1000 layers") == true)
    }
}
