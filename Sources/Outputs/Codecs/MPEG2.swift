import MediaTime
import Pictures

extension PictureCodec {
    /// MPEG-2 (ISO/IEC 13818-2). Its readers want a key frame every half second.
    public static let mpeg2 = PictureCodec("mpeg2", encoder: "mpeg2video", libav: "mpeg2video") {
        $0.otherNames = ["mpeg-2", "mpeg2video", "m2v", "h262", "h.262"]
        $0.places = [.mxf: 3, .mp4: 6, .mov: 7, .mkv: 9]
        $0.formats = [.yuv420p, .yuv422p]
        $0.qualities = Qualities(range: 2...31, fallback: 3, areQuantisers: true)
        $0.highDynamicRange = .deep
        $0.leastSize = PixelSize(width: 16, height: 16)
        $0.mostSize = PixelSize(width: 16383, height: 16383)
        $0.rates = [
            Rational(24000, 1001), Rational(24), Rational(25), Rational(30000, 1001), Rational(30), Rational(50),
            Rational(60000, 1001), Rational(60),
        ]
        $0.takesBitRate = true
        $0.limitedRate = LimitedRate(mayRunDry: true, isToldInPackets: true)
        $0.overshootsInShort = true
        $0.usualBits = .of { 1.5 / ($0.crf ?? 3) }
        $0.keyFrameShare = 4
        $0.bFrames = { _ in 2 }
        $0.reorderDepth = 1
        // The encoder cannot have closed groups and begin one where the scene changes.
        $0.options = { _, _ in [("sc_threshold", "1000000000")] }
    }
}
