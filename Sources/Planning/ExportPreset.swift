import Diagnostics
import MediaFacts
package import Outputs
package import Pictures

/// A named family of output settings, by Apple's names or by purpose. Settings that a person says beside it go before
/// its own.
package struct ExportPreset: Sendable {
    package var name: String
    package var summary: String
    /// The kinds of file that the preset makes; the first is meant where the output's name says none of them.
    package var fileTypes: [Container]
    /// The size in pixels into which the picture is fitted, lying or standing, and never scaled up; nil for the
    /// canvas's own size.
    package var box: PixelSize?
    /// The settings that the preset asks for. A limit of the frames a second is not a preset's business.
    package var request = OutputRequest(path: "")
    /// Whether the canvas must stand upright.
    package var isPortrait = false

    init(
        _ name: String, _ summary: String, _ fileTypes: [Container], box: (Int, Int)? = nil, isPortrait: Bool = false,
        _ change: (inout OutputRequest) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.fileTypes = fileTypes
        self.box = box.map { PixelSize(width: $0.0, height: $0.1) }
        self.isPortrait = isPortrait
        change(&request)
    }

    /// The preset of that name; Apple's constants may be written in full. Throws `.settingsImpossible`.
    package static func named(_ name: String) throws -> ExportPreset {
        let prefix = "AVAssetExportPreset"
        let short = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
        if let found = all.first(where: { $0.name.lowercased() == short.lowercased() }) { return found }
        if let reason = impossibleOnes.first(where: { $0.name.lowercased() == short.lowercased() })?.reason {
            throw impossible("\(.preset, name)", "\(reason)", hint: "`splitreel presets` lists those that are made")
        }
        throw impossible(
            "\(.preset, name)", "there is no preset of that name",
            hint: nearestName(to: short, among: all.map(\.name)).map { "did you mean `\($0)`?" }
                ?? "`splitreel presets` lists them all")
    }

    /// Apple's presets that nothing here can make, each with the reason.
    static let impossibleOnes: [(name: String, reason: String)] =
        ["HEVCHighestQualityWithAlpha", "HEVC1920x1080WithAlpha", "HEVC3840x2160WithAlpha"].map {
            ($0, "the HEVC encoder here has no alpha; AppleProRes4444LPCM has")
        }
        + ["MVHEVC960x960", "MVHEVC1440x1440", "MVHEVC4320x4320", "MVHEVC7680x7680"].map {
            ($0, "two views in one film are not made")
        } + [("Passthrough", "every film is encoded here")]
}

extension OutputRequest {
    /// The request with the preset's settings where it says nothing else. Throws for an unknown preset, or for one of
    /// another type of files.
    package func withPreset() throws -> OutputRequest {
        guard let exportPreset else { return self }
        let preset = try ExportPreset.named(exportPreset)
        let container = try Container(of: self)
        guard preset.fileTypes.contains(container) else {
            throw SplitreelError(
                .codecContainerMismatch, operation: "choosing the preset", subject: "\(fact: path, of: .preset)",
                reason: "\(preset.name) is not made as \(container.rawValue)",
                hint: "name the output \(alternatives(preset.fileTypes.map { "." + $0.rawValue }))")
        }
        let own = preset.request
        var request = self
        // Another codec has other settings.
        let isSameCodec = videoCodec == nil || videoCodec?.lowercased() == own.videoCodec
        request.videoCodec = videoCodec ?? own.videoCodec
        if isSameCodec {
            if crf == nil && videoBitRate == nil { (request.crf, request.videoBitRate) = (own.crf, own.videoBitRate) }
            if own.isConstantRate == true, crf == nil, maximumBitRate == nil, isConstantRate != false {
                request.isConstantRate = true
                // Its buffer is one for its own rate.
                let isOwnRate = videoBitRate ?? own.videoBitRate == own.videoBitRate
                request.bufferSize = bufferSize ?? (isOwnRate ? own.bufferSize : nil)
            } else if own.isConstantRate != true, maximumBitRate == nil, videoBitRate == nil {
                (request.maximumBitRate, request.bufferSize) = (own.maximumBitRate, bufferSize ?? own.bufferSize)
            }
            request.profile = profile ?? own.profile
            request.preset = self.preset ?? own.preset
            request.pixelFormat = pixelFormat ?? (self.preset == nil ? own.pixelFormat : nil)
            request.keyFrameInterval = keyFrameInterval ?? own.keyFrameInterval
        }
        let isSameSound = audioCodec == nil || audioCodec?.lowercased() == own.audioCodec
        request.audioCodec = audioCodec ?? own.audioCodec
        request.sampleRate = sampleRate ?? own.sampleRate
        request.channels = channels ?? (channelLayout == nil ? own.channels : nil)
        if isSameSound, audioBitRate == nil, let usual = own.audioBitRate {
            let layout = channelLayout.flatMap { ChannelLayout(rawValue: $0.lowercased()) }
            // Less where sound of the rate or the channels that were asked for does not take so much.
            let shape = SoundShape(
                sampleRate: request.sampleRate ?? 48_000, channels: request.channels ?? layout?.channels ?? 2)
            let codec = own.audioCodec.flatMap(SoundCodec.init(rawValue:))
            request.audioBitRate = codec?.bitRate(near: usual, shape) ?? usual
        }
        return request
    }

    /// The size in pixels that the preset gives a canvas of that size, never a larger one; nil where it is the canvas's
    /// own. Throws where the preset is for films that stand upright and this one does not.
    func presetSize(of canvas: PixelSize) throws -> PixelSize? {
        guard let exportPreset, size == nil else { return nil }
        let preset = try ExportPreset.named(exportPreset)
        guard !preset.isPortrait || canvas.height > canvas.width else {
            throw impossible(
                "\(.preset, preset.name)", "it is for upright films, and this one is \(canvas.width)×\(canvas.height)",
                hint: entry == nil
                    ? "make renderSize 1080×1920, or say \(.size, value: .size(1080, 1920))"
                    : "make renderSize 1080×1920")
        }
        guard let box = preset.box, canvas.width > 0, canvas.height > 0 else { return nil }
        let stands = canvas.height > canvas.width
        let (width, height) =
            stands ? (min(box.width, box.height), max(box.width, box.height)) : (box.width, box.height)
        guard canvas.width > width || canvas.height > height else { return nil }
        // The tighter side decides; the other one is the nearest even number.
        func even(_ numerator: Int, _ denominator: Int) -> Int {
            max(2, (numerator + denominator) / (2 * denominator) * 2)
        }
        if canvas.width * height >= canvas.height * width {
            return PixelSize(width: width, height: min(height, even(canvas.height * width, canvas.width)))
        }
        return PixelSize(width: min(width, even(canvas.width * height, canvas.height)), height: height)
    }
}
