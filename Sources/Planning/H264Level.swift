package import MediaTime
package import Pictures

/// A level of H.264 (Rec. ITU-T H.264, Table A-1): what a decoder of that level must cope with.
package struct H264Level {
    /// Ten times the level's number, as libavcodec has it.
    package let number: Int
    private let macroblocksPerSecond: Int
    private let macroblocksPerFrame: Int
    private let pictureBufferMacroblocks: Int

    /// Level 1b is left out: nothing needs it.
    private static let table = [
        H264Level(10, 1485, 99, 396), H264Level(11, 3000, 396, 900), H264Level(12, 6000, 396, 2376),
        H264Level(13, 11880, 396, 2376), H264Level(20, 11880, 396, 2376), H264Level(21, 19800, 792, 4752),
        H264Level(22, 20250, 1620, 8100), H264Level(30, 40500, 1620, 8100), H264Level(31, 108_000, 3600, 18000),
        H264Level(32, 216_000, 5120, 20480), H264Level(40, 245_760, 8192, 32768),
        H264Level(42, 522_240, 8704, 34816), H264Level(50, 589_824, 22080, 110_400),
        H264Level(51, 983_040, 36864, 184_320), H264Level(52, 2_073_600, 36864, 184_320),
        H264Level(60, 4_177_920, 139_264, 696_320), H264Level(61, 8_355_840, 139_264, 696_320),
    ]
    private static let highest = H264Level(62, 16_711_680, 139_264, 696_320)

    private init(_ number: Int, _ perSecond: Int, _ perFrame: Int, _ buffered: Int) {
        self.number = number
        macroblocksPerSecond = perSecond
        macroblocksPerFrame = perFrame
        pictureBufferMacroblocks = buffered
    }

    /// Frames that a decoder must be able to hold, so that B-frames can refer to B-frames.
    private static let heldFrames = 4

    /// The lowest level for a size and a rate (and `heldFrames`), the highest there is where none suffices. Settings
    /// alone decide, so that all chunks of a film agree.
    package static func lowest(for size: PixelSize, frameDuration: MediaTime) -> H264Level {
        let macroblocks = macroblocks(size)
        let perSecond = Rational(macroblocks) / Rational(frameDuration)
        let longestSide = max((size.width + 15) / 16, (size.height + 15) / 16)
        return table.first { level in
            macroblocks <= level.macroblocksPerFrame && perSecond <= Rational(level.macroblocksPerSecond)
                && longestSide * longestSide <= 8 * level.macroblocksPerFrame
                && macroblocks * heldFrames <= level.pictureBufferMacroblocks
        } ?? highest
    }

    /// As level 4, but for bit rates.
    private static let level41 = H264Level(41, 245_760, 8192, 32768)
    private static var all: [H264Level] { table + [level41, highest] }

    static var numbers: [Int] { all.map(\.number).sorted() }

    /// The level of that number; nil for none.
    package init?(number: Int) {
        guard let known = Self.all.first(where: { $0.number == number }) else { return nil }
        self = known
    }

    /// How many reference frames the level allows at that size, 1…16.
    package func mostReferences(_ size: PixelSize) -> Int {
        max(1, min(16, pictureBufferMacroblocks / max(1, Self.macroblocks(size))))
    }

    private static func macroblocks(_ size: PixelSize) -> Int { ((size.width + 15) / 16) * ((size.height + 15) / 16) }
}
