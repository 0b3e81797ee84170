import ArgumentParser
import Coordinator
package import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Preparation
import Rendering
import SplitreelFiles
import SplitreelProject

/// The source of single frames: a composition or a media file, opened.
struct PictureSource {
    let grabber: FrameGrabber
    /// The paths of the files that it is made from.
    let inputs: [String]
    let project: Project
    let usesProxies: Bool
    /// The composition; nil for a media file.
    let file: CompositionFile?
    /// The time at which a media file's first frame begins, in seconds; nil for a composition.
    let firstFrame: Rational?
    /// The farm that composes the frames; nil for the grabber.
    let farm: AskedFarm?

    /// Opens the source, and tells the remarks on a composition; throws where there is no picture.
    ///
    /// A farm composes output frames, and tells the remarks itself. A media file's output frames begin there as its own
    /// do, so that they are those that are shown at any time.
    init(path: String, usingProxies: Bool, operation: String, by farm: AskedFarm? = nil) throws {
        (self.farm, usesProxies) = (farm, usingProxies)
        if path.lowercased().hasSuffix(".json") {
            let file = try CompositionFile(path: path)
            let assets = try file.checkedAssets(usingProxies: usingProxies, tellsProblems: farm == nil)
            inputs = assets.values.flatMap(\.files).map(\.path) + [file.path]
            grabber = try FrameGrabber(project: file.project, assets: assets, isOnGrid: true)
            project = file.project
            self.file = file
            firstFrame = nil
            return
        }
        let facts = try Self.facts(of: absoluteName(path), isForFarm: farm != nil)
        inputs = [facts.path]
        guard var project = Project(showing: facts, withSound: false) else {
            throw SplitreelError(.mediaHasNoSuchTrack, operation: operation, subject: path, reason: "it has no picture")
        }
        var assets = ["media": facts]
        if farm != nil {
            var video = VideoComposition()
            if facts.kind == .image {
                video.frameDuration = MediaTime(value: 1, timescale: 1)
            } else {
                video.frameTimingTrack = project.composition.tracks[0].id
            }
            project.video = video
            assets = try probeAllAssets(of: project)
        }
        grabber = try FrameGrabber(project: project, assets: assets, isOnGrid: farm != nil)
        (self.project, file) = (project, nil)
        firstFrame = facts.firstTrack(of: .video).map { Rational($0.start) }
    }

    /// The facts of a media file. Where a farm is asked, the error for an address says that this machine opens it too.
    private static func facts(of path: String, isForFarm: Bool) throws -> AssetFacts {
        do { return try probe(path: path) } catch let error as SplitreelError where isForFarm && path.isRemoteName {
            throw error.sayingWhoOpens
        }
    }
}

extension SplitreelError {
    /// The error where it is one of this machine's own way to an address, which the farm's coordinator may well have.
    package var sayingWhoOpens: SplitreelError {
        let ofWay: [ErrorCode] = [.objectDenied, .credentialsUnusable, .storageUnreachable, .addressRefused]
        guard ofWay.contains(code) else { return self }
        var error = self
        error.hint = """
            with --connect this machine opens it as well, to know its times: give it credentials and a way to the \
            server, or `splitreel submit` a composition of it, which the coordinator alone opens
            """
        return error
    }
}

extension CompositionFile {
    /// The facts of its assets, read and valid; tells the remarks on them.
    func checkedAssets(usingProxies: Bool, tellsProblems: Bool = true) throws -> [String: AssetFacts] {
        try tellRemarks(strict: false)
        var assets: [String: AssetFacts] = [:]
        try locating {
            assets = try probeAllAssets(of: project, usingProxies: usingProxies)
            let problems = try refuseInvalid(project, assets: assets)
            for problem in problems where tellsProblems { Console.warning(problem.notice, in: self) }
        }
        return assets
    }
}

/// The options that choose times of a picture or a sound.
struct TimeChoice: ParsableArguments {
    @Option(help: "A time: 2.5s, 75/30 or 00:00:02.5. May be given several times.")
    var at: [String] = []

    @Option(help: "Instead of --at: a frame at the start, and one each so much later, such as 10s.")
    var every: String?

    @Option(help: "Instead of --at: so many frames, from the middles of as many equal parts.")
    var count: Int?

    @Option(help: "With --every or --count only this part: START,DURATION, such as 60s,10s.")
    var range: String?

    init() {}

    init(every: String?, count: Int?, range: String?) {
        // A value that was neither parsed nor set cannot be read.
        at = []
        self.every = every
        self.count = count
        self.range = range
    }

    /// The most times that are made at once.
    static let most = 100_000

    func validate() throws {
        let ways = [!at.isEmpty, every != nil, count != nil].count { $0 }
        if ways > 1 { throw ValidationError("--at, --every and --count exclude each other: say one of them") }
        if let count, !(1...Self.most).contains(count) {
            throw ValidationError("--count takes 1 to \(Self.most); not ‘\(count)’")
        }
        if range != nil, every == nil, count == nil {
            throw ValidationError("--range goes with --every or --count")
        }
        for text in at { _ = try TimeOption.time(text, option: "--at") }
        if let every { _ = try TimeOption.length(every, option: "--every") }
        _ = try chosenRange()
    }

    var isGiven: Bool { !at.isEmpty || every != nil || count != nil }

    /// Whether more than one time may come of it.
    var mayBeMany: Bool { at.count > 1 || every != nil || (count ?? 0) > 1 }

    /// The times as they were written, and exact; in their order. `duration` is that of the whole, in seconds.
    func times(duration: Rational) throws -> [(text: String, time: Rational)] {
        if !at.isEmpty { return try at.map { ($0, try TimeOption.time($0, option: "--at")) } }
        let range = try chosenRange()
        let start = range?.start ?? .zero
        let end = min(duration, range.map { $0.start + $0.duration } ?? duration)
        guard start < end else {
            throw SplitreelError(
                .usage, operation: "--range", subject: self.range ?? "",
                reason:
                    "nothing lies in it: it lasts from 0 to \(duration.shortSeconds) s", hint: "name a part inside it")
        }
        let step = try every.map { try TimeOption.length($0, option: "--every") }
        let length = end - start
        let many = step.map { (length / $0).ceil() } ?? count ?? 1
        guard many <= Self.most else {
            throw SplitreelError(
                .usage, operation: "--every", subject: every ?? "",
                reason:
                    "these are \(many) frames, \(Self.most) are made at once", hint: "choose a longer step, or --range")
        }
        return (0..<many).map { index in
            let time =
                step.map { start + $0 * Rational(index) }
                ?? start + length * Rational(2 * index + 1, 2 * many)
            return (time.mediaTime.description, time)
        }
    }

    private func chosenRange() throws -> (start: Rational, duration: Rational)? {
        try TimeOption.range(range, option: "--range")
    }
}
