import Diagnostics
import MediaFacts
import MediaTime
import Pictures

enum Pulldown: String, Encodable {
    case flags, fields

    var words: String { self == .flags ? "by flags alone" : "by repeated fields" }
}

/// The document of `probe --json`; times are exact rationals, with seconds beside them for people.
struct ProbeReport: Encodable {
    struct Track: Encodable {
        var id: Int
        var type: String
        var codec: String
        var size: [Int]?
        var rate: String?
        var variableFrameRate: Bool?
        var rotation: Int?
        /// Whether the picture is mirrored, before it is turned.
        var mirrored: Bool?
        var preferredTransform: [Double]?
        var pixelAspect: [Int]?
        var pixelFormat: String?
        var colour: Colour?
        /// The dynamic range, `PQ` or `HLG`; absent for standard dynamic range.
        var hdr: String?
        /// The display that it was mastered on; absent where the file does not say it, or says what cannot be.
        var masteringDisplay: Display?
        /// Whether a still's own ICC profile says its colours, which have no names then.
        var iccProfile: Bool?
        /// The light levels in cd/m²; absent where the file does not say them, or says what cannot be.
        var contentLight: Light?
        var alpha: Bool?
        var interlaced: Bool?
        /// The sign by which it is made of film by 2:3 pull-down: its times (`flags`) or its pictures (`fields`).
        var pulldown: Pulldown?
        var sampleRate: Int?
        var channels: Int?
        var layout: String?
        var firstPTS: String
        var duration: String
        var frameCount: Int?
        var sampleCount: Int?
        var language: String?
        /// The track's tags, by the file's names; absent where it has none.
        var tags: [String: String]?
        var coverPicture: Bool
        /// The error of a track that cannot be decoded; absent where it can.
        var fault: Fault?
    }
    struct Fault: Encodable {
        var code: Int
        var reason: String
    }
    struct Colour: Encodable {
        var primaries: String?
        var transfer: String?
        var matrix: String?
        var range: String
    }

    /// The CIE x and y of the primaries and of white, and the luminances in cd/m².
    struct Display: Encodable {
        var red, green, blue, white: [Double]
        var minLuminance, maxLuminance: Double
    }
    struct Light: Encodable {
        var maxCLL, maxFALL: Int
    }

    struct Chapter: Encodable {
        var title: String?
        var start, duration: String
        var tags: [String: String]

        init(_ chapter: FileChapter) {
            title = chapter.title
            (start, duration) = (chapter.range.start.description, chapter.range.duration.description)
            tags = chapter.tags
        }
    }

    var file: String
    var kind: String
    var container: String
    var duration: String
    var seconds: Double
    var tracks: [Track]
    /// The file's tags, by the file's names; absent where it has none.
    var tags: [String: String]?
    var chapters: [Chapter]?
    var warnings: [String]

    init(_ facts: AssetFacts, film: [Int: Pulldown], tags: FileTags) {
        file = facts.path
        kind = facts.kind.rawValue
        container = facts.container
        duration = facts.duration.description
        seconds = facts.duration.seconds
        tracks = facts.tracks.map { track in
            var report = Track(track)
            report.pulldown = film[track.id]
            report.tags = tags.tracks[track.id]
            return report
        }
        self.tags = tags.file.isEmpty ? nil : tags.file
        chapters = tags.chapters.isEmpty ? nil : tags.chapters.map(Chapter.init)
        warnings = facts.remarks
    }
}

extension ProbeReport.Track {
    init(_ track: TrackFacts) {
        id = track.id
        type = track.type.rawValue
        codec = track.codec
        firstPTS = track.start.description
        duration = track.duration.description
        language = track.language
        coverPicture = track.isCoverPicture
        fault = track.fault.map { .init(code: $0.code.number, reason: $0.reason) }
        if let video = track.video {
            size = [video.codedSize.width, video.codedSize.height]
            rate = video.nominalFrameRate?.description
            variableFrameRate = video.isVariableFrameRate
            rotation = video.rotation
            mirrored = video.isMirrored
            hdr = video.colour?.transfer.dynamicRange
            iccProfile = video.hasProfile
            masteringDisplay = video.hdrMetadata?.mastering.map(ProbeReport.Display.init)
            contentLight = video.hdrMetadata?.light.map { .init(maxCLL: $0.most, maxFALL: $0.average) }
            let matrix = video.preferredTransform
            preferredTransform = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
            pixelAspect = [video.pixelAspectNumerator, video.pixelAspectDenominator]
            pixelFormat = video.pixelFormat
            alpha = video.hasAlpha
            interlaced = video.isInterlaced
            frameCount = track.count
            colour = .init(
                primaries: video.colour?.primaries.rawValue, transfer: video.colour?.transfer.rawValue,
                matrix: video.colour?.matrix.rawValue, range: video.isFullRange ? "full" : "limited")
        }
        if let audio = track.audio {
            sampleRate = audio.sampleRate
            channels = audio.channels
            layout = audio.layout
            sampleCount = track.count
        }
    }
}

extension ProbeReport.Display {
    init(_ display: MasteringDisplay) {
        func point(_ point: MasteringDisplay.Point) -> [Double] {
            [Double(point.x) / 50_000, Double(point.y) / 50_000]
        }
        red = point(display.red)
        green = point(display.green)
        blue = point(display.blue)
        white = point(display.white)
        minLuminance = Double(display.least) / 10_000
        maxLuminance = Double(display.most) / 10_000
    }
}

extension ColourTransfer {
    /// The usual name of a high dynamic range's curve; nil for the others.
    var dynamicRange: String? {
        switch self {
        case .pq: "PQ"
        case .hlg: "HLG"
        default: nil
        }
    }
}
