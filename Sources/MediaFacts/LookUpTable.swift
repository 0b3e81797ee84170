package import Diagnostics
internal import JSONText

/// The table of a .cube file: new values for R'G'B', by component or by a lattice of colours.
///
/// The format is Adobe's (Cube LUT Specification 1.0) with `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE` of other
/// programs. Table values may leave 0…1.
package struct LookUpTable: Sendable {
    /// Whether the table is by component; if not, it is a lattice of colours.
    package let isByComponent: Bool
    /// The number of rows of a table by component, or of values along one axis of a lattice.
    package let size: Int
    /// The values of each component that the first row stands for; `high` has those of the last row.
    package let low: [Double]
    package let high: [Double]
    /// The new R', G' and B' of each row, as they stand in the file: in a lattice red changes fastest.
    package let values: [Float]

    package static let componentSizes = 2...65_536
    package static let latticeSizes = 2...129

    /// Reads a table of 2…65,536 rows, or a lattice of 2…129 values an axis. Throws `mediaUnsupported` with the line.
    package init(_ file: DataFile, path: String) throws(SplitreelError) {
        if let wide = WideText(of: file.bytes) {
            throw SplitreelError(
                .mediaUnsupported, operation: "reading a LUT", subject: path, reason: wide.reason, hint: wide.hint)
        }
        var reader = CubeReader(bytes: file.bytes)
        do {
            self = try reader.table()
        } catch {
            throw SplitreelError(
                .mediaUnsupported, operation: "reading a LUT", subject: path,
                reason: "line \(error.line): \(error.reason)",
                hint: "a .cube file is text: LUT_3D_SIZE or LUT_1D_SIZE, then rows of three numbers")
        }
    }

    fileprivate init(isByComponent: Bool, size: Int, low: [Double], high: [Double], values: [Float]) {
        (self.isByComponent, self.size) = (isByComponent, size)
        self.low = low
        self.high = high
        self.values = values
    }
}

/// A reader of the text, line by line in one pass.
private struct CubeReader {
    struct Fault: Error {
        var line: Int
        var reason: String
    }

    let bytes: [UInt8]
    private var place = 0
    private var line = 0
    private var (low, high) = ([0.0, 0, 0], [1.0, 1, 1])
    private var size: Int?
    private var isByComponent = false
    private var values: [Float] = []

    /// The most bytes of a line; Adobe's has 250.
    private static let longestLine = 1024
    /// The largest magnitude of a number: no picture needs more, and a table of infinities makes none.
    private static let largest = 1e6

    init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    mutating func table() throws(Fault) -> LookUpTable {
        while let text = try nextLine() {
            let words = text.split { $0 == 32 || $0 == 9 }
            guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
            if Self.isWord(first) {
                try read(String(decoding: first, as: UTF8.self), Array(words.dropFirst()))
            } else {
                try readRow(words)
            }
        }
        guard let size else { throw fault("the file says neither LUT_1D_SIZE nor LUT_3D_SIZE") }
        let wanted = rows(of: size)
        guard values.count == 3 * wanted else {
            throw fault("the file ends after \(values.count / 3) of \(wanted) rows")
        }
        return LookUpTable(isByComponent: isByComponent, size: size, low: low, high: high, values: values)
    }

    private func rows(of size: Int) -> Int { isByComponent ? size : size * size * size }

    private func fault(_ reason: String) -> Fault { Fault(line: max(1, line), reason: reason) }

    /// The next line without its end, which may be that of any system; nil at the end of the file.
    private mutating func nextLine() throws(Fault) -> ArraySlice<UInt8>? {
        guard place < bytes.count else { return nil }
        line += 1
        let start = place
        while place < bytes.count, bytes[place] != 10, bytes[place] != 13 {
            guard place - start < Self.longestLine else {
                throw fault("it is longer than \(Self.longestLine) bytes: this is no .cube file")
            }
            guard bytes[place] >= 32 || bytes[place] == 9 else { throw fault("this is no text") }
            place += 1
        }
        let text = bytes[start..<place]
        if place + 1 < bytes.count, bytes[place] == 13, bytes[place + 1] == 10 { place += 1 }
        place += 1
        return text
    }

