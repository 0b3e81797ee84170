internal import Glibc
internal import SplitreelFiles

/// The number of plays that an animated image states and libavformat does not tell.
package enum AnimatedImage {
    /// The number of times that a GIF or an APNG is to be played, 0 for ever; nil for other formats.
    static func plays(_ source: any MediaSource, format: String) -> Int? {
        switch format {
        case "gif": playsOfGIF(source.head(mostBytes))
        case "apng": playsOfAPNG(source.head(mostBytes))
        default: nil
        }
    }

    /// The bytes of a file that are searched: the number stands before the first picture or soon after it.
    private static let mostBytes = 1 << 20

    /// The number of plays that a GIF states, 0 for ever. Netscape's application extension says how often it is played
    /// again; without one it is played once.
    package static func playsOfGIF(_ bytes: [UInt8]) -> Int {
        guard bytes.count >= 13 else { return 1 }
        var place = 13 + colourTable(bytes[10])
        while place + 2 < bytes.count {
            switch bytes[place] {
            case 0x21:
                let isNetscape = bytes[(place + 2)...].starts(with: [11] + Array("NETSCAPE2.0".utf8))
                let data = place + 14
                if isNetscape, data + 3 < bytes.count, bytes[data] >= 3, bytes[data + 1] & 7 == 1 {
                    let again = Int(bytes[data + 2]) | Int(bytes[data + 3]) << 8
                    return again == 0 ? 0 : again + 1
                }
                place = afterBlocks(bytes, place + 2)
            case 0x2C:
                guard place + 9 < bytes.count else { return 1 }
                // The picture's own table, and the width of its codes.
                place = afterBlocks(bytes, place + 11 + colourTable(bytes[place + 9]))
            default: return 1
            }
        }
        return 1
    }

    private static func colourTable(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// The place behind a row of blocks, each with its length in front, that an empty block ends.
    private static func afterBlocks(_ bytes: [UInt8], _ start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] != 0 { place += 1 + Int(bytes[place]) }
        return place + 1
    }

    /// The number of plays that an APNG states in its chunk `acTL`, 0 for ever; 1 without one. The chunk stands before
    /// the first picture's data.
    package static func playsOfAPNG(_ bytes: [UInt8]) -> Int {
        func number(_ place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        var place = 8
        while place + 16 <= bytes.count {
            if bytes[(place + 4)...].starts(with: Array("acTL".utf8)) { return min(number(place + 12), 1 << 31) }
            place += 12 + number(place)
        }
        return 1
    }
}
