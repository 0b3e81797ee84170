import Pictures

extension VideoFacts {
    /// The bytes that a decoder holds, about. It keeps reference frames and frames that wait for their turn, of 4:2:0
    /// as a rule: some twelve; of pictures larger than 1920×1088 some eight, since levels allow fewer references of
    /// these. Seventeen more where pull-down is removed.
    package func decoderBytes(removesPulldown: Bool) -> Int {
        let pixels = codedSize.width * codedSize.height
        let pictures = (pixels > 1920 * 1088 ? 8 : 12) + (removesPulldown ? 17 : 0)
        return pictures * pixels * 3 / 2 * (bitDepth > 8 ? 2 : 1)
    }

    /// The most bytes of a decoded picture: four planes, as alpha has.
    package var pictureBytes: Int { 4 * codedSize.width * codedSize.height * (bitDepth > 8 ? 2 : 1) }
}
