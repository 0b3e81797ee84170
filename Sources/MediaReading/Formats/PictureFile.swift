internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaFacts
internal import MediaTime
internal import Pictures
internal import SplitreelFiles

/// Finds a track's pictures by their place in presentation order, each the same whatever was asked for before.
/// Confined to one thread at a time.
protocol PictureFinder: AnyObject {
    /// The picture that was found last.
    var held: Frame { get }
    /// The unit of the index's times, in seconds.
    var timeBase: Rational { get }
    /// Makes `held` the picture for a place; nil where nothing of the track can be decoded.
    func find(_ place: Int) throws -> FrameFinder.Shown?
}

/// A file of pictures that a library of its own reads since libav cannot: animated WebP, HEIC, AVIF of tiles.
protocol PictureFile: PictureFinder {
    /// The names of the container and of the codec.
    static var name: (container: String, codec: String) { get }
    /// Whether the file's first bytes say that it is of this kind.
    static func begins(with head: [UInt8]) -> Bool

    /// Opens the file. Throws where nothing of it can be read, and where it is larger than limits allow.
    init(_ source: any MediaSource) throws

    /// The packet index of its one track.
    var packets: PacketIndex { get }
    /// The number of times that it is to be played, 0 for ever; nil for a still.
    var plays: Int? { get }
    var warnings: [String] { get }
}

enum PictureFiles {
    /// Opens a picture file; nil for files that libav reads.
    static func open(_ source: any MediaSource) throws -> (any PictureFile)? {
        try kind(of: source).map { try $0.init(source) }
    }

    /// The kind of picture file by the file's first bytes; nil for files that libav reads.
    static func kind(of source: any MediaSource) -> (any PictureFile.Type)? {
        var head = source.head(4096)
        let whole = AVIFGrid.headLength(head)
        if whole > head.count { head = source.head(whole) }
        let kinds: [any PictureFile.Type] = [AnimatedWebP.self, HEIFStill.self, AVIFGrid.self]
        return kinds.first { $0.begins(with: head) }
    }

    /// The finder of a track's pictures. Throws where the track has none, and where the file is no longer the index's.
    static func finder(
        _ source: any MediaSource, stream: Int, index: FileIndex, subject: String
    ) throws -> any PictureFinder {
        guard let file = try open(source) else {
            return try FrameFinder.open(source, stream: stream, index: index, subject: subject)
        }
        guard file.index().contentSum == index.contentSum else {
            throw sourceChanged(source.name, "the file is another one than it was")
        }
        return file
    }

    static func timeBase(_ source: any MediaSource, stream: Int) throws -> Rational {
        if let file = try open(source) { return file.timeBase }
        return Rational(try Demuxer(source).stream(stream).time_base)
    }

    static func subject(_ source: any MediaSource) -> String { "\(source.name), track 1" }

    static func tooLarge(_ width: Int, _ height: Int, limit: Int, _ source: any MediaSource) -> SplitreelError {
        FirstFrame.overLimits("\(width)×\(height)", limit: limit, subject: subject(source))
    }
}

extension PictureFile {
    func index() -> FileIndex {
        FileIndex(
            tracks: [packets], origin: .zero, isImage: plays == nil,
            findings: FileIndex.Findings(audioStarts: [:], audioFaults: [:], warnings: warnings))
    }

    /// The facts of its track, and warnings about it. Throws where no picture of it can be decoded.
    func track(_ source: any MediaSource) throws -> (facts: TrackFacts, warnings: [String]) {
        guard try find(0) != nil else {
            throw SplitreelError(
                .decodeFailed, operation: "probing", subject: PictureFiles.subject(source),
                reason: "nothing of it can be decoded", hint: "the file may be damaged")
        }
        let still = plays == nil ? held.identifyStill(source) : nil
        let (fields, format) = (held.fields, held.pixelFormat)
        var video = VideoFacts(
            codedSize: PixelSize(width: held.width, height: held.height), pixelFormat: format.name ?? "",
            bitDepth: Int(format.descriptor?.comp.0.depth ?? 8),
            hasAlpha: (format.descriptor?.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0)
        video.isFullRange = fields.color_range == AVCOL_RANGE_JPEG
        video.hasProfile = still?.profile == nil ? nil : true
        video.colour =
            ColourTags(primaries: fields.color_primaries, transfer: fields.color_trc, matrix: fields.colorspace).triple
        var facts = TrackFacts(id: 1, type: .video, codec: Self.name.codec, count: packets.display.count)
        if plays != nil { facts.fillTimes(&video, packets, origin: .zero, timeBase: timeBase) }
        facts.video = video
        let fault = still?.fault.map { "\(AssetFacts.profileRemark) \($0); its colours are taken for sRGB's" }
        return (facts, warnings + (fault.map { ["track 1: \($0)"] } ?? []))
    }
}
