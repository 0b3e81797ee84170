package import CFFmpeg
package import Diagnostics

/// The formats and codecs that are read: those that films, sound and pictures are kept in. All others that this libav
/// happens to know are refused by their names: vector drawings, which cost what their author likes, text shown as a
/// picture, playlists and other formats that open further files, subtitles, game formats, devices.
package enum ReadableMedia {
    package static let formatList = formats.joined(separator: ",")
    package static let decoderList = decoders.joined(separator: ",")

    /// Whether a decoder of that name (libavcodec's `AVCodec.name`) may be opened.
    package static func isDecoder(_ name: String) -> Bool { known.contains(name) }

    /// Whether files of a demuxer of that name (libavformat's `AVInputFormat.name`, names with commas between them) are
    /// read: one of its names is in the list, as libavformat's own look at `formatList` has it.
    package static func isFormat(_ names: String) -> Bool {
        names.split(separator: ",").contains { knownFormats.contains(String($0)) }
    }

    private static let known = Set(decoders)
    private static let knownFormats = Set(formats)

    /// One name of each format, as in `ffmpeg -demuxers`.
    private static let formats =
        films + sounds + rawStreams + pictures
    private static let films = [
        "3gp", "mov", "matroska", "webm", "avi", "mpegts", "mpeg", "flv", "live_flv", "asf", "ogg", "mxf", "gxf", "nut",
        "ivf", "rm", "dv", "yuv4mpegpipe", "lxf", "wtv", "nsv",
    ]
    private static let sounds = [
        "wav", "w64", "aiff", "au", "caf", "flac", "mp3", "aac", "ac3", "eac3", "dts", "dtshd", "truehd", "mlp", "amr",
        "amrnb", "amrwb", "ape", "wv", "tta", "tak", "mpc", "mpc8", "shn", "dsf", "iff", "loas", "gsm", "oma", "voc",
        "ircam", "sox", "rso", "xwma",
    ]
    private static let rawStreams = [
        "h261", "h263", "h264", "hevc", "m4v", "mpegvideo", "mjpeg", "mpjpeg", "vc1", "vc1test", "av1", "obu", "dirac",
        "dnxhd", "cavsvideo",
    ]
    private static let pictures = [
        "gif", "apng", "ico", "image2pipe", "bmp_pipe", "dds_pipe", "dpx_pipe", "exr_pipe", "gif_pipe", "j2k_pipe",
        "jpeg_pipe", "jpegls_pipe", "jpegxl_pipe", "pam_pipe", "pbm_pipe", "pcx_pipe", "pfm_pipe", "pgm_pipe",
        "pgmyuv_pipe", "phm_pipe", "png_pipe", "ppm_pipe", "psd_pipe", "qoi_pipe", "sgi_pipe", "sunrast_pipe",
        "tiff_pipe", "webp_pipe", "xwd_pipe",
    ]

    private static let decoders = filmCodecs + pictureCodecs + soundCodecs + pcm
    private static let filmCodecs = [
        "libdav1d", "libaom-av1", "av1", "h261", "h263", "h263i", "h263p", "h264", "hevc", "mpeg1video", "mpeg2video",
        "mpegvideo", "mpeg4", "msmpeg4v1", "msmpeg4v2", "msmpeg4", "wmv1", "wmv2", "wmv3", "vc1", "vp3", "vp4", "vp5",
        "vp6", "vp6a", "vp6f", "vp7", "vp8", "libvpx", "vp9", "libvpx-vp9", "theora", "dirac", "cavs", "prores",
        "dnxhd", "cfhd", "mjpeg", "mjpegb", "amv", "sp5x", "dvvideo", "ffv1", "ffvhuff", "huffyuv", "utvideo",
        "magicyuv", "lagarith", "qtrle", "rawvideo", "v210", "v210x", "v308", "v408", "v410", "r10k", "r210", "ayuv",
        "y41p", "yuv4", "avrp", "avui", "bitpacked", "cinepak", "svq1", "svq3", "indeo2", "indeo3", "indeo4", "indeo5",
        "msvideo1", "msrle", "rpza", "smc", "8bps", "flv", "flashsv", "flashsv2", "rv10", "rv20", "rv30", "rv40",
        "hap", "snow", "camtasia", "tscc2", "zmbv", "mss1", "mss2", "speedhq", "notchlc", "aic", "pixlet", "hq_hqa",
        "hqx", "cllc", "dxv", "zlib", "mszh", "fraps", "asv1", "asv2", "aasc", "cyuv",
    ]
    private static let pictureCodecs = [
        "apng", "bmp", "dds", "dpx", "exr", "gif", "jpeg2000", "libopenjpeg", "jpegls", "libjxl", "pam", "pbm", "pcx",
        "pfm", "pgm", "pgmyuv", "phm", "png", "ppm", "psd", "qoi", "sgi", "sunrast", "targa", "tiff", "webp", "xwd",
    ]
    private static let soundCodecs = [
        "aac", "aac_latm", "ac3", "eac3", "alac", "als", "amrnb", "amrwb", "ape", "atrac1", "atrac3", "atrac3plus",
        "cook", "dca", "dsd_lsbf", "dsd_lsbf_planar", "dsd_msbf", "dsd_msbf_planar", "dvaudio", "flac", "g722", "g726",
        "g726le", "gsm", "gsm_ms", "libgsm", "libgsm_ms", "ilbc", "mace3", "mace6", "mlp", "mp1", "mp1float", "mp2",
        "mp2float", "mp3", "mp3float", "mpc7", "mpc8", "nellymoser", "opus", "libopus", "qcelp", "qdm2", "qdmc",
        "real_144", "real_288", "s302m", "shorten", "sipr", "speex", "libspeex", "tak", "truehd", "tta", "vorbis",
        "libvorbis", "wavpack", "wmalossless", "wmapro", "wmav1", "wmav2", "wmavoice", "8svx_exp", "8svx_fib",
    ]
    private static let pcm =
        [
            "alaw", "bluray", "dvd", "f16le", "f24le", "f32be", "f32le", "f64be", "f64le", "lxf", "mulaw", "s16be",
            "s16be_planar", "s16le", "s16le_planar", "s24be", "s24daud", "s24le", "s24le_planar", "s32be", "s32le",
            "s32le_planar", "s64be", "s64le", "s8", "s8_planar", "u16be", "u16le", "u24be", "u24le", "u32be", "u32le",
            "u8", "vidc",
        ].map { "pcm_" + $0 }
        + ["ima_qt", "ima_wav", "ms", "swf", "yamaha", "ct", "adx"].map { "adpcm_" + $0 }

    /// The formats of text, and those that libavformat takes text for.
    private static let text: Set<String> = [
        "tty", "bin", "xbin", "idf", "adf", "ass", "srt", "webvtt", "ffmetadata", "aqtitle", "jacosub", "microdvd",
        "mpl2", "mpsub", "pjs", "realtext", "sami", "scc", "stl", "subviewer", "subviewer1", "tedcaptions", "vplayer",
        "lrc", "mcc", "sbg",
    ]
    private static let references: Set<String> = [
        "concat", "concatf", "hls", "dash", "imf", "sdp", "rtsp", "rtp", "image2", "lavfi", "vapoursynth", "avisynth",
        "webm_dash_manifest",
    ]

    /// Whether these first bytes of a file are words: UTF-8 (but for a last character that was cut) without control
    /// characters.
    package static func isText(_ head: [UInt8]) -> Bool {
        let isControl = head.contains { $0 < 32 && ![9, 10, 12, 13, 27].contains($0) }
        return !head.isEmpty && !isControl
            && (0..<min(4, head.count)).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }

    /// The error for a file of a format that is not read; `name` is the demuxer's first, empty for plain text.
    package static func refusal(ofFormat name: String, path: String) -> SplitreelError {
        let name = String(name.prefix { $0 != "," })
        var error = SplitreelError(
            .mediaUnsupported, operation: "opening", subject: path,
            reason: "its format, \(name), is not one that is read",
            hint: "`splitreel error 20006` tells what is read: make a film, sound or picture file of it first")
        if name.isEmpty || text.contains(name) {
            error.reason = "it is text\(name.isEmpty ? "" : " (\(name))"), not media"
            if ["srt", "webvtt", "ass"].contains(name) {
                error.hint = "say \"kind\": \"subtitles\" of an asset whose cues are to be shown"
            }
        } else if references.contains(name) {
            error.reason = "its format, \(name), names other files, devices or addresses"
            error.hint = "only files that hold their media themselves are read: make one file of it first"
        } else if name.hasPrefix("svg") {
            error.reason = "its format, svg_pipe, is a drawing, not a picture"
            error.hint = "make a PNG of it first"
        }
        return error
    }

    /// The name of a track's codec: libavcodec's, or the file's own four characters where libavcodec has none; empty
    /// without.
    package static func codecName(_ parameters: AVCodecParameters) -> String {
        if parameters.codec_id != AV_CODEC_ID_NONE { return parameters.codec_id.name }
        let tag = (0..<4).map { UInt8(truncatingIfNeeded: parameters.codec_tag >> (8 * $0)) }
        guard tag.allSatisfy({ (33...126).contains($0) }) else { return "" }
        return String(decoding: tag, as: UTF8.self)
    }
}
