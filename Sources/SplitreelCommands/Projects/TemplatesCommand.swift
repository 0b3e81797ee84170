import ArgumentParser
import Authoring
import Diagnostics
import Foundation
import JSONText
import MediaTime
import Pictures
import SplitreelProject

struct TemplatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates", abstract: "List templates for titles, captions and marks; print what they become.",
        discussion: """
            A template becomes layers of a composition's `video.animation` (or entries of `video.subtitles`) for a \
            canvas of any size. `splitreel new` puts them over a film by --title, --lower-third and the like; with \
            --expand one is printed for a composition that is there: `sublayers` go into the root's, behind the layer \
            that shows the film, `assets` and `subtitles` to the composition's own.

              splitreel templates                       a line each
              splitreel templates lower-third           one of them, with its parameters
              splitreel templates lower-third --expand --set name=Ada --set begin=2s
            """)

    @Argument(help: "The name of one of them, such as lower-third. Left out: all of them.", completion: .templates)
    var name: String?

    @Flag(help: "With a name: print what it becomes, as JSON.")
    var expand = false

    @Option(help: "With --expand: a parameter, as NAME=VALUE; a colour as #rrggbb, several lines one after the other.")
    var set: [String] = []

    @Option(help: "With --expand: the canvas.")
    var size = "1280x720"

    @Option(help: "With --expand: how long the film is, for what lasts as long.")
    var film = "10s"

    @Option(help: "With --expand: the id of its first layer and the name of its asset. Default: the template's name.")
    var id: String?

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
        guard let name else {
            guard !expand, set.isEmpty else { throw ValidationError("--expand and --set are about one: say its name") }
            if json { return try Console.json(TemplateList(templates: Template.all.map(TemplateReport.init))) }
            return Console.result(TemplateTables.list(Template.all))
        }
        guard let template = Template.named(name) else {
            throw SplitreelError(
                .usage, operation: "looking up", subject: name, reason: "there is no template of that name",
                hint: nearestName(to: name, among: Template.all.map(\.name)).map { "did you mean `\($0)`?" }
                    ?? "`splitreel templates` lists them all")
        }
        if expand { return Console.exactResult(String(decoding: try fragment(of: template), as: UTF8.self)) }
        guard set.isEmpty else { throw ValidationError("--set needs --expand") }
        if json { return try Console.json(TemplateList(templates: [TemplateReport(template)])) }
        Console.result(TemplateTables.one(template))
    }

    private func fragment(of template: Template) throws -> Data {
        guard let length = MediaTime(text: film), length.isNumeric, length > .zero else {
            throw TimeOption.refused(film, "--film takes a time such as 90s")
        }
        let place = TemplatePlace(
            size: try SizeOption.parse(size, option: "--size"), film: Rational(length), id: id ?? template.name)
        do {
            return try template.expand(try arguments(for: template), in: place).json.prettyBytes(lineLength: 100)
        } catch let fault as TemplateFault {
            throw fault.asUsage
        }
    }

    private func arguments(for template: Template) throws -> [String: JSONValue] {
        var arguments: [String: JSONValue] = [:]
        for option in set {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--set takes NAME=VALUE; not ‘\(option.printable)’") }
            let parameter = template.parameters.first { $0.name == parts[0] }
            arguments[parts[0]] = parameter?.argument(parts[1]) ?? parts[1].json
        }
        return arguments
    }
}

extension TemplateParameter {
    /// The JSON for which an argument of a command line stands; a text that cannot stand for it goes on as text, and is
    /// refused by the template.
    fileprivate func argument(_ text: String) -> JSONValue {
        let read = try? JSONValue(parsing: Data(text.utf8))
        switch kind {
        case .number, .integer: return read?.double != nil ? read ?? .null : text.json
        case .flag: return read == .bool(true) || read == .bool(false) ? read ?? .null : text.json
        case .colour: return read ?? text.json
        case .lines: return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).json
        case .text, .time, .word, .file, .font: return text.json
        }
    }
}

/// The tables that `templates` prints for people.
enum TemplateTables {
    static func list(_ all: [Template]) -> String {
        var table = TextTable([.init("NAME"), .init("WHAT IT SHOWS")])
        for template in all { table.add([template.name, template.summary]) }
        return table.text
    }

    static func one(_ template: Template) -> String {
        var table = TextTable([.init("PARAMETER"), .init("MAY BE"), .init("WHEN NOTHING IS SAID"), .init("MEANING")])
        for parameter in template.parameters {
            let fallback = parameter.fallback.map { $0.string ?? String(decoding: $0.canonicalBytes(), as: UTF8.self) }
            table.add([
                parameter.name, parameter.allowed, parameter.isRequired ? "must be said" : fallback ?? "",
                parameter.summary,
            ])
        }
        let needed = template.parameters.filter(\.isRequired).map { " --set \($0.name)=…" }.joined()
        return "\(template.name): \(template.summary)\n\(table.text)\n"
            + "Its JSON: splitreel templates \(template.name) --expand\(needed)"
    }
}

extension TemplateParameter {
    fileprivate var allowed: String {
        func span(_ range: ClosedRange<Double>, _ unit: String = "") -> String {
            [range.lowerBound, range.upperBound].map { String(decoding: JSONValue($0).canonicalBytes(), as: UTF8.self) }
                .joined(separator: "…") + unit
        }
        switch kind {
        case .text: return "a text"
        case .lines(let most): return "1…\(most) lines"
        case .number(let range): return span(range)
        case .integer(let range): return span(range) + ", whole"
        case .time(let range): return span(range, " s")
        case .colour: return "#rrggbb, a name, or [r, g, b, a] of 0…1"
        case .word(let words): return words.joined(separator: ", ")
        case .flag: return "true, false"
        case .file: return "a file"
        case .font: return "a font, or several"
        }
    }
}

/// The document of `templates --json`.
struct TemplateList: Encodable {
    var templates: [TemplateReport]
}

struct TemplateReport: Encodable {
    struct Parameter: Encodable {
        var name: String
        /// The parameter's type: `text`, `lines`, `number`, `integer`, `time`, `color`, `word`, `flag`, `file` or
        /// `font`.
        var type: String
        var summary: String
        /// The least and the greatest number; of a time in seconds.
        var range: [Double]?
        var words: [String]?
        /// Whether it must be said; absent where it need not be.
        var required: Bool?
        var fallback: JSONValue?

        enum CodingKeys: String, CodingKey {
            case name, type, summary, range, words, required
            case fallback = "default"
        }
    }

    var name: String
    var summary: String
    var parameters: [Parameter]

    init(_ template: Template) {
        name = template.name
        summary = template.summary
        parameters = template.parameters.map { parameter in
            var report = Parameter(name: parameter.name, type: parameter.typeName, summary: parameter.summary)
            switch parameter.kind {
            case .number(let range), .integer(let range), .time(let range):
                report.range = [range.lowerBound, range.upperBound]
            case .word(let words): report.words = words
            default: break
            }
            report.required = parameter.isRequired ? true : nil
            report.fallback = parameter.fallback
            return report
        }
    }
}
