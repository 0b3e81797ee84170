import ExactMath

// Colours that a file writes (texts, shapes, generators, mattes, backgrounds) mean SDR. A film in SDR has them as they
// are; into one in HDR they are brought as an SDR picture is: 100 % is 203 cd/m² (BT.2408).

extension ColourTriple {
    /// The colour in which a film of this one has the colours that its file writes.
    package var ofWrittenColours: ColourTriple { transfer.isHDR ? .bt709 : self }
}

extension Colour {
    /// The same colour as a film encodes it: components of 0…1, NaN counting as 0. Alpha stays. It costs a dozen powers
    /// in HDR, and nothing in SDR.
    package func brought(into film: ColourTriple) -> Colour {
        let curve = TransferCurve(film.transfer)
        guard curve.isHDR else { return self }
        let written = ColourTriple.bt709
        var light = [red, green, blue].map { TransferCurve.sdr.light($0 > 0 ? min($0, 1) : 0) }
        if film.primaries != written.primaries {
            light = written.primaries.matrix(to: film.primaries).applied(to: light).map { max(0, $0) }
        }
        if curve == .hlg {
            // The inverse OOTF, from the light of a display of 1,000 cd/m² to the scene's.
            let weights = film.primaries.toXYZ.rows[1]
            let white = TransferCurve.referenceWhite / TransferCurve.hdrPeak
            let luminance = zip(weights, light).reduce(0.0) { $0 + $1.0 * $1.1 } * white
            let factor = luminance > 0 ? power(luminance, 1 / TransferCurve.hlgSystemGamma - 1) * white : 0
            light = light.map { $0 * factor }
        }
        // Black stays 0: PQ's formula leaves a millionth.
        let encoded = light.map { $0 > 0 ? curve.encoded($0) : 0 }
        return Colour(red: encoded[0], green: encoded[1], blue: encoded[2], alpha: alpha)
    }
}
