import MediaFacts

extension SoundCodec {
    /// AAC-LC (ISO/IEC 14496-3), by libavcodec's own encoder.
    public static let aac = SoundCodec("aac", encoder: "aac") {
        $0.displayName = "AAC"
        $0.otherNames = ["mp4a", "aac-lc", "aac_lc", "he-aac", "fdk_aac", "libfdk_aac"]
        $0.places = [.mp4: 1, .mov: 1, .m4a: 1, .m3u8: 1, .mpd: 1, .mkv: 2]
        $0.layouts = { _ in [.mono, .stereo, .three, .four, .five, .fiveOne, .sevenOne] }
        // The sampling frequencies that a stream can name (table 1.18), from 8 kHz.
        $0.sampleRates = [
            8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
        ]
        // A frame of 1024 samples holds at most 6144 bits for each channel.
        $0.bitRates = .range { 8_000...(6 * $0.sampleRate * $0.channels) }
        // The channels of 5.1 and 7.1 share more.
        $0.usualBitRate = { shape in
            let usual = (shape.channels <= 2 ? 96_000 : 64_000) * shape.channels
            return min(usual, 6 * shape.sampleRate * shape.channels)
        }
        $0.assumedBitRate = 192_000
        $0.frameLength = { _ in 1024 }
        $0.untoldPriming = 1024
        $0.copyContainers = [.mp4, .mov, .m4a]
        // Blocks overlap by half.
        $0.copyLead = 1
        // FF_PROFILE_AAC_LOW
        $0.stream.profile = 1
    }
}
