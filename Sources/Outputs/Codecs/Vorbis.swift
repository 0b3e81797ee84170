import MediaFacts

extension SoundCodec {
    /// Vorbis, by libvorbis, whose bit rates are those of the usual sampling rates.
    public static let vorbis = SoundCodec("vorbis", encoder: "libvorbis") {
        $0.displayName = "Vorbis"
        $0.otherNames = ["ogg", "libvorbis"]
        $0.places = [.webm: 2, .ogg: 2, .mkv: 6]
        $0.layouts = { _ in [.mono, .stereo, .three, .quad, .five, .fiveOne, .sixOne, .sevenOne] }
        $0.bitRates = .orQuality(
            { 32_000 * $0.channels...240_000 * $0.channels }, sampleRates: [44_100, 48_000], mostChannels: 2)
        // This is one of −1 to 10: about 160 kb/s in stereo. An even quality is what it is best at.
        $0.quality = 5
        $0.rateHolding = .maximum
        // It has a reservoir of two seconds.
        $0.mostDelaySeconds = 2.05
        $0.usualChannelBits = 100_000
        // These are its books.
        $0.headerBytes = 8192
        $0.longestPacket = 8192
        $0.tellsPrimingLate = true
    }
}
