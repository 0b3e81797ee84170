internal import CFFmpeg
internal import Libav

/// The colours of a GIF, and the nearest of them to any other colour. Confined to one thread at a time; 16 MiB.
final class Palette {
    /// The number of colours. One of 256 is left to the encoder, for pixels that do not change from one frame to the
    /// next.
    static let size = 255
    private let colours: [(r: Int, g: Int, b: Int)]
    /// The palette as libav has it: words of ARGB. The last one lets everything through.
    private let words: [UInt32]
    /// The place of the nearest colour by 0xRRGGBB; `unknown` where nobody has asked yet.
    private var nearest = [UInt8](repeating: Palette.unknown, count: 1 << 24)
    private static let unknown: UInt8 = 255

    /// A palette of at most `size` colours, each 0xRRGGBB.
    init(colours list: [UInt32]) {
        let list = list.prefix(Self.size)
        colours = list.map { (Int($0 >> 16 & 255), Int($0 >> 8 & 255), Int($0 & 255)) }
        let opaque = list.map { 0xFF00_0000 | $0 }
        // Places that are left over repeat the first colour.
        let filling = [UInt32](repeating: opaque.first ?? 0xFF00_0000, count: Self.size - opaque.count)
        words = opaque + filling + [0]
    }

    /// The place of the nearest colour; of several the first one.
    func place(_ r: Int, _ g: Int, _ b: Int) -> UInt8 {
        let key = r << 16 | g << 8 | b
        let known = nearest[key]
        if known != Self.unknown { return known }
        var (best, least) = (0, Int.max)
        for index in colours.indices {
            let (x, y, z) = (colours[index].r - r, colours[index].g - g, colours[index].b - b)
            let error = x * x + y * y + z * z
            if error < least { (best, least) = (index, error) }
        }
        nearest[key] = UInt8(best)
        return UInt8(best)
    }

    /// The picture, in 8 bits of R, G and B, by the places of its colours.
    func picture(of rgb: borrowing Frame) throws -> Frame {
        let result = try Frame()
        try result.allocate(
            AV_PIX_FMT_PAL8, width: Int32(rgb.width), height: Int32(rgb.height), alignment: 0, subject: "picture")
        guard let from = unsafe rgb.fields.data.0, let to = unsafe result.fields.data.0,
            let table = unsafe result.fields.data.1
        else { return result }
        for y in 0..<rgb.height {
            let (input, output) = unsafe (
                from + y * Int(rgb.fields.linesize.0), to + y * Int(result.fields.linesize.0)
            )
            for x in 0..<rgb.width {
                unsafe output[x] = place(Int(input[3 * x]), Int(input[3 * x + 1]), Int(input[3 * x + 2]))
            }
        }
        for (index, word) in words.enumerated() {
            unsafe UnsafeMutableRawPointer(table).storeBytes(of: word, toByteOffset: 4 * index, as: UInt32.self)
        }
        return result
    }
}
