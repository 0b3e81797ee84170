import MediaFacts

extension SoundCodec {
    /// MP3 (ISO/IEC 11172-3 and 13818-3), by LAME.
    public static let mp3 = SoundCodec("mp3", encoder: "libmp3lame") {
        $0.displayName = "MP3"
        $0.otherNames = ["lame", "libmp3lame", "mpga"]
        $0.places = [.mp3: 1, .mp4: 3, .mov: 3, .mkv: 5]
        $0.channelCounts = [1, 2]
        $0.layouts = { _ in [.mono, .stereo] }
        $0.sampleRates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        $0.leastSampleRates = [.mp4: 16_000]
        // The rates that a frame can name.
        $0.bitRates = .list { shape in
            let kilobits =
                switch shape.sampleRate {
                case 32_000...: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
                case 16_000...: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
                default: [8, 16, 24, 32, 40, 48, 56, 64]
                }
            return kilobits.map { $0 * 1000 }
        }
        $0.usualBitRate = { shape in
            let ofChannel = shape.sampleRate >= 32_000 ? 96_000 : shape.sampleRate >= 16_000 ? 64_000 : 32_000
            return ofChannel * shape.channels
        }
        $0.assumedBitRate = 192_000
        // A frame has half as many samples below 32 kHz.
        $0.frameLength = { $0 >= 32_000 ? 1152 : 576 }
        $0.endsWithEmptyPackets = true
        // LAME's delay, with that of decoders.
        $0.untoldPriming = 1105
    }
}
