import ArgumentParser
import Coordinator
import Diagnostics
import MediaTime
import MediaWriting
import Outputs
import Pictures
import Preparation
import Rendering
import SplitreelFiles

struct FrameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame", abstract: "Write frames of a composition or a media file as pictures.",
        discussion: """
            A composition's frame is the output frame that holds the time; a media file's is the frame shown at the \
            time, upright. The picture's kind is that of the name: .png, .jpg, .tiff or .webp (without loss but for \
            .jpg).

              splitreel frame cut.json --at 2.5s -o still.png
              splitreel frame clip.mov --at 0s --at 1s --at 2s -o still-%02d.png
              splitreel frame clip.mov --every 10s --tolerance 2s -o thumb-%04d.jpg
              splitreel frame cut.json --count 12 -o twelve-%02d.webp --json
              splitreel frame cut.json --every 9s -o p%d.png --connect tcp://127.0.0.1:7733

            With a tolerance a frame may be another one within it: the nearest key frame, which is decoded at once, \
            where there is one. --json tells for each time what came of it (succeeded, failed or cancelled) and the \
            time that its frame really has. One time that fails does not keep the others; an interrupt (Ctrl-C) \
            cancels what is left. With --connect the workers of a farm compose the frames, the exact ones, in a film \
            without loss that is removed again; an interrupt cancels all of it.
            """)

    @Argument(help: "A composition (.json) or a media file.", completion: .file())
    var source: String

    @OptionGroup var choice: TimeChoice
    @OptionGroup var farm: FarmOptions
    @OptionGroup var quietness: QuietOptions
    @OptionGroup var remote: RemoteOptions

    @Option(
        name: .shortAndLong, help: "The picture's file; for several times a pattern such as still-%02d.png.",
        completion: .file())
    var output: String

    @Option(help: "How far from its time a frame may be, such as 2s; inf: any. Default: 0, the exact frame.")
    var tolerance: String?

    @Option(help: "The same for frames before the time.")
    var toleranceBefore: String?

    @Option(help: "The same for frames after the time.")
    var toleranceAfter: String?

    @Option(help: "Fit into WIDTHxHEIGHT; never scales up.")
    var maxSize: String?

    @Flag(help: "Show the assets' proxies, where they have some, with the geometry of the originals.")
    var proxy = false

    @Flag(help: "Replace files that exist.")
    var overwrite = false

    @Flag(help: "One JSON document: what came of each time.")
    var json = false

    func validate() throws {
        guard choice.isGiven else { throw ValidationError("say which frames: --at 2.5s, --every 10s or --count 12") }
        _ = try chosenTolerance()
        _ = try fittingSize()
        if choice.mayBeMany, NumberedPath.path(output, 1) == NumberedPath.path(output, 2) {
            throw ValidationError("with several times -o needs a number's place, such as still-%02d.png")
        }
    }

    func run() throws {
        quietness.begin()
        remote.begin()
        try refuseReplacing(absolutePath(output), inputs: [absoluteName(source)])
        guard PictureFormat(path: output) != nil else {
            throw ValidationError("-o takes .png, .jpg, .tiff or .webp; not ‘\(output)’")
        }
        if !choice.mayBeMany { try checkOutputPlace(path(1), overwrite: overwrite) }
        let opened = try PictureSource(path: source, usingProxies: proxy, operation: "frame", by: try farm.asked())
        let times = try choice.times(duration: opened.grabber.duration)
        let paths = try times.indices.map { try path($0 + 1) }
        for path in paths {
            try checkOutputPlace(path, overwrite: overwrite)
            try refuseReplacing(path, inputs: opened.inputs)
        }
        let results = try make(times, paths, opened)
        for notice in opened.grabber.takeNotices().notices { Console.warning(notice) }
        if json {
            try Console.json(results)
        } else {
            results.compactMap(\.path).forEach { Console.result($0.printable) }
        }
        try conclude(results)
    }

    /// The absolute path of a picture. The folder that the command runs in has its name as it stands, whatever is in
    /// it.
    private func path(_ number: Int) throws -> String { try absolutePath(NumberedPath.path(output, number)) }

    private func make(
        _ times: [(text: String, time: Rational)], _ paths: [String], _ opened: PictureSource
    ) throws -> [FrameResult] {
        let cancellation = FarmErrand.cancellation()
        guard let format = PictureFormat(path: output) else { return [] }
        var results: [FrameResult?] = Array(repeating: nil, count: times.count)
        try opened.generate(
            times.map(\.time), tolerance: try chosenTolerance(), fitting: try fittingSize(), for: paths[0],
            cancellation: cancellation
        ) { place, frame in
            results[place] = result(of: frame, times[place].text, format, paths[place])
        }
        return results.compactMap { $0 }
    }

    private func result(
        of frame: GeneratedFrame, _ requested: String, _ format: PictureFormat, _ path: String
    ) -> FrameResult {
        switch frame {
        case .cancelled: return FrameResult(requested: requested, result: .cancelled)
        case .failed(let error): return FrameResult(requested: requested, error)
        case .succeeded(let picture, let actual):
            do {
                try writePicture(picture.frame, as: format, to: path)
                return FrameResult(
                    requested: requested, result: .succeeded, actual: actual.mediaTime.description, path: path)
            } catch {
                return FrameResult(requested: requested, error)
            }
        }
    }

    /// Ends the command. Failures are told one by one; the first one's status is the command's.
    private func conclude(_ results: [FrameResult]) throws {
        // A farm's job fails all of its times for one reason.
        let failures = results.compactMap(\.failure).reduce(into: [SplitreelError]()) { told, failure in
            if told.last?.oneLine != failure.oneLine { told.append(failure) }
        }
        let told = 8
        for failure in failures.prefix(told) { Console.error(failure) }
        if failures.count > told { Console.note("and \(counted(failures.count - told, "time")) more failed") }
        if let first = failures.first { throw Exit(first.code.exit) }
        let left = results.count { $0.result == .cancelled }
        guard left > 0 else { return }
        throw SplitreelError(
            .cancelled, operation: "", subject: "interrupted", reason: "\(counted(left, "frame")) not made")
    }

    private func chosenTolerance() throws -> FrameTolerance {
        let both = try TimeOption.tolerance(tolerance, option: "--tolerance") ?? .some(.zero)
        return FrameTolerance(
            before: try TimeOption.tolerance(toleranceBefore, option: "--tolerance-before") ?? both,
            after: try TimeOption.tolerance(toleranceAfter, option: "--tolerance-after") ?? both)
    }

    private func fittingSize() throws -> PixelSize? {
        try maxSize.map { try SizeOption.parse($0, option: "--max-size") }
    }
}

/// The result for one time.
private struct FrameResult: Encodable {
    enum Kind: String, Encodable { case succeeded, failed, cancelled }

    struct Failure: Encodable {
        var code: Int
        var message: String
    }

    var requested: String
    var result: Kind
    /// The time that the frame really has; absent where there is none.
    var actual: String?
    var path: String?
    var error: Failure?
    let failure: SplitreelError?

    enum CodingKeys: String, CodingKey { case requested, result, actual, path, error }

    init(requested: String, result: Kind, actual: String? = nil, path: String? = nil) {
        self.requested = requested
        self.result = result
        self.actual = actual
        self.path = path
        failure = nil
    }

    init(requested: String, _ error: any Error) {
        let failure =
            error as? SplitreelError
            ?? SplitreelError(
                .internalFault, operation: "frame", subject: requested, reason: String(describing: error))
        self.requested = requested
        result = .failed
        self.failure = failure
        self.error = Failure(code: failure.code.number, message: failure.inOptions.oneLine)
    }
}
