import Authoring
import Drawings
import Foundation
import JSONText
import SplitreelProject
import Testing
import Validation

/// The compositions of docs/gallery, whose frames `make gallery` makes: nothing here needs them rendered anew.
@Suite struct GalleryTests {
    /// The kinds of objects in the schema that people compose pictures and sound of. Outputs have nothing to show.
    private static let shown = [
        "Animation", "AnimationLayer", "Asset", "Audio", "AudioInput", "Color", "CropKey", "Easing", "Fade",
        "Gradient", "GradientStop", "Instruction", "Layer", "LayerAnimation", "LayerContents", "LayerShadow",
        "Loudness", "NumberKey", "Registered", "Segment", "Shape", "SourceColor", "Subtitles", "Text",
        "TextBackground", "TextOutline", "TextReveal", "TextShadow", "Track", "TransformKey", "TransformParts",
        "Video",
    ]
    /// The keys that no picture shows or that are refused, each by its name, or by its name and the word.
    /// A film's `fit` has the words of a layer's. An instruction's `params` are of a program's own compositor.
    private static let exceptions: Set<String> = [
        "AudioInput.output", "Instruction.params", "Segment.frameBlending", "Video.fit contain", "Video.fit cover",
        "Video.fit stretch",
    ]
    private static let folder = repository.appendingPathComponent("docs/gallery")

