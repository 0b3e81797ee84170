import ArgumentParser
import Coordinator
import Diagnostics
import MediaFacts
import MediaReading
import MediaTime
import MediaWriting
import Outputs
import Pictures
import Planning
import Preparation
import Rendering
import SplitreelFiles
import SplitreelProject

struct WaveformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waveform", abstract: "Write a sound's peaks and loudness: as data or as a picture.",
        discussion: """
            Of a composition's mix, as its film has it, or of a track of a media file at its own rate. The name says \
            what is written: .json and .dat are BBC audiowaveform's formats of version 2 (least and most of each \
            bucket, channel by channel); the .json has the buckets' RMS besides, and their whole sample count. .png \
            and other pictures show the peaks and, lighter, the RMS, over a scale of time and with lines at 0 dBFS, \
            -6, -12 and -24, so that two can be compared. Memory does not grow with the length.

              splitreel waveform cut.json -o cut.json.dat --bits 8 --per-second 20
              splitreel waveform music.flac -o music.json --split-channels
              splitreel waveform interview.mov -o interview.png --size 1600x240
              splitreel waveform cut.json -o cut.png --connect tcp://127.0.0.1:7733

            With --connect the workers of a farm read and mix the sound, in 24 bits; an interrupt cancels it.
            """)

    @Argument(help: "A composition (.json) or a media file.", completion: .file())
    var source: String

    @Option(name: .shortAndLong, help: "The file: .json, .dat, .png, .jpg, .tiff or .webp.", completion: .file())
    var output: String

    @OptionGroup var farm: FarmOptions
    @OptionGroup var quietness: QuietOptions
    @OptionGroup var remote: RemoteOptions

    @Option(help: "Samples of each bucket (default 256).")
    var samplesPerPixel: Int?

    @Option(help: "Instead: so many buckets at most.")
    var buckets: Int?

    @Option(help: "Instead: so many buckets a second, at least.")
    var perSecond: Int?

    @Option(help: "8 or 16 bits for each peak (default 16).")
    var bits: Int?

    @Flag(help: "Each channel by itself; else their mean is measured.")
    var splitChannels = false

    @Option(help: "Of a media file: the track, by its number as probe has it (default: the first sound).")
    var track: Int?

    @Option(help: "Only this part: START,DURATION, such as 60s,10s.")
    var range: String?

    @Option(help: "Of a picture: WIDTHxHEIGHT (default 1280x240).")
    var size: String?

    @Flag(help: "Of a picture: leave the scale and the lines out.")
    var noMarks = false

    @Option(help: "Of a composition: samples per second of the mix (default 48000).")
    var sampleRate: Int?

    @Option(help: "Of a composition: channels of the mix (default 2).")
    var channels: Int?

    @Flag(help: "Replace the file if it exists.")
    var overwrite = false

    @Flag(help: "One JSON document on standard output: what was written.")
    var json = false

    private var isPicture: Bool { PictureFormat(path: output) != nil }
    private var isComposition: Bool { source.lowercased().hasSuffix(".json") }

    func validate() throws {
        let steps = [("--samples-per-pixel", samplesPerPixel), ("--buckets", buckets), ("--per-second", perSecond)]
        for (name, value) in steps {
            guard let value else { continue }
            if isPicture { throw ValidationError("a picture has a bucket for each column: \(name) goes with data") }
            if !(1...(1 << 30)).contains(value) { throw ValidationError("\(name) takes 1 or more; not ‘\(value)’") }
        }
        if steps.count(where: { $0.1 != nil }) > 1 {
            throw ValidationError("--samples-per-pixel, --buckets and --per-second exclude each other")
        }
        if bits != nil, isPicture { throw ValidationError("--bits goes with data, such as -o sound.dat") }
        if let bits, ![8, 16].contains(bits) { throw ValidationError("--bits takes 8 or 16; not ‘\(bits)’") }
        if noMarks, !isPicture { throw ValidationError("--no-marks goes with a picture, such as -o sound.png") }
        if size != nil, !isPicture { throw ValidationError("--size goes with a picture, such as -o sound.png") }
        let picture = try pictureSize()
        if picture.width > 16384 || picture.height > 4096 {
            throw ValidationError("--size takes at most 16384x4096; not ‘\(size ?? "")’")
        }
        if isComposition, track != nil { throw ValidationError("--track goes with a media file") }
        if !isComposition, sampleRate != nil || channels != nil {
            throw ValidationError("--sample-rate and --channels go with a composition: a file is read as it is")
        }
        _ = try TimeOption.range(range, option: "--range")
    }

    func run() throws {
        quietness.begin()
        remote.begin()
        let path = try absolutePath(output)
        try refuseReplacing(path, inputs: [absoluteName(source)])
        guard isPicture || WaveformKind(path: output) != nil else {
            throw ValidationError("-o takes .json, .dat, .png, .jpg, .tiff or .webp; not ‘\(output)’")
        }
        try checkOutputPlace(path, overwrite: overwrite)
        if !isPicture { try refuseReplacingOthers(path, overwrite: overwrite) }
        let asked = try farm.asked()
        let source = try isComposition ? mix() : trackOfFile()
        try refuseReplacing(path, inputs: source.inputs)
        let cancellation = FarmErrand.cancellation()
        guard let asked else { return try write(source.sound, to: path, cancellation) }
        let errand = try FarmErrand(for: path, asked)
        defer { errand.close() }
        try write(source.made(by: errand, cancellation: cancellation), to: path, cancellation)
    }

    private func write(_ sound: SoundStream, to path: String, _ cancellation: Cancellation) throws {
        let settings = WaveformSettings(
            samplesPerBucket: try samplesPerBucket(of: sound), bits: bits ?? 16, splitsChannels: splitChannels)
        let notices: NoticeList
        if let kind = WaveformKind(path: path) {
            notices = try writeWaveform(of: sound, settings, as: kind, to: path, cancellation: cancellation)
        } else {
            let start = try TimeOption.range(range, option: "--range")?.start ?? .zero
            notices = try writeWaveformPicture(
                of: sound, size: try pictureSize(), splitsChannels: splitChannels, markedFrom: noMarks ? nil : start,
                as: PictureFormat(path: path) ?? .png, to: path, cancellation: cancellation)
        }
        for notice in notices.warnings { Console.warning(notice) }
        guard json else { return Console.result(path.printable) }
        try Console.json(
            WaveformDocument(
                path: path, sampleRate: sound.sampleRate, channels: splitChannels ? sound.channels : 1,
                samples: sound.sampleCount, samplesPerPixel: settings.samplesPerBucket,
                buckets: isPicture ? nil : settings.bucketCount(of: sound.sampleCount)))
    }

    private func samplesPerBucket(of sound: SoundStream) throws -> Int {
        if isPicture { return max(1, (sound.sampleCount + (try pictureSize().width) - 1) / (try pictureSize().width)) }
        if let buckets { return max(1, (sound.sampleCount + buckets - 1) / buckets) }
        if let perSecond { return max(1, sound.sampleRate / perSecond) }
        return samplesPerPixel ?? 256
    }

    private func pictureSize() throws -> PixelSize {
        try SizeOption.parse(size ?? "1280x240", option: "--size")
    }

    /// The mix of the film that `render` would make.
    private func mix() throws -> SoundSource {
        let file = try CompositionFile(path: source)
        try file.tellRemarks(strict: false)
        // A WAV takes any mix; nothing is encoded.
        var request = OutputRequest(path: try absolutePath("waveform.wav"))
        request.sound.codec = "pcm"
        request.sound.sampleRate = sampleRate
        request.sound.channels = channels
        request.rendering.chunkSeconds = "none"
        if let range = try TimeOption.range(range, option: "--range") {
            request.timing.rangeStart = range.start.mediaTime.description
            request.timing.rangeDuration = range.duration.mediaTime.description
        }
        var plan: RenderPlan?
        try file.locating {
            guard file.project.composition.tracks.contains(where: { $0.type == .audio && $0.isEnabled }) else {
                throw SplitreelError(
                    .mediaHasNoSuchTrack, operation: "waveform", subject: source, reason: "it has no sound")
            }
            let mix = try prepareMix(project: file.project, request: request)
            request = mix.request
            // A farm tells them itself. Lacks of the film are no matter, since it is never made.
            for notice in mix.plan.notices.notices where farm.connect == nil && notice.subject != request.path {
                Console.warning(notice, in: file)
            }
            plan = mix.plan.plan
        }
        guard let plan else { throw Exit(.failed) }
        let inputs = plan.assets.values.flatMap(\.files).map(\.path) + [file.path]
        return SoundSource(
            sound: try SoundStream(mixOf: plan), inputs: inputs, project: file.project, file: file, request: request)
    }

    private func trackOfFile() throws -> SoundSource {
        let facts = try probe(path: absoluteName(source))
        guard let found = track.map({ facts.track($0) }) ?? facts.firstTrack(of: .audio), found.type == .audio else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "waveform", subject: source,
                reason: track.map { "track \($0) is not sound" } ?? "it has no sound",
                hint: "`splitreel probe \(source)` lists its tracks")
        }
        let whole = Rational(facts.duration)
        let part = try TimeOption.range(range, option: "--range")
        let start = part?.start ?? .zero
        let end = min(whole, part.map { $0.start + $0.duration } ?? whole)
        guard start < end else {
            throw SplitreelError(
                .usage, operation: "--range", subject: range ?? "",
                reason: "nothing lies in it: it lasts from 0 to \(whole.shortSeconds) s", hint: "name a part inside it")
        }
        return SoundSource(
            sound: try SoundStream(of: facts, track: found, start: start, duration: end - start), inputs: [facts.path],
            hearing: facts, track: found, start: start, duration: end - start)
    }
}

/// The document of `waveform --json`.
private struct WaveformDocument: Encodable {
    var path: String
    var sampleRate: Int
    /// The number of measured channels: 1 for the mean of all.
    var channels: Int
    /// The number of samples of each channel.
    var samples: Int
    var samplesPerPixel: Int
    var buckets: Int?
}
