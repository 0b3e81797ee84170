import Foundation

/// Frames that carry their own number as a code of black and white blocks, readable after lossy coding.
///
/// 16 bits in the first row of blocks, their opposites in the second; the rest of the picture moves, so that no two
/// frames are alike.
package enum NumberedMedia {
    package static let bits = 16
    package static let block = 16
    package static let width = bits * block
    package static let height = 144

    /// Writes a film of `count` numbered frames; frame k carries `first + k`.
    /// - Parameters:
    ///   - rate: ffmpeg's form, such as `30000/1001`.
    ///   - coding: ffmpeg's options for the encoder, such as `-c:v libx264 -g 12`.
    package static func write(
        _ count: Int, rate: String, to file: String, coding: [String], first: Int = 0, sound: String? = nil,
        with witness: Witness
    ) throws {
        let raw = file + ".yuv"
        var bytes = Data(capacity: count * width * height * 3 / 2)
        for index in 0..<count { bytes.append(contentsOf: picture(first + index)) }
        try bytes.write(to: URL(fileURLWithPath: raw))
        defer { try? FileManager.default.removeItem(atPath: raw) }
        var arguments = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(width)x\(height)", "-r", rate, "-i", raw]
        if let sound { arguments += ["-i", sound] }
        try witness.ffmpeg(arguments + coding + ["-threads", "1", file])
    }

    /// One frame, planar 4:2:0, limited range.
    static func picture(_ number: Int) -> [UInt8] {
        var luma = [UInt8](repeating: 0, count: width * height)
        for row in 0..<height {
            for column in 0..<width {
                let bit = (number >> (column / block)) & 1
                let value: Int
                switch row / block {
                case 0: value = bit == 1 ? 235 : 16
                case 1: value = bit == 1 ? 16 : 235
                default: value = 64 + (column + row * 2 + number * 5) % 128
                }
                luma[row * width + column] = UInt8(value)
            }
        }
        let chroma = (0..<(width * height / 4)).map { UInt8(112 + ($0 / 64 + number * 3) % 32) }
        return luma + chroma + chroma
    }

    /// The number that a frame of the same size carries, its blocks averaged; nil where the code does not hold.
    package static func number(_ luma: [UInt8], width: Int = NumberedMedia.width) -> Int? {
        guard luma.count >= width * 2 * block, width >= Self.width else { return nil }
        func mean(_ row: Int, _ bit: Int) -> Int {
            var sum = 0
            for y in (row * block + 4)..<((row + 1) * block - 4) {
                for x in (bit * block + 4)..<((bit + 1) * block - 4) { sum += Int(luma[y * width + x]) }
            }
            return sum / ((block - 8) * (block - 8))
        }
        var number = 0
        for bit in 0..<bits {
            let (plain, opposite) = (mean(0, bit), mean(1, bit))
            guard abs(plain - opposite) > 80 else { return nil }
            if plain > opposite { number |= 1 << bit }
        }
        return number
    }
}
