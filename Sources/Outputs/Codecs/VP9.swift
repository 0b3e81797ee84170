extension PictureCodec {
    /// VP9, by libvpx.
    public static let vp9 = PictureCodec("vp9", encoder: "libvpx-vp9") {
        $0.otherNames = ["vp8", "vpx", "vp09", "libvpx", "libvpx-vp9"]
        $0.places = [.webm: 1, .mpd: 3, .mp4: 4, .mkv: 4]
        $0.formats = WorkingFormat.allCases.filter { !$0.hasAlpha || $0 == .yuva420p }
        $0.presets.known = (0...8).map(String.init)
        $0.presets.fallback = "4"
        $0.qualities = Qualities(range: 0...63, fallback: 31, areWhole: true)
        $0.takesBitRate = true
        $0.usualBits = .halving(0.06, every: 9)
        // A frame that is shown later is kept in the packet of one that is shown now: nothing is reordered.
        $0.options = { settings, _ in
            [
                ("deadline", "good"), ("cpu-used", settings.preset), ("row-mt", "0"), ("auto-alt-ref", "1"),
                ("lag-in-frames", "25"),
            ] + settings.rateOptions
        }
        $0.memory = { _ in EncoderMemory(margin: 320, pictures: 55) }
        // Matroska's header tells of the picture without its alpha, which stands beside it.
        $0.isAlphaBeside = true
        $0.decodedFormat = { $0.format.withoutAlpha.rawValue }
    }
}
