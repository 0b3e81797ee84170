package import Foundation

/// A HEIC file put together from pictures that ffmpeg coded as films of one frame.
package struct HEICBytes {
    /// One coded picture: the decoder's settings and the data.
    package struct Item {
        package var configuration: [UInt8]
        package var data: [UInt8]
        package var size: (width: Int, height: Int)
    }

    package var main: Item
    package var alpha: Item?
    /// Quarter turns to the left.
    package var turns = 0
    /// Primaries, transfer, matrix and whether the range is full.
    package var colour: (Int, Int, Int, Bool)?
    package var profile: [UInt8]?

    package init(main: Item) { self.main = main }

    /// A picture of a lavfi source, so pale that all of it is within R'G'B'; `raw` is what ffmpeg's own decoder makes
    /// of it.
    package static func item(
        _ source: String, _ size: (width: Int, height: Int), format: String, _ witness: Witness
    ) throws -> (item: Item, raw: [UInt8]) {
        let path = witness.folder.file("heic.mp4")
        try witness.ffmpeg([
            "-f", "lavfi", "-i",
            "\(source)=s=\(size.width)x\(size.height),format=\(format),eq=0.6:0:0.4,format=\(format)",
            "-frames:v", "1", "-c:v", "libx265", "-x265-params",
            "log-level=error:info=0:range=limited:colormatrix=bt709", "-tag:v", "hvc1", path,
        ])
        let raw = try witness.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"]).standardOutput
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let item = Item(
            configuration: try content(of: "hvcC", bytes), data: try content(of: "mdat", bytes), size: size)
        return (item, [UInt8](raw))
    }

    static func content(of box: String, _ bytes: [UInt8]) throws -> [UInt8] {
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: Array(box.utf8)) }), place >= 4 else {
            throw ToolFailure("no box \(box)")
        }
        let length = bytes[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[(place + 4)..<(place - 4 + length)])
    }

    package var data: Data {
        let items = [main] + (alpha.map { [$0] } ?? [])
        let type = Self.box("ftyp", Array("heic".utf8) + Self.number(0, 4) + Array("mif1heic".utf8))
        let length = meta(items, from: 0).count
        let start = type.count + length + 8
        return Data(type + meta(items, from: start) + Self.box("mdat", items.flatMap(\.data)))
    }

    private func meta(_ items: [Item], from start: Int) -> [UInt8] {
        let handler = Self.number(0, 8) + Array("pict".utf8) + Self.number(0, 13)
        var (places, infos, place): ([UInt8], [UInt8], Int) = ([], [], start)
        for (index, item) in items.enumerated() {
            places += Self.number(index + 1, 2) + Self.number(0, 2) + Self.number(1, 2)
            places += Self.number(place, 4) + Self.number(item.data.count, 4)
            place += item.data.count
            infos += Self.box(
                "infe", [2, 0, 0, 0] + Self.number(index + 1, 2) + Self.number(0, 2) + Array("hvc1".utf8) + [0])
        }
        var boxes = Self.box("hdlr", handler) + Self.box("pitm", Self.number(0, 4) + Self.number(1, 2))
        boxes += Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + Self.number(items.count, 2) + places)
        boxes += Self.box("iinf", Self.number(0, 4) + Self.number(items.count, 2) + infos)
        if items.count > 1 {
            let reference = Self.number(2, 2) + Self.number(1, 2) + Self.number(1, 2)
            boxes += Self.box("iref", Self.number(0, 4) + Self.box("auxl", reference))
        }
        return Self.box("meta", Self.number(0, 4) + boxes + properties(items))
    }

    private func properties(_ items: [Item]) -> [UInt8] {
        var (all, owners): ([[UInt8]], [[Int]]) = ([], items.map { _ in [] })
        func add(_ name: String, _ content: [UInt8], to item: Int) {
            all.append(Self.box(name, content))
            owners[item].append(all.count)
        }
        for (index, item) in items.enumerated() {
            add("hvcC", item.configuration, to: index)
            add(
                "ispe", Self.number(0, 4) + Self.number(item.size.width, 4) + Self.number(item.size.height, 4),
                to: index)
        }
        if let colour {
            let numbers = [colour.0, colour.1, colour.2].flatMap { Self.number($0, 2) }
            add("colr", Array("nclx".utf8) + numbers + [colour.3 ? 0x80 : 0], to: 0)
        }
        if let profile { add("colr", Array("prof".utf8) + profile, to: 0) }
        if turns > 0 { add("irot", [UInt8(turns)], to: 0) }
        if items.count > 1 {
            add("auxC", Self.number(0, 4) + Array("urn:mpeg:hevc:2015:auxid:1".utf8) + [0], to: 1)
        }
        let associations = owners.enumerated().flatMap { index, own in
            Self.number(index + 1, 2) + [UInt8(own.count)] + own.map { 0x80 | UInt8($0) }
        }
        return Self.box(
            "iprp",
            Self.box("ipco", all.flatMap { $0 })
                + Self.box("ipma", Self.number(0, 4) + Self.number(items.count, 4) + associations))
    }

    static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(name.utf8) + content
    }
}
