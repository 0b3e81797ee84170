import MediaFacts

extension SoundCodec {
    /// Opus (RFC 6716), by libopus.
    public static let opus = SoundCodec("opus", encoder: "libopus") {
        $0.displayName = "Opus"
        $0.otherNames = ["libopus"]
        $0.places = [.webm: 1, .ogg: 1, .mp4: 4, .mkv: 4]
        $0.sampleFormat = .floats
        // libavcodec exchanges channels of Opus in 5.0 and in 6.1.
        $0.layouts = { _ in [.mono, .stereo, .three, .quad, .fiveOne, .sevenOne] + ChannelLayout.fields }
        $0.sampleRates = [48_000]
        $0.bitRates = .range { 6_000...(256_000 * $0.channels) }
        $0.usualBitRate = { 64_000 * $0.channels }
        $0.assumedBitRate = 128_000
        $0.rateHolding = .option(name: "vbr", value: "off")
        // A packet of 20 ms is the encoder's default.
        $0.frameLength = { _ in 960 }
        $0.isCutInMatroska = true
        // It has its own family of streams for sound fields.
        $0.options = { $0.channelLayout.isField ? [("mapping_family", "2")] : [] }
        // RFC 7845 asks for 80 ms.
        $0.stream.seekPreroll = 3840
        $0.copyContainers = [.mp4, .mkv, .webm]
    }
}
