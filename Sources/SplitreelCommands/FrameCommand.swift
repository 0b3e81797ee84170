import ArgumentParser
import Composition
import Coordinator
import Diagnostics
import Foundation
import Media
import MediaTime
import Pictures
import Preparation
import Rendering

struct FrameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame", abstract: "Write exact frames of a composition or a media file as PNG.",
        discussion: """
            A composition's frame is the output frame that holds the time; a media file's is the frame shown at the \
            time, upright.

              splitreel frame cut.json --at 2.5s -o still.png
              splitreel frame clip.mov --at 0s --at 1s --at 2s -o still-%02d.png
            """)

    @Argument(help: "A composition (.json) or a media file.")
    var source: String

    @Option(help: "A time: 2.5s, 75/30 or 00:00:02.5. May be given several times.")
    var at: [String]

    @Option(name: .shortAndLong, help: "The PNG file; with several times a pattern such as still-%02d.png.")
    var output: String

    @Option(help: "Only 0 (exact) for now.")
    var tolerance: String?

    @Option(help: "Fit into WIDTHxHEIGHT; never scales up.")
    var maxSize: String?

    @Flag(help: "Show the assets' proxies, where they have some, with the geometry of the originals.")
    var proxy = false

    @Flag(help: "Replace files that exist.")
    var overwrite = false

    @Flag(help: "One JSON document.")
    var json = false

    struct Written: Encodable {
        var requested: String
        var actual: String
        var path: String
    }

    func run() throws {
        let times = try at.map { text in
            guard let time = MediaTime(text: text), time.isNumeric, time >= .zero else {
                throw TimeOption.refused(text, "--at takes a time from 0s on, such as 2.5s, 75/30 or 00:00:02.5")
            }
            return Rational(time)
        }
        guard !times.isEmpty else { throw ValidationError("say at least one time: --at 2.5s") }
        if let tolerance, tolerance != "0", MediaTime(text: tolerance).map({ $0.isNumeric && $0.value == 0 }) != true {
            throw ValidationError("only --tolerance 0 is there yet; not ‘\(tolerance)’")
        }
        let paths = try outputPaths(count: times.count)
        let grabber = try makeGrabber(writing: paths)
        var written: [Written] = []
        for (index, time) in times.enumerated() {
            let actual = try grabber.write(at: time, to: paths[index], fitting: try fittingSize())
            written.append(Written(requested: at[index], actual: actual.mediaTime.description, path: paths[index]))
        }
        for notice in grabber.takeNotices().notices { Console.warning(notice) }
        if json { return try Console.json(written) }
        written.forEach { Console.result($0.path.printable) }
    }

    private func makeGrabber(writing paths: [String]) throws -> FrameGrabber {
        if source.hasSuffix(".json") {
            let file = try CompositionFile(path: source)
            try file.tellRemarks(strict: false)
            var assets: [String: AssetFacts] = [:]
            try file.locating {
                assets = try probeAllAssets(of: file.project, usingProxies: proxy)
                for problem in try refuseInvalid(file.project, assets: assets) {
                    Console.warning(problem.notice, in: file)
                }
            }
            for path in paths {
                try refuseReplacing(path, inputs: assets.values.flatMap(\.files).map(\.path) + [file.path])
            }
            return try FrameGrabber(project: file.project, assets: assets, isOnGrid: true)
        }
        let facts = try probe(path: absolutePath(source))
        for path in paths { try refuseReplacing(path, inputs: [facts.path]) }
        guard let video = facts.firstTrack(of: .video) else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "frame", subject: source, reason: "it has no picture")
        }
        return try FrameGrabber(project: Self.single(facts, video), assets: ["media": facts], isOnGrid: false)
    }

    /// One clip, automatic instructions: shown upright at its own size.
    private static func single(_ facts: AssetFacts, _ video: TrackFacts) -> Project {
        let isStill = facts.kind == .image
        let length = isStill ? Rational(1) : Rational(facts.duration)
        var segment = TrackSegment("media", source: isStill ? nil : (.zero, length), target: (.zero, length))
        if !isStill { segment.track = video.id }
        var project = Project()
        project.assets["media"] = Asset(url: facts.path)
        project.composition.tracks = [Track(id: 1, .video, [segment])]
        return project
    }

    private func fittingSize() throws -> PixelSize? {
        try maxSize.map { try SizeOption.parse($0, option: "--max-size") }
    }

    private func outputPaths(count: Int) throws -> [String] {
        let pattern = try absolutePath(output)
        try refuseReplacing(pattern, inputs: [absolutePath(source)])
        guard pattern.lowercased().hasSuffix(".png") else {
            throw ValidationError("-o takes only .png; not ‘\(output)’")
        }
        let paths = (0..<count).map { index in NumberedPath.path(pattern, index + 1) }
        guard Set(paths).count == count else {
            throw ValidationError("with several times -o needs a number's place, such as still-%02d.png")
        }
        for path in paths { try checkOutputPlace(path, overwrite: overwrite) }
        return paths
    }
}
