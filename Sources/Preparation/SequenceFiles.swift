import Diagnostics
import Foundation
import MediaFacts

/// The files of an image sequence, in order.
package struct SequenceFiles {
    let paths: [String]

    private static let mostFiles = AssetFacts.mostParts

    /// Finds the files. `url` is a folder, or a path whose last part holds one number as `%d` or, with zeros in front,
    /// `%05d`. `start` is the first number; nil for the lowest that there is. `authorize` is asked before a folder is
    /// looked at: an error about a sequence tells names.
    init(url: String, start: Int?, authorize: (_ path: String) throws -> Void) throws {
        try authorize(url)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url, isDirectory: &isFolder), isFolder.boolValue {
            let names = try Self.names(in: url, of: url).filter { !$0.hasPrefix(".") }
            guard !names.isEmpty else {
                throw Self.failure(
                    .mediaNotFound, url, "the folder is empty", hint: "put the pictures there, or name another")
            }
            let sorted = names.map { (name: $0, key: NaturalName($0)) }.sorted { $0.key < $1.key }
            paths = sorted.map { url + (url.hasSuffix("/") ? "" : "/") + $0.name }
        } else {
            let name = NumberedName(url)
            if let name { try authorize(name.folder) }
            paths = try Self.numbered(name, url, start)
        }
        guard paths.count <= Self.mostFiles else {
            throw Self.failure(
                .mediaOverLimits, url, "it has \(paths.count) files, and \(Self.mostFiles) are read",
                hint: "make a film of it first, or two sequences")
        }
    }

    private static func numbered(_ name: NumberedName?, _ url: String, _ start: Int?) throws -> [String] {
        guard let name else {
            throw failure(
                .mediaNotFound, url, "there is no such folder, and the name has no place for a number",
                hint: "name a folder, or a pattern such as name.%05d.png")
        }
        let numbers = Set(try names(in: name.folder, of: url).compactMap(name.number))
        let found = numbers.filter { $0 >= start ?? 0 }
        guard let last = found.max(), let lowest = found.min() else {
            throw failure(
                .mediaNotFound, url, "no file has a name of that pattern", hint: "the number is `%d` or `%05d`")
        }
        let first = start ?? lowest
        guard last - first < mostFiles else {
            throw failure(
                .mediaOverLimits, url, "it goes from \(first) to \(last), and \(mostFiles) files are read",
                hint: "make a film of it first, or two sequences")
        }
        if let hole = (first...last).first(where: { !found.contains($0) }) {
            throw failure(
                .mediaNotFound, name.path(hole),
                "the sequence \(url) goes from \(first) to \(last) and lacks this file",
                hint: "add the file, or let the sequence begin after it: \"startNumber\"")
        }
        return (first...last).map(name.path)
    }

    private static func names(in folder: String, of url: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw failure(
                .mediaNotFound, url, "the folder \(folder) cannot be read",
                hint: "check its name, and that you may read it; relative URLs start at the composition's folder")
        }
    }

    /// Whether a file is one that the sequence of that `url` would have, as far as their names tell.
    package static func isName(_ path: String, of url: String) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        let (folder, name) = (path[..<slash], String(path[path.index(after: slash)...]))
        if let pattern = NumberedName(url) { return pattern.folder == folder && pattern.number(name) != nil }
        return folder == (url.hasSuffix("/") ? url.dropLast() : url[...])
    }

    private static func failure(_ code: ErrorCode, _ url: String, _ reason: String, hint: String) -> SplitreelError {
        SplitreelError(code, operation: "reading a sequence", subject: url, reason: reason, hint: hint)
    }
}

/// A path with one number in its last part.
private struct NumberedName {
    let folder: String
    private let before, after: String
    private let digits: Int

    init?(_ url: String) {
        let slash = url.lastIndex(of: "/")
        folder = slash.map { $0 == url.startIndex ? "/" : String(url[..<$0]) } ?? "."
        let name = String(url[(slash.map(url.index(after:)) ?? url.startIndex)...])
        guard let place = name.firstMatch(of: #/%(?:0([1-9]))?d/#) else { return nil }
        before = String(name[..<place.range.lowerBound])
        after = String(name[place.range.upperBound...])
        digits = place.output.1.flatMap { Int($0) } ?? 1
        if (before + after).contains("%") { return nil }
    }

    func path(_ number: Int) -> String {
        let text = String(number)
        let zeros = String(repeating: "0", count: max(0, digits - text.count))
        return (folder == "/" ? "/" : folder + "/") + before + zeros + text + after
    }

    /// The number of a name; nil for a name that the pattern does not make.
    func number(_ name: String) -> Int? {
        guard name.hasPrefix(before), name.hasSuffix(after), name.utf8.count > before.utf8.count + after.utf8.count
        else { return nil }
        let text = name.dropFirst(before.count).dropLast(after.count)
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            text.utf8.count >= digits, text.utf8.count == digits || !text.hasPrefix("0") || text == "0"
        else { return nil }
        return number
    }
}

/// A name in the order that people expect: `a2` before `a10`. Numbers go by their value, all else by its bytes.
struct NaturalName: Comparable {
    private let parts: [(isNumber: Bool, bytes: [UInt8])]
    private let name: [UInt8]

    init(_ name: String) {
        self.name = Array(name.utf8)
        var parts: [(isNumber: Bool, bytes: [UInt8])] = []
        for byte in self.name {
            let isNumber = (0x30...0x39).contains(byte)
            if parts.last?.isNumber == isNumber {
                parts[parts.count - 1].bytes.append(byte)
            } else {
                parts.append((isNumber, [byte]))
            }
        }
        self.parts = parts
    }

    static func == (left: NaturalName, right: NaturalName) -> Bool { left.name == right.name }

    static func < (left: NaturalName, right: NaturalName) -> Bool {
        for (one, other) in zip(left.parts, right.parts) where one.bytes != other.bytes {
            guard one.isNumber, other.isNumber else { return one.bytes.lexicographicallyPrecedes(other.bytes) }
            let (a, b) = (one.bytes.drop { $0 == 0x30 }, other.bytes.drop { $0 == 0x30 })
            if a.count != b.count { return a.count < b.count }
            if !a.elementsEqual(b) { return a.lexicographicallyPrecedes(b) }
            // 01 and 1: the rest decides, and then the zeros.
        }
        if left.parts.count != right.parts.count { return left.parts.count < right.parts.count }
        return left.name.lexicographicallyPrecedes(right.name)
    }
}
