package import CFFmpeg
internal import Diagnostics
package import MediaTime

/// A frame's duration in libav's terms, in seconds and lowest terms. Throws `.settingsImpossible` where it does not
/// fit.
package func frameTimeBase(_ frameDuration: MediaTime) throws -> AVRational {
    guard frameDuration.isNumeric, frameDuration.value > 0 else {
        throw impossibleRate(frameDuration)
    }
    let exact = Rational(frameDuration)
    guard let numerator = Int32(exactly: exact.numerator), let denominator = Int32(exactly: exact.denominator) else {
        throw impossibleRate(frameDuration)
    }
    return AVRational(num: numerator, den: denominator)
}

private func impossibleRate(_ frameDuration: MediaTime) -> SplitreelError {
    SplitreelError(
        .settingsImpossible, operation: "setting up the encoder", subject: "frame duration \(frameDuration)",
        reason: "numerator and denominator must be whole and below 2^31")
}
