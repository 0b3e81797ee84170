package import SplitreelFiles

/// A turn that an AVIF's container asks for its picture (`irot` and `imir` of ISO/IEC 23008-12): libavformat 5.1 hands
/// out the picture as it is coded.
package enum AvifTurn: Hashable, Sendable {
    /// Quarter turns against the clock, 0 to 3.
    case quarters(Int)
    /// Left and right are exchanged, or top and bottom.
    case mirror(isLeftToRight: Bool)

    /// The turns of the main picture, in the order in which they are made; nil for files of other kinds.
    package static func turns(in source: any MediaSource) -> [AvifTurn]? {
        let head = source.head(12)
        guard head.count == 12, head[4..<8].elementsEqual("ftyp".utf8), let items = AvifItems(source) else {
            return nil
        }
        return items.properties(of: items.primary).compactMap { property in
            var content = property.content
            guard let value = content.integer(1) else { return nil }
            switch property.type {
            case BoxType.irot: return .quarters(value & 3)
            case BoxType.imir: return .mirror(isLeftToRight: value & 1 == 1)
            default: return nil
            }
        }
    }
}
