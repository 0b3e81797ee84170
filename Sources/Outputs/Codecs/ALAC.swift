import MediaFacts

extension SoundCodec {
    /// Apple Lossless.
    public static let alac = SoundCodec("alac", encoder: "alac") {
        $0.displayName = "ALAC"
        $0.otherNames = ["applelossless"]
        // Matroska is left out: its packets do not tell there how long they are.
        $0.places = [.mp4: 2, .mov: 2, .m4a: 2]
        $0.isLossless = true
        $0.sampleFormat = .planarIntegers
        // Its 7.1 is another layout than the standard one.
        $0.channelCounts = [1, 2, 6]
        $0.layouts = { _ in [.mono, .stereo, .three, .four, .five, .fiveOne, .sixOneBack, .sevenOneWide] }
        $0.usualShare = 0.6
        $0.stream.codedBits = 24
        $0.segmentTag = .code("alac")
    }
}
