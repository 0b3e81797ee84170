import MediaFacts

extension SoundCodec {
    /// Samples as they are, of 24 bits.
    public static let pcm = SoundCodec("pcm", encoder: "pcm_s24le", libav: "pcm_s24le") {
        $0.displayName = "PCM"
        $0.otherNames = ["wav", "wave", "lpcm", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le"]
        $0.places = [.mxf: 1, .wav: 1, .nut: 1, .waveform: 1, .mkv: 3, .mov: 4]
        $0.isLossless = true
        $0.isUncompressed = true
        $0.sampleFormat = .integers
        $0.layouts = { container in
            switch container {
            case .mov: ChannelLayout.standard
            // These are written without names of channels.
            case .wav, .waveform: ChannelLayout.allCases
            case .mkv: [.mono, .stereo, .fiveOne, .sevenOne] + ChannelLayout.fields
            default: [.mono, .stereo, .fiveOne, .sevenOne]
            }
        }
        $0.stream.codedBits = 24
    }
}
