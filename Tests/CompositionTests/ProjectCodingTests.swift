import Foundation
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import Testing

/// Every composition of the repository, read, written and coded: what comes back is what was there.
@Suite("Projects as files and as coded values") struct ProjectCodingTests {
    /// The compositions below examples, in the gallery and among the golden cases, by their paths.
    private static let compositions: [String] = {
        ["examples", "docs/gallery", "Tests/GoldenTests/Cases"].flatMap { folder in
            let files = FileManager.default.enumerator(atPath: repository.appending(path: folder).path())
            return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".json") }
                .map { "\(folder)/\($0)" }
        }
        .filter { path in
            let data = try? Data(contentsOf: repository.appending(path: path))
            let json = data.flatMap { try? JSONValue(parsing: $0) }
            return json?["format"] == .string(Project.formatName)
        }
        .sorted()
    }()

    private func project(_ path: String) throws -> Project {
        try Project(Data(contentsOf: repository.appending(path: path)))
    }

    @Test func thereAreCompositionsOfEachFolder() {
        for (folder, least) in [("examples", 10), ("docs/gallery", 90), ("Tests/GoldenTests", 10)] {
            #expect(Self.compositions.count { $0.hasPrefix(folder) } >= least, "\(folder)")
        }
    }

    @Test(arguments: compositions) func isReadAndWrittenWithoutLoss(_ path: String) throws {
        let project = try project(path)
        let text = try JSONValue(parsing: Data(contentsOf: repository.appending(path: path)))
        for isPretty in [false, true] {
            let bytes = project.data(pretty: isPretty)
            let again = try Project(bytes)
            #expect(again == project)
            #expect(again.data(pretty: isPretty) == bytes)
            // Every key and every word of the file is in it, though a value may have been written another way.
            #expect(Self.keys(of: text).isSubset(of: Self.keys(of: try JSONValue(parsing: bytes))))
        }
    }

    /// The paths of all keys of objects that are in no list.
    private static func keys(of json: JSONValue, _ path: String = "") -> Set<String> {
        guard case .object(let members) = json else { return [] }
        return members.reduce(into: []) { all, member in
            all.insert("\(path).\(member.key)")
            all.formUnion(keys(of: member.value, "\(path).\(member.key)"))
        }
    }

    @Test(arguments: compositions) func isCodedWithoutLoss(_ path: String) throws {
        let project = try project(path)
        try expectCoded(project)
        for track in project.composition.tracks { try expectCoded(track) }
        if let video = project.video {
            for instruction in video.instructions ?? [] {
                for layer in instruction.layers ?? [] {
                    for keys in [layer.opacity, layer.cornerRadius, layer.borderWidth] { try expectCoded(keys ?? []) }
                    try expectCoded(layer.transform ?? [])
                    try expectCoded(layer.crop ?? [])
                }
            }
            if let animation = video.animation { try expectCoded(animation.root) }
        }
        if let audio = project.audio { try expectCoded(audio) }
    }

    /// JSON in both of Foundation's forms, and property lists in both of theirs.
    private func expectCoded<Value: Codable & Equatable>(_ value: Value) throws {
        let json = try JSONEncoder().encode(["value": value])
        #expect(try JSONDecoder().decode([String: Value].self, from: json)["value"] == value)
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let list = try encoder.encode(["value": value])
            #expect(try PropertyListDecoder().decode([String: Value].self, from: list)["value"] == value)
        }
    }

    /// JSON of a whole project that Foundation wrote is a project's file.
    @Test func codedProjectIsAFile() throws {
        let project = try project("examples/every-key/film.json")
        #expect(try Project(JSONEncoder().encode(project)) == project)
        #expect(try JSONDecoder().decode(Project.self, from: project.data()) == project)
    }

    @Test func unknownKeysSurvive() throws {
        let text = """
            {"format": "splitreel/1", "x-mine": {"a": [1, 0.5, true, "b"]},
             "assets": {"c": {"kind": "color", "x-c": 1}},
             "composition": {"tracks": [{"id": 1, "type": "video", "x-t": "t", "segments":
             [{"asset": "c", "target": ["0s", "1s"], "x-s": [{}]}]}]}, "outputs": [{"url": "a.mp4", "x-o": 2}]}
            """
        let project = try Project(Data(text.utf8))
        #expect(project.data() == (try JSONValue(parsing: Data(text.utf8))).canonicalBytes())
        let coded = try JSONDecoder().decode(Project.self, from: JSONEncoder().encode(project))
        #expect(coded.data() == project.data())
        #expect(coded.composition.tracks[0].segments[0].unknown["x-s"] == .array([.object([:])]))
    }

    @Test func wrongValuesAreRefusedWithTheirPlace() throws {
        let wrong = Data(#"{"track": 1, "opacity": [{"at": "0s", "value": "dark"}]}"#.utf8)
        #expect {
            try JSONDecoder().decode(Layer.self, from: wrong)
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError else { return false }
            return context.debugDescription.contains("opacity[0].value: expected a number")
        }
        let text = "{\"format\": \"splitreel/1\", \"assets\": {},\n \"composition\": {\"tracks\": 5}}"
        #expect {
            try Project(Data(text.utf8))
        } throws: { error in
            "\(error)".contains("composition.tracks:2:18")
        }
    }
}
