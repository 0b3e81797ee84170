internal import CFFmpeg
package import SplitreelFiles

/// Tells whether a file goes on to the end that it states itself. A film that was cut off, by a full disk or a copy
/// that did not finish, can be read without a fault up to there.
///
/// Known of MP4 and QuickTime, MXF, Matroska, GIF, WebP, WAV, Ogg, MP3 and FLAC. Nothing that the file says is believed
/// but its places within it.
package struct FilmEnd {
    private let bytes: FileWindow
    private var size: Int { bytes.count }

    /// The most elements, chunks or tags that may stand before the wanted one, and the most places that look like a
    /// page and are none.
    private static let mostBefore = 64

    /// The end of a file; nil where the file does not say where it ends.
    package static func find(_ source: any MediaSource, _ facts: FilmFacts) -> FilmFacts.End? {
        let bytes = FileWindow(source)
        let end = FilmEnd(bytes: bytes)
        let head = bytes.read(0, 12)
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return end.ofMatroska() }
        if facts.container.hasPrefix("mov") { return end.ofBoxes() }
        if facts.container == "mxf" { return end.ofMXF() }
        if head.starts(with: Array("GIF8".utf8)) { return end.ofGIF() }
        if head.starts(with: Array("OggS".utf8)) { return end.ofOgg() }
        if head.starts(with: Array("fLaC".utf8)) { return end.ofFLAC(facts.audio.first) }
        let kind = String(decoding: head.prefix(4), as: UTF8.self)
        let form = String(decoding: head.dropFirst(8), as: UTF8.self)
        if kind == "RIFF", form == "WEBP" { return end.upTo(end.little(4, 4).map { $0 + 8 }) }
        if ["RIFF", "RF64", "BW64"].contains(kind), form == "WAVE" { return end.ofWAV() }
        return facts.container == "mp3" ? end.ofMP3(facts.audio.first) : nil
    }

    /// The words about a file that ends within what it began, such as `cut off: it has 90 bytes of 100`; nil for other
    /// files, and for those that do not say where they end.
    ///
    /// Told of MP4 and QuickTime, Matroska and Ogg. An Ogg whose last page is whole may have been a broadcast.
    package static func shortage(_ source: any MediaSource) -> String? {
        let bytes = FileWindow(source)
        let end = FilmEnd(bytes: bytes)
        let head = bytes.read(0, 8)
        var found: FilmFacts.End?
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            found = end.ofMatroska()
        } else if head.starts(with: Array("OggS".utf8)) {
            found = end.ofOgg(isRecording: true)
        } else if firstBoxes.contains(where: { head.dropFirst(4).elementsEqual($0.utf8) }) {
            found = end.ofCutBox()
        }
        return found.flatMap { $0.isWhole ? nil : $0.detail }
    }

    /// The boxes that films of MP4 and QuickTime begin with.
    private static let firstBoxes = ["ftyp", "moov", "mdat", "wide", "free", "skip"]

    /// Whether a WAV file ends before the end that it states.
    package static func isCutOff(wave source: any MediaSource) -> Bool {
        FilmEnd(bytes: FileWindow(source)).ofWAV()?.isWhole == false
    }

    /// The facts of a file that states its end, in bytes; bytes behind it do no harm. nil where it states none.
    private func upTo(_ end: UInt64?) -> FilmFacts.End? {
        guard let end else { return nil }
        let isWhole = end <= UInt64(size)
        return FilmFacts.End(isWhole: isWhole, detail: isWhole ? "whole" : "cut off: it has \(size) bytes of \(end)")
    }

    /// The end of Matroska's segment, unless the segment was written to a pipe.
    private func ofMatroska() -> FilmFacts.End? {
        var place = 0
        for _ in 0..<Self.mostBefore {
            guard let element = MatroskaElement(bytes.read(place, 16), 0), let length = element.size else { return nil }
            let content = place + element.content.lowerBound
            if element.id == 0x1853_8067 { return upTo(UInt64(content) + length) }
            guard length <= UInt64(size) else { return nil }
            place = content + Int(length)
        }
        return nil
    }

    /// The end of the last box of the file's own level, which is the media's where the index stands in front. A box
    /// that goes on to the end of the file, wherever that is, says nothing.
    private func ofBoxes() -> FilmFacts.End? {
        var place: UInt64 = 0
        for _ in 0..<Self.mostBoxes where place < UInt64(size) {
            guard let start = Int(exactly: place), let short = big(start) else {
                return FilmFacts.End(isWhole: false, detail: "cut off: its last box is not whole")
            }
            guard let length = boxLength(start, short) else { return nil }
            place += length
        }
        return upTo(place)
    }

    /// The end of the media or of an index, where the file has only the beginning of it; nil for bytes of other kinds,
    /// which may stand behind a film.
    private func ofCutBox() -> FilmFacts.End? {
        var place: UInt64 = 0
        for _ in 0..<Self.mostBoxes where place < UInt64(size) {
            guard let start = Int(exactly: place), let short = big(start), let length = boxLength(start, short) else {
                return nil
            }
            place += length
            if place <= UInt64(size) { continue }
            let name = bytes.read(start + 4, 4)
            let isFilm = ["mdat", "moov", "moof", "mfra"].contains { name.elementsEqual($0.utf8) }
            return isFilm ? upTo(place) : nil
        }
        return nil
    }

    /// The length of a box whose first four bytes say `short`; nil where it goes on to the end of the file, or says
    /// none.
    private func boxLength(_ start: Int, _ short: UInt64) -> UInt64? {
        let length = short == 1 ? big(start + 8).flatMap { high in big(start + 12).map { high << 32 | $0 } } : short
        guard let length, length >= (short == 1 ? 16 : 8), length < 1 << 62 else { return nil }
        return length
    }

    /// The most boxes that are looked at; a fragmented film has two for each fragment.
    private static let mostBoxes = 1_000_000

    /// The end of the last set of the partition behind everything. The first partition tells where that one is (SMPTE
    /// ST 377-1), or 0 where that was not known.
    private func ofMXF() -> FilmFacts.End? {
        let key: [UInt8] = [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02]
        guard let head = set(at: 0), bytes.read(0, 16).starts(with: key), let high = big(head.lowerBound + 24),
            let low = big(head.lowerBound + 28), high < 1 << 30
        else { return nil }
        var place = Int(high << 32 | low)
        guard place > 0 else { return nil }
        while place < size {
            guard let set = set(at: place) else {
                return FilmFacts.End(isWhole: false, detail: "cut off: its last set is not whole")
            }
            place = set.upperBound
        }
        return upTo(UInt64(place))
    }

    /// The place of the value of a set whose key stands there. The value's length follows the key in one byte, or in as
    /// many bytes as that one says.
    private func set(at place: Int) -> Range<Int>? {
        guard let first = bytes.read(place + 16, 1).first else { return nil }
        let count = first & 0x80 == 0 ? 0 : Int(first & 0x7F)
        let digits = bytes.read(place + 17, count)
        guard count <= 8, digits.count == count else { return nil }
        let length = count == 0 ? Int(first) : digits.reduce(0) { $0 &<< 8 | Int($1) }
        guard (0..<1 << 60).contains(length) else { return nil }
        return place + 17 + count..<place + 17 + count + length
    }

    /// The end of a GIF: its trailer, behind all blocks.
    private func ofGIF() -> FilmFacts.End {
        func table(_ flags: UInt8?) -> Int { flags.map { $0 & 0x80 == 0 ? 0 : 6 << Int($0 & 7) } ?? 0 }
        var place = 13 + table(bytes[10])
        while let kind = bytes[place] {
            switch kind {
            case 0x3B: return FilmFacts.End(isWhole: true, detail: "whole")
            case 0x21: place = behindBlocks(place + 2)
            case 0x2C: place = behindBlocks(place + 11 + table(bytes[place + 9]))
            // Writers leave bytes between blocks.
            default: place += 1
            }
        }
        return FilmFacts.End(isWhole: false, detail: "cut off: the trailer is not there")
    }

    private func behindBlocks(_ start: Int) -> Int {
        var place = start
        while let length = bytes[place] {
            place += 1 + Int(length)
            if length == 0 { break }
        }
        return place
    }

    private func ofWAV() -> FilmFacts.End? {
        var place = 12
        var data: UInt64?
        // RF64's sizes stand in its first chunk.
        let isLong = bytes.read(12, 4) == Array("ds64".utf8)
        for _ in 0..<Self.mostBefore {
            guard let length = little(place + 4, 4) else { break }
            if bytes.read(place, 4) == Array("data".utf8) {
                data = isLong && length == 0xFFFF_FFFF ? little(28, 8) : length
                break
            }
            place += 8 + Int(length + length % 2)
        }
        guard let short = little(4, 4), let stated = isLong ? little(20, 8) : short,
            !Self.isUnknown(stated), stated < UInt64.max - 8
        else { return nil }
        // Some writers leave out the byte that fills up sound of an odd length.
        let isFilled = data.map { $0 % 2 == 1 && UInt64(place + 8) + ($0 & .max >> 1) == UInt64(size) } ?? false
        return upTo(stated + (isFilled ? 7 : 8))
    }

    /// Whether the length is one that ffmpeg, sox or arecord write where it was not known.
    private static func isUnknown(_ length: UInt64) -> Bool {
        length == 0 || (0x7FFF_F000...0x8000_0100).contains(length) || (0xFFFF_F000...0xFFFF_FFFF).contains(length)
    }

    /// The end of Ogg, where the last page of each stream says that it is the last. Streams that ended long before are
    /// not looked for. A recording may end with any page that is whole.
    private func ofOgg(isRecording: Bool = false) -> FilmFacts.End {
        let tail = bytes.read(max(0, size - 4 * 65_536), 4 * 65_536)
        var place = 0
        var ended: [UInt64: Bool] = [:]
        var isCut = false
        var failures = 0
        while place < tail.count, failures < Self.mostBefore {
            guard tail[place...].starts(with: Array("OggS".utf8)) else {
                place += 1
                continue
            }
            if let page = OggPage(tail, place) {
                ended[page.stream] = page.isLast
                place = page.end
                isCut = false
            } else {
                isCut = true
                failures += 1
                place += 4
            }
        }
        if isCut { return FilmFacts.End(isWhole: false, detail: "cut off: its last page is not whole") }
        let isWhole = isRecording || !ended.isEmpty && ended.values.allSatisfy(\.self)
        return FilmFacts.End(isWhole: isWhole, detail: isWhole ? "whole" : "cut off: no page is marked as the last")
    }

    /// The end of MP3 by its first frame, in which Xing's, LAME's or Fraunhofer's coder counts the others.
    private func ofMP3(_ sound: FilmFacts.Audio?) -> FilmFacts.End? {
        var place = 0
        for _ in 0..<Self.mostBefore {
            let tag = bytes.read(place, 10)
            guard tag.count == 10, tag.starts(with: Array("ID3".utf8)) else { break }
            place += tag[6...].reduce(0) { $0 << 7 | Int($1 & 127) } + (tag[5] & 0x10 == 0 ? 10 : 20)
        }
        let head = bytes.read(place, 4)
        guard head.count == 4, head[0] == 0xFF, head[1] & 0xE6 == 0xE2 else { return nil }
        let (isFirstVersion, isMono) = (head[1] & 0x18 == 0x18, head[3] >> 6 == 3)
        let side = isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        let mark = place + 4 + side
        var counts: (frames: UInt64?, bytes: UInt64?) = (nil, nil)
        if [Array("Xing".utf8), Array("Info".utf8)].contains(bytes.read(mark, 4)), let flags = big(mark + 4) {
            counts.frames = flags & 1 == 0 ? nil : big(mark + 8)
            counts.bytes = flags & 2 == 0 ? nil : big(mark + (flags & 1 == 0 ? 8 : 12))
        } else if bytes.read(place + 36, 4) == Array("VBRI".utf8) {
            counts = (big(place + 50), big(place + 46))
        }
        let end = counts.bytes.flatMap { $0 > 0 ? upTo(UInt64(place) + $0) : nil }
        if end?.isWhole == false { return end }
        guard let frames = counts.frames, frames > 0, let sound else { return end }
        // Some coders count the first frame too.
        let isWhole = UInt64(sound.packetCount) + 1 >= frames
        return FilmFacts.End(
            isWhole: isWhole, detail: isWhole ? "whole" : "cut off: it has \(sound.packetCount) frames of \(frames)")
    }

    /// The end of FLAC, whose first block holds the number of samples in 36 bits, 0 where that was not known.
    private func ofFLAC(_ sound: FilmFacts.Audio?) -> FilmFacts.End? {
        let head = bytes.read(0, 26)
        guard head.count == 26, head[4] & 127 == 0, let found = sound?.decodedSamples else { return nil }
        let stated = head[22...25].reduce(Int(head[21] & 15)) { $0 << 8 | Int($1) }
        // A file of which nothing was decoded has another fault.
        guard stated > 0, found > 0 else { return nil }
        let isWhole = found >= stated
        return FilmFacts.End(isWhole: isWhole, detail: isWhole ? "whole" : "cut off: \(found) samples of \(stated)")
    }

    private func little(_ place: Int, _ count: Int) -> UInt64? {
        let number = bytes.read(place, count)
        return number.count == count ? number.reversed().reduce(0) { $0 << 8 | UInt64($1) } : nil
    }

    private func big(_ place: Int) -> UInt64? {
        let number = bytes.read(place, 4)
        return number.count == 4 ? number.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}

/// A page of Ogg whose checksum is right.
private struct OggPage {
    let stream: UInt64
    let isLast: Bool
    let end: Int

    init?(_ bytes: [UInt8], _ place: Int) {
        let header = bytes[place...].prefix(27)
        guard header.count == 27, header[place + 4] == 0 else { return nil }
        let lengths = bytes[(place + 27)...].prefix(Int(header[place + 26]))
        end = place + 27 + Int(header[place + 26]) + lengths.reduce(0) { $0 + Int($1) }
        guard lengths.count == Int(header[place + 26]), end <= bytes.count else { return nil }
        func number(_ start: Int) -> UInt64 { header[start...].prefix(4).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        var page = Array(bytes[place..<end])
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let sum = unsafe page.withUnsafeBufferPointer { page in
            unsafe av_crc(av_crc_get_table(AV_CRC_32_IEEE), 0, page.baseAddress, page.count)
        }
        // libavutil's checksum has its bytes in the opposite order.
        guard UInt64(sum.byteSwapped) == number(place + 22) else { return nil }
        (stream, isLast) = (number(place + 14), header[place + 5] & 4 != 0)
    }
}
