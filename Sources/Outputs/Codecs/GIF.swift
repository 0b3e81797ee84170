extension PictureCodec {
    /// GIF: the palette is made of all chunks, and the pictures after it.
    public static let gif = PictureCodec("gif", encoder: "gif") {
        $0.places = [.gif: 1]
        $0.formats = [.yuv444p]
        $0.highDynamicRange = .deep
        $0.usualBits = .of { _ in 3 }
        $0.isIntraOnly = true
        $0.isMadeOfFFV1 = true
        $0.isMadeAtEnd = true
        $0.encodeAsFFV1()
    }
}
