import Pictures

extension PictureCodec {
    /// Motion JPEG, and sequences of JPEG. Its encoder has no rate control worth the name, and its frames are cheap to
    /// render again: it takes no bit rate.
    public static let mjpeg = PictureCodec("mjpeg", encoder: "mjpeg") {
        $0.otherNames = ["jpeg", "jpg", "motionjpeg", "mjpg"]
        $0.places = [.jpg: 1, .mp4: 5, .mov: 6, .mkv: 8]
        $0.samples = .fullRange
        $0.formats = [.yuv420p, .yuv422p, .yuv444p]
        $0.qualities = Qualities(range: 2...31, fallback: 3, areQuantisers: true)
        $0.highDynamicRange = .deep
        $0.matrix = .bt601
        $0.usualBits = .of { 4.5 / ($0.crf ?? 3) }
        $0.isIntraOnly = true
        $0.hasClosedGroups = false
        $0.options = { _, _ in [("huffman", "optimal")] }
        $0.decodedFormat = { "yuvj" + $0.format.rawValue.dropFirst(3) }
    }
}
