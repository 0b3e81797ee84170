internal import Diagnostics
internal import Libav
internal import MediaReading
package import MediaTime
internal import MediaWriting
internal import Outputs
internal import Pictures
package import Planning
internal import SplitreelFiles
internal import SplitreelProject

/// Checks a finished film: layout, frames, timestamps, rate, length of the sound; against the plan where there is one,
/// else for what every film of ours has. With `decoding` every frame is decoded strictly, at that cost.
///
/// - Parameter soundDuration: the seconds that the sound is to last where there is no plan; nil where that is not
///   known.
/// - Throws: only where the file cannot be opened as a film.
package func verifyFilm(
    path: String, plan: RenderPlan?, soundDuration: Rational? = nil, decoding: Bool = false
) throws -> VerifyReport {
    let film = try inspectFilm(path: path, decoding: decoding)
    let isOfISO = film.container.hasPrefix("mov")
    let check = FilmCheck(
        film: film, plan: plan, soundDuration: soundDuration,
        isFragmented: plan.map { $0.output.isFragmented == true } ?? (isOfISO && FragmentIndex.isFragmented(path)))
    var report = ReportBuilder()
    check.layout(&report)
    check.whole(&report)
    if let video = film.video.first { check.picture(video, &report) }
    for index in film.audio.indices { check.sound(index, &report) }
    return report.report(frames: film.video.first?.presentations.count ?? 0, warnings: film.damage)
}

/// Throws `.verificationFailed` where the finished film is not what the plan asks for. Nothing is decoded.
package func requireFilm(path: String, plan: RenderPlan) throws {
    // The film is gone already. Its packets were hashed on their way, and each gave a frame.
    if plan.output.isPassedOn == true { return }
    if plan.output.container.kind == .images { return try requireImages(folder: path, plan: plan) }
    if let waveform = plan.output.waveform { return try requireWaveform(path, waveform, plan) }
    if let most = plan.output.mostBytes {
        let count = try RegularFile(path: path, failure: .verificationFailed).byteCount
        guard count <= most else {
            throw SplitreelError(
                .verificationFailed, operation: "checking the film", subject: "\(path)",
                reason: "it has \(count) bytes, and its limit is \(most)",
                hint: plan.output.video == nil
                    ? "\(plan.output.softerSound), or a higher limit"
                    : "say a smaller \(.size), a lower \(.maximumBitRate) or \(.audioBitRate), or a higher limit")
        }
    }
    let report = try verifyFilm(path: path, plan: plan)
    guard !report.ok else { return }
    let failed = report.checks.filter { !$0.ok }.map { "\($0.name): \($0.detail)" }
    throw SplitreelError(
        .verificationFailed, operation: "checking the film", subject: path, reason: failed.joined(separator: "; "))
}

/// Checks a waveform's length, which is known, or at least a bound below it.
private func requireWaveform(_ path: String, _ waveform: WaveformOutput, _ plan: RenderPlan) throws {
    let count = (plan.sampleCount + waveform.samplesPerBucket - 1) / waveform.samplesPerBucket
    let bytes = try RegularFile(path: path, failure: .verificationFailed).byteCount
    guard waveform.kind == .dat ? bytes == 24 + 4 * Int64(count) : bytes > 8 * Int64(count) else {
        throw SplitreelError(
            .verificationFailed, operation: "checking the waveform", subject: path,
            reason: "\(bytes) bytes are not \(count) buckets")
    }
}

/// Counts the images, which are whole files that were hashed on their way.
private func requireImages(folder: String, plan: RenderPlan) throws {
    for frame in 0..<plan.frameCount {
        let path = ImageFolder.image(ofFrame: frame, in: folder)
        guard try RegularFile(path: path, failure: .verificationFailed).byteCount > 0 else {
            throw SplitreelError(
                .verificationFailed, operation: "checking the images", subject: path, reason: "it is empty")
        }
    }
}

/// The checks of one film.
struct FilmCheck {
    let film: FilmFacts
    let plan: RenderPlan?
    /// The sound's duration in seconds where there is no plan; nil where there is one, or it is not known.
    let soundDuration: Rational?
    let isFragmented: Bool

