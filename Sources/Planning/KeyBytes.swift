import MediaTime

/// The bytes that a content key is the sum of: one form for each value, from which the value could be read again, so
/// that two values never have the same bytes.
///
/// Numbers have a fixed size and come little-endian; lists and texts have their length in front; what may be missing
/// has a byte that says whether it is there; a case of an enum has its tag.
package struct KeyBytes {
    package private(set) var bytes: [UInt8] = []
    /// The paths of the files whose identity is among the bytes, since `takeFiles` was called last.
    private var files: Set<String> = []

    package init() {}

    /// The cases of the enums that recipes are made of, and the kinds of tasks. A tag's number is part of all keys.
    enum Tag: UInt8 {
        // tasks
        case chunk, analysis, allottedChunk, sound, soundPart, segmentSet
        // pictures
        case source, fill, pattern, drawing, script, group, effect
        case gradient, bars, checker, noise
        case text, shape, move, line, curve, close
        case fontName, fontAsset
        // parameters
        case numbers, word, flag, file
        // sounds
        case tone, sweep, whiteNoise
        case linear, hold, cubicBezier
        // blended frames
        case blendedSource, blend
        // parameters of any kind
        case json
        // a task
        case copiedSound
    }

    /// Notes that what the bytes say follows from a file's content.
    mutating func note(file path: String) { if !files.contains(path) { files.insert(path) } }

    /// The files so far; none of them counts any more.
    mutating func takeFiles() -> Set<String> {
        defer { files = [] }
        return files
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(tag: Tag) { bytes.append(tag.rawValue) }

    mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func append(_ number: Int) { withUnsafeBytes(of: Int64(number).littleEndian) { bytes += $0 } }

    mutating func append(_ number: Int64) { append(Int(number)) }

    mutating func append(_ number: Int128) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }

    /// Appends a number in 8 bytes; minus zero counts as zero.
    mutating func append(_ number: Double) {
        withUnsafeBytes(of: (number == 0 ? 0 : number).bitPattern.littleEndian) { bytes += $0 }
    }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += text.utf8
    }

    mutating func append(raw other: some Collection<UInt8>) {
        append(other.count)
        bytes += other
    }

    mutating func append(_ time: Rational) {
        append(time.numerator)
        append(time.denominator)
    }

    /// Appends a time as it is written: the time base of an encoder follows from its scale.
    mutating func append(_ time: MediaTime) {
        append(Int64(time.value))
        append(Int(time.timescale))
    }

    mutating func append(_ word: some RawRepresentable<String>) { append(word.rawValue) }

    /// Appends a value that may be missing, by `write` where it is there.
    mutating func append<Value>(ifAny value: Value?, _ write: (inout KeyBytes, Value) -> Void) {
        append(value != nil)
        if let value { write(&self, value) }
    }

    mutating func append<Values: Collection>(each values: Values, _ write: (inout KeyBytes, Values.Element) -> Void) {
        append(values.count)
        for value in values { write(&self, value) }
    }

    /// Appends what names stand for, in the order of the names.
    mutating func append<Value>(byName values: [String: Value], _ write: (inout KeyBytes, Value) -> Void) {
        append(each: values.sorted { $0.key < $1.key }) { bytes, entry in
            bytes.append(entry.key)
            write(&bytes, entry.value)
        }
    }
}
