package import Diagnostics
package import SplitreelFiles

/// The way in which a file that cannot be opened is not all there.
package enum UnfinishedFile {
    case empty
    /// The file begins with zeros alone, as one of which only the room was made.
    case zeros
    /// A film of the MP4 family has no index; `missing` bytes of what it begins are not there.
    case withoutIndex(missing: Int)
    /// The index of such a film is cut off.
    case cutIndex
    /// A file of chunks or pages ends before the first of them does.
    case cut
    /// The file ends before what it began does, which these words tell.
    case short(String)

    /// nil where nothing of that kind is found.
    package init?(_ source: any MediaSource) {
        let head = source.head(1 << 16)
        if source.byteCount == 0 {
            self = .empty
        } else if !head.isEmpty, head.allSatisfy({ $0 == 0 }) {
            self = .zeros
        } else if let found = Self.ofMovie(source) {
            self = found
        } else if Self.isCut(head) {
            self = .cut
        } else if let words = FilmEnd.shortage(source) {
            self = .short(words)
        } else {
            return nil
        }
    }

    /// The lack of a film that was opened and of which nothing can be decoded; nil where nothing of that kind is found.
    package init?(opened source: any MediaSource) {
        if let found = Self.ofMovie(source) {
            self = found
        } else if let words = FilmEnd.shortage(source) {
            self = .short(words)
        } else {
            return nil
        }
    }

    /// The bytes that a film or a sound has at the least.
    private static let shortest = 512
    /// The first bytes of Matroska, Ogg and FLAC.
    private static let marks: [[UInt8]] = [[0x1A, 0x45, 0xDF, 0xA3], Array("OggS".utf8), Array("fLaC".utf8)]

    /// Whether it is the whole of a file that can only be the beginning of one.
    private static func isCut(_ head: [UInt8]) -> Bool {
        guard head.count < shortest else { return false }
        if head.starts(with: Array("RIFF".utf8)), head.count >= 8 {
            return (0..<4).reduce(8) { $0 + Int(head[4 + $1]) << (8 * $1) } > head.count
        }
        return marks.contains { head.starts(with: $0) }
    }

    private static let mostBoxes = 4096

    /// The lack of a film of the MP4 family, by its boxes; nil for other files, and where the index is whole.
    private static func ofMovie(_ source: any MediaSource) -> UnfinishedFile? {
        let head = source.head(8)
        let kinds = ["ftyp", "mdat", "wide", "free", "skip", "pnot", "moov"]
        guard head.count >= 8, kinds.contains(where: { head[4..<8].elementsEqual($0.utf8) }) else { return nil }
        var place = 0
        for _ in 0..<mostBoxes where place < source.byteCount {
            guard let box = try? source.read(at: place, count: 16), box.count >= 8 else {
                return .withoutIndex(missing: 0)
            }
            func number(_ range: Range<Int>) -> Int { box[range].reduce(0) { $0 << 8 | Int($1) } }
            var length = number(0..<4)
            if length == 1, box.count == 16, box[8] < 0x10 { length = number(8..<16) }
            let type = String(decoding: box[4..<8], as: UTF8.self)
            // A length of 0 goes up to the file's end.
            let end = length == 0 ? source.byteCount : place + max(8, length)
            if type == "moov" || type == "moof" { return end > source.byteCount ? .cutIndex : nil }
            if type == "meta" { return nil }
            if end > source.byteCount { return .withoutIndex(missing: end - source.byteCount) }
            place = end
        }
        return place >= source.byteCount ? .withoutIndex(missing: 0) : nil
    }

    /// The error for such a file.
    package func error(_ code: ErrorCode = .mediaCannotOpen, path: String) -> SplitreelError {
        SplitreelError(code, operation: "opening", subject: path, reason: reason, hint: hint)
    }

    private var reason: String {
        switch self {
        case .empty: "the file is empty: it has 0 bytes"
        case .zeros: "the file is not complete: it begins with zeros alone, where a download or a copy did not end"
        case .withoutIndex(let missing):
            "the file is not complete: its index (moov), which is written last, is missing"
                + (missing > 0 ? ", and so are \(missing) bytes of its media" : "")
        case .cutIndex: "the file is cut off within its index (moov)"
        case .cut: "the file is cut off behind its first bytes"
        case .short(let words): "the file is \(words)"
        }
    }

    private var hint: String {
        switch self {
        case .withoutIndex: "copy the file again; a recording that broke off is mended by the camera's own program"
        case .empty, .zeros, .cutIndex, .cut, .short: "copy or download the file again"
        }
    }
}
