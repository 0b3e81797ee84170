package import MediaTime
package import Pictures

/// A level of H.264 (Rec. ITU-T H.264, Table A-1): what a decoder of that level must cope with.
package struct H264Level {
    /// Ten times the level's number, as libavcodec has it.
    package let number: Int
    private let macroblocksPerSecond: Int
    private let macroblocksPerFrame: Int
    private let pictureBufferMacroblocks: Int
    /// The most bits a second, and the most in the buffer, both in thousands.
    private let kilobits, kilobitsBuffered: Int

    /// The levels in rising order. Level 1b is left out: nothing needs it.
    private static let all = [
        H264Level(10, 1485, 99, 396, 64, 175), H264Level(11, 3000, 396, 900, 192, 500),
        H264Level(12, 6000, 396, 2376, 384, 1000), H264Level(13, 11880, 396, 2376, 768, 2000),
        H264Level(20, 11880, 396, 2376, 2000, 2000), H264Level(21, 19800, 792, 4752, 4000, 4000),
        H264Level(22, 20250, 1620, 8100, 4000, 4000), H264Level(30, 40500, 1620, 8100, 10000, 10000),
        H264Level(31, 108_000, 3600, 18000, 14000, 14000), H264Level(32, 216_000, 5120, 20480, 20000, 20000),
        H264Level(40, 245_760, 8192, 32768, 20000, 25000), H264Level(41, 245_760, 8192, 32768, 50000, 62500),
        H264Level(42, 522_240, 8704, 34816, 50000, 62500), H264Level(50, 589_824, 22080, 110_400, 135_000, 135_000),
        H264Level(51, 983_040, 36864, 184_320, 240_000, 240_000),
        H264Level(52, 2_073_600, 36864, 184_320, 240_000, 240_000),
        H264Level(60, 4_177_920, 139_264, 696_320, 240_000, 240_000),
        H264Level(61, 8_355_840, 139_264, 696_320, 480_000, 480_000),
        H264Level(62, 16_711_680, 139_264, 696_320, 800_000, 800_000),
    ]

    private init(
        _ number: Int, _ perSecond: Int, _ perFrame: Int, _ buffered: Int, _ kilobits: Int, _ kilobitsBuffered: Int
    ) {
        self.number = number
        macroblocksPerSecond = perSecond
        macroblocksPerFrame = perFrame
        pictureBufferMacroblocks = buffered
        (self.kilobits, self.kilobitsBuffered) = (kilobits, kilobitsBuffered)
    }

    /// The most bits of the level; `factor` is `VideoSettings.bitsOfH264Level`.
    func limit(_ factor: Int) -> RateLimit {
        RateLimit(rate: kilobits * factor, buffer: kilobitsBuffered * factor)
    }

    /// The number of frames that a decoder must be able to hold, so that B-frames can refer to B-frames.
    private static let heldFrames = 4

    /// The lowest level for a size and a rate (and `heldFrames`), the highest there is where none suffices.
    static func lowest(for settings: VideoSettings, frameDuration: MediaTime) -> H264Level {
        let size = settings.size
        let macroblocks = macroblocks(size)
        let perSecond = Rational(macroblocks) / Rational(frameDuration)
        let longestSide = max((size.width + 15) / 16, (size.height + 15) / 16)
        return all.first { level in
            macroblocks <= level.macroblocksPerFrame && perSecond <= Rational(level.macroblocksPerSecond)
                && longestSide * longestSide <= 8 * level.macroblocksPerFrame
                && macroblocks * heldFrames <= level.pictureBufferMacroblocks
                && settings.fits(level.limit(settings.bitsOfH264Level))
        } ?? all[all.count - 1]
    }

    package static var numbers: [Int] { all.map(\.number) }

    /// The level of that number; nil for none.
    package init?(number: Int) {
        guard let known = Self.all.first(where: { $0.number == number }) else { return nil }
        self = known
    }

    /// The number of reference frames that the level allows at that size, 1…16.
    package func mostReferences(_ size: PixelSize) -> Int {
        max(1, min(16, pictureBufferMacroblocks / max(1, Self.macroblocks(size))))
    }

    private static func macroblocks(_ size: PixelSize) -> Int { ((size.width + 15) / 16) * ((size.height + 15) / 16) }
}

extension VideoSettings {
    /// The number of bits that a level's table calls one for this profile: Rec. ITU-T H.264, table A-2.
    var bitsOfH264Level: Int {
        switch profile {
        case "baseline", "main": return 1000
        case "high10": return 3000
        case "high422", "high444": return 4000
        default:
            guard format.chromaShift.x == 1, format.chromaShift.y == 1 else { return 4000 }
            return format.bitDepth > 8 ? 3000 : 1250
        }
    }

    /// The lowest level that suffices for size, frame rate and bit rate. Settings alone decide, so that all chunks of a
    /// film agree.
    package func lowestH264Level(frameDuration: MediaTime) -> H264Level {
        H264Level.lowest(for: self, frameDuration: frameDuration)
    }
}
