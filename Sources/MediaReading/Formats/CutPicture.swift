internal import SplitreelFiles

/// The ends of files of single pictures.
enum CutPicture {
    /// The last bytes of a file in which its end is looked for: other things may follow it.
    private static let tailLength = 1 << 16

    /// Whether a PNG, WebP or BMP ends before its picture does; false for other files.
    static func isCut(_ source: any MediaSource) -> Bool {
        let head = source.head(12)
        guard head.count == 12 else { return false }
        func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(head[place + $1]) << (8 * $1) } }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]) {
            return !ends(source, with: Array("IEND".utf8))
        }
        if head.starts(with: Array("RIFF".utf8)), head[8...].elementsEqual("WEBP".utf8) {
            return number(4) + 8 > source.byteCount
        }
        return head.starts(with: Array("BM".utf8)) && number(2) > source.byteCount
    }

    private static func ends(_ source: any MediaSource, with mark: [UInt8]) -> Bool {
        let length = min(tailLength, source.byteCount)
        guard let tail = try? source.read(at: source.byteCount - length, count: length) else { return true }
        return tail.firstRange(of: mark) != nil
    }
}
