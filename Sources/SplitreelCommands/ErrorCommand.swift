import ArgumentParser
import Diagnostics

struct ErrorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "error", abstract: "Explain an error number.",
        discussion: "Every error prints its number; this prints what it means and what to do about it.")

    @Argument(help: "The number, such as 20104. Left out: all of them, a line each.", completion: .errorNumbers)
    var number: Int?

    func run() throws {
        guard let number else {
            for entry in ErrorCode.table.sorted(by: { $0.code.number < $1.code.number }) {
                Console.result("\(entry.code.number)  \(entry.title)")
            }
            return
        }
        guard let entry = ErrorCode(number).entry else {
            throw SplitreelError(
                .usage, operation: "looking up", subject: "\(number)", reason: "there is no error of that number",
                hint: "`splitreel error` lists them all")
        }
        let effect =
            entry.code == .loudnessMeasured
            ? "a figure: it stops nothing"
            : entry.code.isWarning
                ? "a warning: it does not stop a render, unless --strict makes it an error"
                : "exit status \(entry.exit.rawValue); in the farm: \(entry.retry.rawValue)"
        Console.result("\(entry.code.number): \(entry.title)\n\(entry.explanation)\n\(effect)")
    }
}
