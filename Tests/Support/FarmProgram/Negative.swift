import Splitreel

/// Each colour's opposite, in part or in full.
struct Negative: VideoEffect {
    static let description = Description(
        "example.negative", version: 1, "Each colour's opposite.",
        parameters: [.number("amount", 0...1, default: 1, "0 is the picture as it is, 1 its negative.")])

    func render(_ source: VideoFrame, into output: VideoFrame, _ call: EffectRequest) {
        let amount = call.parameters.number("amount")
        output.withRows8 { y, target in
            source.withPlanes { planes in
                let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: UInt8.self)
                for x in 0..<output.width {
                    for part in 0..<3 {
                        let value = Double(row[4 * x + part])
                        target[4 * x + part] = UInt8((value + amount * (255 - 2 * value)).rounded())
                    }
                    target[4 * x + 3] = row[4 * x + 3]
                }
            }
        }
    }
}
