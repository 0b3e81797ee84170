import Diagnostics
package import Foundation
import Hashing
import JSONText
import MediaFacts
import MediaTime
import Outputs
import Pictures
import SplitreelProject
import SplitreelTimeline
import Validation

/// The document of `plan --json`: one line of JSON without a line feed. The chunks' times are on the output's clock:
/// frame 0 is at 0.
package func planJSON(_ plan: RenderPlan) throws -> Data { try planJSON([plan])[0] }

/// The documents of several plans of one composition, in their order. Cost: a recipe for each frame, made once for all
/// plans that show the same.
package func planJSON(_ plans: [RenderPlan]) throws -> [Data] {
    var documents: [Int: Data] = [:]
    for (index, plan) in plans.enumerated() where documents[index] == nil {
        let alike = plans.indices.filter { $0 >= index && plans[$0].showsFrames(of: plan) }
        let timeline = try plan.timeline()
        let keys = try pictureKeys(of: alike.map { plans[$0] }, timeline: timeline)
        for (place, keys) in zip(alike, keys) {
            documents[place] = try canonicalJSON(PlanReport(plans[place], timeline, keys: keys.chunks))
        }
    }
    return plans.indices.compactMap { documents[$0] }
}

/// The text that `plan` prints for people: the resolved settings, then a line for each chunk with why it starts there.
/// Its last line has no line feed.
///
/// - Parameter workers: the words for the chunks that are rendered at a time here, if each takes so many bytes.
package func planTable(_ plan: RenderPlan, workers: (_ bytes: Int) -> String = { _ in "" }) -> String {
    var lines = [heading(plan)] + colourLine(plan) + memoryLine(plan, workers)
    if plan.chunks.isEmpty && plan.soundCuts == nil { lines.append("no picture; the sound is one piece of work") }
    if let why = plan.soundWhy { lines.append("the sound is \(why.printable)") }
    if let cuts = plan.soundCuts {
        let places = (cuts.prefix(8).map(String.init) + (cuts.count > 8 ? ["…"] : [])).joined(separator: ", ")
        lines.append("the sound is mixed in \(plan.soundPartCount) parts, cut at \(places) s, and encoded in one piece")
    }
    if !plan.chunks.isEmpty {
        lines.append("chunk  kind         frames                 start      cost  why")
    }
    let timing = plan.timing
    for chunk in plan.chunks {
        let frames = "\(chunk.firstFrame)…\(chunk.firstFrame + chunk.frameCount - 1)"
        let start = clock(timing.time(ofFrame: chunk.firstFrame))
        lines.append(
            right("\(chunk.index)", 5) + "  " + left(chunk.kind.rawValue, 11) + "  " + left(frames, 17) + "  "
                + right(start, 9) + "  " + right(oneDecimal(chunk.cost), 8) + "  " + chunk.why.printable)
    }
    return lines.joined(separator: "\n")
}

/// The plan as far as a finished film can be held against it: read from a frozen `plan.json` or from the document of
/// `plan --json`. The latter gives a plan without chunks, assets and composition.
package func planToVerify(_ data: Data) throws -> RenderPlan {
    if let whole = try? RenderPlan.decode(data) { return whole }
    let report = try JSONDecoder().decode(VerifiableReport.self, from: data)
    var plan = RenderPlan(
        rendererVersion: RenderPlan.currentRendererVersion, composition: "", assets: [:], output: report.output,
        range: report.range, frameDuration: report.frameDuration, frameCount: report.frameCount,
        sampleRate: report.sampleRate, sampleCount: report.sampleCount, chunks: [])
    plan.frameTimes = report.frameTimes
    plan.lead = report.lead
    plan.stills = report.stills
    // A look at a film needs to know that it has copies, and not their parameter sets.
    if report.chunks?.contains(where: { $0.kind == .passthrough }) == true {
        plan.copiedSets = [CopiedSets(header: [])]
    }
    try plan.check()
    return plan
}

private struct VerifiableReport: Decodable {
    struct Part: Decodable {
        var kind: Chunk.Kind
    }

    var output: OutputSettings
    /// The chunks; nil in reports that are cut down to what a film is.
    var chunks: [Part]?
    var frameDuration: MediaTime
    var frameTimes: FrameTimes?
    var lead: FilmLead?
    var stills: [MediaTime]?
    var range: TimeRange
    var frameCount: Int
    var sampleRate: Int
    var sampleCount: Int
}

private struct PlanReport: Encodable {
    struct Part: Encodable {
        var index: Int
        var kind: Chunk.Kind
        var firstFrame: Int
        var frameCount: Int
        var start: String
        var duration: String
        var key: ContentKey
        var cost: Double
        var why: String
    }

