package import MediaTime
import Pictures

/// A level of HEVC (Rec. ITU-T H.265, tables A.8 and A.9), main tier.
package struct HEVCLevel {
    package let number: Int
    private let samples: Int
    private let samplesPerSecond: Int
    /// The most bits a second in thousands, and the most in the buffer, which is the same but for the lowest level.
    private let kilobits: Int

    package static let all = [
        HEVCLevel(10, 36_864, 552_960, 128), HEVCLevel(20, 122_880, 3_686_400, 1500),
        HEVCLevel(21, 245_760, 7_372_800, 3000), HEVCLevel(30, 552_960, 16_588_800, 6000),
        HEVCLevel(31, 983_040, 33_177_600, 10000), HEVCLevel(40, 2_228_224, 66_846_720, 12000),
        HEVCLevel(41, 2_228_224, 133_693_440, 20000), HEVCLevel(50, 8_912_896, 267_386_880, 25000),
        HEVCLevel(51, 8_912_896, 534_773_760, 40000), HEVCLevel(52, 8_912_896, 1_069_547_520, 60000),
        HEVCLevel(60, 35_651_584, 1_069_547_520, 60000), HEVCLevel(61, 35_651_584, 2_139_095_040, 120_000),
        HEVCLevel(62, 35_651_584, 4_278_190_080, 240_000),
    ]

    private init(_ number: Int, _ samples: Int, _ samplesPerSecond: Int, _ kilobits: Int) {
        self.number = number
        self.samples = samples
        self.samplesPerSecond = samplesPerSecond
        self.kilobits = kilobits
    }

    /// The most bits of the level; `factor` is `VideoSettings.bitsOfHEVCLevel`.
    func limit(_ factor: Int) -> RateLimit {
        RateLimit(rate: kilobits * factor, buffer: max(350, kilobits) * factor)
    }

    /// The number of the lowest level for size, frame rate and bit rate; the highest where none suffices.
    package static func lowest(for settings: VideoSettings, frameDuration: MediaTime) -> Int {
        let fitting = fitting(settings.size, frameDuration).first { settings.fits($0.limit(settings.bitsOfHEVCLevel)) }
        return fitting?.number ?? 62
    }

    /// The levels that have room for such pictures, at such a rate of frames. They are coded in blocks of 8×8.
    static func fitting(_ size: PixelSize, _ frameDuration: MediaTime) -> [HEVCLevel] {
        let (width, height) = ((size.width + 7) / 8 * 8, (size.height + 7) / 8 * 8)
        let count = width * height
        let longest = max(width, height)
        return all.filter {
            count <= $0.samples && longest * longest <= 8 * $0.samples
                && Rational(count) / Rational(frameDuration) <= Rational($0.samplesPerSecond)
        }
    }
}

extension VideoSettings {
    /// The number of bits that a level's table calls one for this pixel format: Rec. ITU-T H.265, table A.10.
    var bitsOfHEVCLevel: Int {
        switch (format.chromaShift.x, format.chromaShift.y) {
        case (1, 1): 1000
        case (1, _): 1667
        default: format.bitDepth > 8 ? 2500 : 2000
        }
    }

    /// The level that x265 is told where the film's rate is limited: it would choose by a chunk's part of the limit,
    /// and chunks of one film would differ. nil where there is no limit, for x265 would make one of the level, and
    /// where no level takes such pictures. x265 takes the figures of 4:2:0 in 8 bits for every profile.
    func stableHEVCLevel(frameDuration: MediaTime) -> Int? {
        guard rateLimit != nil else { return nil }
        let levels = HEVCLevel.fitting(size, frameDuration)
        return (levels.first { fits($0.limit(1000)) } ?? levels.last)?.number
    }
}
