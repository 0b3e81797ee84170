import Diagnostics
import JSONText
import MediaTime
import Pictures
import SplitreelProject

extension ValidationTests {
    private static func choice(_ id: String, _ params: JSONValue? = nil, version: Int? = nil) -> RegisteredChoice {
        var choice = RegisteredChoice()
        (choice.id, choice.params, choice.version) = (id, params, version)
        return choice
    }

    private static func rule(
        _ name: String, _ code: ErrorCode, _ path: String, _ choice: RegisteredChoice
    ) -> Rule {
        Rule(name: name, code: code, path: "video.instructions[0].effects[0]" + path) {
            $0.video?.instructions?[0].effects = [choice]
        }
    }

    private static let twice = JSONValue.object(["at": .string("0s"), "value": .integer(1)])

    static let effectRules: [Rule] = [
        rule("an effect that nobody knows", .effectUnknown, ".id", choice("explosure")),
        rule("a version that there is not", .effectUnknown, ".version", choice("exposure", version: 7)),
        rule("a transition among effects", .effectUnknown, ".id", choice("wipe.left")),
        rule("parameters that are no object", .parameterWrong, ".params", choice("exposure", .array([]))),
        rule(
            "a parameter that nobody knows", .parameterWrong, ".params.stop",
            choice("exposure", .object(["stop": .integer(1)]))),
        rule(
            "a parameter out of its range", .parameterWrong, ".params.stops",
            choice("exposure", .object(["stops": .integer(11)]))),
        rule(
            "a list for a number", .parameterWrong, ".params.stops",
            choice("exposure", .object(["stops": .array([.integer(1), .integer(2)])]))),
        rule(
            "a word for a number", .parameterWrong, ".params.stops",
            choice("exposure", .object(["stops": .string("1")]))),
        rule(
            "two keys of a parameter at one time", .keysOverlap, ".params.stops[1].at",
            choice(
                "exposure",
                .object(["stops": .array([.object(["at": .string("1s"), "value": .integer(1)]), twice])]))),
        rule(
            "a key of a parameter at no time", .valueWrong, ".params.stops[0].at",
            choice(
                "exposure", .object(["stops": .array([.object(["at": .string("soon"), "value": .integer(1)])])]))),
        rule(
            "a key of a parameter out of its range", .parameterWrong, ".params.stops[1].value",
            choice(
                "exposure",
                .object(["stops": .array([twice, .object(["at": .string("1s"), "value": .integer(11)])])]))),
        Rule(name: "too many effects", code: .valueNotAllowed, path: "video.instructions[0].effects") {
            $0.video?.instructions?[0].effects = Array(repeating: choice("exposure"), count: 65)
        },
        Rule(name: "too many blended layers", code: .valueNotAllowed, path: "video.instructions[0].layers") {
            var layer = Layer()
            (layer.track, layer.blend) = (1, .multiply)
            $0.video?.instructions?[0].layers = Array(repeating: layer, count: 65)
        },
        Rule(name: "an effect alone", code: .effectUnknown, path: "video.instructions[0].effect.id") {
            $0.video?.instructions?[0].effect = choice("blend.multiply")
        },
        Rule(name: "a transition of no layers", code: .valueNotAllowed, path: "video.instructions[0].effect") {
            $0.video?.instructions?[0].layers = nil
            $0.video?.instructions?[0].effect = choice("wipe.left")
        },
        Rule(name: "of a layer", code: .effectUnknown, path: "video.instructions[0].layers[0].effects[0].id") {
            $0.video?.instructions?[0].layers?[0].effects = [choice("blr")]
        },
        rule(
            "a track that no layer shows", .layerTrackUnknown, ".params.track",
            choice("mask-track", .object(["track": .integer(2)]))),
        Rule(
            name: "echoes of a layer and its instruction", code: .valueNotAllowed,
            path: "video.instructions[0].layers[0].effects[0]"
        ) {
            $0.video?.instructions?[0].layers?[0].effects = [choice("echo")]
            $0.video?.instructions?[0].effects = [choice("exposure"), choice("echo")]
        },
        Rule(
            name: "echoes of a layer and the film", code: .valueNotAllowed,
            path: "video.instructions[0].layers[0].effects[0]"
        ) {
            $0.video?.instructions?[0].layers?[0].effects = [choice("echo")]
            $0.video?.effects = [choice("echo")]
        },
        Rule(
            name: "echoes of an instruction, twice", code: .valueNotAllowed, path: "video.instructions[0].effect"
        ) {
            $0.video?.instructions?[0].effect = choice("echo")
            $0.video?.instructions?[0].effects = [choice("echo")]
        },
        Rule(name: "a film masked by a track", code: .valueNotAllowed, path: "video.effects[0]") {
            $0.video?.effects = [choice("mask-track", .object(["track": .integer(1)]))]
        },
        Rule(name: "of the film", code: .effectUnknown, path: "video.effects[0].id") {
            $0.video?.effects = [choice("blr")]
        },
    ]
}