    private static func compositions() throws -> [(name: String, data: Data)] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try files.filter { $0.hasSuffix(".json") }.sorted().map {
            ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
        }
    }

    @Test func everyKeyIsShown() throws {
        var walk = SchemaWalk(schema: try JSONValue(parsing: projectJSONSchema()))
        for (_, data) in try Self.compositions() { walk.visit(try JSONValue(parsing: data)) }
        var expected: Set<String> = []
        for name in Self.shown { expected.formUnion(walk.rendered(name)) }
        #expect(expected.count > 100)
        let missing = expected.subtracting(Self.exceptions).subtracting(walk.found).sorted()
        #expect(missing.isEmpty, "docs/gallery shows no \(missing.joined(separator: ", "))")
    }

    /// Each effect, transition and blend mode is found by its id, in whatever place that it is named.
    @Test func everyEffectTransitionAndBlendModeIsShown() throws {
        let all = try Self.compositions().map { String(decoding: $0.data, as: UTF8.self) }.joined()
        for effect in EffectRegistry.builtIn where effect.kind != .compositor {
            let id = effect.kind == .blend ? effect.id.replacing("blend.", with: "") : effect.id
            #expect(all.contains("\"\(id)\""), "docs/gallery shows no \(effect.id)")
        }
    }

    /// What a template's composition shows is what the template becomes now.
    @Test func everyTemplateIsShown() throws {
        var shown: Set<String> = []
        for (name, data) in try Self.compositions() {
            let json = try JSONValue(parsing: data)
            guard let used = json["metadata"]?["template"], let id = used["name"]?.string,
                case .object(let parameters)? = used["parameters"]
            else { continue }
            let template = try #require(Template.named(id), "\(name)")
            let project = try Project(parsing: data)
            let place = TemplatePlace(
                size: try #require(project.video?.renderSize), film: project.exactDuration, id: id)
            let fragment = try template.expand(parameters, in: place)
            #expect(Array(project.video?.animation?.root.sublayers?.dropFirst() ?? []) == fragment.layers, "\(name)")
            #expect(project.video?.subtitles ?? [] == fragment.subtitles, "\(name)")
            #expect(fragment.assets.allSatisfy { project.assets[$0.key] == $0.value }, "\(name)")
            shown.insert(id)
        }
        #expect(shown == Set(Template.all.map(\.name)))
    }

    @Test func everyCompositionIsValid() throws {
        for (name, data) in try Self.compositions() {
            let (parsed, problems) = Project.parse(data)
            let project = try #require(parsed, "\(name): \(problems.map(\.message))")
            let files = NestedFiles(of: project, path: name, identity: name) { path in
                NestedFiles.Text(bytes: try Data(contentsOf: Self.folder.appendingPathComponent(path)), identity: path)
            }
            let all = problems + files.problems + files.project.validate(assets: nil)
            #expect(all.isEmpty, "\(name): \(all.map(\.message))")
        }
    }

    /// The pages that `make gallery` writes, one of each group.
    private static func pages() throws -> [(name: String, text: String)] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try files.filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted().map {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// Each composition stands on a page with its words and its pictures, which are small: the repository holds all of
    /// them, in 4.5 MB.
    @Test func pagesAreComplete() throws {
        let text = try Self.pages().map { $0.text }.joined()
        let pictures = Set(text.matches(of: /!\[[^\]]*\]\(([^)]*)\)/).map { String($0.1) })
        var size = 0
        for picture in pictures.sorted() {
            let data = try Data(contentsOf: Self.folder.appendingPathComponent(picture))
            #expect(data.starts(with: [0xFF, 0xD8]), "\(picture) is no JPEG")
            size += data.count
        }
        #expect(pictures.count > 200 && size < 4_500_000, "\(pictures.count) pictures of \(size) bytes")
        for (name, data) in try Self.compositions() {
            let metadata = try JSONValue(parsing: data)["metadata"]
            for key in ["title", "description"] {
                let words = try #require(metadata?[key]?.string, "\(name) has no \(key)")
                #expect(text.contains(words), "make gallery: no page has \(name)'s \(key)")
            }
            let counts = ["frames", "waveforms", "captions"].map { key in
                guard case .array(let list)? = metadata?["gallery"]?[key] else { return 0 }
                return list.count
            }
            let named = counts[0] + counts[1]
            #expect(named > 0, "\(name) names neither frames nor waveforms")
            #expect(counts[2] == 0 || counts[2] == named, "\(name) has \(named) pictures, \(counts[2]) captions")
            #expect(counts[2] > 0 || counts[1] == 0, "\(name) does not say what its waveforms show")
            for number in 1..<(named + 1) {
                let picture = "\(name.dropLast(".json".count))-\(number).jpg"
                #expect(pictures.contains(picture), "make gallery: no page has \(picture)")
            }
        }
    }

    /// README.md leads to every page and to every entry of it, and so does the head of the page.
    @Test func readmeLeadsToEveryEntry() throws {
        let readme = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
        let pages = try Self.pages()
        #expect(pages.count > 10)
        for (name, text) in pages {
            #expect(readme.contains("](\(name))"), "make gallery: README.md does not lead to \(name)")
            for title in text.matches(of: /(?m)^## (.*)$/).map({ $0.1 }) {
                #expect(readme.contains("[\(title)](\(name)#"), "make gallery: README.md has no \(title)")
                #expect(text.contains("- [\(title)](#"), "make gallery: the head of \(name) has no \(title)")
            }
        }
    }

    /// The blocks of the pages are the insides of JSON objects whose members stand in the files. Their lines are short.
    @Test func pagesShowWhatStandsInTheFiles() throws {
        let text = try Self.pages().map { $0.text }.joined()
        for (name, data) in try Self.compositions() {
            let start = try #require(text.range(of: "](\(name))"))
            let match = text[start.upperBound...].firstMatch(of: /(?s)```json\n(.*?)\n```/)
            let block = try #require(match, "\(name)").1
            guard case .object(let members)? = try? JSONValue(parsing: Data("{\(block)}".utf8)) else {
                Issue.record("make gallery: what is shown of \(name) is no JSON")
                continue
            }
            let file = try JSONValue(parsing: data)
            guard case .array(let parts)? = file["metadata"]?["gallery"]?["part"] else {
                Issue.record("\(name) does not say what is shown of it")
                continue
            }
            #expect(Set(parts.compactMap(\.string)) == Set(members.keys), "\(name)")
            for (key, member) in members {
                #expect(hasMember(file, key, that: member), "make gallery: \(name) has no such \(key)")
            }
            // A text may reach beyond the 100 characters that the page's maker keeps to.
            let long = block.split(separator: "\n").filter { $0.count > 110 }
            #expect(long.isEmpty, "make gallery: \(name) has long lines: \(long)")
        }
    }

    /// Whether a member of that name stands anywhere in a value, of which a part is shown.
    private func hasMember(_ value: JSONValue, _ key: String, that shown: JSONValue) -> Bool {
        switch value {
        case .object(let members):
            if let own = members[key], isPart(shown, of: own) { return true }
            return members.values.contains { hasMember($0, key, that: shown) }
        case .array(let elements): return elements.contains { hasMember($0, key, that: shown) }
        default: return false
        }
    }

    /// Whether a value is another one, of whose lists of objects only the beginning may be there.
    private func isPart(_ part: JSONValue, of whole: JSONValue) -> Bool {
        switch (part, whole) {
        case (.object(let some), .object(let all)):
            return some.keys == all.keys
                && some.allSatisfy { key, value in all[key].map { isPart(value, of: $0) } ?? false }
        case (.array(let some), .array(let all)):
            guard case .object? = all.first else { return some == all }
            return some.count <= all.count && zip(some, all).allSatisfy { isPart($0, of: $1) }
        default: return part == whole
        }
    }
}

