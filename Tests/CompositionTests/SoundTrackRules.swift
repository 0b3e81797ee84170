import Diagnostics
import JSONText
import SplitreelProject
import Testing
import Validation

// Sound tracks of outputs, and what goes into them.
extension ValidationTests {
    private static func rule(
        _ name: String, _ path: String, _ code: ErrorCode, routes: [SoundRoute]? = nil, _ names: [String?]...
    ) -> Rule {
        Rule(name: "sound tracks: " + name, code: code, path: path) { project in
            project.audio?.inputs?[0].output = routes.map { SoundRoutes($0) }
            project.outputs = names.enumerated().map { index, names in
                var output = OutputEntry()
                output.url = "\(index).mov"
                output.audioTracks = names.map { name in
                    var track = SoundRequest()
                    track.name = name
                    return track
                }
                return output
            }
        }
    }

    static let soundTrackRules: [Rule] = [
        rule("none at all", "outputs[0].audioTracks", .valueNotAllowed, []),
        rule("too many", "outputs[0].audioTracks", .valueNotAllowed, [String?](repeating: nil, count: 17)),
        rule("one that nobody feeds", "outputs[0].audioTracks[1]", .outputInvalid, ["a", "b"]),
        rule(
            "one name twice", "outputs[0].audioTracks[1].name", .usedTwice, routes: [.number(1), .number(2)],
            ["a", "a"]),
        rule("no such number", "audio.inputs[0].output", .valueNotAllowed, routes: [.number(1), .number(2)], [nil]),
        rule("number 0", "audio.inputs[0].output", .valueNotAllowed, routes: [.number(1), .number(0)], [nil]),
        rule(
            "no such name", "audio.inputs[0].output", .valueNotAllowed, routes: [.number(1), .name("c")], ["a"], ["b"]),
        rule("no sound tracks", "audio.inputs[0].output", .valueNotAllowed, routes: [.number(2)]),
        rule(
            "a number below all", "audio.inputs[0].output", .valueNotAllowed, routes: [.number(1), .number(.min)], [nil]
        ),
        rule(
            "a number above all", "audio.inputs[0].output", .valueNotAllowed, routes: [.number(1), .number(.max)], [nil]
        ),
        rule("nowhere", "audio.inputs[0].output", .valueNotAllowed, routes: []),
        rule("twice into one", "audio.inputs[0].output", .usedTwice, routes: [.number(1), .number(1)], [nil]),
        Rule(
            name: "sound tracks: a name beside them", code: .outputInvalid, path: "outputs[0].audioSettings.name"
        ) { project in
            var output = OutputEntry()
            output.url = "a.mov"
            output.audioTracks = [SoundRequest()]
            var beside = SoundRequest()
            beside.name = "English"
            output.audioSettings = beside
            project.outputs = [output]
        },
        rule("one by name and number", "audio.inputs[0].output", .usedTwice, routes: [.number(1), .name("a")], ["a"]),
    ]
}

@Suite struct SoundRouteTests {
    /// Each form is read and written as it stands.
    @Test func routesAreReadAsTheyStand() throws {
        let outputs = #""outputs":[{"url":"a.mov","audioTracks":[{"name":"A"},{"name":"B","channels":1}]}]"#
        let inputs = #"{"track":1},{"track":2,"output":"B"},{"track":3,"output":[1,"B"]},{"track":4,"output":[2]}"#
        let tracks = (1...4).map {
            #"{"id":\#($0),"type":"audio","segments":[{"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}"#
        }
        let project = try project(
            tracks: tracks.joined(separator: ","), "\"audio\":{\"inputs\":[\(inputs)]},\(outputs)")
        #expect(project.soundTracks(routedTo: ["A", "B"]) == [[1, 3], [2, 3, 4]])
        #expect(project.soundTracks(routedTo: ["B"]) == [[1, 2, 3]])
        let again = try Project(parsing: project.canonicalBytes())
        #expect(again == project && again.canonicalBytes() == project.canonicalBytes())
        #expect(project.outputs?[0].audioTracks?[1].channels == 1)
        let problems = project.validate(assets: nil, outputs: true).filter { $0.severity == .error }
        #expect(problems.allSatisfy { !$0.path.contains("output") }, "\(problems)")
    }

    /// Numbers that have no place; and the first one is there where no sound tracks are listed.
    @Test func placesOfNumbers() throws {
        for number in [Int.min, -1, 0, 3, .max] { #expect(SoundRoute.number(number).place(among: ["A", "B"]) == nil) }
        #expect(SoundRoute.number(2).place(among: ["A", "B"]) == 1 && SoundRoute.number(1).place(among: []) == nil)
        let track = #"{"id":1,"type":"audio","segments":[{"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}"#
        for (route, isRight) in [("1", true), ("2", false), (#""A""#, false)] {
            let project = try project(tracks: track, #""audio":{"inputs":[{"track":1,"output":\#(route)}]}"#)
            // As a render that was asked for another output checks it.
            let problems = project.validate(assets: nil, outputs: false).filter { $0.path.hasSuffix(".output") }
            #expect(problems.isEmpty == isRight, "\(route): \(problems)")
        }
    }
}
