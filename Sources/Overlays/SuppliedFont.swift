internal import CPango
import MediaTime

/// A face of a font in memory: its own names, and the characters that it has.
struct SuppliedFont {
    /// The names of its family, its full name and its PostScript name, all in small letters.
    let names: Set<String>
    private let characters: [ClosedRange<UInt32>]

    func has(_ scalar: Unicode.Scalar) -> Bool {
        let place = characters.partitionPoint { $0.upperBound < scalar.value }
        return place < characters.count && characters[place].contains(scalar.value)
    }

    /// The faces of a font, at most 64; empty where the bytes are no font.
    static func all(in bytes: [UInt8]) -> [SuppliedFont] {
        guard !bytes.isEmpty else { return [] }
        return unsafe bytes.withUnsafeBytes { memory in
            let data = unsafe memory.bindMemory(to: CChar.self).baseAddress
            let blob = unsafe hb_blob_create(data, UInt32(memory.count), HB_MEMORY_MODE_READONLY, nil, nil)
            defer { unsafe hb_blob_destroy(blob) }
            let count = unsafe min(hb_face_count(blob), 64)
            return (0..<count).compactMap { index in
                let face = unsafe hb_face_create(blob, index)
                defer { unsafe hb_face_destroy(face) }
                return unsafe SuppliedFont(face)
            }
        }
    }

    private init?(_ face: OpaquePointer?) {
        var names: Set<String> = []
        var count: UInt32 = 0
        guard let list = unsafe hb_ot_name_list_names(face, &count) else { return nil }
        for index in 0..<min(Int(count), 1000) {
            let entry = unsafe list[index]
            guard unsafe [1, 4, 6, 16].contains(entry.name_id) else { continue }
            var text = [CChar](repeating: 0, count: 256)
            var length = UInt32(text.count)
            unsafe hb_ot_name_get_utf8(face, entry.name_id, entry.language, &length, &text)
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            names.insert(String(decoding: bytes, as: UTF8.self).lowercased())
        }
        let set = unsafe hb_set_create()
        defer { unsafe hb_set_destroy(set) }
        unsafe hb_face_collect_unicodes(face, set)
        var ranges: [ClosedRange<UInt32>] = []
        var (first, last) = (UInt32.max, UInt32.max)
        while unsafe hb_set_next_range(set, &first, &last) != 0 { ranges.append(first...last) }
        guard !names.isEmpty, !ranges.isEmpty else { return nil }
        (self.names, characters) = (names, ranges)
    }
}