/// Notes which keys and which words of a schema's definitions occur in values.
private struct SchemaWalk {
    let schema: JSONValue
    /// As `Layer.fit` and `Layer.fit cover`.
    private(set) var found: Set<String> = []

    init(schema: JSONValue) { self.schema = schema }

    mutating func visit(_ value: JSONValue) { visit(value, as: schema, named: "Project") }

    /// The keys of a definition that are rendered, and their words.
    func rendered(_ definition: String) -> Set<String> {
        if case .array(let alternatives)? = schema["$defs"]?[definition]?["anyOf"] {
            return Set(alternatives.flatMap(words).map { "\(definition) \($0)" })
        }
        guard case .object(let properties)? = schema["$defs"]?[definition]?["properties"] else { return [] }
        var names: Set<String> = []
        for (key, property) in properties where property["description"]?.string?.contains("Not rendered yet") != true {
            names.insert("\(definition).\(key)")
            // The words for colours are many, and all of one kind.
            guard definition != "Color", definition != "SourceColor" else { continue }
            for word in words(of: property) { names.insert("\(definition).\(key) \(word)") }
        }
        return names
    }

    private func words(of property: JSONValue) -> [String] {
        if case .array(let words)? = property["enum"] { return words.compactMap(\.string) }
        return []
    }

    private mutating func visit(_ value: JSONValue, as type: JSONValue, named name: String) {
        if let reference = type["$ref"]?.string {
            if reference == "#" { return visit(value, as: schema, named: "Project") }
            let definition = String(reference.dropFirst("#/$defs/".count))
            if let word = value.string { found.insert("\(definition) \(word)") }
            if let target = schema["$defs"]?[definition] { visit(value, as: target, named: definition) }
        }
        if case .array(let alternatives)? = type["anyOf"] {
            for alternative in alternatives { visit(value, as: alternative, named: name) }
        }
        switch value {
        case .object(let members):
            guard case .object(let properties)? = type["properties"] else {
                if let others = type["additionalProperties"] {
                    for member in members.values { visit(member, as: others, named: name) }
                }
                return
            }
            for (key, member) in members {
                guard let property = properties[key] else { continue }
                found.insert("\(name).\(key)")
                if let word = member.string { found.insert("\(name).\(key) \(word)") }
                visit(member, as: property, named: "\(name).\(key)")
            }
        case .array(let elements):
            guard let item = type["items"] else { return }
            for element in elements { visit(element, as: item, named: name) }
        default: break
        }
    }
}
