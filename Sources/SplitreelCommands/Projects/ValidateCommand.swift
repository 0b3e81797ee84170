import ArgumentParser
import Diagnostics
import Foundation
import JSONText
import Preparation
import SplitreelProject

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check a composition and its media; print every problem.",
        discussion: """
            Every problem comes with its file, line and column, and with what to do. Exit status: 0 valid, 3 not \
            valid, 4 where only media cannot be read.
            """)

    @Argument(help: "The composition file.", completion: .composition)
    var composition: String

    @Flag(help: "Warnings count as errors.")
    var strict = false

    @Flag(help: "One JSON document.")
    var json = false

    @OptionGroup var remote: RemoteOptions

    struct Report: Encodable {
        var valid: Bool
        var problems: [Problem]
    }

    func run() throws {
        remote.begin()
        var (problems, mediaProblems) = try findings()
        if strict { for index in problems.indices { problems[index].severity = .error } }
        let isValid = !problems.contains { $0.severity == .error }
        if json {
            try Console.json(Report(valid: isValid && mediaProblems.isEmpty, problems: problems + mediaProblems))
        } else {
            for problem in problems + mediaProblems { Console.result(problem.text(in: composition)) }
            if isValid && mediaProblems.isEmpty { Console.result("valid") }
        }
        if !isValid { throw Exit(.invalidComposition) }
        if !mediaProblems.isEmpty { throw Exit(.mediaUnreadable) }
    }

    private func findings() throws -> (problems: [Problem], media: [Problem]) {
        let data: Data
        do {
            data = try CompositionFile.data(path: composition)
        } catch let error as SplitreelError {
            let told = error.inOptions
            return ([.error(told.code, "", "\(told.subject): \(told.reason)", hint: told.hint.description)], [])
        }
        let (parsed, formProblems) = Project.parse(data)
        guard let project = parsed else { return (formProblems, []) }
        let check = try CompositionCheck(
            of: project, path: composition, form: formProblems, data: data, calling: \.option)
        return (check.problems, check.media)
    }
}

extension Problem {
    /// The problem as `cut.json:12:7: error 50007 at video.instructions[1].range: …` and the hint on a line of its own.
    func text(in file: String) -> String {
        let at = path.isEmpty ? "" : " at \(path.printable)"
        let colour: Console.Paint = severity == .error ? .red : .yellow
        let shownFile = self.file ?? (place.isEmpty ? nil : file)
        return (shownFile.map { $0.printable + place + ": " } ?? "")
            + Console.paint(severity.rawValue, colour)
            + " \(code)\(at): " + message.printable + (hint.isEmpty ? "" : "\n  try: \(hint.printable)")
    }
}
