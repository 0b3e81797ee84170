import ArgumentParser
import Coordinator
import Diagnostics
import SplitreelFiles
import SplitreelProject

struct EffectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "effects", abstract: "List transitions, effects, blend modes, compositors and taps.",
        discussion: """
            A composition names them by id; the newest version is meant where none is said. With an id: its \
            parameters, what they may be, and what they are when nothing is said.

              splitreel effects               a line each
              splitreel effects wipe.left     one of them, with its parameters
              splitreel effects wipe.left --picture wipe.png
            """)

    @Argument(help: "The id of one of them, such as wipe.left. Left out: all of them.", completion: .effects)
    var id: String?

    @Option(
        help: "With an id: a PNG file of what it does to test pictures when nothing is said.",
        completion: .file(extensions: ["png"]))
    var picture: String?

    @Flag(help: "Replace a file that exists.")
    var overwrite = false

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
        let all = EffectRegistry.all
        let shown = id.map { id in all.filter { $0.id == id } } ?? all
        if let id, shown.isEmpty {
            throw SplitreelError(
                .usage, operation: "looking up", subject: id, reason: "there is no effect of that id",
                hint: nearestName(to: id, among: all.map(\.id)).map { "did you mean `\($0)`?" }
                    ?? "`splitreel effects` lists them all")
        }
        if let picture {
            guard id != nil, let newest = shown.last else {
                throw ValidationError("--picture shows one: say its id")
            }
            guard picture.lowercased().hasSuffix(".png") else {
                throw ValidationError("--picture takes only .png; not ‘\(picture)’")
            }
            let path = try absolutePath(picture)
            try checkOutputPlace(path, overwrite: overwrite)
            try EffectSample(effect: newest).write(to: path)
        }
        if json { return try Console.json(EffectList(effects: shown.map(EffectReport.init))) }
        Console.result(id == nil ? EffectTables.list(shown) : shown.map(EffectTables.one).joined(separator: "\n\n"))
    }
}

/// The tables that `effects` prints for people.
enum EffectTables {
    static func list(_ all: [EffectDescription]) -> String {
        var table = TextTable([.init("KIND"), .init("ID"), .init("VERSION", .right), .init("WHAT IT DOES")])
        for effect in all { table.add([effect.kind.rawValue, effect.id, "\(effect.version)", effect.summary]) }
        return table.text
    }

    static func one(_ effect: EffectDescription) -> String {
        let head =
            "\(effect.id.printable), version \(effect.version): \(effect.kind.rawValue)\n" + effect.summary.printable
        guard !effect.parameters.isEmpty else { return head + "\nIt has no parameters." }
        var table = TextTable([.init("PARAMETER"), .init("MAY BE"), .init("WHEN NOTHING IS SAID"), .init("MEANING")])
        for parameter in effect.parameters {
            let report = EffectReport.Parameter(parameter)
            let other = parameter.alternative.map { "must be said, or \($0)" }
            table.add([parameter.name, allowed(parameter), other ?? fallback(report), parameter.summary])
        }
        return head + "\n" + table.text
    }

    private static func allowed(_ parameter: EffectParameter) -> String {
        let unit = parameter.unit == .none ? "" : " " + parameter.unit.rawValue
        switch parameter.kind {
        case .numbers(let range, let fallback):
            let span = "\(text(range.lowerBound))…\(text(range.upperBound))\(unit)"
            return fallback.count == 1 ? span : "\(fallback.count) × \(span)"
        case .colour: return "[r, g, b, a], 0…1"
        case .table(let width, let range, let least):
            let many = least > 0 ? "\(least) or more" : "a list"
            return "\(many) of \(width) × \(text(range.lowerBound))…\(text(range.upperBound))\(unit)"
        case .word(let words, _): return words.joined(separator: ", ")
        case .flag: return "true, false"
        case .picture: return "an asset with a picture"
        case .track: return "the id of a video track"
        case .file(let kind): return "an asset of kind \(kind.rawValue)"
        case .sound(let longest): return "a file with sound, \(longest) s at most"
        case .audioTrack: return "the id of an audio track"
        case .audioTracks: return "a list of ids of audio tracks"
        case .value: return "any value"
        case .requiredTracks: return "a list of ids of video tracks"
        }
    }

    private static func fallback(_ parameter: EffectReport.Parameter) -> String {
        if parameter.required == true { return "must be said" }
        switch parameter.fallback {
        case nil: return ""
        case .number(let number)?: return text(number)
        case .numbers(let numbers)?: return "[\(numbers.map(text).joined(separator: ", "))]"
        case .word(let word)?: return word
        case .flag(let flag)?: return "\(flag)"
        }
    }

    /// A number as text, without a fraction that says nothing.
    private static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    }
}
