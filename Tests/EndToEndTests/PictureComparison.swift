import TestTools

extension Witness {
    /// R, G and B of an input's first frame after ffmpeg's filter.
    func pixels(_ input: [String], _ filter: String) throws -> [UInt8] {
        [UInt8](
            try ffmpeg(
                input + ["-vf", filter, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
            ).standardOutput)
    }
}

/// How many codes two pictures are apart on average.
func apart(_ one: [UInt8], _ other: [UInt8]) -> Double {
    zip(one, other).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(max(1, one.count))
}
