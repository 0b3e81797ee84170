import ArgumentParser
import Diagnostics
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import Preparation
import SplitreelFiles
import SplitreelProject

struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Show what a media file or a composition holds, track by track.",
        discussion: """
            The file may be in an object store or on the web:

              splitreel probe take1.mov
              splitreel probe s3://studio/takes/take1.mov
            """)

    @Argument(help: "The media file, or a composition.", completion: .file())
    var file: String

    @Flag(help: "One JSON document.")
    var json = false

    @OptionGroup var remote: RemoteOptions

    func run() throws {
        remote.begin()
        let facts: AssetFacts
        do {
            facts = try probe(path: absoluteName(file))
        } catch let error as SplitreelError
            where [.mediaCannotOpen, .mediaUnsupported].contains(error.code) && !file.isRemoteName
        {
            let project: Project
            do {
                project = try CompositionFile.readable(path: file)
            } catch let fault as SplitreelError {
                throw CompositionFile.looksLikeOne(path: file) ? fault : error
            }
            return try tell(project)
        }
        let film = Self.film(in: facts)
        if json { return try Console.json(ProbeReport(facts, film: film)) }
        Console.result(
            "\(file.printable): \(facts.kind.rawValue), \(facts.container.printable), "
                + ForPeople.time(facts.duration))
        for track in facts.tracks { Console.result("  \(track.id)  " + Self.line(track).printable) }
        for (track, how) in film.sorted(by: { $0.key < $1.key }) {
            Console.result(
                "  track \(track) was made of film by 2:3 pull-down, \(how.words): "
                    + "\"deinterlace\": \"pulldown\" of the asset gives the film's frames")
        }
        for warning in facts.warnings { Console.warning(warning.printable) }
    }

    private func tell(_ project: Project) throws {
        let report = CompositionReport(project, file: try absolutePath(file))
        if json { return try Console.json(report) }
        let lines = report.lines(of: project)
        Console.result("\(file.printable): " + lines[0].printable)
        for line in lines.dropFirst() { Console.result("  " + line.printable) }
    }

    /// The kinds of 2:3 pull-down by track, as it shows. Decodes some thirty frames of interlaced film of 29.97 or 30
    /// frames a second.
    private static func film(in facts: AssetFacts) -> [Int: Pulldown] {
        var film: [Int: Pulldown] = [:]
        var setting = Deinterlacing()
        setting.order = .pulldown
        for track in facts.tracks where facts.kind == .media && track.fault == nil && !track.isCoverPicture {
            if track.video?.filmRate != nil {
                film[track.id] = .flags
            } else if let video = track.video, video.isInterlaced,
                (try? VideoReader(path: facts.path, track: track.id, deinterlacing: setting).findsPulldown()) == true
            {
                film[track.id] = .fields
            }
        }
        return film
    }

    private static func line(_ track: TrackFacts) -> String {
        var parts = [track.type.rawValue, track.codec]
        if let video = track.video {
            parts.append("\(video.codedSize.width)×\(video.codedSize.height) \(video.pixelFormat)")
            if let rate = video.nominalFrameRate {
                parts.append(ForPeople.rate(Rational(rate)) + (video.isVariableFrameRate ? " (variable)" : ""))
            }
            if video.isMirrored { parts.append("mirrored") }
            if video.rotation != 0 { parts.append("turned \(video.rotation)°") }
            if video.pixelAspectNumerator != video.pixelAspectDenominator {
                parts.append("pixel aspect \(video.pixelAspectNumerator):\(video.pixelAspectDenominator)")
            }
            if let colour = video.colour {
                parts.append(colour.matrix.rawValue + (colour.transfer.dynamicRange.map { " \($0), HDR" } ?? ""))
            }
            if video.hasProfile == true { parts.append("colours by its ICC profile") }
            if let display = video.hdrMetadata?.mastering {
                parts.append("mastered on \(ForPeople.light(display.least)) to \(ForPeople.light(display.most)) cd/m²")
            }
            if let light = video.hdrMetadata?.light {
                parts.append("MaxCLL \(light.most), MaxFALL \(light.average)")
            }
        }
        if let audio = track.audio { parts.append("\(audio.sampleRate) Hz \(audio.layout)") }
        if track.fault != nil { parts.append("cannot be decoded") }
        if let count = track.count { parts.append(counted(count, track.type == .video ? "frame" : "sample")) }
        if track.start != .zero { parts.append("starts at \(ForPeople.time(track.start))") }
        if track.isCoverPicture { parts.append("cover picture") }
        if let language = track.language { parts.append(language) }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

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

    var file: String
    var kind: String
    var container: String
    var duration: String
    var seconds: Double
    var tracks: [Track]
    var warnings: [String]

    init(_ facts: AssetFacts, film: [Int: Pulldown]) {
        file = facts.path
        kind = facts.kind.rawValue
        container = facts.container
        duration = facts.duration.description
        seconds = facts.duration.seconds
        tracks = facts.tracks.map { track in
            var report = Track(track)
            report.pulldown = film[track.id]
            return report
        }
        warnings = facts.warnings
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
    fileprivate var dynamicRange: String? {
        switch self {
        case .pq: "PQ"
        case .hlg: "HLG"
        default: nil
        }
    }
}
