internal import SplitreelFiles

/// The bytes of a source at any place, some of which are kept in memory. Bytes that cannot be read count as missing.
/// Confined to one thread at a time.
final class FileWindow {
    let count: Int
    private let source: any MediaSource
    private var start = 0
    private var kept: [UInt8] = []

    private static let most = 1 << 16

    init(_ source: any MediaSource) {
        self.source = source
        count = source.byteCount
    }

    subscript(_ place: Int) -> UInt8? {
        if !(start..<(start + kept.count)).contains(place) {
            kept = read(place, Self.most)
            start = place
        }
        return kept.isEmpty ? nil : kept[place - start]
    }

    /// The `length` bytes from a place; fewer at the file's end.
    func read(_ place: Int, _ length: Int) -> [UInt8] {
        guard (0..<count).contains(place) else { return [] }
        return (try? source.read(at: place, count: min(length, count - place))) ?? []
    }
}
