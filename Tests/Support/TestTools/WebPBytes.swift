package import Foundation

/// An animated WebP put together from single pictures.
package struct WebPBytes {
    package struct Frame {
        package var x = 0
        package var y = 0
        package var size: (width: Int, height: Int)
        package var milliseconds = 100
        package var blends = true
        package var clearsAfterwards = false
        /// The chunk of the coded picture.
        package var chunk: [UInt8]

        package init(
            x: Int = 0, y: Int = 0, size: (width: Int, height: Int), milliseconds: Int = 100, blends: Bool = true,
            clearsAfterwards: Bool = false, chunk: [UInt8]
        ) {
            (self.x, self.y, self.size, self.milliseconds) = (x, y, size, milliseconds)
            (self.blends, self.clearsAfterwards, self.chunk) = (blends, clearsAfterwards, chunk)
        }
    }

    package var canvas: (width: Int, height: Int)
    package var plays = 0
    package var frames: [Frame] = []

    package init(canvas: (width: Int, height: Int), plays: Int = 0, frames: [Frame] = []) {
        (self.canvas, self.plays, self.frames) = (canvas, plays, frames)
    }

    package var data: Data {
        var body = Self.chunk("ANIM", [1, 2, 3, 255] + Self.number(plays, 2))
        for frame in frames {
            let flags: UInt8 = (frame.blends ? 0 : 2) | (frame.clearsAfterwards ? 1 : 0)
            let place = [frame.x / 2, frame.y / 2, frame.size.width - 1, frame.size.height - 1, frame.milliseconds]
            body += Self.chunk("ANMF", place.flatMap { Self.number($0, 3) } + [flags] + frame.chunk)
        }
        let sides = Self.number(canvas.width - 1, 3) + Self.number(canvas.height - 1, 3)
        body = Array("WEBP".utf8) + Self.chunk("VP8X", [0x12, 0, 0, 0] + sides) + body
        return Data(Array("RIFF".utf8) + Self.number(body.count, 4) + body)
    }

    /// One colour, coded without loss by ffmpeg.
    package static func plain(
        _ colour: (r: Int, g: Int, b: Int, a: Int), _ size: (width: Int, height: Int), _ witness: Witness
    ) throws -> [UInt8] {
        let path = witness.folder.file("plain.webp")
        let source =
            "color=black:s=\(size.width)x\(size.height),format=bgra,"
            + "geq=r=\(colour.r):g=\(colour.g):b=\(colour.b):a=\(colour.a)"
        try witness.ffmpeg([
            "-f", "lavfi", "-i", source, "-frames:v", "1", "-c:v", "libwebp", "-lossless", "1", path,
        ])
        return try picture(of: path)
    }

    /// The coded picture of a file without loss.
    package static func picture(of path: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let place = bytes.indices.first { bytes[$0...].starts(with: Array("VP8L".utf8)) } ?? bytes.count
        return Array(bytes[place...])
    }

    private static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(value >> (8 * $0) & 255) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }
}
