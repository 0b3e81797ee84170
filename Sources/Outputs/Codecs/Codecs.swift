// The lists of all codecs, in the order in which people are told of them. A new codec is a file beside this one, and a
// name in one of these lists.

extension PictureCodec {
    package static let all: [PictureCodec] = [
        .h264, .hevc, .av1, .vp9, .prores, .dnxhr, .ffv1, .mjpeg, .mpeg2, .gif, .webp, .png, .tiff, .exr, .raw,
    ]

    /// The codecs of films, among which one can choose; other outputs have one each.
    package static let ofFilms = all.filter { $0.places.keys.contains { $0.kind == .film } }
}

extension SoundCodec {
    package static let all: [SoundCodec] = [.aac, .flac, .pcm, .opus, .alac, .mp3, .vorbis]
}
