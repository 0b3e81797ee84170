import Foundation
import Testing

/// One page of the documents: its paragraphs, cells of tables, anchors and links. Blocks of code are none of them.
struct MarkdownPage: Sendable, CustomTestStringConvertible {
    /// A paragraph, an item of a list, a heading, a cell, or the target of a link, and the line at which it begins.
    struct Passage: Sendable, Equatable {
        let line: Int
        let text: String
    }

    /// Relative to the project, such as `CONTRIBUTING.md`.
    let path: String
    let paragraphs: [Passage]
    let cells: [Passage]
    /// The names behind `#` that lead into the page: of its headings, as GitHub makes them, and of its tags.
    let anchors: Set<String>

    init(path: String, text: String) {
        var reader = MarkdownReader()
        for (index, line) in text.components(separatedBy: "\n").enumerated() { reader.read(line, number: index + 1) }
        self.path = path
        paragraphs = reader.paragraphs
        cells = reader.cells
        anchors = reader.anchors
    }

    var testDescription: String { path }

    /// The targets of its links and pictures.
    var links: [Passage] {
        (paragraphs + cells).flatMap { passage -> [Passage] in
            let text = Self.withoutCode(passage.text)
            // \x22 is a quotation mark, which the tests' reading of Swift would take for the beginning of a string.
            let inTags = text.matches(of: #/(?:src|href)=\x22([^\x22]+)\x22/#).map { String($0.1) }
            let targets = text.matches(of: #/\]\(([^()\s]+)[^()]*\)/#).map { String($0.1) }
            return (targets + inTags).map { Passage(line: passage.line, text: $0) }
        }
    }

    func place(_ passage: Passage, _ words: String) -> String { "\(path):\(passage.line): \(words)" }

    /// The words of each sentence. A sentence ends with a word that ends with a full stop or its like.
    static func sentences(of text: String) -> [[Substring]] {
        var sentences: [[Substring]] = [[]]
        for word in words(of: text) {
            sentences[sentences.count - 1].append(word)
            if endsSentence(word) { sentences.append([]) }
        }
        return sentences.filter { !$0.isEmpty }
    }

    /// The words as a reader counts them: code between backticks is one, a dash alone is none.
    static func words(of text: String) -> [Substring] {
        let withoutPictures = withoutCode(text).replacing(#/!\[[^\]]*\]\([^)]*\)/#, with: "")
        let withoutTags = withoutLinks(withoutPictures).replacing(#/<[^>]*>/#, with: "")
        return withoutTags.split(whereSeparator: \.isWhitespace).filter { word in
            word.contains { $0.isLetter || $0.isNumber }
        }
    }

    /// The cells of a row of a table that say something. A bar within code, or behind a backslash, parts none.
    static func cells(of row: String) -> [String] {
        var cells = [""]
        var isCode = false
        var isEscaped = false
        for character in row {
            if character == "`" { isCode.toggle() }
            if character == "|", !isCode, !isEscaped {
                cells.append("")
            } else {
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return cells.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The name by which GitHub links to a heading, before it numbers those that occur twice.
    static func anchor(of heading: String) -> String {
        withoutLinks(heading).lowercased().filter { $0.isLetter || $0.isNumber || marksOfAnchors.contains($0) }
            .replacingOccurrences(of: " ", with: "-")
    }

    private static let marksOfAnchors: Set<Character> = ["-", "_", " "]
    private static let endings: Set<Character> = [".", "!", "?", "…"]
    private static let closers: Set<Character> = ["\"", "'", "”", "’", ")", "*", "_", "]"]
    private static let abbreviations: Set<String> = ["e.g.", "i.e.", "etc.", "vs."]

    private static func endsSentence(_ word: Substring) -> Bool {
        var rest = word
        while let last = rest.last, closers.contains(last) { rest.removeLast() }
        guard let last = rest.last, endings.contains(last) else { return false }
        return !abbreviations.contains(String(rest))
    }

    private static func withoutCode(_ text: String) -> String {
        text.replacing(#/``.+?``/#, with: "Code").replacing(#/`[^`]*`/#, with: "Code")
    }

    /// The text with the words of each link in its place.
    private static func withoutLinks(_ text: String) -> String {
        text.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { link in link.1 }
    }
}

/// A reader of a page, line by line.
private struct MarkdownReader {
    private(set) var paragraphs: [MarkdownPage.Passage] = []
    private(set) var cells: [MarkdownPage.Passage] = []
    private(set) var anchors: Set<String> = []
    /// The mark that ends the block of code; nil outside of one.
    private var fence: String?
    private var isInComment = false
    private var isInIndentedCode = false
    private var isInList = false
    private var followsBlank = true
    /// Whether the next line goes on with the last paragraph.
    private var isOpen = false

    init() {}

    mutating func read(_ line: String, number: Int) {
        let text = line.trimmingCharacters(in: .whitespaces)
        let isSkipped = isFenced(text) ? true : isComment(text)
        if isSkipped {
            isOpen = false
            return
        }
        let isIndented = line.hasPrefix("    ") && !isInList && (followsBlank || isInIndentedCode)
        isInIndentedCode = isIndented
        followsBlank = text.isEmpty
        if text.isEmpty || isIndented {
            isOpen = false
        } else if text.hasPrefix("|") {
            isOpen = false
            cells += MarkdownPage.cells(of: text).map { MarkdownPage.Passage(line: number, text: $0) }
        } else {
            readWords(text, isAtMargin: !line.hasPrefix(" "), number: number)
        }
        for match in text.matches(of: #/<a (?:id|name)=\x22([^\x22]+)\x22/#) { anchors.insert(String(match.1)) }
    }

    private mutating func readWords(_ text: String, isAtMargin: Bool, number: Int) {
        if let mark = text.prefixMatch(of: #/[#]+\s+/#) {
            let heading = String(text[mark.range.upperBound...])
            addAnchor(of: heading)
            paragraphs.append(MarkdownPage.Passage(line: number, text: heading))
            isOpen = false
            isInList = false
        } else if let mark = text.prefixMatch(of: #/(?:[*+\-]|\d+[.)]|>)\s+/#) {
            paragraphs.append(MarkdownPage.Passage(line: number, text: String(text[mark.range.upperBound...])))
            isOpen = true
            isInList = !text.hasPrefix(">")
        } else if isOpen, let last = paragraphs.last {
            paragraphs[paragraphs.count - 1] = MarkdownPage.Passage(line: last.line, text: last.text + " " + text)
        } else {
            if isAtMargin { isInList = false }
            paragraphs.append(MarkdownPage.Passage(line: number, text: text))
            isOpen = true
        }
    }

    private mutating func addAnchor(of heading: String) {
        let name = MarkdownPage.anchor(of: heading)
        var anchor = name
        var count = 0
        while anchors.contains(anchor) {
            count += 1
            anchor = "\(name)-\(count)"
        }
        anchors.insert(anchor)
    }

    private mutating func isFenced(_ text: String) -> Bool {
        if let end = fence {
            if text.hasPrefix(end) { fence = nil }
            return true
        }
        guard text.hasPrefix("```") || text.hasPrefix("~~~") else { return false }
        fence = String(text.prefix(3))
        return true
    }

    private mutating func isComment(_ text: String) -> Bool {
        guard isInComment || text.hasPrefix("<!--") else { return false }
        isInComment = !text.contains("-->")
        return true
    }
}

extension SourceTree {
    /// Every page of the repository.
    static let pages: [MarkdownPage] = pagePaths(below: "").sorted().compactMap { path in
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map {
            MarkdownPage(path: path, text: $0)
        }
    }

    /// The pages in a folder and in those below it, but for what a build or a version control keeps in hidden ones.
    private static func pagePaths(below folder: String) -> [String] {
        let place = folder.isEmpty ? root : root.appending(path: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.flatMap { name -> [String] in
            let path = folder.isEmpty ? name : folder + "/" + name
            if name.hasSuffix(".md") { return [path] }
            let isFolder = name == ".github" || !name.contains(".")
            return isFolder ? pagePaths(below: path) : []
        }
    }
}
