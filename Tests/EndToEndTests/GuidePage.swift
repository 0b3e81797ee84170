import Foundation

/// A page's blocks of code in order, each with the comment above it, which says what becomes of it in a test.
struct GuidePage {
    enum Note: Equatable {
        case nothing
        /// A program that runs on until the page's end, such as a coordinator.
        case stays
        /// Lines that the command before it has written, among others.
        case printed
        case notRun(reason: String)
        /// A file that a reader saves, and the program that finds it valid.
        case file(String, program: String)
        case part(of: String)
        /// Lines of a file that go (`- `) and that come in their place (`+ `).
        case edit(of: String)
        case ends(status: Int32)
        case unknown(String)

        init(_ comment: String) {
            let parts = comment.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            let value = parts.count > 1 ? parts[1] : ""
            switch parts.first ?? "" {
            case "stays": self = .stays
            case "printed": self = .printed
            case "not run" where !value.isEmpty: self = .notRun(reason: value)
            case "file" where !value.isEmpty:
                let words = value.components(separatedBy: " for ")
                self = .file(words[0], program: words.count > 1 ? words[1] : "splitreel")
            case "part of" where !value.isEmpty: self = .part(of: value)
            case "edit" where !value.isEmpty: self = .edit(of: value)
            case "ends with":
                if let status = Int32(value) {
                    self = .ends(status: status)
                } else {
                    self = .unknown(comment)
                }
            default: self = .unknown(comment)
            }
        }
    }

    struct Block {
        /// The line of the page on which it begins, from 1.
        var line: Int
        var language: String
        var note: Note
        var lines: [String]

        var text: String { lines.joined(separator: "\n") }

        var isNotRun: Bool {
            if case .notRun = note { true } else { false }
        }

        func isFile(_ name: String) -> Bool {
            if case .file(name, program: _) = note { true } else { false }
        }
    }

    let name: String
    let blocks: [Block]
    /// The lines of commands that stand in no block, and that nobody would run.
    let looseCommands: [Int]

    init(name: String, text: String) {
        var blocks: [Block] = []
        var open: Block?
        var note = Note.nothing
        var loose: [Int] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if var block = open {
                if line.hasPrefix("```") {
                    blocks.append(block)
                    open = nil
                    note = .nothing
                } else {
                    block.lines.append(line)
                    open = block
                }
            } else if line.hasPrefix("```") {
                open = Block(line: index + 1, language: String(line.dropFirst(3)), note: note, lines: [])
            } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
                note = Note(String(line.dropFirst(5).dropLast(4)))
            } else if !line.isEmpty {
                note = .nothing
                if line.hasPrefix("    splitreel ") { loose.append(index + 1) }
            }
        }
        self.name = name
        self.blocks = blocks
        looseCommands = loose
    }

    /// The names of the files that a reader makes: those that are saved, their outputs, and what commands write.
    var madeFiles: Set<String> {
        var names: Set<String> = []
        for block in blocks {
            switch (block.language, block.note) {
            case (_, .notRun): break
            case ("json", .file(let name, program: _)):
                names.insert(name)
                guard let outputs = block.text.range(of: "\"outputs\"") else { break }
                let urls = block.text[outputs.upperBound...].matches(of: /"url": "([^"]+)"/)
                for url in urls { names.insert(String(url.1)) }
            case ("sh", _):
                let commands = block.text.replacingOccurrences(of: "\\\n", with: " ").components(separatedBy: "\n")
                for command in commands where !command.contains(" plan ") && !command.contains(" --overwrite") {
                    for option in command.matches(of: /[ ]-o ([^\s)]+)/) { names.insert(String(option.1)) }
                }
            default: break
            }
        }
        return names
    }
}