    private var isMatroska: Bool { film.container.hasPrefix("matroska") }
    private var isOfMovingImages: Bool { Container(rawValue: film.container)?.movingImages != nil }
    /// Whether times are rounded to the container's own unit, and it states no rate.
    private var isRounded: Bool { isMatroska || isOfMovingImages || film.container == "nut" }

    /// The seconds by which the film starts late; see `FilmWriter`.
    private var shift: Rational { film.audio.map(delay).max() ?? .zero }

    /// The seconds of a coder's priming, which Matroska cannot say; 0 in other containers.
    private func delay(_ audio: FilmFacts.Audio) -> Rational {
        guard isMatroska else { return .zero }
        let codec = SoundCodec.all.first { $0.libavName == audio.codec }
        return Rational(codec?.untoldPriming ?? 0, max(1, audio.sampleRate))
    }

    func layout(_ report: inout ReportBuilder) {
        let found = "\(film.video.count) video, \(film.audio.count) audio, \(film.otherStreams) other"
        guard let plan else {
            let fits = film.video.count <= 1 && film.audio.count <= OutputEntry.mostSoundTracks
            return report.add("layout", fits && film.video.count + film.audio.count > 0, found)
        }
        // MP4 and QuickTime have a track of chapters.
        let hasTrack = plan.output.chapters != nil && plan.output.container.isISO
        let others =
            (plan.output.texts?.count ?? 0) + (hasTrack ? 1 : 0)
            + (plan.output.posterFrame == nil ? 0 : 1)
        let wanted =
            "\(plan.output.video == nil ? 0 : 1) video, \(plan.output.sounds.count) audio, "
            + "\(others) other"
        report.expect("layout", found, wanted)
        let names = film.container.split(separator: ",")
        report.add("container", names.contains { $0 == plan.output.container.demuxerName }, film.container)
        chapters(plan, &report)
    }

    /// Checks that each chapter is there, at its time, with its title where it has one.
    private func chapters(_ plan: RenderPlan, _ report: inout ReportBuilder) {
        guard let wanted = plan.output.chapters else { return }
        let offset = shift
        let missing = wanted.first { chapter in
            !film.chapters.contains {
                (chapter.title.isEmpty || $0.title == chapter.title)
                    && ($0.start - offset - Rational(chapter.start)).magnitude <= $0.tick
            }
        }
        report.add(
            "chapters", missing == nil,
            missing.map { "none at \(decimal(Rational($0.start))) s" } ?? "\(wanted.count), each at its time")
    }

    /// Checks the film's end and its damage. A film that was cut off holds whole packets, too; and some decoders patch
    /// up damage without a word.
    func whole(_ report: inout ReportBuilder) {
        if let end = film.end { report.add("file end", end.isWhole, end.detail) }
        let isDecoded =
            film.video.contains { $0.decodedFrames != nil } || film.audio.contains { $0.decodedSamples != nil }
        guard isDecoded else { return }
        let count = film.damage.count
        report.add("damage", count == 0, count == 0 ? "none" : "\(count) \(count == 1 ? "stretch" : "stretches")")
    }

    func picture(_ video: FilmFacts.Video, _ report: inout ReportBuilder) {
        if let plan, let settings = plan.output.video { format(video, settings, &report) }
        let wanted = plan?.frameCount ?? video.presentations.count
        report.add(
            "frames", video.presentations.count == wanted && wanted > 0 && video.untimedPackets == 0,
            "\(video.presentations.count)" + (plan == nil ? "" : " of \(wanted)"))
        report.add("first frame", video.startsWithKeyFrame, video.startsWithKeyFrame ? "key" : "not a key frame")
        timestamps(video, &report)
        joins(video, &report)
        decoded("picture", video.decodedFrames, video.presentations.count, video.decodeProblem, &report)
    }

