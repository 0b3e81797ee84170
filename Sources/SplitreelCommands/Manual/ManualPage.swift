import Diagnostics

/// A command's page for `man`, in the macros of man(7), as groff and mandoc read them.
package struct ManualPage {
    /// The name of the page's file, such as `splitreel-render.1`.
    package let file: String
    package let text: String

    /// The pages of a program and of each of its commands that are shown.
    package static func all(of program: ProgramDescription) -> [ManualPage] {
        let root = program.command
        // The parser's own `help` is told by `--help`.
        let commands = (root.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
        return [ManualPage(root, in: nil, commands: commands)] + commands.map { ManualPage($0, in: root, commands: []) }
    }

    /// - Parameters:
    ///   - program: the command that it is a part of; nil for the program itself.
    ///   - commands: those below it, each with a page of its own.
    private init(_ command: CommandDescription, in program: CommandDescription?, commands: [CommandDescription]) {
        let words = [program?.commandName, command.commandName].compactMap { $0 }
        let name = words.joined(separator: "-")
        file = name + ".1"
        let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
        let positional = arguments.filter { $0.kind == .positional }
        let named = arguments.filter { $0.kind != .positional }
        let about = [command.abstract, command.discussion].compactMap { $0 }.joined(separator: "\n\n")
        // The commands of a command stand on its page.
        let below = program == nil ? [] : command.subcommands ?? []
        let own = below.filter { $0.shouldDisplay && $0.commandName != "help" }
        let call = words.joined(separator: " ")
        var parts = [Self.heading(name, command.abstract ?? "")]
        parts.append(Self.synopsis(call, named, positional, hasCommands: !(commands + own).isEmpty))
        parts.append(".SH DESCRIPTION\n" + ManualText.paragraphs(about))
        parts.append(Self.section("ARGUMENTS", positional.map { Self.entry(Self.place(of: $0), $0) }))
        parts.append(Self.section("COMMANDS", commands.map { Self.entry(of: $0, in: name) }))
        parts.append(Self.section("COMMANDS", own.map { Self.part($0, of: call) }))
        parts.append(Self.section("OPTIONS", Self.entries(named)))
        if let program { parts.append(".SH SEE ALSO\n" + ManualText.bold(program.commandName) + "(1)\n") }
        text = parts.joined()
    }

    private static func heading(_ name: String, _ abstract: String) -> String {
        let short = abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
        let title = ManualText.escaped(name.uppercased())
        return """
            .\\" Made by `splitreel manual`.
            .TH "\(title)" 1 "" "splitreel \(Release.version)" "Splitreel"
            .ad l
            .SH NAME
            \(ManualText.escaped(name)) \\- \(ManualText.escaped(short))

            """
    }

    private static func synopsis(
        _ call: String, _ named: [CommandDescription.Argument], _ positional: [CommandDescription.Argument],
        hasCommands: Bool
    ) -> String {
        let needed = named.filter { !$0.isOptional }
        var parts = [ManualText.bold(call)]
        if needed.count < named.count { parts.append("[" + ManualText.italic("option") + " ...]") }
        parts += needed.map { withValue($0, names: Array(($0.names ?? []).prefix(1))) }
        parts += positional.map { place(of: $0) }
        if hasCommands { parts.append(ManualText.italic("command") + " ...") }
        return ".SH SYNOPSIS\n" + parts.joined(separator: " ") + "\n"
    }

    /// A heading with its entries; nothing where there are none.
    private static func section(_ title: String, _ entries: [String]) -> String {
        entries.isEmpty ? "" : ".SH \(title)\n" + entries.joined()
    }

    /// The options without a heading of their own, then the others under theirs.
    private static func entries(_ named: [CommandDescription.Argument]) -> [String] {
        var titles: [String] = []
        for title in named.compactMap(\.sectionTitle) where !titles.contains(title) { titles.append(title) }
        func listed(under title: String?) -> [String] {
            named.filter { $0.sectionTitle == title }.map { entry(withValue($0, names: $0.names ?? []), $0) }
        }
        var entries = listed(under: nil)
        for title in titles {
            entries.append(".SS \"" + ManualText.escaped(title) + "\"\n")
            entries += listed(under: title)
        }
        return entries
    }

    private static func entry(_ head: String, _ argument: CommandDescription.Argument) -> String {
        let values = argument.allValues.map { "values: " + $0.joined(separator: ", ") }
        let fallback = argument.defaultValue.map { "default: " + $0 }
        let more = [values, fallback].compactMap { $0 }.joined(separator: "; ")
        let words = [argument.abstract, more.isEmpty ? nil : "(\(more))"].compactMap { $0 }.joined(separator: " ")
        return ".TP\n\(head)\n\(ManualText.prose(words))\n"
    }

    private static func entry(of command: CommandDescription, in program: String) -> String {
        let page = ManualText.bold("\(program)-\(command.commandName)") + "(1)"
        return ".TP\n\(page)\n\(ManualText.prose(command.abstract ?? ""))\n"
    }

    /// A command of a command, with its arguments and options, under a heading of its own.
    private static func part(_ command: CommandDescription, of call: String) -> String {
        let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
        let places = arguments.filter { $0.kind == .positional }.map { entry(place(of: $0), $0) }
        let options = entries(arguments.filter { $0.kind != .positional })
        let about = [command.abstract, command.discussion].compactMap { $0 }.joined(separator: "\n\n")
        let heading = ".SS \"" + ManualText.escaped("\(call) \(command.commandName)") + "\"\n"
        return heading + ManualText.paragraphs(about) + (places + options).joined()
    }

    /// The names of an option, short ones first, and its value.
    private static func withValue(_ option: CommandDescription.Argument, names: [CommandDescription.Argument.Name])
        -> String
    {
        let ordered = names.filter { $0.kind == .short } + names.filter { $0.kind != .short }
        let heads = ordered.map { ManualText.bold($0.word) }.joined(separator: ", ")
        return option.kind == .option ? heads + " " + ManualText.italic(option.valueName ?? "value") : heads
    }

    /// The place of an argument that has no name.
    private static func place(of argument: CommandDescription.Argument) -> String {
        let value = ManualText.italic(argument.valueName ?? "value") + (argument.isRepeating ? " ..." : "")
        return argument.isOptional ? "[\(value)]" : value
    }
}
