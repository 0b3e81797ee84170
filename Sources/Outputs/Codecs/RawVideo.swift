extension PictureCodec {
    /// Frames as they are.
    public static let raw = PictureCodec("rawvideo", encoder: "rawvideo") {
        $0.places = [.y4m: 1, .nut: 1]
        $0.formats = WorkingFormat.allCases.filter { !$0.hasAlpha || $0 == .yuva444p10 }
        $0.usualBits = .of { settings in
            let format = settings.format
            let samples = 1 + 2 / Double(1 << (format.chromaShift.x + format.chromaShift.y)) + (format.hasAlpha ? 1 : 0)
            return samples * (format.bitDepth > 8 ? 16 : 8)
        }
        $0.isIntraOnly = true
        $0.isMadeOfFFV1 = true
        $0.encodeAsFFV1()
        $0.stream = { _, _ in StreamFacts(tag: .ofPixelFormat) }
        $0.tellsColour = false
    }
}
