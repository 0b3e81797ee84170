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
        let tags = try readTags(path: facts.path)
        if json { return try Console.json(ProbeReport(facts, film: film, tags: tags)) }
        Console.result(
            "\(file.printable): \(facts.kind.rawValue), \(facts.container.printable), "
                + ForPeople.time(facts.duration))
        for track in facts.tracks { Console.result("  \(track.id)  " + Self.line(track).printable) }
        for line in Self.lines(tags) { Console.result("  " + line.printable) }
        for (track, how) in film.sorted(by: { $0.key < $1.key }) {
            Console.result(
                "  track \(track) was made of film by 2:3 pull-down, \(how.words): "
                    + "\"deinterlace\": \"pulldown\" of the asset gives the film's frames")
        }
        for warning in facts.remarks { Console.warning(warning.printable) }
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

    /// The tags that containers and encoders write for programs.
    private static let technical: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "ENCODER",
    ]

    /// The tags and the chapters of the file; those of its tracks are in `--json`.
    private static func lines(_ tags: FileTags) -> [String] {
        tags.file.filter { !technical.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            + tags.chapters.enumerated().map { number, chapter in
                "chapter \(number + 1) at \(ForPeople.time(chapter.range.start)), "
                    + ForPeople.time(chapter.range.duration) + (chapter.title.map { ": \($0)" } ?? "")
            }
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
