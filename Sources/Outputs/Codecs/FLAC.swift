import MediaFacts

extension SoundCodec {
    /// FLAC (RFC 9639).
    public static let flac = SoundCodec("flac", encoder: "flac") {
        $0.displayName = "FLAC"
        $0.places = [.mkv: 1, .flac: 1, .ogg: 3]
        $0.isLossless = true
        $0.sampleFormat = .integers
        $0.layouts = { $0 == .ogg ? [.mono, .stereo, .fiveOne, .sevenOne] : ChannelLayout.standard }
        $0.mostExactSampleRate = 65_535
        $0.usualShare = 0.6
        $0.hasFinalHeader = true
    }
}
