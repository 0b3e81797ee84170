internal import CFFmpeg
internal import CHeif
internal import CWebP
internal import Glibc

/// The versions of everything outside of this program that decides how pictures and sound come out, one text each:
/// `libavcodec 59.37.100`, `x264 164`. Two machines that agree on all of them make the same segments.
package func libraryVersions() -> [String] {
    let libav: [(String, UInt32?)] = [
        ("libavcodec", avcodec_version()), ("libavfilter", FilterLibrary.version),
        ("libavformat", avformat_version()), ("libavutil", avutil_version()),
        ("libswresample", swresample_version()), ("libswscale", swscale_version()),
    ]
    // These libraries' numbers have a byte where libav's have sixteen bits.
    let pictures = [("libheif", heif_get_version_number() >> 8), ("libwebp", UInt32(WebPGetDemuxVersion()))]
    let encoders: [(String, String?)] = [
        ("aom", text(ofFunction: "aom_codec_version_str")), ("lame", text(ofFunction: "get_lame_version")),
        ("opus", text(ofFunction: "opus_get_version_string")),
        ("SVT-AV1", text(ofFunction: "svt_av1_get_version")), ("vorbis", text(ofFunction: "vorbis_version_string")),
        ("vpx", text(ofFunction: "vpx_codec_version_str")), ("x264", x264Build().map(String.init)),
        ("x265", text(ofVariable: "x265_version_str")),
    ]
    return libav.compactMap { name, version in version.map { (name, $0) } }
        .map { name, version in "\(name) \(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)" }
        + pictures.map { name, version in "\(name) \(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)" }
        + encoders.compactMap { name, version in version.map { "\(name) \($0)" } }
}

// The encoders' libraries come with libavcodec's and are asked by name: this program is not linked against them.

/// The build of x264, which stands only in the name of the function that opens an encoder.
private func x264Build() -> Int? {
    (100..<400).first { unsafe dlsym(nil, "x264_encoder_open_\($0)") != nil }
}

/// The text in a variable `const char *const NAME`; nil where no loaded library has it.
private func text(ofVariable name: String) -> String? {
    guard let symbol = unsafe dlsym(nil, name) else { return nil }
    return unsafe symbol.load(as: UnsafePointer<CChar>?.self).map { unsafe String(cString: $0) }
}

/// The text of a function `const char *NAME(void)`; nil where no loaded library has it.
private func text(ofFunction name: String) -> String? {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    guard let symbol = unsafe dlsym(nil, name) else { return nil }
    return unsafe unsafeBitCast(symbol, to: Function.self)().map { unsafe String(cString: $0) }
}
