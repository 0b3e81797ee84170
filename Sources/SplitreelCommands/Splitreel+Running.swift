import ArgumentParser
import Diagnostics
import Glibc
import Libav
import LocalFarm
import Preparation
import Reports
import Scheduling
import SplitreelFiles
import Threads

/// Ends a command with a status after it has printed what there is to say.
struct Exit: Error {
    var status: ExitStatus
    init(_ status: ExitStatus) { self.status = status }
}

/// Runs the whole program: parses, runs, prints what failed; returns the exit status.
///
/// It runs on the main thread, which commands may block: the cooperative pool may have one thread only, and compositors
/// need it.
///
/// - Parameter commit: the commit that the program was built from, which `--version` tells; empty where it is not
/// known.
@MainActor
package func runSplitreel(arguments: [String], commit: String = "") async -> Int32 {
    takeClosedDescriptors()
    FarmChild.serve(arguments)
    OpenFileLimit.raise()
    LibavMemory.joinFreedBlocks()
    Interruption.watch(early: isService(arguments) ? .done : .cancelled)
    ServiceLog.listenToLibav()
    // SVT-AV1 prints its settings for each encoder; its warnings are told.
    setenv("SVT_LOG", "2", 0)
    let status: Int32
    if arguments == ["--version"] {
        // The parser's own answer is the release alone.
        Console.result(VersionText.text(commit: commit, libraries: rendererVersions()))
        status = ExitStatus.done.rawValue
    } else {
        status = await outcome(of: arguments)
    }
    guard status == ExitStatus.done.rawValue, let reason = Console.lostResult else { return status }
    Console.failure("the result could not be written to standard output: \(reason)")
    return ExitStatus.failed.rawValue
}

/// Whether the command is a service: whoever stops one, even while it starts, has cancelled nothing.
private func isService(_ arguments: [String]) -> Bool {
    [WorkerCommand.configuration.commandName, CoordinatorCommand.configuration.commandName].contains(arguments.first)
}

/// Opens closed standard descriptors: whoever starts us with one closed must not have our files written to under its
/// number. Reading there gives nothing, and writing fails.
private func takeClosedDescriptors() {
    while true {
        let opened = open("/dev/null", O_RDONLY)
        guard (0...2).contains(opened) else {
            if opened > 2 { close(opened) }
            return
        }
    }
}

@MainActor
private func outcome(of arguments: [String]) async -> Int32 {
    var type: any ParsableCommand.Type = Splitreel.self
    do {
        try refuseForeignNames()
        try refuseUnknownCommand(arguments)
        var command = try Splitreel.parseAsRoot(joiningNegativeValues(arguments))
        type = Swift.type(of: command)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
        return ExitStatus.done.rawValue
    } catch let exit as Exit {
        return exit.status.rawValue
    } catch {
        let error = (error as? SplitreelError)?.namingHost ?? error
        if wantsJSON(arguments), !Console.hasDocument, Splitreel.exitCode(for: error) != .success {
            tellInJSON(error, arguments)
        }
        return end(error, type, arguments)
    }
}

/// Refuses arguments of this process that are not UTF-8, such as file names in Latin-1: Swift puts U+FFFD in the place
/// of such bytes, which is the name of another file.
private func refuseForeignNames() throws {
    for index in 0..<Int(CommandLine.argc) {
        guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
        let shown = (0..<strlen(word)).map { place in
            let byte = UInt8(bitPattern: word[place])
            return byte < 128 ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
        }
        throw SplitreelError(
            .usage, operation: "", subject: shown.joined().printable,
            reason: "the name is not UTF-8: its bytes from 128 on are of another encoding, such as Latin-1",
            hint: "give the file, or its folder, a name in UTF-8 (`convmv -f latin1 -t utf8 --notest NAME`)")
    }
}

/// Tells people of an error; returns its exit status.
private func end(_ error: any Error, _ type: any ParsableCommand.Type, _ arguments: [String]) -> Int32 {
    guard let error = error as? SplitreelError else { return finishParsing(error, type, arguments) }
    Console.error(error)
    return error.code.exit.rawValue
}

private func wantsJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }

/// The last document of a command that failed before it had one of its own.
private struct FailureDocument: Encodable {
    var error: FailureReport
}

/// Ends the command's documents with the failure: in the form of its own where that tells how a job ended.
private func tellInJSON(_ error: any Error, _ arguments: [String]) {
    let failure = FailureReport(any: error)
    // The exit status tells of a failure whose document cannot be printed.
    guard ["render", "submit", "watch"].contains(arguments.first) else {
        try? Console.json(FailureDocument(error: failure))
        return
    }
    let place = arguments.firstIndex { $0 == "-o" || $0 == "--output" }.map { $0 + 1 } ?? arguments.endIndex
    let output = arguments.indices.contains(place) ? (try? absoluteName(arguments[place])) ?? "" : ""
    try? Console.json(OutcomeReport(state: .failed, output: output, error: failure))
}

