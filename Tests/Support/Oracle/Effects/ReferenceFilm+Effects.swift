import TestTools

extension ReferenceFilm {
    /// The picture at an output frame of a film with effects, transitions, blend modes and animations, in a layout of
    /// limited range.
    package func effectPicture(_ text: String, _ number: Int, format: PixelFormat) throws -> Planes {
        var film = encoding
        film.bits = format.bits
        let stage = EffectStage(
            base: ReferenceStage(sources: sources, format: format, encoding: film), cut: cut,
            video: try JSON(text: text)["video"], frameDuration: frameDuration)
        return try stage.picture(at: frameDuration * Fraction(number)).picture
    }

    /// How alike frames of a lossless render are to what they must be, plane by plane.
    package func compareEffects(_ text: String, _ file: String, _ numbers: [Int], format: PixelFormat) throws
        -> [[Likeness]]
    {
        let wanted = numbers.map { "eq(n,\($0))" }.joined(separator: "+")
        let raw = try sources.witness.ffmpeg([
            "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", "select='\(wanted)'", "-f", "rawvideo",
            "-pix_fmt", format.name, "-",
        ]).standardOutput
        let size = cut.outputSize
        let frames = try Planes.split(raw, width: size.width, height: size.height, format: format)
        guard frames.count == numbers.count else { throw ToolFailure("\(frames.count) of \(numbers) in \(file)") }
        return try zip(numbers, frames).map { number, frame in
            let expected = try effectPicture(text, number, format: format)
            return (0..<3).map { frame.likeness($0, expected) }
        }
    }
}
