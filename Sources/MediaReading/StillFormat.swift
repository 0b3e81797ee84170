internal import CFFmpeg
internal import Libav
internal import SplitreelFiles

/// Chooses the demuxer of files that libavformat would take for an image sequence because of their name: one with a
/// still's extension, whether or not it holds the characters of a pattern. The content decides instead, and nothing
/// but that one file is read.
enum StillFormat {
    /// The demuxer for a still's file; nil where libavformat's own choice is right.
    static func demuxer(of source: any MediaSource) -> UnsafePointer<AVInputFormat>? {
        guard let byName = unsafe probe([0], name: InputBytes.address(source.name)).format,
            unsafe name(of: byName) == "image2"
        else { return nil }
        let head = source.head(headLength)
        if head.starts(with: [0xFF, 0xD8, 0xFF]), head.count > 3, head[3] != Self.lossless {
            return unsafe av_find_input_format("jpeg_pipe")
        }
        let (byContent, score) = unsafe probe(head, name: "")
        if let byContent = unsafe byContent, unsafe isOfStills(byContent) || score > surely {
            return unsafe byContent
        }
        // Formats without a mark of their own, such as Targa: the extension tells the codec.
        return unsafe av_find_input_format("image2pipe")
    }

    /// Whether a demuxer reads single pictures. Their whole file is one packet: bytes after the picture, such as the
    /// second picture of a photograph with a gain map, are not a second frame.
    static func isOfStills(_ format: UnsafePointer<AVInputFormat>) -> Bool {
        let name = unsafe name(of: format)
        return name.hasSuffix("_pipe") || name == "image2pipe"
    }

    /// The marker that follows the start of the picture in JPEG-LS.
    private static let lossless: UInt8 = 0xF7
    /// The score below which libavformat itself wants to see more of a file.
    private static let surely: Int32 = 25
    private static let headLength = 1 << 16

    private static func name(of format: UnsafePointer<AVInputFormat>) -> String {
        unsafe String(cString: format.pointee.name)
    }

    /// libavformat's best guess of the format, and its score, 0 to 100. An empty name leaves it the bytes alone.
    private static func probe(_ bytes: [UInt8], name: String) -> (format: UnsafePointer<AVInputFormat>?, score: Int32) {
        var padded = bytes + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
        var score: Int32 = 0
        var format: UnsafePointer<AVInputFormat>?
        unsafe padded.withUnsafeMutableBufferPointer { buffer in
            unsafe name.withCString { text in
                var data = unsafe AVProbeData()
                unsafe data.filename = text
                unsafe data.buf = buffer.baseAddress
                unsafe data.buf_size = Int32(bytes.count)
                unsafe format = av_probe_input_format3(&data, 1, &score)
            }
        }
        return unsafe (format, score)
    }
}
