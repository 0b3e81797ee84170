package import MediaTime
package import SplitreelFiles

extension EditList {
    /// An edit as it stands in the file. A `duration` of 0 lasts to the end of the media; a negative `media` is none.
    fileprivate struct Entry {
        var duration: Int
        var media: Int
        /// The speed in units of 2⁻¹⁶.
        var rate: Int
    }

    /// A track's list as it stands in the file.
    package struct Stated {
        fileprivate var entries: [Entry]
        /// The ticks in a second of the film's clock (`scale`) and of the track's.
        fileprivate var scale, mediaScale: Int

        /// Whether libavformat shows the list as it is meant.
        fileprivate var isPlain: Bool {
            guard let first = entries.firstIndex(where: { $0.media >= 0 }) else { return true }
            return first == entries.count - 1 && entries[first].rate == 1 << 16
        }

        /// Whether some part is to be played backwards; it is played forwards.
        package var isReversed: Bool { entries.contains { $0.rate < 0 && $0.media >= 0 } }

        /// The edit list of these entries; nil where it shows nothing. `mediaEnd` is the end of the track's own times,
        /// in seconds.
        package func list(mediaEnd: Rational) -> EditList? {
            var (edits, time): ([Edit], Rational) = ([], .zero)
            for entry in entries {
                let rate = Rational(abs(entry.rate), 1 << 16)
                let media = entry.media < 0 ? nil : Rational(entry.media, mediaScale)
                var duration = Rational(entry.duration, scale)
                if let media, entry.duration == 0, rate > .zero { duration = (mediaEnd - media) / rate }
                guard duration > .zero else { continue }
                edits.append(Edit(start: time, duration: duration, media: media, rate: rate))
                time = time + duration
            }
            return EditList(edits)
        }
    }

    /// The lists of a MOV or MP4 file by their tracks' numbers, where one of them is not plain; empty for other files.
    package static func stated(in source: any MediaSource) -> [Int: Stated] {
        let kinds = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].map(BoxType.code)
        guard let head = ByteReader.bytes(0..<8, of: source) else { return [:] }
        var reader = ByteReader(head[...])
        guard reader.skip(4), let first = reader.integer(4), kinds.contains(first) else { return [:] }
        var file = BoxFile(source: source)
        guard let movie = file.child("moov", of: 0..<(1 << 48)),
            let scale = file.child("mvhd", of: movie).flatMap({ file.clock($0) })
        else { return [:] }
        var lists: [Int: Stated] = [:]
        for track in file.children("trak", of: movie).prefix(ReadLimits.streams) {
            guard let edits = file.child("edts", of: track), let list = file.child("elst", of: edits),
                let media = file.child("mdia", of: track),
                let mediaScale = file.child("mdhd", of: media).flatMap({ file.clock($0) }),
                let number = file.child("tkhd", of: track).flatMap({ file.trackNumber($0) }),
                let entries = entries(file.bytes(list))
            else { continue }
            lists[number] = Stated(entries: entries, scale: scale, mediaScale: mediaScale)
        }
        return lists.values.allSatisfy(\.isPlain) ? [:] : lists
    }

    private static func entries(_ bytes: [UInt8]?) -> [Entry]? {
        guard let bytes else { return nil }
        var box = ByteReader(bytes[...])
        guard let version = box.integer(1), version <= 1, box.skip(3), let count = box.integer(4), count <= most else {
            return nil
        }
        let width = version == 1 ? 8 : 4
        var entries: [Entry] = []
        for _ in 0..<count {
            guard let duration = box.integer(width), let media = box.signed(width), let rate = box.signed(4) else {
                return nil
            }
            guard duration <= 1 << 48, media.magnitude <= 1 << 48 else { return nil }
            entries.append(Entry(duration: duration, media: media, rate: rate))
        }
        return entries
    }
}

/// Finds boxes by their places in a file, of which a few bytes are read.
private struct BoxFile {
    let source: any MediaSource
    /// The number of boxes that may still be looked at.
    private var left = 20_000

    init(source: any MediaSource) { self.source = source }

    mutating func child(_ type: String, of range: Range<Int>) -> Range<Int>? {
        children(type, of: range, most: 1).first
    }

    /// The places of the contents of the boxes of that type that lie directly in a range.
    mutating func children(_ type: String, of range: Range<Int>, most: Int = .max) -> [Range<Int>] {
        var (found, place): ([Range<Int>], Int) = ([], range.lowerBound)
        while found.count < most, left > 0, place + 8 <= range.upperBound,
            let head = ByteReader.bytes(place..<(place + 8), of: source)
        {
            left -= 1
            var reader = ByteReader(head[...])
            guard var size = reader.integer(4), let kind = reader.integer(4) else { break }
            var start = place + 8
            if size == 1 {
                guard let long = ByteReader.bytes(start..<(start + 8), of: source) else { break }
                var reader = ByteReader(long[...])
                guard let length = reader.integer(8), length <= 1 << 48 else { break }
                (size, start) = (length, start + 8)
            }
            if size == 0 { size = range.upperBound - place }
            guard size >= start - place, place + size <= range.upperBound else { break }
            if kind == BoxType.code(type) { found.append(start..<(place + size)) }
            place += size
        }
        return found
    }

    func bytes(_ range: Range<Int>) -> [UInt8]? {
        ByteReader.bytes(range.lowerBound..<min(range.upperBound, range.lowerBound + 1 << 17), of: source)
    }

    /// The ticks in a second that an `mvhd` or `mdhd` states.
    func clock(_ range: Range<Int>) -> Int? {
        guard let bytes = bytes(range) else { return nil }
        var box = ByteReader(bytes[...])
        guard let version = box.integer(1), box.skip(version == 1 ? 19 : 11), let scale = box.integer(4),
            (1...Int(Int32.max)).contains(scale)
        else { return nil }
        return scale
    }

    /// The track's number that a `tkhd` states.
    func trackNumber(_ range: Range<Int>) -> Int? {
        guard let bytes = bytes(range) else { return nil }
        var box = ByteReader(bytes[...])
        guard let version = box.integer(1), box.skip(version == 1 ? 19 : 11) else { return nil }
        return box.integer(4)
    }
}
