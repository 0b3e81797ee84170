import Diagnostics
import MediaTime
package import Outputs
import Pictures
import SplitreelProject
package import SplitreelTimeline

/// Fills in every default and refuses what cannot be, before anything is rendered.
///
/// A composition without video (or sound) tracks has no such stream in its output. Errors: `.usage` for an unknown
/// extension or a number out of range, `.encoderUnavailable` for an unknown codec, `.codecContainerMismatch`, and
/// `.settingsImpossible` for what the codec cannot take; all end in exit status 2.
package func resolve(_ request: OutputRequest, timeline: Timeline) throws -> OutputSettings {
    try resolve(
        request,
        facts: OutputFacts(
            hasVideo: timeline.hasVideo, hasAudio: timeline.hasAudio, size: timeline.renderSize,
            colour: timeline.colour, light: timeline.filmLight, frameDuration: timeline.frameDuration))
}

/// The warnings that a person should read about settings that are allowed but have a catch.
package func warnings(for settings: OutputSettings) -> [String] {
    let tags = tagWarnings(for: settings)
    let late = settings.sounds.map(\.settings.codec).max { $0.untoldPriming < $1.untoldPriming }
    guard settings.container == .mkv, let codec = late, codec.untoldPriming > 0 else { return tags }
    let name = codec.rawValue.uppercased()
    let milliseconds = Rational(codec.untoldPriming, 48).rounded()
    return [
        "\(name) in mkv: the container cannot express the encoder's delay, so the film begins with "
            + "\(milliseconds) ms of silence; picture and sound keep step"
    ] + tags
}

package func resolve(_ asked: OutputRequest, facts: OutputFacts) throws -> OutputSettings {
    let request = try asked.withPreset()
    guard !request.path.contains("\0") else {
        throw SplitreelError(
            .usage, operation: "choosing the output", subject: request.path,
            reason: "a file's name cannot hold a zero character", hint: "give the output another name")
    }
    let container = try Container(of: request)
    if let stream = request.stream, container.stream != nil {
        var settings = OutputSettings(container: container, video: nil, audio: nil)
        settings.stream = stream
        return settings
    }
    guard container.stream == nil, request.stream == nil else {
        throw impossible(
            request.path, "a stream is made of several films", hint: "submit what `OutputRequest.streamed` makes of it")
    }
    var settings = OutputSettings(container: container, video: try video(request, facts, container), audio: nil)
    let sounds = try AudioResolver(request: request, container: container).resolveAll(hasAudio: facts.hasAudio)
    try refuseOptionsOfOthers(asked, container)
    settings.audio = sounds.first
    if sounds.count > 1 { settings.furtherAudio = sounds.dropFirst().map { SoundProgram(settings: $0) } }
    guard settings.video != nil || settings.audio != nil else {
        throw impossible(
            request.path, "the output would have neither picture nor sound",
            hint: container.holdsPictures
                ? "leave out \(.audioCodec) none, or give the composition a track"
                : "\(container.rawValue) holds sound alone: give the composition a track of it")
    }
    if (container == .mxf || !container.holdsSound) && settings.video == nil {
        throw impossible(
            request.path, "a file of \(container.rawValue) has a picture", hint: "name the output .wav for sound alone")
    }
    if request.delivery.fragmented == true {
        guard container.isISO else {
            throw impossible(
                "\(.fragmented)", "\(container.rawValue) has no fragments", hint: "name the film .mp4 or .mov")
        }
        settings.isFragmented = true
    }
    if request.isPassedOn {
        guard container.rawFrames != nil else {
            throw impossible(
                request.path, "\(container.rawValue) is not written in the order of its bytes", hint: "say y4m or nut")
        }
        settings.isPassedOn = true
    }
    try request.checkImages(container)
    if container.kind == .waveform {
        settings.waveform = try WaveformOutput(request)
        if let limit = request.delivery.fileLengthLimit {
            throw impossible(
                "\(.fileLengthLimit, limit)", "a waveform's length follows from its buckets",
                hint: "say more samples for each")
        }
    }
    if container.movingImages != nil, let count = request.stills.loopCount, count > 0 { settings.loopCount = count }
    if let limit = request.delivery.fileLengthLimit, !OutputEntry.fileLengths.contains(limit) {
        throw impossible(
            "\(.fileLengthLimit, limit)", "it is a number of bytes, 1 to 10^15",
            hint: "say \(.short([25_000_000])) for 25,000,000")
    }
    return settings
}

/// The picture's settings; nil where there is no picture. Files of sound have no picture made for them, and a codec of
/// pictures that is asked for there is refused.
private func video(_ request: OutputRequest, _ facts: OutputFacts, _ container: Container) throws -> VideoSettings? {
    guard container.holdsPictures else {
        if let codec = request.picture.codec {
            throw mismatch(.videoCodec, codec, container, fits: [], path: request.path)
        }
        return nil
    }
    if facts.hasVideo { return try VideoResolver(request: request, facts: facts, container: container).resolve() }
    // Settings that no picture can have are refused where there is none, too.
    if !request.pictureSettings.isEmpty {
        var (request, canvas) = (request, facts)
        if canvas.size.width < 1 || canvas.size.height < 1 {
            canvas.size = PixelSize(width: 1920, height: 1080)
            request.picture.level = nil
        }
        _ = try VideoResolver(request: request, facts: canvas, container: container).resolve()
    }
    return nil
}

/// Throws for options of the picture in a file of sound alone, and the other way round.
private func refuseOptionsOfOthers(_ request: OutputRequest, _ container: Container) throws {
    let name = container.kind == .waveform ? "a waveform" : container.rawValue
    if !container.holdsPictures, let setting = request.pictureSettings.first {
        throw impossible("\(setting)", "\(name) holds no picture", hint: "\(.leaveOut), or name the film .mp4")
    }
    if !container.holdsSound, let setting = request.soundSettings.first {
        throw impossible("\(setting)", "\(name) holds no sound", hint: "\(.leaveOut), or name the film .mp4")
    }
    if request.sound.isNone, let setting = request.soundSettings.first {
        throw impossible(
            "\(setting)", "the output is to have no sound: its codec is none",
            hint: "\(.leaveOut), or \(.audioCodec) none")
    }
}

extension OutputRequest {
    /// Throws for settings of images that the container does not have.
    fileprivate func checkImages(_ container: Container) throws {
        if let number = stills.startNumber, container.kind != .images || !(0...1_000_000_000).contains(number) {
            throw impossible(
                "\(.startNumber, number)",
                container.kind == .images
                    ? "images count from 0 to 1,000,000,000" : "\(container.rawValue) is no sequence of images",
                hint: container.kind == .images ? "1 is the default" : .leaveOut)
        }
        if let count = stills.loopCount, container.movingImages == nil || !(0...65_535).contains(count) {
            throw impossible(
                "\(.loopCount, count)",
                container.movingImages != nil
                    ? "a \(container.rawValue) plays up to 65,535 times, or for ever"
                    : "only gif and webp say how often they play",
                hint: container.movingImages != nil ? "say 0 for ever, which is the default" : .leaveOut)
        }
    }
}