    /// Checks that each copied or rendered part of a film with copies begins with a key frame.
    private func joins(_ video: FilmFacts.Video, _ report: inout ReportBuilder) {
        guard let plan, plan.copiedSets != nil, !plan.chunks.isEmpty,
            video.presentations.count == plan.frameCount
        else { return }
        let open = plan.chunks.first { !video.keyFrames.contains(video.presentations[$0.firstFrame]) }
        report.add(
            "joins", open == nil,
            open.map { "frame \($0.firstFrame), where chunk \($0.index) begins, is no key frame" }
                ?? "\(plan.copiedFrameCount) of \(plan.frameCount) frames copied, each part begins with a key frame")
    }

    private func format(_ video: FilmFacts.Video, _ settings: VideoSettings, _ report: inout ReportBuilder) {
        report.expect("video codec", video.codec, settings.codec.libavName)
        report.expect("size", text(video.size), text(settings.size))
        // Moving images tell nothing of the rest.
        if isOfMovingImages { return }
        report.expect("pixel format", video.pixelFormat, settings.codec.decodedFormat(settings))
        if !settings.codec.tellsColour { return shape(video, settings, &report) }
        // Packets of a source without tags outweigh those of the container, where their codec has a place for tags.
        let isUntaggedCopy = video.colour == nil && plan?.copiedSets != nil
        report.add(
            "colour", video.colour == settings.colour || isUntaggedCopy, video.colour.map(text) ?? "not tagged")
        hdr(video.hdrMetadata, settings, &report)
        // QuickTime files have no place for the range; absence means limited.
        let isFull = video.isFullRange == true
        report.add("range", isFull == settings.codec.isFullRange, isFull ? "full" : "limited")
        shape(video, settings, &report)
    }

    private func shape(_ video: FilmFacts.Video, _ settings: VideoSettings, _ report: inout ReportBuilder) {
        let aspect = video.pixelAspect ?? Rational(1)
        report.add("pixel aspect", isShown(aspect, settings), aspect.description)
        report.add("scan", !video.isInterlaced, video.isInterlaced ? "interlaced" : "progressive")
    }

    /// Checks the HDR metadata: measured light has to be there; everything else was known when it was planned.
    private func hdr(_ found: HDRMetadata?, _ settings: VideoSettings, _ report: inout ReportBuilder) {
        let isMeasured = settings.measuresLight == true
        guard isMeasured || settings.hdrMetadata != nil else { return }
        let display = found?.mastering == settings.hdrMetadata?.mastering
        let light = isMeasured ? found?.light != nil : found?.light == settings.hdrMetadata?.light
        let said = found?.light.map { "MaxCLL \($0.most), MaxFALL \($0.average)" } ?? "no light levels"
        report.add("HDR metadata", display && light, (display ? "" : "another mastering display, ") + said)
    }

    /// Whether the picture is shown in its aspect. Matroska tells how wide it is shown, in whole pixels.
    private func isShown(_ aspect: Rational, _ settings: VideoSettings) -> Bool {
        let wanted = settings.pixelAspect.map { Rational($0.width, $0.height) } ?? Rational(1)
        let apart = (aspect - wanted).magnitude * Rational(settings.size.width)
        return aspect == wanted || (isMatroska && settings.pixelAspect != nil && apart <= Rational(1))
    }

    /// The frames per second; nil where they are not known. Matroska states nanoseconds per frame, from which
    /// libavformat cannot always come back: where every frame stands on the grid of the standard rate beside it, that
    /// is meant.
    private func frameRate(of video: FilmFacts.Video) -> Rational? {
        if let plan { return Rational(1) / Rational(plan.frameDuration) }
        guard isRounded else { return video.averageRate }
        let standard = Rational.standardFrameRates.filter { misplacedFrame(video, rate: $0) == nil }
        guard let stated = video.averageRate else { return standard.first ?? rateOfTimes(video) }
        let nearest = standard.min { ($0 - stated).magnitude < ($1 - stated).magnitude }
        if let nearest, (nearest - stated).magnitude * Rational(100) < stated { return nearest }
        return misplacedFrame(video, rate: stated) == nil ? stated : nearest ?? rateOfTimes(video) ?? stated
    }