/// Ends with the parser's text. Help and version go to standard output with 0; the parser's own 64 becomes 2.
private func finishParsing(_ error: any Error, _ type: any ParsableCommand.Type, _ arguments: [String]) -> Int32 {
    if Splitreel.exitCode(for: error) == .success {
        Console.result(Splitreel.fullMessage(for: error))
        return ExitStatus.done.rawValue
    }
    // The parser repeats arguments as they are, and a script may have taken them from the name of a file.
    let values = arguments.flatMap { [$0] + $0.split(separator: "=", maxSplits: 1).dropFirst().map(String.init) }
    let message = values.filter { $0 != $0.printable }.reduce(usageMessage(error, type, arguments.first)) {
        $0.replacing($1, with: $1.printable)
    }
    Console.failure(message)
    return ExitStatus.usage.rawValue
}

/// The text of a usage error. The parser knows a command that is already running by its own name only, without the
/// program's.
private func usageMessage(_ error: any Error, _ type: any ParsableCommand.Type, _ first: String?) -> String {
    let numbered = "error \(ErrorCode.usage.number): "
    let parsed = type.fullMessage(for: error)
    let message = suggestingOptions(parsed.hasPrefix("Error: ") ? numbered + parsed.dropFirst(7) : parsed, of: first)
    guard type != Splitreel.self, let own = type.configuration.commandName else { return message }
    let isPart = KeysCommand.configuration.subcommands.contains { $0 == type }
    let name = isPart ? "keys \(own)" : own
    return message.replacing("Usage: \(own) ", with: "Usage: splitreel \(name) ")
        .replacing("'\(own) --help'", with: "'splitreel \(name) --help'")
}

/// The message with better suggestions: `--codec` may be `--audio-codec` or `--video-codec`, a second name is the
/// output's. The parser suggests only options that differ by a few letters.
private func suggestingOptions(_ message: String, of command: String?) -> String {
    guard let type = Splitreel.configuration.subcommands.first(where: { $0.configuration.commandName == command })
    else { return message }
    let options = Splitreel.helpMessage(for: type).matches(of: /--[a-z][a-z-]*/).map { String($0.output) }
    if options.contains("--output"), let spare = message.firstMatch(of: /Unexpected argument '([^'\n]+)'(?=\n|$)/) {
        return message.replacing(spare.0, with: "\(spare.0): did you mean ‘-o \(spare.1)’?", maxReplacements: 1)
    }
    guard let unknown = message.firstMatch(of: /Unknown option '(--?[a-z][a-z-]*)'(?=\n|$)/) else { return message }
    let name = String(unknown.1)
    let elsewhere = ["-y": "--overwrite", "-r": "--fps", "-s": "--size", "-t": "--range", "-f": "--format"]
    let meant = [elsewhere[name], "-" + name].compactMap(\.self).filter(options.contains)
    let near =
        name.hasPrefix("--")
        ? Set(options).filter { $0.hasSuffix(name.dropFirst()) || $0.hasPrefix(name + "-") }.sorted() : meant
    guard !near.isEmpty else { return message }
    let names = near.map { "‘\($0)’" }.joined(separator: " or ")
    return message.replacing(unknown.0, with: "\(unknown.0): did you mean \(names)?", maxReplacements: 1)
}

/// Answers a name that is no command by its nearest: the parser speaks of unexpected arguments, and `help` with a name
/// that no command has would show the overview, as if all were well.
private func refuseUnknownCommand(_ arguments: [String]) throws {
    let named = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let name = named, !name.hasPrefix("-") else { return }
    let known = Splitreel.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !known.contains(name) else { return }
    let shown = Splitreel.configuration.subcommands.compactMap { command in
        command.configuration.shouldDisplay ? command.configuration.commandName : nil
    }
    let isComposition = name.lowercased().hasSuffix(".json")
    let meant = isComposition ? "render \(name) -o FILM.mp4" : nearestName(to: name, among: shown)
    let near = meant.map { ": did you mean ‘\($0)’?" } ?? ""
    throw ValidationError("there is no command ‘\(name)’\(near)")
}

/// The arguments with `--crf -1` as `--crf=-1`: the parser would take the value for an option and say that the value is
/// missing.
package func joiningNegativeValues(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    for argument in arguments {
        let isNegative = argument.wholeMatch(of: /-(?:[0-9.].*|inf|nan)/) != nil
        if isNegative, let option = joined.last, option.hasPrefix("--"), option != "--", !option.contains("="),
            !joined.contains("--")
        {
            joined[joined.count - 1] = option + "=" + argument
        } else {
            joined.append(argument)
        }
    }
    return joined
}
