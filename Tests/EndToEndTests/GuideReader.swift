import Foundation
import TestTools
import Testing

/// A folder with the guide's media, in which a page's blocks are done one after the other, as a reader does them. What
/// is not as the page says is recorded with the page's line.
final class GuideReader {
    private let page: GuidePage
    private let root: String
    private let folder: TestFolder
    private var environment: [String: String]
    /// The folder in which the next block is run: blocks may change it.
    private var place: String
    /// The words of the last command, of both of its streams.
    private var said = ""
    private var staying: [Tool] = []

    init(_ page: GuidePage, root: String, program: String) throws {
        let folder = try TestFolder("guide")
        let work = try folder.folder("work")
        let programs = try folder.folder("bin")
        let media = root + "/examples/guide"
        let files = FileManager.default
        try files.createSymbolicLink(atPath: programs + "/splitreel", withDestinationPath: program)
        // Some pages begin in a checkout, and one copies the media; the others begin where these lie.
        try files.createDirectory(atPath: work + "/examples", withIntermediateDirectories: true)
        for example in ["/examples/guide", "/examples/demo"] {
            try files.copyItem(atPath: root + example, toPath: work + example)
        }
        for name in try files.contentsOfDirectory(atPath: media) where name.contains(".") {
            try files.copyItem(atPath: media + "/" + name, toPath: work + "/" + name)
        }
        let beside = URL(fileURLWithPath: program).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        self.page = page
        self.root = root
        self.folder = folder
        place = work
        environment = [
            "PATH": "\(programs):\(beside):\(path)", "NO_COLOR": "1", "GUIDE_PLACE": folder.file("place"),
            "XDG_STATE_HOME": folder.file("state"), "XDG_CONFIG_HOME": folder.file("config"),
            "SPLITREEL_LISTEN": "tcp://127.0.0.1:0",
        ]
    }

    func read() throws {
        defer { leave() }
        for block in page.blocks {
            switch (block.language, block.note) {
            case (_, .notRun), ("text", .nothing): break
            // `LibraryGuideTests` hold these to sources that are built.
            case ("swift", .nothing): break
            case ("swift", .file(let name, program: _)): try save(block, to: name)
            case ("sh", .nothing): try run(block, status: 0)
            case ("sh", .ends(status: let status)): try run(block, status: status)
            case ("sh", .stays): try keep(block)
            case ("json", .file(let name, program: let program)): try write(block, to: name, program: program)
            case ("json", .part(of: let name)): compare(block, with: name)
            case ("diff", .edit(of: let name)): try edit(block, in: name)
            case ("text", .printed): lookFor(block)
            default: Issue.record("\(line(of: block)): nobody knows what to do with it: \(block.note)")
            }
        }
        for block in page.blocks {
            guard case ("swift", .file(let name, program: _)) = (block.language, block.note) else { continue }
            try compareProgram(name)
        }
    }

    private func line(of block: GuidePage.Block) -> String { "\(page.name):\(block.line)" }

    private func shell(_ text: String) throws -> ToolResult {
        let script = text + "\npwd >\"$GUIDE_PLACE\"\n"
        let tool = try Tool(
            "/bin/bash", ["-euo", "pipefail", "-c", script], in: folder, environment: environment, directory: place)
        let result = tool.finish(seconds: 120)
        said = result.text + result.standardError
        if let path = try? String(contentsOfFile: folder.file("place"), encoding: .utf8) {
            place = path.trimmingCharacters(in: .newlines)
        }
        return result
    }

    private func run(_ block: GuidePage.Block, status: Int32) throws {
        let result = try shell(block.text)
        #expect(result.status == status, "\(line(of: block)): \(result)")
    }

    /// Starts a program that stays; a coordinator's endpoint is that of the commands that follow.
    private func keep(_ block: GuidePage.Block) throws {
        let tool = try Tool(
            "/bin/bash", ["-c", "exec " + block.text], in: folder, environment: environment, directory: place)
        staying.append(tool)
        guard block.text.contains(" coordinator") else { return }
        let mark = "listening on "
        let isUp = tool.until(seconds: 20) { tool.outputSoFar.contains(mark) }
        let told = tool.outputSoFar.components(separatedBy: "\n").first { $0.hasPrefix(mark) }
        guard isUp, let told else { throw ToolFailure("\(line(of: block)): does not listen: \(tool.errorsSoFar)") }
        environment["SPLITREEL_CONNECT"] = String(told.dropFirst(mark.count))
    }

    private func leave() {
        for tool in staying.reversed() {
            tool.send(SIGTERM)
            _ = tool.finish(seconds: 20)
        }
    }

    private func write(_ block: GuidePage.Block, to name: String, program: String) throws {
        try Data((block.text + "\n").utf8).write(to: URL(fileURLWithPath: place + "/" + name))
        let result = try shell("\(program) validate \(name)")
        #expect(result.status == 0 && !said.contains("warning"), "\(line(of: block)): \(said)")
    }

    private func save(_ block: GuidePage.Block, to name: String) throws {
        let file = URL(fileURLWithPath: place + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((block.text + "\n").utf8).write(to: file)
    }

    /// The program that is run was built with the tests: at its end the page has the same source.
    private func compareProgram(_ name: String) throws {
        guard name.hasPrefix("Sources/") else { return }
        let built = root + "/Tests/Support/" + name.dropFirst("Sources/".count)
        let texts = try [built, place + "/" + name].map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(texts[0] == texts[1], "\(page.name): \(name) is another program than \(built)")
    }

    /// Whether the block stands in a file as it is now, or as the page shows it further down.
    private func compare(_ block: GuidePage.Block, with name: String) {
        let own = try? String(contentsOfFile: place + "/" + name, encoding: .utf8)
        let shown = page.blocks.first { $0.isFile(name) }?.text
        let whole = Self.squeezed(own ?? shown ?? "")
        #expect(whole.contains(Self.squeezed(block.text)), "\(line(of: block)): no part of \(name)")
    }

    private static func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    private func edit(_ block: GuidePage.Block, in name: String) throws {
        let file = URL(fileURLWithPath: place + "/" + name)
        var text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        var old: [String] = []
        var new: [String] = []
        func replace() {
            guard !old.isEmpty else { return }
            let gone = old.joined(separator: "\n")
            #expect(text.contains(gone), "\(line(of: block)): \(name) has no \(gone)")
            text = text.replacingOccurrences(of: gone, with: new.joined(separator: "\n"))
            old = []
            new = []
        }
        for line in block.lines {
            if line.hasPrefix("- ") {
                if !new.isEmpty { replace() }
                old.append(String(line.dropFirst(2)))
            } else if line.hasPrefix("+ ") {
                new.append(String(line.dropFirst(2)))
            }
        }
        replace()
        try Data(text.utf8).write(to: file)
    }

    private func lookFor(_ block: GuidePage.Block) {
        for text in block.lines.map({ $0.trimmingCharacters(in: .whitespaces) }) where !text.isEmpty {
            #expect(said.contains(text), "\(line(of: block)): ‘\(text)’ is not in ‘\(said)’")
        }
    }
}
