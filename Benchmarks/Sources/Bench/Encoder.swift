/// What films and their sources are encoded as, in the words of splitreel and of ffmpeg.
struct Encoder {
    var name: String
    var pixelFormat: String
    /// Options of `splitreel render`; none where it does so by itself.
    var ours: [String]
    /// ffmpeg's encoder with the same settings and the same key frames.
    var words: [String]
    /// What one worker's encoder has besides.
    var alone: [String]
    var sourceWords: [String]
    /// The end of the filters of a source: its colours.
    var sourceColours: String

    static let h264 = Encoder(
        name: "x264 medium crf 20", pixelFormat: "yuv420p", ours: [],
        words: ["-c:v", "libx264", "-preset", "medium", "-crf", "20", "-g", "60"],
        alone: ["-threads", "1", "-x264-params", "stitchable=1:cpu-independent=1"],
        sourceWords: ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"],
        sourceColours: "scale=out_color_matrix=bt709,"
            + "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709")

    /// HLG in 10 bits; x265 opens no GOP at its end, as ours does not.
    static let hevcHLG = Encoder(
        name: "x265 ultrafast crf 24 in 10 bits", pixelFormat: "yuv420p10le",
        ours: ["--video-codec", "hevc", "--encoder-preset", "ultrafast", "--crf", "24"],
        words: [
            "-c:v", "libx265", "-preset", "ultrafast", "-crf", "24", "-g", "60", "-x265-params",
            "no-open-gop=1:log-level=none", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1",
        ], alone: [],
        sourceWords: [
            "-c:v", "libx265", "-preset", "ultrafast", "-crf", "20", "-x265-params", "log-level=none", "-tag:v", "hvc1",
        ],
        sourceColours: "scale=out_color_matrix=bt2020,format=yuv420p10le,"
            + "setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=arib-std-b67")
}
