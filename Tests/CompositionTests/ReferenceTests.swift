import Foundation
import JSONText
import Outputs
import SplitreelProject
import Testing
import Validation

/// The tables of docs/reference, held against the schema and the registry, and its examples.
@Suite("The reference of the file") struct ReferenceTests {
    private static let heads = "| key | type | default | since | meaning |"
    private let pages: [ReferencePage]
    /// The objects of the schema that have keys.
    private let objects: [String: JSONValue]

    init() throws {
        pages = try ReferencePage.all()
        let schema = try JSONValue(parsing: projectJSONSchema())
        var objects = ["Project": schema]
        if case .object(let definitions)? = schema["$defs"] {
            for (name, definition) in definitions where definition["properties"] != nil { objects[name] = definition }
        }
        self.objects = objects
    }

    @Test func everyKeyHasItsEntryAndEveryEntryItsKey() throws {
        var found: Set<String> = []
        for page in pages {
            for section in page.sections {
                let rows = section.rows(under: Self.heads)
                guard !rows.isEmpty else { continue }
                let name = section.heading.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
                    .joined()
                let object = try #require(objects[name], "\(page.name): the schema has no \(name)")
                #expect(found.insert(name).inserted, "\(name) stands twice")
                let place = "reference/\(page.name)#\(section.anchor)"
                #expect(object["$comment"]?.string == place, "the schema leads elsewhere for \(name)")
                try check(rows, of: name, as: object, in: page)
            }
        }
        #expect(found == Set(objects.keys))
    }

