import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline
import TestTools
import Testing
import Validation

/// Random walks over files: nothing may trap, and whatever is accepted must be stable.
@Suite struct HostileInputTests {
    private func facts(_ project: Project) -> [String: AssetFacts] { project.assets.mapValues { _ in filmFacts() } }

    private func exercise(_ data: Data) {
        let (project, problems) = Project.parse(data)
        guard let project else {
            #expect(!problems.isEmpty)
            return
        }
        let bytes = project.canonicalBytes()
        let again = Project.parse(bytes).project
        #expect(again?.canonicalBytes() == bytes)
        _ = project.validate(assets: nil)
        var snapped = project
        snapped.snapInstructions()
        guard let timeline = try? Timeline(project: project, assets: facts(project)) else { return }
        for number in [-1, 0, 1, 5, 37, 1_000_000] {
            let time = Rational(number, 10)
            _ = timeline.recipe(at: time)
            _ = timeline.isConstant(from: time, to: time + Rational(1))
            for track in timeline.audio { _ = track.gain(at: time) }
        }
    }

    @Test func randomBytesInRealFiles() throws {
        var random = SeededNumbers(seed: 1)
        for name in ["every-key", "minimal"] {
            let original = [UInt8](try example(name))
            for _ in 0..<150 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(contentsOf: bytes[place...].prefix(30), at: place)
                    }
                }
                exercise(Data(bytes))
            }
        }
    }

    /// Sizes and scales that no check has seen yet are reckoned with where compositions nest, and where nothing but a
    /// generator tells the canvas's size.
    @Test(arguments: [
        #""renderSize": [9223372036854775807, 2], "renderScale": 2"#, #""renderScale": 1e300"#,
        #""renderScale": -1e300"#,
        #""renderSize": [-9223372036854775808, 9223372036854775807]"#, #""frameDuration": "1/30""#,
    ])
    func sizesInNestedCompositions(video: String) throws {
        for size in ["[9223372036854775807, 1]", "[-9223372036854775808, 3]", "[2, 2]"] {
            let text = """
                {"format": "splitreel/1", "assets": {
                  "c": {"kind": "color", "color": [1, 0, 0, 1], "size": \(size)},
                  "b": {"kind": "bars", "size": \(size)}},
                 "composition": {"naturalSize": \(size), "tracks": [{"id": 1, "type": "video", "segments": [
                  {"asset": "c", "target": ["0s", "1s"]}, {"asset": "b", "target": ["1s", "1s"]}]}]},
                 "video": {\(video)}}
                """
            for inner in [text, text.replacingOccurrences(of: "\"naturalSize\": \(size), ", with: "")] {
                let outer = """
                    {"format": "splitreel/1", "assets": {"n": {"kind": "composition", "project": \(inner)}},
                     "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
                      {"asset": "n", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}]}}
                    """
                for written in [inner, outer] {
                    let project = try #require(Project.parse(Data(written.utf8)).project)
                    var facts: [String: AssetFacts] = [:]
                    project.addNestedFacts(to: &facts)
                    _ = project.validate(assets: nil)
                    let isWrong = video.contains("9223372036854775807") || video.contains("e300") || size != "[2, 2]"
                    let problems = project.validate(assets: facts)
                    #expect(problems.contains { $0.severity == .error } == isWrong, "\(written) \(problems)")
                }
            }
        }
    }

    private static let nasty: [JSONValue] = [
        .null, .bool(true), .integer(0), .integer(-1), .integer(.max), .integer(.min), .number(1e308), .number(-1e308),
        .number(.leastNonzeroMagnitude), .string(""), .string("9223372036854775807/1"),
        .string("-9223372036854775808/2147483647"),
        .string("1/2147483647"), .string("2147483647/2147483646"), .string("1/0"), .string("+inf"), .string("-inf"),
        .string("indefinite"), .string("invalid"), .string("99999999999999999999s"), .string("0.000000001s"),
        .string("\0"), .array([]), .object([:]), .array([.string("0/1"), .string("0/1")]),
        .array([.string("-5/1"), .string("9223372036854775807/3")]), .array([.string("1/3"), .string("+inf")]),
        .array([.integer(.max), .integer(.max)]),
        .array([.number(1e308), .number(-1e308), .number(1e308), .number(1e308)]),
    ]

    private func mutate(_ value: JSONValue, _ random: inout SeededNumbers) -> JSONValue {
        if Int.random(in: 0..<40, using: &random) == 0 { return Self.nasty.randomElement(using: &random) ?? .null }
        switch value {
        case .object(let members):
            var changed: [String: JSONValue] = [:]
            for (key, member) in members.sorted(by: { $0.key < $1.key })
            where Int.random(in: 0..<150, using: &random) > 0 {
                changed[key] = mutate(member, &random)
            }
            return .object(changed)
        case .array(var elements):
            if elements.count > 1, Int.random(in: 0..<30, using: &random) == 0 { elements.shuffle(using: &random) }
            return .array(elements.map { mutate($0, &random) })
        default: return value
        }
    }

    @Test func randomValuesInRealFiles() throws {
        var random = SeededNumbers(seed: 2)
        for name in ["every-key", "minimal"] {
            let original = try JSONValue(parsing: example(name))
            for _ in 0..<250 { exercise(mutate(original, &random).canonicalBytes()) }
        }
    }

    /// One change at a time in a small file, so that many of them stay valid and reach the timeline.
    @Test func singleNastyValues() throws {
        let original = try JSONValue(parsing: example("minimal"))
        func variants(_ value: JSONValue, _ rebuild: (JSONValue) -> JSONValue, _ found: (JSONValue) -> Void) {
            for nasty in Self.nasty { found(rebuild(nasty)) }
            switch value {
            case .object(let members):
                for (key, member) in members {
                    variants(
                        member,
                        {
                            var copy = members; copy[key] = $0; return rebuild(.object(copy))
                        }, found)
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    variants(
                        element,
                        {
                            var copy = elements; copy[index] = $0; return rebuild(.array(copy))
                        }, found)
                }
            default: break
            }
        }
        var count = 0
        variants(original, { $0 }) {
            if count % 3 == 0 { exercise($0.canonicalBytes()) }  // A third of them, for time's sake.
            count += 1
        }
        #expect(count > 2000)
    }
}
