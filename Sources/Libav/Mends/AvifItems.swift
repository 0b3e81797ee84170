internal import SplitreelFiles

/// The items of an AVIF's container and their properties, as the file's `meta` box lays them out (ISO/IEC 23008-12).
struct AvifItems {
    /// The content of the `meta` box.
    let meta: ByteReader
    /// The number of the main picture's item (`pitm`).
    let primary: Int

    /// nil for files of other kinds.
    init?(_ source: any MediaSource) {
        guard let meta = Self.metaBox(source), var box = meta.child(BoxType.pitm), let version = box.integer(1),
            box.skip(3), let primary = box.integer(version == 0 ? 2 : 4)
        else { return nil }
        self.meta = meta
        self.primary = primary
    }

    /// The content of the top-level `meta` box among the first boxes.
    private static func metaBox(_ source: any MediaSource) -> ByteReader? {
        var offset = 0
        for _ in 0..<8 {
            guard let header = ByteReader.bytes(offset..<(offset + 8), of: source) else { return nil }
            var reader = ByteReader(header[...])
            guard let size = reader.integer(4), let type = reader.integer(4), size >= 8, size < ByteReader.most else {
                return nil
            }
            if type == BoxType.meta {
                guard let box = ByteReader.bytes((offset + 8)..<(offset + size), of: source) else { return nil }
                var content = ByteReader(box[...])
                return content.skip(4) ? content : nil
            }
            offset += size
        }
        return nil
    }

    /// The properties of an item (`ipco`), in the order in which they are its own (`ipma`); empty where the file is not
    /// as it should be.
    func properties(of item: Int) -> [(type: Int, content: ByteReader)] {
        guard let properties = meta.child(BoxType.iprp), var container = properties.child(BoxType.ipco),
            var associations = properties.child(BoxType.ipma)
        else { return [] }
        var all: [(type: Int, content: ByteReader)] = []
        while let property = container.nextBox() { all.append(property) }
        guard let version = associations.integer(1), let flags = associations.integer(3),
            let entries = associations.integer(4)
        else { return [] }
        let (width, mask) = flags & 1 == 1 ? (2, 0x7fff) : (1, 0x7f)
        var own: [(type: Int, content: ByteReader)] = []
        for _ in 0..<min(entries, 65536) {
            guard let id = associations.integer(version == 0 ? 2 : 4), let count = associations.integer(1) else {
                break
            }
            for _ in 0..<count {
                guard let raw = associations.integer(width) else { return own }
                let number = raw & mask
                if id == item, (1...max(1, all.count)).contains(number), !all.isEmpty { own.append(all[number - 1]) }
            }
        }
        return own
    }
}
