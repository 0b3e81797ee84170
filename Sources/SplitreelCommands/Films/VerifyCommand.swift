import ArgumentParser
import Diagnostics
import Foundation
import Planning
import Rendering
import Reports
import SplitreelFiles
import Stitching
import Verification

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a film: frames, timestamps, rate, sound length, layout, damage.",
        discussion: """
            With --plan the film is held against what was asked for. Exit status 8 where a check fails. A film that \
            was cut off fails, where its format says where it ends, and so does one with damage, which is told with \
            its times, at most 32 stretches of it.

              splitreel plan cut.json -o film.mp4 --json > plan.json
              splitreel verify film.mp4 --plan plan.json

            With --against sampled frames of the film are held beside those of the composition, made as workers make \
            them and not encoded: PSNR and SSIM for each chunk, as ffmpeg's filters define them, and the places of \
            picture and sound, to a frame and to a sample. A frame below --min-psnr fails, as does one that is its \
            neighbour, sound that comes early or late, sound that ends elsewhere than the composition's, and a channel \
            that is louder or quieter than the mix over half a second: by 1 dB, or by 12 dB where its codec is lossy. \
            Where libvmaf is installed VMAF is told, too, for which the frames on both sides of each are \
            composed as well.

              splitreel verify film.mp4 --against cut.json
              splitreel verify part.mp4 --against cut.json --every 0.5s --min-psnr 38
              splitreel verify film.mp4 --against cut.json --connect tcp://127.0.0.1:7733

            With --connect the workers of a farm compose these frames, and mix the sound. The film is read here. What \
            the farm made is beside it for a while; an interrupt cancels it.
            """)

    @Argument(help: "The film.", completion: .file())
    var file: String

    @Option(help: "What `splitreel plan --json` printed for the film.", completion: .file())
    var plan: String?

    @Option(help: "The composition that the film is of.", completion: .composition)
    var against: String?

    @Option(help: "With --against: a frame for so much time, such as 0.5s (default: three for each chunk).")
    var every: String?

    @Option(help: "With --against: the least PSNR of a frame, in decibels (default 25).")
    var minPsnr: Double?

    @Option(help: "With --against: the part that was rendered, START,DURATION.")
    var range: String?

    @Option(help: "With --against: the longest chunk, as it was rendered.")
    var chunkSeconds: String?

    @Option(help: "With --against: how many frames of --poster-time's stand in front of the film.")
    var coverFrames: Int?

    @Option(help: "With --cover-frames: as for the render.")
    var posterTime: String?

    @Flag(help: "With --against: the assets' proxies were shown.")
    var proxy = false

    @Flag(name: .customLong("no-vmaf"), help: "With --against: no VMAF, which takes three times as many frames.")
    var leavesOutVMAF = false

    @Flag(help: "One JSON document.")
    var json = false

    @OptionGroup var farm: FarmOptions
    @OptionGroup var quietness: QuietOptions
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        let others: [(String, Bool)] = [
            ("--every", every != nil), ("--min-psnr", minPsnr != nil), ("--range", range != nil),
            ("--chunk-seconds", chunkSeconds != nil), ("--proxy", proxy), ("--cover-frames", coverFrames != nil),
            ("--poster-time", posterTime != nil), ("--no-vmaf", leavesOutVMAF), ("--connect", farm.connect != nil),
        ]
        if against == nil, let spare = others.first(where: { $0.1 }) {
            throw ValidationError("\(spare.0) goes with --against COMP.json")
        }
        if let minPsnr, !(0...200).contains(minPsnr) {
            throw ValidationError("--min-psnr takes decibels from 0 to 200; not ‘\(minPsnr)’")
        }
        if let every { _ = try TimeOption.length(every, option: "--every") }
        _ = try TimeOption.range(range, option: "--range")
    }

    func run() throws {
        quietness.begin()
        remote.begin()
        let plan = try plan.map(readPlan)
        let path = try absoluteName(file)
        try refuseWhatIsNoFilm(path)
        let comparing = try filmAgainst()
        let (sides, checked) = try tellingFilms {
            // A file that is not there is told as everywhere, before it is taken for a film.
            _ = try openSource(path)
            let sides = try comparing?.sides { try $0.tellRemarks(strict: false) }
            return (
                sides, try verifyFilm(path: path, plan: plan, soundDuration: sides?.soundDuration, decoding: true)
            )
        }
        var report = checked
        let comparison = try sides.flatMap { sides in try comparing.map { try compare($0, sides, path) } }
        if let fault = comparison?.vmafFault { Console.warning("VMAF was not measured: \(fault.printable)") }
        report.checks += comparison?.checks ?? []
        report.ok = report.checks.allSatisfy(\.ok)
        if json {
            try Console.json(VerifyDocument(report, comparison))
        } else {
            for check in report.checks {
                let mark = check.ok ? Console.paint("ok    ", .green) : Console.paint("FAILED", .red)
                Console.result("\(mark) \(check.name.printable): \(check.detail.printable)")
            }
            for line in comparison?.lines ?? [] { Console.result(line) }
            for warning in report.warnings { Console.warning(warning.inOptions.message.printable) }
        }
        if !report.ok { throw Exit(.verificationFailed) }
    }

    private func filmAgainst() throws -> FilmAgainst? {
        guard let against else { return nil }
        return FilmAgainst(
            film: file, composition: against, leastSignalToNoise: minPsnr ?? 25,
            step: try every.map { try TimeOption.length($0, option: "--every") },
            range: try TimeOption.range(range, option: "--range"), chunkSeconds: chunkSeconds, usesProxies: proxy,
            lead: coverFrames.map { ($0, posterTime) }, measuresVMAF: !leavesOutVMAF,
            calling: \.option)
    }

    /// Compares, with what a farm makes where one is named.
    private func compare(
        _ comparing: FilmAgainst, _ sides: FilmAgainst.Sides, _ path: String
    ) throws -> ComparisonDocument {
        let cancellation = FarmErrand.cancellation()
        guard let asked = try farm.asked() else {
            return try comparing.compare(sides, cancellation: cancellation) { Console.warning($0) }
        }
        let errand = try FarmErrand(for: path, asked)
        defer { errand.close() }
        let made = try comparing.made(sides, by: errand, cancellation: cancellation)
        return try comparing.compare(sides, made: made, cancellation: cancellation) { Console.warning($0) }
    }

    /// Runs `body`; tells whoever gives a composition where a film belongs.
    private func tellingFilms<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as SplitreelError where file.lowercased().hasSuffix(".json") {
            error.hint = "verify checks a film; `splitreel validate \(file)` checks a composition"
            throw error
        }
    }

    private func readPlan(_ path: String) throws -> RenderPlan {
        let absolute = try absolutePath(path)
        guard FileManager.default.fileExists(atPath: absolute) else {
            throw SplitreelError(
                .usage, operation: "reading the plan", subject: path, reason: "there is no such file",
                hint: "`splitreel plan COMP.json -o FILM.mp4 --json` prints a plan")
        }
        let bytes: Data
        do {
            bytes = try RegularFile.contents(
                of: realPath(absolute) ?? absolute, limit: RenderPlan.mostBytes, failure: .usage)
        } catch var error as SplitreelError {
            error.operation = "reading the plan"
            error.subject = "\(path)"
            throw error
        }
        do {
            return try planToVerify(bytes)
        } catch {
            throw SplitreelError(
                .usage, operation: "reading the plan", subject: path, reason: "it is not a plan",
                hint: "`splitreel plan COMP.json -o FILM.mp4 --json` prints one")
        }
    }
}

/// The document of `verify --json`.
private struct VerifyDocument: Encodable {
    var ok: Bool
    var frames: Int
    var checks: [VerifyReport.Check]
    var warnings: [WarningReport]
    var comparison: ComparisonDocument?

    init(_ report: VerifyReport, _ comparison: ComparisonDocument?) {
        self.comparison = comparison
        ok = report.ok
        frames = report.frames
        checks = report.checks
        warnings = report.warnings.map { WarningReport($0.inOptions) }
    }
}