    struct Sound: Encodable {
        var copied: Bool
        var why: String
    }

    struct Colour: Encodable {
        var primaries: ColourPrimaries
        var transfer: ColourTransfer
        var matrix: ColourMatrix
        var why: String

        init(of film: FilmColour) {
            primaries = film.triple.primaries
            transfer = film.triple.transfer
            matrix = film.triple.matrix
            why = film.reason
        }
    }

    /// The frame rate in frames a second; `null` where a list says when the frames are.
    @Nullable var frameRate: String?
    var frameCount: Int
    var sampleRate: Int
    var sampleCount: Int
    var planHash: String
    /// The film's colour; nil where there is no picture.
    var colour: Colour?
    var chunks: [Part]
    /// The seconds of the film at which the sound is cut, to be mixed in parts; left out where it is not.
    var soundCuts: [Int]?
    /// Whether the sound is copied, and why; left out where nothing is said.
    var sound: Sound?
    /// The memory that a worker takes for a chunk at its peak, in bytes, about; left out where there is no picture.
    var slotBytes: Int?
    /// The settings; with the fields below they are beside what is promised: `verify --plan` holds a film against them.
    var output: OutputSettings
    var frameDuration: MediaTime
    var frameTimes: FrameTimes?
    var lead: FilmLead?
    var stills: [MediaTime]?
    var range: TimeRange

    /// `keys` are the content keys of the plan's chunks.
    init(_ plan: RenderPlan, _ timeline: Timeline, keys: [ContentKey]) throws {
        let timing = plan.timing
        if case .even(let grid) = timing { frameRate = grid.rateText }
        frameCount = plan.frameCount
        sampleRate = plan.sampleRate
        (sampleCount, soundCuts) = (plan.sampleCount, plan.soundCuts)
        sound = plan.soundWhy.map { Sound(copied: plan.copiedSound != nil, why: $0) }
        planHash = try plan.hash()
        output = plan.output
        frameDuration = plan.frameDuration
        range = plan.range
        frameTimes = plan.frameTimes
        lead = plan.lead
        stills = plan.stills
        slotBytes = plan.frameCount > 0 ? SlotMemory(plan, timeline).bytes : nil
        colour = plan.output.video == nil ? nil : Colour(of: timeline.filmColour.made(with: plan.output.video))
        /// The time from one frame to another, in ticks of the output's clock.
        func text(_ first: Int, _ end: Int) -> String {
            if let times = plan.frameTimes, let scale = timing.timescale {
                let length = timing.time(ofFrame: end) - timing.time(ofFrame: first)
                // The end of all need not lie on the clock.
                return end < times.count || (length * Rational(scale)).denominator == 1
                    ? "\((length * Rational(scale)).rounded())/\(scale)" : length.description
            }
            return "\(Int64(end - first) * plan.frameDuration.value)/\(plan.frameDuration.timescale)"
        }
        chunks = zip(plan.chunks, keys).map { chunk, key in
            Part(
                index: chunk.index, kind: chunk.kind, firstFrame: chunk.firstFrame, frameCount: chunk.frameCount,
                start: text(0, chunk.firstFrame), duration: text(chunk.firstFrame, chunk.frames.upperBound),
                key: key, cost: chunk.cost, why: chunk.why)
        }
    }
}

/// A text that is written as `null` where there is none, and not left out.
@propertyWrapper
private struct Nullable: Encodable {
    var wrappedValue: String?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// The lines on the film's colour, with the reason for it, and on its light; none where there is no picture.
private func colourLine(_ plan: RenderPlan) -> [String] {
    guard plan.output.video != nil, let colour = try? plan.filmColour() else { return [] }
    let names = [colour.triple.primaries.rawValue, colour.triple.transfer.rawValue, colour.triple.matrix.rawValue]
    let name = Set(names).count == 1 ? names[0] : names.joined(separator: " / ")
    return ["colour \(name): \(colour.reason)"] + lightLine(plan.output.video)
}

/// The line on the light that a film in HDR will tell; none where it tells nothing.
private func lightLine(_ settings: VideoSettings?) -> [String] {
    var parts: [String] = []
    if let display = settings?.hdrMetadata?.mastering {
        parts.append("mastered on \((display.most + 5000) / 10_000) cd/m²")
    }
    if settings?.measuresLight == true { parts.append("MaxCLL and MaxFALL are measured") }
    if let light = settings?.hdrMetadata?.light { parts.append("MaxCLL \(light.most), MaxFALL \(light.average)") }
    return parts.isEmpty ? [] : ["light " + parts.joined(separator: "; ")]
}

/// The line on the memory that a worker takes; none where there is no picture.
private func memoryLine(_ plan: RenderPlan, _ workers: (_ bytes: Int) -> String) -> [String] {
    guard plan.frameCount > 0, let memory = try? plan.slotMemory() else { return [] }
    return ["memory about \(memoryText(memory.bytes)) for each chunk in hand" + workers(memory.bytes)]
}

extension RenderPlan {
    /// Whether both plans make the same pictures of the same chunks.
    fileprivate func showsFrames(of other: RenderPlan) -> Bool {
        composition == other.composition && output.video?.size == other.output.video?.size
            && output.video?.pixelAspect == other.output.video?.pixelAspect && range == other.range
            && frameDuration == other.frameDuration && frameTimes == other.frameTimes && fonts == other.fonts
            && lead == other.lead && stills == other.stills
            && chunks.map(\.frames) == other.chunks.map(\.frames) && assets == other.assets
    }

