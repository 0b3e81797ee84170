import Foundation

/// Reads the boxes of an ISO base media file: an independent look at what the muxer wrote.
struct BoxReader {
    let bytes: [UInt8]

    init(path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    private static let containers: Set<String> = ["moov", "trak", "mdia", "minf", "stbl", "edts"]

    struct Box {
        var type: String
        /// The place of the payload in the file's bytes, after size and type.
        var range: Range<Int>
        var track: Int
    }

    /// All boxes, those in containers too; `track` counts from 0.
    func boxes() -> [Box] {
        var found: [Box] = []
        var track = -1
        walk(0..<bytes.count, &track, &found)
        return found
    }

    private func walk(_ range: Range<Int>, _ track: inout Int, _ found: inout [Box]) {
        var at = range.lowerBound
        while at + 8 <= range.upperBound {
            var size = integer(at, 4)
            let type = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
            var header = 8
            if size == 1 { (size, header) = (integer(at + 8, 8), 16) }
            guard size >= header, at + size <= range.upperBound else { return }
            if type == "trak" { track += 1 }
            let payload = (at + header)..<(at + size)
            found.append(Box(type: type, range: payload, track: track))
            if Self.containers.contains(type) { walk(payload, &track, &found) }
            at += size
        }
    }

    func integer(_ at: Int, _ count: Int) -> Int { bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) } }

    func box(_ type: String, track: Int) -> Box? { boxes().first { $0.type == type && $0.track == track } }

    /// (count, delta) pairs.
    func timeToSample(track: Int) -> [(count: Int, delta: Int)] {
        guard let box = box("stts", track: track) else { return [] }
        let start = box.range.lowerBound
        return (0..<integer(start + 4, 4)).map { (integer(start + 8 + 8 * $0, 4), integer(start + 12 + 8 * $0, 4)) }
    }

    /// (duration in movie ticks, media time) pairs.
    func editList(track: Int) -> [(duration: Int, mediaTime: Int)] {
        guard let box = box("elst", track: track) else { return [] }
        let start = box.range.lowerBound
        let wide = bytes[start] == 1
        return (0..<integer(start + 4, 4)).map { index in
            let at = start + 8 + index * (wide ? 20 : 12)
            return wide ? (integer(at, 8), integer(at + 8, 8)) : (integer(at, 4), integer(at + 4, 4))
        }
    }

    /// The ticks of a second in `mvhd`, or in the `mdhd` of a track.
    func timescale(track: Int?) -> Int? {
        guard let box = track.map({ box("mdhd", track: $0) }) ?? box("mvhd", track: -1) else { return nil }
        return integer(box.range.lowerBound + (bytes[box.range.lowerBound] == 1 ? 20 : 12), 4)
    }

    /// The first sample description's four characters.
    func sampleEntry(track: Int) -> String? {
        box("stsd", track: track).map { box in
            String(decoding: bytes[(box.range.lowerBound + 12)..<(box.range.lowerBound + 16)], as: UTF8.self)
        }
    }
}