    /// The rate that the frames' times leave: a whole number of frames a second, or of seconds a frame; nil for none.
    private func rateOfTimes(_ video: FilmFacts.Video) -> Rational? {
        guard let first = video.presentations.first, let last = video.presentations.last, last > first else {
            return nil
        }
        let rate = Rational(video.presentations.count - 1) / (Rational(Int(last - first)) * video.timeBase)
        let whole =
            [Rational(rate.rounded()), rate]
            + (rate < Rational(1) ? [Rational(1) / Rational((Rational(1) / rate).rounded())] : [])
        return whole.first { $0 > .zero && misplacedFrame(video, rate: $0) == nil }
    }

    private func misplacedFrame(_ video: FilmFacts.Video, rate: Rational) -> Int? {
        misplacedFrame(video) { Rational($0) / rate }
    }

    /// The first frame that is not at its place, within the container's resolution; nil where each is.
    private func misplacedFrame(_ video: FilmFacts.Video, time: (_ frame: Int) -> Rational) -> Int? {
        let offset = shift
        return video.presentations.indices.first { index in
            let time = (time(index) + offset) / video.timeBase
            return video.presentations[index] != Int64(time.rounded())
                || (!isRounded && time.denominator != 1)
        }
    }

    private func timestamps(_ video: FilmFacts.Video, _ report: inout ReportBuilder) {
        if let plan, case .listed = plan.timing { return listedTimestamps(video, plan.timing, &report) }
        guard let rate = frameRate(of: video) else { return report.add("rate", false, "not known") }
        let wrong = misplacedFrame(video, rate: rate)
        if isRounded {
            // The rate that libavformat tells is a guess; the timestamps are what there is.
            report.add("rate", wrong == nil, wrong == nil ? "\(rate)" : "not \(rate)")
        } else {
            let stated = [video.averageRate, video.nominalRate].compactMap { $0 }
            // MXF states one rate.
            let isStated = stated.count == 2 || (film.container == "mxf" && stated.count == 1)
            let agrees = isStated && stated.allSatisfy { $0 == rate }
            report.add(
                "rate", agrees,
                stated.map(\.description).joined(separator: " and ") + (agrees ? "" : ", expected \(rate)"))
        }
        timestamps(video, wrong, "on the grid", &report)
    }

    /// Checks that frames that are not even are each at their own time.
    private func listedTimestamps(_ video: FilmFacts.Video, _ timing: FrameTiming, _ report: inout ReportBuilder) {
        let wrong = misplacedFrame(video) { timing.time(ofFrame: $0) }
        report.add("rate", wrong == nil, wrong == nil ? "variable, as planned" : "not the planned times")
        timestamps(video, wrong, "at its own time", &report)
    }

    private func timestamps(
        _ video: FilmFacts.Video, _ wrong: Int?, _ place: String, _ report: inout ReportBuilder
    ) {
        report.add(
            "timestamps", wrong == nil,
            wrong.map { "frame \($0) is at \(video.presentations[$0]) × \(video.timeBase) s" }
                ?? "every frame \(place), the first at \(shift) s")
        // Matroska stores no decoding times: those that libavformat tells are its guess.
        if !isMatroska {
            report.add(
                "decoding order", video.misorderedPackets == 0,
                video.misorderedPackets == 0 ? "strictly rising" : "\(video.misorderedPackets) packets out of order")
        }
    }

    func sound(_ index: Int, _ report: inout ReportBuilder) {
        let audio = film.audio[index]
        // A single sound has no number.
        let number = film.audio.count > 1 ? " \(index + 1)" : ""
        if let sounds = plan?.output.sounds, sounds.indices.contains(index) {
            let settings = sounds[index].settings
            report.expect("audio codec" + number, audio.codec, settings.codec.libavName)
            report.expect("sample rate" + number, "\(audio.sampleRate)", "\(settings.sampleRate)")
            report.expect("channels" + number, "\(audio.channels)", "\(settings.channels)")
        }
        // Other containers of copies write Opus's header anew.
        if let copied = plan?.copiedSound, audio.codec == SoundCodec.aac.libavName {
            let isPlanned = audio.header == copied.header
            report.add("sound header", isPlanned, isPlanned ? "the source's" : "not the planned one")
        }
        report.add("sound packets" + number, audio.gaps == 0 && audio.packetCount > 0, "\(audio.gaps) gaps")
        let latest = shift - delay(audio) + Rational(1, 1000)
        report.add("sound start" + number, audio.start <= latest, soundStart(audio))
        soundLength(audio, number, &report)
        if film.container == "ogg", let count = audio.decodedSamples {
            // Ogg tells no packet's length: a loss in between is seen by the decoded samples.
            let wanted = ((audio.end - max(.zero, audio.start)) * Rational(audio.sampleRate)).rounded()
            let slack = 2 * (audio.longestPacket * Rational(audio.sampleRate)).rounded()
            report.add("sound samples", abs(count - wanted) <= slack, "\(count) of \(wanted)")
        }
        decoded("sound" + number, audio.decodedSamples, nil, audio.decodeProblem, &report)
    }

