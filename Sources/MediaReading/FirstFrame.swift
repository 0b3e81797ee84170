internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaFacts
internal import SplitreelFiles

/// The first frame that a track's decoder gives.
enum FirstFrame {
    /// Decodes the first frame. Throws `mediaUnsupported`, `mediaOverLimits` or `decodeFailed`, which say why there is
    /// none. With the file's `beginning` it is opened only where that does not suffice. With `isAlone` no packet but
    /// the first is decoded where that gives a frame; see `FileIndex.beginsAlone`.
    static func decode(
        _ source: any MediaSource, stream: Int, index: PacketIndex, beginning: FileBeginning? = nil,
        isAlone: Bool = false
    ) throws -> Frame {
        let subject = "\(source.name), track \(stream + 1)"
        guard !index.entries.isEmpty else {
            throw SplitreelError(
                .decodeFailed, operation: "decoding", subject: subject, reason: "the file holds no data of it")
        }
        let frame = try Frame()
        _ = Libav.takeLogLine()
        let frames = try FrameSource(source, stream: stream, index: index, beginning: beginning)
        let parameters = frames.cursor.demuxer.parameters(stream)
        try checkSize(parameters, subject: subject)
        if parameters.codec_id == AV_CODEC_ID_TIFF, let reason = TIFFDirectory(source)?.misreading {
            throw SplitreelError(
                .mediaUnsupported, operation: "decoding", subject: subject,
                reason: "\(reason), which libavcodec gets wrong; as a PNG or a TIFF of plain R'G'B' it is read")
        }
        if parameters.codec_id == AV_CODEC_ID_AV1, index.entries.count == 1, AvifCrop.isAsked(by: source) {
            throw SplitreelError(
                .mediaUnsupported, operation: "decoding", subject: subject,
                reason: "its container (clap) asks for a part of the picture, which is not cut out",
                hint: "save it anew as it is shown, or as a PNG")
        }
        if frames.cursor.demuxer.formatName == "gif" || frames.cursor.demuxer.formatName == "apng" {
            try checkAnimation(parameters, isOne: index.entries.count == 1, source, subject: subject)
        }
        if isAlone { try frames.seek(to: 0, before: 1) }
        guard try frames.next(into: frame) == nil else { return frame }
        // The reason may be one that the demuxer gives as it reads.
        if isAlone || beginning != nil { return try decode(source, stream: stream, index: index) }
        throw failure(Libav.takeLogLine(), source, subject: subject)
    }

    /// Checks the size that the container states already.
    private static func checkSize(_ parameters: AVCodecParameters, subject: String) throws {
        let (width, height) = (Int(parameters.width), Int(parameters.height))
        guard parameters.codec_type == AVMEDIA_TYPE_VIDEO, width > 0, height > 0,
            !ReadLimits.isPicture(width: width, height: height)
        else { return }
        throw overLimits("\(width)×\(height)", subject: subject)
    }

    /// Checks an animation's size before a frame is decoded: of some sizes a GIF's decoder only says that it cannot.
    private static func checkAnimation(
        _ parameters: AVCodecParameters, isOne: Bool, _ source: any MediaSource, subject: String
    ) throws {
        let stated = parameters.width > 0 ? (Int(parameters.width), Int(parameters.height)) : sizeOfGIF(source)
        guard let (width, height) = stated else { return }
        let limit = isOne ? ReadLimits.pixels : ReadLimits.animatedPixels
        if width * height > limit { throw overLimits("\(width)×\(height)", limit: limit, subject: subject) }
    }

    private static func sizeOfGIF(_ source: any MediaSource) -> (Int, Int)? {
        let head = source.head(10)
        guard head.count == 10, head.starts(with: Array("GIF8".utf8)) else { return nil }
        return (Int(head[6]) | Int(head[7]) << 8, Int(head[8]) | Int(head[9]) << 8)
    }

    /// The error for a track without frames. Only libavcodec's log says that a picture is larger than it may be.
    private static func failure(_ line: String?, _ source: any MediaSource, subject: String) -> SplitreelError {
        let said = line?.firstMatch(of: #/(?:size|dimensions) (\d+)[x ](\d+)/#).map { (Int($0.1) ?? 0, Int($0.2) ?? 0) }
        if let (width, height) = said ?? sizeOfPNG(source), width > 0, height > 0,
            !ReadLimits.isPicture(width: width, height: height)
        {
            return overLimits("\(width)×\(height)", subject: subject)
        }
        return SplitreelError(
            .decodeFailed, operation: "decoding", subject: subject,
            reason: "nothing of it can be decoded" + (line.map { ": \($0)" } ?? ""),
            hint: "the file may be damaged or encrypted")
    }

    /// The size in pixels that a PNG states; libavcodec does not say it where it is beyond libavcodec's own numbers.
    private static func sizeOfPNG(_ source: any MediaSource) -> (Int, Int)? {
        let head = source.head(24)
        guard head.count == 24, head.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        let numbers = [16, 20].map { place in head[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        return (numbers[0], numbers[1])
    }

    static func overLimits(_ size: String, limit: Int = ReadLimits.pixels, subject: String)
        -> SplitreelError
    {
        SplitreelError(
            .mediaOverLimits, operation: "decoding", subject: subject,
            reason: "its picture of \(size) is larger than the \(limit) pixels that are read",
            hint: "make it smaller first")
    }
}

extension TrackFacts.Fault {
    init(_ error: any Error) {
        if let error = error as? SplitreelError {
            self.init(error.code, error.reason.description)
        } else {
            self.init(.decodeFailed, String(describing: error))
        }
    }
}