    /// Whether a word is a keyword, which begins with a letter.
    private static func isWord(_ word: ArraySlice<UInt8>) -> Bool {
        guard let first = word.first else { return false }
        return (65...90).contains(first & 0xDF)
    }

    private mutating func read(_ word: String, _ arguments: [ArraySlice<UInt8>]) throws(Fault) {
        guard values.isEmpty else { throw fault("expected three numbers, found `\(word.prefix(40))`") }
        switch word {
        case "LUT_1D_SIZE": try readSize(arguments, byComponent: true)
        case "LUT_3D_SIZE": try readSize(arguments, byComponent: false)
        case "DOMAIN_MIN": low = try numbers(arguments, 3)
        case "DOMAIN_MAX": high = try numbers(arguments, 3)
        case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
            let ends = try numbers(arguments, 2)
            (low, high) = (Array(repeating: ends[0], count: 3), Array(repeating: ends[1], count: 3))
        default:
            let lower = word.lowercased()
            guard !lower.hasPrefix("nan"), !lower.hasPrefix("inf") else { throw fault("`\(word)` is not a number") }
        }
    }

    private mutating func readSize(_ arguments: [ArraySlice<UInt8>], byComponent: Bool) throws(Fault) {
        guard size == nil else { throw fault("a second size: files of two tables are not read") }
        let range = byComponent ? LookUpTable.componentSizes : LookUpTable.latticeSizes
        guard arguments.count == 1, let number = Int(String(decoding: arguments[0], as: UTF8.self)),
            range.contains(number)
        else { throw fault("a size is a whole number from \(range.lowerBound) to \(range.upperBound)") }
        (size, isByComponent) = (number, byComponent)
    }

    private mutating func readRow(_ words: [ArraySlice<UInt8>]) throws(Fault) {
        guard let size else {
            throw fault(
                words.allSatisfy { decimal($0) != nil }
                    ? "numbers stand before LUT_1D_SIZE or LUT_3D_SIZE" : "this is no .cube file")
        }
        if values.isEmpty {
            for (low, high) in zip(low, high) where !(high - low >= 1e-6) {
                throw fault("the domain above ends at \(high), and begins at \(low)")
            }
            values.reserveCapacity(3 * min(rows(of: size), bytes.count / 6 + 1))
        }
        guard values.count < 3 * rows(of: size) else { throw fault("more than the \(rows(of: size)) rows of its size") }
        for number in try numbers(words, 3) { values.append(Float(number)) }
    }

    private func numbers(_ words: [ArraySlice<UInt8>], _ count: Int) throws(Fault) -> [Double] {
        guard words.count == count else { throw fault("expected \(count) numbers, found \(words.count)") }
        var result: [Double] = []
        for word in words {
            guard let number = decimal(word), number.magnitude <= Self.largest else {
                throw fault("`\(String(decoding: word.prefix(40), as: UTF8.self))` is not a number up to a million")
            }
            result.append(number)
        }
        return result
    }
}

/// The number that a word stands for as programs write it; nil for anything else, infinities and hexadecimal digits
/// too. Short words, which are most, are read by whole numbers: both parts are exact, so that the quotient is the
/// nearest double.
private func decimal(_ word: ArraySlice<UInt8>) -> Double? {
    var digits = 0
    var places = 0
    var count = 0
    var isNegative = false
    var sawPoint = false
    for (index, byte) in word.enumerated() {
        switch byte {
        case UInt8(ascii: "-") where index == 0: isNegative = true
        case UInt8(ascii: "+") where index == 0: break
        case UInt8(ascii: ".") where !sawPoint: sawPoint = true
        case 48...57 where count < 15:
            digits = digits * 10 + Int(byte - 48)
            count += 1
            if sawPoint { places += 1 }
        default:
            // The word is long, has an exponent, or is no number.
            guard word.allSatisfy({ (43...57).contains($0) && $0 != 44 && $0 != 47 || $0 & 0xDF == 69 }) else {
                return nil
            }
            return Double(String(decoding: word, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
        }
    }
    guard count > 0 else { return nil }
    let value = Double(digits) / powersOfTen[places]
    return isNegative ? -value : value
}

private let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]