    private func check(_ rows: [[String]], of name: String, as object: JSONValue, in page: ReferencePage) throws {
        guard case .object(let properties)? = object["properties"] else { return }
        var required: [JSONValue] = []
        if case .array(let names)? = object["required"] { required = names }
        var keys: [String] = []
        for row in rows {
            try #require(row.count == 5, "\(page.name): \(row)")
            let key = row[0].replacingOccurrences(of: "`", with: "")
            let place = "\(name).\(key) in \(page.name)"
            keys.append(key)
            let property = try #require(properties[key], "the schema has no \(place)")
            #expect(isNamed(property, by: row[1]), "the type of \(place) is not \(row[1])")
            #expect(required.contains(.string(key)) == (row[2] == "required"), "\(place)")
            if let value = property["default"] { #expect(row[2] == "`\(plain(value))`", "\(place)") }
            #expect(["0.1", "0.2", "0.3"].contains(row[3]), "\(place)")
            for word in words(of: property) {
                #expect(page.text.contains("`\(word)`") || page.text.contains("`\"\(word)\"`"), "\(word) of \(place)")
            }
        }
        #expect(keys.sorted() == properties.keys.sorted(), "\(name) in \(page.name)")
    }

    private func plain(_ value: JSONValue) -> String {
        value.string ?? String(decoding: value.canonicalBytes(), as: UTF8.self)
    }

    /// Whether a cell says a type of the schema; types that have no one word count as said.
    private func isNamed(_ type: JSONValue, by cell: String) -> Bool {
        if type["enum"] != nil { return cell.hasPrefix("word") }
        if let reference = type["$ref"]?.string {
            let name = reference == "#" ? "Project" : String(reference.dropFirst("#/$defs/".count))
            if let place = objects[name]?["$comment"]?.string?.split(separator: "#").last {
                return cell.contains("#\(place))")
            }
            let words = ["Affine": "affine", "Colour": "colour", "Easing": "easing", "Range": "range", "Rect": "rect"]
            if let word = words[name] { return cell.hasPrefix(word) }
            return name != "Time" || cell.hasPrefix("time")
        }
        switch type["type"]?.string {
        case "boolean": return cell.hasPrefix("bool")
        case "array": return cell.hasPrefix("list") || cell.hasPrefix("`[")
        case let word?: return cell.hasPrefix(word)
        case nil: return true
        }
    }

    private func words(of type: JSONValue) -> [String] {
        var all: [String] = []
        if case .array(let words)? = type["enum"] { all += words.compactMap(\.string) }
        if let word = type["const"]?.string { all.append(word) }
        if let items = type["items"] { all += words(of: items) }
        if case .array(let alternatives)? = type["anyOf"] { all += alternatives.flatMap { words(of: $0) } }
        return all
    }

    /// An example without a format is a part of a file: its keys stand beside those of a film of ten seconds.
    @Test func examplesAreValid() throws {
        var count = 0
        for page in pages {
            for block in page.examples {
                count += 1
                let (parsed, problems) = Project.parse(try whole(block))
                let project = try #require(parsed, "\(page.name): \(problems.map(\.message)) in \(block)")
                // The files of nested compositions are not there.
                let further = project.validate(assets: nil).filter {
                    $0.severity == .error && !$0.path.hasSuffix(".project")
                }
                let all = (problems + further).map { "\($0.path): \($0.message)" }
                #expect(all.isEmpty, "\(page.name): \(all) in \(block)")
            }
        }
        #expect(count > 40)
    }

    private func whole(_ block: String) throws -> Data {
        let text = block.hasPrefix("{") ? block : "{\(block)}"
        let segments = #"[{"asset": "clip", "source": ["0s", "10s"], "target": ["0s", "10s"]}]"#
        let film = """
            {"format": "splitreel/1", "assets": {"clip": {"url": "clip.mp4"}}, "composition": {"tracks": [
            {"id": 1, "type": "video", "segments": \(segments)},
            {"id": 2, "type": "video", "segments": \(segments)},
            {"id": 3, "type": "audio", "segments": \(segments)}]}}
            """
        guard case .object(var members) = try JSONValue(parsing: Data(text.utf8)),
            case .object(let others) = try JSONValue(parsing: Data(film.utf8))
        else { return Data(text.utf8) }
        if case .object(let own)? = members["assets"], case .object(let clip)? = others["assets"] {
            members["assets"] = .object(own.merging(clip) { own, _ in own })
        }
        return JSONValue.object(members.merging(others) { own, _ in own }).canonicalBytes()
    }

    @Test func parametersAreTheRegistered() throws {
        let page = try #require(pages.first { $0.name == "parameters.md" })
        let heads = "| parameter | may be | default | keys | meaning |"
        for effect in EffectRegistry.builtIn {
            guard effect.kind != .blend, effect.kind != .compositor else { continue }
            guard !effect.parameters.isEmpty else {
                #expect(page.text.contains("`\(effect.id)`"), "make reference: no \(effect.id)")
                continue
            }
            let section = page.sections.first { $0.heading.components(separatedBy: ", ").contains(effect.id) }
            let rows = try #require(section, "make reference: no \(effect.id)").rows(under: heads)
            let names = effect.parameters.map { "`\($0.name)`" }
            #expect(rows.compactMap(\.first) == names, "make reference: \(effect.id) has others")
            #expect(rows.compactMap(\.last) == effect.parameters.map(\.summary), "make reference: \(effect.id)")
        }
    }

    @Test func everyEffectHasItsLine() throws {
        let places: [EffectDescription.Kind: String] = [.blend: "video.md", .tap: "audio.md"]
        for effect in EffectRegistry.builtIn {
            let page = try #require(pages.first { $0.name == places[effect.kind] ?? "effects.md" })
            let name = effect.id.replacingOccurrences(of: "blend.", with: "")
            #expect(page.text.contains("`\(name)`"), "\(page.name) has no \(effect.id)")
        }
    }

    @Test func containersHoldTheCodecsOfTheirRows() throws {
        let page = try #require(pages.first { $0.name == "outputs.md" })
        let rows = try #require(page.sections.first { $0.heading == "Containers" }).rows(
            under: "| container | pictures | sound |")
        func names(_ cell: String) -> [String] { cell == "none" ? [] : cell.components(separatedBy: ", ") }
        for container in Container.allCases where container != .waveform {
            let row = try #require(rows.first { $0[0].hasPrefix("`\(container.rawValue)`") }, "\(container)")
            #expect(names(row[1]) == container.videoCodecs.map(\.rawValue), "\(container)")
            #expect(names(row[2]) == container.audioCodecs.map(\.rawValue), "\(container)")
        }
        #expect(rows.count == Container.allCases.count - 1)
    }

    @Test func linksLeadToHeadings() throws {
        let places = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, Set($0.sections.map(\.anchor))) })
        for page in pages {
            for link in page.text.matches(of: /\]\(([a-z]*\.md|README\.md)?(?:#([^)\s]*))?\)/) {
                let name = link.1.map { String($0) } ?? page.name
                let anchors = try #require(places[name], "\(page.name) leads to \(name)")
                if let anchor = link.2 { #expect(anchors.contains(String(anchor)), "\(page.name): \(link.0)") }
            }
        }
    }
}
