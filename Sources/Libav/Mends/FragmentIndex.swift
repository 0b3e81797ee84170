internal import Diagnostics
internal import SplitreelFiles

/// The places of the fragments of an MP4 file with one track, and the track's facts in its header.
///
/// Reads the header and the fragments' own, not the media. Cost: a few reads a fragment.
package struct FragmentIndex: Sendable {
    package struct Fragment: Hashable, Sendable {
        /// The place of its header and its media in the file.
        package var bytes: Range<Int>
        /// The time at which it is to be decoded, in ticks of the track.
        package var start: Int
        package var sampleCount: Int
    }

    /// The number of bytes of the file's own header, from its start.
    package private(set) var headerCount = 0
    /// The track's ticks a second.
    package private(set) var timescale = 0
    /// The codec's name as in RFC 6381: `avc1.64001f`.
    package private(set) var codec = ""
    package private(set) var fragments: [Fragment] = []

    private static let mostFragments = 1 << 20

    /// Reads the index. Throws `.muxFailed` where the file is not in such fragments.
    package init(path: String) throws {
        guard let film = try? LocalFile(path: path) else { throw Self.refused(path, "no fragments") }
        var place = 0
        var header: Range<Int>?
        while let box = Self.box(at: place, of: film) {
            switch box.type {
            case BoxType.code("moov"): try readHeader(film, box.content)
            case BoxType.code("moof"): header = place..<box.content.upperBound
            case BoxType.code("mdat"):
                if let begun = header {
                    try readFragment(film, begun, end: box.content.upperBound)
                    header = nil
                }
            default: break
            }
            if fragments.isEmpty, header == nil { headerCount = box.content.upperBound }
            place = box.content.upperBound
        }
        guard timescale > 0, !codec.isEmpty, !fragments.isEmpty else { throw Self.refused(path, "no fragments") }
    }

    /// Whether a file of boxes is in fragments. Cost: a read for each box before the first fragment.
    package static func isFragmented(_ path: String) -> Bool {
        guard let film = try? LocalFile(path: path) else { return false }
        var place = 0
        // A header has a few boxes; a file with thousands of them is no film.
        for _ in 0..<4096 {
            guard let box = box(at: place, of: film) else { return false }
            if box.type == BoxType.code("moof") { return true }
            place = box.content.upperBound
        }
        return false
    }

    private static func refused(_ path: String, _ what: String) -> SplitreelError {
        SplitreelError(
            .muxFailed, operation: "listing a stream's segments", subject: path, reason: "the film has \(what)")
    }

    /// The box at a place; nil at the file's end, and where no box can be read.
    private static func box(at place: Int, of film: LocalFile) -> (type: Int, content: Range<Int>)? {
        guard let bytes = ByteReader.bytes(place..<place + 8, of: film) else { return nil }
        var reader = ByteReader(bytes[...])
        guard var size = reader.integer(4), let type = reader.integer(4) else { return nil }
        var start = place + 8
        if size == 1 {
            guard let long = ByteReader.bytes(start..<start + 8, of: film) else { return nil }
            var reader = ByteReader(long[...])
            guard let value = reader.integer(8), value < 1 << 60 else { return nil }
            (size, start) = (value, start + 8)
        }
        guard place + size > start || size == start - place else { return nil }
        return (type, start..<place + size)
    }

    private mutating func readHeader(_ film: LocalFile, _ range: Range<Int>) throws {
        guard let bytes = ByteReader.bytes(range, of: film),
            let media = ByteReader(bytes[...]).child(BoxType.code("trak"))?.child(BoxType.code("mdia")),
            var clock = media.child(BoxType.code("mdhd")), let version = clock.integer(4),
            clock.skip(version >> 24 == 1 ? 16 : 8), let scale = clock.integer(4),
            let table = media.child(BoxType.code("minf"))?.child(BoxType.code("stbl")),
            var entries = table.child(BoxType.code("stsd")), entries.skip(8), let entry = entries.nextBox(),
            let codec = CodecName.text(entry: entry.type, entry.content)
        else { throw Self.refused(film.name, "a header that no film of ours has") }
        (timescale, self.codec) = (scale, codec)
    }

    private mutating func readFragment(_ film: LocalFile, _ header: Range<Int>, end: Int) throws {
        guard let bytes = ByteReader.bytes(header.lowerBound + 8..<header.upperBound, of: film),
            let track = ByteReader(bytes[...]).child(BoxType.code("traf")),
            var time = track.child(BoxType.code("tfdt")), let version = time.integer(4),
            let start = time.integer(version >> 24 == 1 ? 8 : 4), fragments.count < Self.mostFragments
        else { throw Self.refused(film.name, "a fragment without a time") }
        var samples = 0
        var boxes = track
        while let box = boxes.nextBox() {
            guard box.type == BoxType.code("trun") else { continue }
            var run = box.content
            guard run.skip(4), let count = run.integer(4) else { continue }
            samples += count
        }
        fragments.append(Fragment(bytes: header.lowerBound..<end, start: start, sampleCount: samples))
    }
}
