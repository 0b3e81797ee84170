package import Foundation

/// An AVIF picture of tiles in a row, put together from pictures that ffmpeg coded as films of one frame.
package struct AVIFGridBytes {
    /// The width and height of each tile in pixels.
    private let side: Int
    /// The decoder's settings and the data of each.
    private let configuration: [UInt8]
    private let tiles: [[UInt8]]
    /// The pictures that ffmpeg's own decoder makes of the tiles, in 4:4:4.
    package let raw: [[UInt8]]
    /// The width of the whole picture in pixels, which may cut the last tile.
    package var width: Int
    /// Bytes of the name that the first of the items' entries has; the whole picture's entry is the last.
    package var nameLength = 0

    /// `count` tiles of `side` pixels, each of another hue, so pale that all of it is within R'G'B'.
    package init(_ count: Int, side: Int, _ witness: Witness) throws {
        self.side = side
        width = count * side
        var (settings, tiles, raw): ([UInt8], [[UInt8]], [[UInt8]]) = ([], [], [])
        for tile in 0..<count {
            let path = witness.folder.file("tile.mp4")
            try witness.ffmpeg([
                "-y", "-f", "lavfi", "-i",
                "testsrc2=s=\(side)x\(side),hue=h=\(tile * 70),eq=0.6:0:0.4,format=yuv444p", "-frames:v", "1", "-c:v",
                "libaom-av1", "-cpu-used", "8", "-crf", "10", "-color_range", "tv", "-colorspace", "bt709",
                "-color_primaries", "bt709", "-color_trc", "bt709", path,
            ])
            let decoded = try witness.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv444p", "-"])
            raw.append([UInt8](decoded.standardOutput))
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            settings = try HEICBytes.content(of: "av1C", bytes)
            tiles.append(try HEICBytes.content(of: "mdat", bytes))
        }
        (configuration, self.tiles, self.raw) = (settings, tiles, raw)
    }

    private static let number = HEICBytes.number
    private static let box = HEICBytes.box

    package var data: Data {
        let grid = [0, 0, 0, UInt8(tiles.count - 1)] + Self.number(width, 2) + Self.number(side, 2)
        let items = [("grid", grid)] + tiles.map { ("av01", $0) }
        let type = Self.box("ftyp", Array("avif".utf8) + Self.number(0, 4) + Array("avifmif1miaf".utf8))
        let start = type.count + meta(items, from: 0).count + 8
        return Data(type + meta(items, from: start) + Self.box("mdat", items.flatMap(\.1)))
    }

    private func meta(_ items: [(type: String, data: [UInt8])], from start: Int) -> [UInt8] {
        var (places, infos, place): ([UInt8], [UInt8], Int) = ([], [], start)
        for (index, item) in items.enumerated() {
            let number = Self.number(index + 1, 2)
            places += number + Self.number(0, 2) + Self.number(1, 2)
            places += Self.number(place, 4) + Self.number(item.data.count, 4)
            let name = index == items.count - 1 ? [UInt8](repeating: 0x6e, count: nameLength) : []
            let fields = number + Self.number(0, 2) + Array(item.type.utf8) + name + [0]
            infos = Self.box("infe", [2, 0, 0, 0] + fields) + infos
            place += item.data.count
        }
        let numbers = (2...items.count).flatMap { Self.number($0, 2) }
        let tiles = Self.number(1, 2) + Self.number(items.count - 1, 2) + numbers
        var boxes = Self.box("hdlr", Self.number(0, 8) + Array("pict".utf8) + Self.number(0, 13))
        boxes += Self.box("pitm", Self.number(0, 4) + Self.number(1, 2))
        boxes += Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + Self.number(items.count, 2) + places)
        boxes += Self.box("iinf", Self.number(0, 4) + Self.number(items.count, 2) + infos)
        boxes += Self.box("iref", Self.number(0, 4) + Self.box("dimg", tiles))
        return Self.box("meta", Self.number(0, 4) + boxes + properties(items.count))
    }

    /// The tiles' settings and size, the whole picture's size, and what both have: depths and colours.
    private func properties(_ items: Int) -> [UInt8] {
        func size(_ width: Int) -> [UInt8] {
            Self.box("ispe", Self.number(0, 4) + Self.number(width, 4) + Self.number(side, 4))
        }
        let colours: [UInt8] = [0, 1, 0, 1, 0, 1, 0]
        let all =
            Self.box("av1C", configuration) + size(side) + size(width)
            + Self.box("pixi", Self.number(0, 4) + [3, 8, 8, 8]) + Self.box("colr", Array("nclx".utf8) + colours)
        var owners: [UInt8] = []
        for item in 0..<items {
            let own: [UInt8] = item == 0 ? [3, 4, 5] : [1, 2, 4, 5]
            owners += Self.number(item + 1, 2) + [UInt8(own.count)] + own.map { 0x80 | $0 }
        }
        return Self.box(
            "iprp",
            Self.box("ipco", all) + Self.box("ipma", Self.number(0, 4) + Self.number(items, 4) + owners))
    }
}
