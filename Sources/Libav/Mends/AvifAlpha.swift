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
        guard let items = AvifItems(source), let alpha = Self.alphaItem(items),
            let extents = Self.location(items.meta, of: alpha)
        else { return nil }
        self.extents = extents
    }

    private static let limit = ByteReader.most

    private static func alphaItem(_ items: AvifItems) -> Int? {
        guard var box = items.meta.child(BoxType.iref), let version = box.integer(1), box.skip(3) else { return nil }
        let width = version == 0 ? 2 : 4
        while var reference = box.nextBox() {
            guard reference.type == BoxType.auxl, let from = reference.content.integer(width),
                let count = reference.content.integer(2)
            else { continue }
            let targets = (0..<count).compactMap { _ in reference.content.integer(width) }
            if targets.contains(items.primary), isAlpha(items, item: from) { return from }
        }
        return nil
    }

    /// Whether the item has an `auxC` property that names alpha.
    private static func isAlpha(_ items: AvifItems, item: Int) -> Bool {
        let names = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
        return items.properties(of: item).contains { property in
            let text = String(decoding: property.content.rest.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
            return property.type == BoxType.auxC && names.contains(text)
        }
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
