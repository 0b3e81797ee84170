package import SplitreelFiles

/// The place where an AVIF picture keeps its alpha: libavformat 5.1 gives only the colour item.
///
/// Reads the file's `meta` box as ISO/IEC 23008-12 lays it out: the primary item (`pitm`), an item that is auxiliary to
/// it (`iref`/`auxl`) and has an alpha `auxC`, and that item's place (`iloc`). Anything unexpected means no alpha item.
package struct AvifAlpha {
    /// The pieces of the AV1 data, by byte offset in the file.
    let extents: [Range<Int>]

    /// The item's bytes, or nil where the file does not hold them all.
    package func data(of source: any MediaSource) -> [UInt8]? {
        guard extents.reduce(0, { $0 + $1.count }) <= Self.limit else { return nil }
        var all: [UInt8] = []
        for extent in extents {
            guard let piece = ByteReader.bytes(extent, of: source) else { return nil }
            all += piece
        }
        return all.isEmpty ? nil : all
    }

    package init?(_ source: any MediaSource) {
        guard let meta = Self.metaBox(source), let primary = Self.primaryItem(meta),
            let alpha = Self.alphaItem(meta, of: primary), let extents = Self.location(meta, of: alpha)
        else { return nil }
        self.extents = extents
    }

    private static let limit = ByteReader.most

    /// The content of the top-level `meta` box among the first boxes.
    static func metaBox(_ source: any MediaSource) -> ByteReader? {
        var offset = 0
        for _ in 0..<8 {
            guard let header = ByteReader.bytes(offset..<(offset + 8), of: source) else { return nil }
            var reader = ByteReader(header[...])
            guard let size = reader.integer(4), let type = reader.integer(4), size >= 8, size < limit else {
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

    static func primaryItem(_ meta: ByteReader) -> Int? {
        guard var box = meta.child(BoxType.pitm), let version = box.integer(1), box.skip(3) else { return nil }
        return box.integer(version == 0 ? 2 : 4)
    }

    private static func alphaItem(_ meta: ByteReader, of primary: Int) -> Int? {
        guard var box = meta.child(BoxType.iref), let version = box.integer(1), box.skip(3) else { return nil }
        let width = version == 0 ? 2 : 4
        while var reference = box.nextBox() {
            guard reference.type == BoxType.auxl, let from = reference.content.integer(width),
                let count = reference.content.integer(2)
            else { continue }
            let targets = (0..<count).compactMap { _ in reference.content.integer(width) }
            if targets.contains(primary), isAlpha(meta, item: from) { return from }
        }
        return nil
    }

    /// Whether the item has an `auxC` property that names alpha.
    private static func isAlpha(_ meta: ByteReader, item: Int) -> Bool {
        let names = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
        return properties(of: item, meta).contains { property in
            let text = String(decoding: property.content.rest.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
            return property.type == BoxType.auxC && names.contains(text)
        }
    }

    /// The properties of an item (`ipco`), in the order in which they are its own (`ipma`); empty where the file is not
    /// as it should be.
    static func properties(of item: Int, _ meta: ByteReader) -> [(type: Int, content: ByteReader)] {
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

    private static func location(_ meta: ByteReader, of item: Int) -> [Range<Int>]? {
        guard var box = meta.child(BoxType.iloc), let version = box.integer(1), box.skip(3), let sizes = box.integer(2),
            let count = box.integer(version < 2 ? 2 : 4)
        else { return nil }
        let (offsetSize, lengthSize) = (sizes >> 12 & 15, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        for _ in 0..<min(count, 65536) {
            guard let id = box.integer(version < 2 ? 2 : 4), let method = version == 0 ? 0 : box.integer(2),
                box.skip(2),
                let base = box.integer(baseSize), let extentCount = box.integer(2)
            else { return nil }
            var extents: [Range<Int>] = []
            for _ in 0..<extentCount {
                guard box.skip(indexSize), let offset = box.integer(offsetSize), let length = box.integer(lengthSize)
                else { return nil }
                let start = base.addingReportingOverflow(offset).partialValue
                guard start >= 0, length > 0, length <= limit, start < 1 << 40 else { return nil }
                extents.append(start..<(start + length))
            }
            if id == item { return method & 15 == 0 && extents.count <= 64 ? extents : nil }
        }
        return nil
    }
}
