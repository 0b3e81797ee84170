/// The name that playlists have for a track's codec: RFC 6381, with the parts that each codec's own binding to MP4 asks
/// for.
enum CodecName {
    /// The name by a sample entry; nil for an entry that is not known here.
    static func text(entry type: Int, _ content: ByteReader) -> String? {
        switch type {
        case BoxType.code("avc1"): avc(content)
        case BoxType.code("hvc1"): hevc(content)
        case BoxType.code("av01"): av1(content)
        case BoxType.code("vp09"): vp9(content)
        case BoxType.code("mp4a"): aac(content)
        case BoxType.code("Opus"): "opus"
        case BoxType.code("fLaC"): "fLaC"
        case BoxType.code("alac"): "alac"
        default: nil
        }
    }

    /// A box in a picture's sample entry, behind its 78 fixed bytes.
    private static func box(_ name: String, of entry: ByteReader) -> ByteReader? {
        var entry = entry
        return entry.skip(78) ? entry.child(BoxType.code(name)) : nil
    }

    /// The name of AVC: profile, constraints and level, two hexadecimal digits each.
    private static func avc(_ entry: ByteReader) -> String? {
        guard var box = box("avcC", of: entry), box.skip(1), let bytes = box.integer(3) else { return nil }
        return "avc1." + hex(bytes, digits: 6)
    }

    /// The name of HEVC: profile, its compatibility in reverse order of bits, tier and level, and constraints without
    /// zero bytes behind.
    private static func hevc(_ entry: ByteReader) -> String? {
        guard var box = box("hvcC", of: entry), box.skip(1), let first = box.integer(1),
            let compatible = box.integer(4), let constraints = box.integer(6), let level = box.integer(1)
        else { return nil }
        let space = ["", "A", "B", "C"][first >> 6]
        let reversed = (0..<32).reduce(0) { $0 << 1 | (compatible >> $1) & 1 }
        var bytes = (0..<6).map { (constraints >> (40 - 8 * $0)) & 0xFF }
        while bytes.last == 0 { bytes.removeLast() }
        let tail = bytes.map { "." + String($0, radix: 16, uppercase: true) }.joined()
        let tier = first & 0x20 == 0 ? "L" : "H"
        return "hvc1.\(space)\(first & 0x1F).\(String(reversed, radix: 16, uppercase: true)).\(tier)\(level)" + tail
    }

    /// The name of AV1: profile, level and tier, and the bits of a sample.
    private static func av1(_ entry: ByteReader) -> String? {
        guard var box = box("av1C", of: entry), box.skip(1), let first = box.integer(1), let second = box.integer(1)
        else { return nil }
        let isHigh = second & 0x40 != 0
        let bits = isHigh ? (second & 0x20 != 0 ? "12" : "10") : "08"
        let level = decimal(first & 0x1F) + (second & 0x80 == 0 ? "M" : "H")
        return "av01.\(first >> 5).\(level).\(bits)"
    }

    /// The name of VP9: profile, level, and the bits of a sample.
    private static func vp9(_ entry: ByteReader) -> String? {
        guard var box = box("vpcC", of: entry), box.skip(4), let profile = box.integer(1), let level = box.integer(1),
            let bits = box.integer(1)
        else { return nil }
        return "vp09.\(decimal(profile)).\(decimal(level)).\(decimal(bits >> 4))"
    }

    /// The name of sound in `mp4a`: AAC of low complexity, or MP3, which its object type tells. Nothing else is written
    /// here.
    private static func aac(_ entry: ByteReader) -> String? {
        var entry = entry
        guard entry.skip(28), var box = entry.child(BoxType.code("esds")), box.skip(4) else { return nil }
        // Descriptors: a tag, a length of one to four bytes, then the content.
        while let tag = box.integer(1) {
            while let part = box.integer(1), part & 0x80 != 0 {}
            switch tag {
            case 3: guard box.skip(3) else { return nil }
            case 4:
                guard let object = box.integer(1) else { return nil }
                return object == 0x40 ? "mp4a.40.2" : "mp4a." + hex(object, digits: 2)
            default: return nil
            }
        }
        return nil
    }

    private static func hex(_ value: Int, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func decimal(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