    func timeline() throws -> Timeline {
        let project = try Project(parsing: Data(composition.utf8))
        return try Timeline(
            project: project, assets: assets, size: output.video?.size, frameDuration: frameDuration,
            pixelAspect: output.video?.pixelAspect)
    }

    fileprivate func filmColour() throws -> FilmColour { try timeline().filmColour.made(with: output.video) }
}

extension FilmColour {
    /// The colour of the film that is made with the settings: another one where a composition in HDR gives SDR.
    fileprivate func made(with settings: VideoSettings?) -> FilmColour {
        guard let settings, settings.composedIn != nil, settings.colour != triple else { return self }
        var film = self
        film.triple = settings.colour
        film.reason = "brought here from \(triple.transfer.rawValue), which the composition has: \(reason)"
        return film
    }
}

private func heading(_ plan: RenderPlan) -> String {
    var parts: [String] = [plan.output.container.rawValue]
    if let video = plan.output.video {
        var rate = hundredths(Rational(1) / Rational(plan.timing.pace)) + " fps"
        if plan.frameTimes != nil { rate = "variable, \(rate) on average" }
        var quality = ""
        if let crf = video.crf { quality = " crf \(oneDecimal(crf))" }
        if let bitRate = video.bitRate { quality = " \(bitRate) bit/s" + (video.isTwoPass ? " in two passes" : "") }
        let pixels = video.pixelAspect.map { " (pixels \($0.width):\($0.height))" } ?? ""
        let preset = video.preset.isEmpty ? "" : " \(video.preset)"
        parts.append(
            "\(video.codec.rawValue)\(preset)\(quality) \(video.size.width)×\(video.size.height)\(pixels) "
                + "\(video.format.rawValue) \(rate), \(plan.frameCount) frame\(plan.frameCount == 1 ? "" : "s")")
    }
    for sound in plan.output.sounds {
        let audio = sound.settings
        let layout = audio.layout.map { " (\($0.rawValue))" } ?? ""
        let bitRate = audio.bitRate.map { " \($0) bit/s" } ?? ""
        parts.append(
            "\(audio.codec.rawValue)\(bitRate) \(audio.sampleRate) Hz, \(audio.channels) channels\(layout), "
                + "\(plan.sampleCount) samples" + of(sound))
    }
    return parts.joined(separator: "; ")
}

/// The end of a sound's line: its name, and the tracks that it is of; empty where it is of all.
private func of(_ sound: SoundProgram) -> String {
    guard let tracks = sound.tracks else { return "" }
    let name = [sound.tags?.name, sound.tags?.language].compactMap { $0 }.joined(separator: ", ")
    return (name.isEmpty ? "" : " (\(name))") + " of track\(tracks.count == 1 ? "" : "s") "
        + tracks.map(String.init).joined(separator: ", ")
}

/// The time as `M:SS.mmm`, rounded down; for people only.
private func clock(_ time: Rational) -> String {
    let milliseconds = (time * Rational(1000)).floor()
    let (minutes, rest) = milliseconds.quotientAndRemainder(dividingBy: 60_000)
    let fraction = String(rest % 1000)
    let seconds = String(rest / 1000)
    return "\(minutes):" + (seconds.count < 2 ? "0" : "") + seconds + "."
        + String(repeating: "0", count: 3 - fraction.count) + fraction
}

/// The rate as `29.97` or `25`, to the nearest hundredth; for people only.
private func hundredths(_ rate: Rational) -> String {
    let (whole, rest) = (rate * Rational(100)).rounded().quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
}

private func oneDecimal(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
}

private func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