    /// The start of the sound in words. Samples before 0 are those that a lossy coder needs to begin with, and that
    /// players leave out.
    private func soundStart(_ audio: FilmFacts.Audio) -> String {
        let exact = "\(audio.start) s"
        guard audio.start.isNegative else { return exact }
        let samples = (audio.start.magnitude * Rational(max(1, audio.sampleRate))).rounded()
        return "\(exact): \(samples) samples of the coder's priming, which players leave out, then 0"
    }

    /// Checks the sound's length, which is exact in MP4 and QuickTime; Matroska counts in milliseconds and knows whole
    /// packets.
    private func soundLength(_ audio: FilmFacts.Audio, _ number: String, _ report: inout ReportBuilder) {
        let rate = max(1, audio.sampleRate)
        // Matroska's sound alone comes late by a coder's priming, too.
        let end = audio.end - shift
        var slack = isMatroska ? audio.longestPacket + Rational(2, 1000) : .zero
        // The last packet of a fragment is as long as the others.
        if isFragmented { slack = audio.longestPacket }
        // MP3's packets are counted from the coder's delay on, as whole frames, which have 576 samples below 32 kHz;
        // the samples to drop stand beside them. Ogg's last packet of Vorbis is as long as its block.
        if film.container == "mp3" { slack = Rational(SoundCodec.mp3.untoldPriming, rate) + audio.longestPacket }
        if film.container == "ogg" { slack = audio.longestPacket }
        // MXF's sound is counted in frames of the picture.
        if film.container == "mxf", let pace = film.video.first.flatMap({ frameRate(of: $0) }) {
            slack = Rational(1) / pace
        }
        // A film that is not known by its plan may be another program's, which ends with a whole packet.
        let isLossless = audio.codec == "flac" || audio.codec == "alac" || audio.codec.hasPrefix("pcm_")
        if plan == nil, !isLossless { slack = max(slack, audio.longestPacket) }
        if let wanted = plan.map({ Rational($0.sampleCount, rate) }) ?? soundDuration {
            report.add(
                "sound length" + number, (end - wanted).magnitude <= slack,
                "ends at \(decimal(end)) s, \(decimal(wanted)) s expected")
        } else if let video = film.video.first, let pace = frameRate(of: video) {
            // The picture ends up to a frame after the sound.
            let picture = Rational(video.presentations.count) / pace
            let apart = (picture - end).magnitude
            report.add(
                "sound length" + number, apart <= Rational(1) / pace + slack,
                "ends at \(decimal(end)) s, the picture at \(decimal(picture)) s")
        }
    }

    private func decoded(
        _ name: String, _ count: Int?, _ wanted: Int?, _ problem: String?, _ report: inout ReportBuilder
    ) {
        guard let count else { return }
        let fits = problem == nil && count == wanted ?? count && count > 0
        report.add(
            "\(name) decodes", fits, problem ?? "\(count)\(wanted.map { $0 == count ? "" : " of \($0)" } ?? "")")
    }

    private func text(_ size: PixelSize) -> String { "\(size.width)x\(size.height)" }

    private func text(_ colour: ColourTriple) -> String {
        "\(colour.primaries.rawValue) \(colour.transfer.rawValue) \(colour.matrix.rawValue)"
    }
}
