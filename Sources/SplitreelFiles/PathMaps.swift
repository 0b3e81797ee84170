import Diagnostics
import Glibc

/// The folders that one machine has under other paths than another one: `FROM=TO`, any number of times. For a worker
/// FROM is the path where the film was planned, and TO the one here; for a client FROM is the path here, and TO that of
/// the coordinator.
package struct PathMaps: Hashable, Sendable {
    /// A folder's path as it is named, and the path that stands for it; both begin with a slash, and none ends with one
    /// but `/` itself.
    package struct Pair: Hashable, Sendable {
        package let from: String
        package let to: String
    }

    /// The pairs, the longest `from` first.
    package let pairs: [Pair]

    /// The most pairs.
    package static let most = 256

    /// No pair: every path is the same here.
    package static let same = PathMaps(pairs: [])

    private init(pairs: [Pair]) { self.pairs = pairs }

    /// Reads texts such as `/mnt/films=/Volumes/films`, parted at the first `=` that a slash follows. Throws `.usage`
    /// for others, and for a folder that is mapped twice. Nothing is looked at on the disk.
    package init(_ texts: [String] = []) throws {
        guard texts.count <= Self.most else {
            throw Self.wrong("\(texts.count) of them", "no more than \(Self.most) are taken", "map a folder above them")
        }
        var pairs: [Pair] = []
        for text in texts {
            let pair = try Self.pair(text)
            if let other = pairs.first(where: { $0.from == pair.from }), other.to != pair.to {
                throw Self.wrong(text, "\(pair.from) is mapped to \(other.to) already", "name each folder once")
            }
            if !pairs.contains(pair) { pairs.append(pair) }
        }
        self.pairs = pairs.sorted { ($0.from.utf8.count, $1.from) > ($1.from.utf8.count, $0.from) }
    }

    /// The paths under which a file may be here that is planned under `path`: the mapped ones, of the longest match
    /// first, then its own.
    package func candidates(_ path: String) -> [String] {
        var found: [String] = []
        for pair in pairs {
            guard let below = Self.part(of: path, below: pair.from) else { continue }
            let mapped = below.isEmpty ? pair.to : (pair.to == "/" ? "" : pair.to) + "/" + below
            if !found.contains(mapped) { found.append(mapped) }
        }
        return found.contains(path) ? found : found + [path]
    }

    /// The path that stands for one where nobody looks which is right: that of the longest match, or its own.
    package func mapped(_ path: String) -> String { candidates(path).first ?? path }

    /// The path under which something is here that is planned under `path`: the first of the candidates where anything
    /// is, or the planned one. Looks at the disk.
    package func here(_ path: String) -> String {
        guard !pairs.isEmpty else { return path }
        return candidates(path).first { access($0, F_OK) == 0 } ?? path
    }

    /// Throws `.usage` for a pair whose TO is no folder here. To be called once, when a worker starts.
    package func checkFolders() throws {
        for pair in pairs { try Self.check(pair.to, of: pair, "name a folder that exists on this machine") }
    }

    /// Throws `.usage` for a pair whose FROM is no folder here. To be called once, when a client starts.
    package func checkOwnFolders() throws {
        let hint = "write FROM=TO: a folder of this machine, and its path at the coordinator"
        for pair in pairs { try Self.check(pair.from, of: pair, hint) }
    }

    private static func check(_ folder: String, of pair: Pair, _ hint: String) throws {
        var facts = stat()
        let isThere = stat(folder, &facts) == 0
        let reason = isThere ? "it is no folder" : systemReason(errno)
        guard isThere, facts.st_mode & S_IFMT == S_IFDIR else {
            throw wrong("\(pair.from)=\(pair.to)", "\(folder): \(reason)", hint)
        }
    }

    private static func pair(_ text: String) throws -> Pair {
        let example = "write FROM=TO, such as /mnt/films=/Volumes/films: a path as it is named, and the one meant"
        let bytes = Array(text.utf8)
        let equals = UInt8(ascii: "=")
        let slash = UInt8(ascii: "/")
        guard let place = bytes.indices.first(where: { bytes[$0] == equals && bytes.dropFirst($0 + 1).first == slash })
        else {
            let isThere = bytes.contains(equals)
            throw wrong(text, isThere ? "the path behind `=` does not begin with a slash" : "it has no `=`", example)
        }
        let from = String(decoding: bytes[..<place], as: UTF8.self)
        guard from.hasPrefix("/") else {
            throw wrong(text, "the path before `=` does not begin with a slash", example)
        }
        let to = String(decoding: bytes[(place + 1)...], as: UTF8.self)
        return Pair(from: try plain(from, text), to: try plain(to, text))
    }

    /// The path without slashes and dots that mean nothing.
    private static func plain(_ path: String, _ text: String) throws -> String {
        let steps = path.split(separator: "/").filter { $0 != "." }
        guard !steps.contains("..") else {
            throw wrong(text, "a path has `..` in it", "write the path that is meant")
        }
        return "/" + steps.joined(separator: "/")
    }

    /// The part of a path behind a folder, without a slash at its start; nil where it does not lie below it.
    private static func part(of path: String, below folder: String) -> String? {
        if path == folder { return "" }
        let start = folder == "/" ? folder : folder + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
    }

    private static func wrong(_ text: String, _ reason: String, _ hint: String) -> SplitreelError {
        SplitreelError(
            .usage, operation: "reading \(.pathMap)", subject: "\(text)", reason: "\(reason)", hint: "\(hint)")
    }
}
