import Diagnostics
import MediaFacts
package import Outputs
package import Pictures
import SplitreelProject

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
            let hint: Phrase =
                short.lowercased() == "passthrough"
                ? "say \(.passthrough, Passthrough.require.rawValue) to refuse what must be rendered"
                : "`splitreel presets` lists those that are made"
            throw impossible("\(.preset, name)", "\(reason)", hint: hint)
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
        } + [("Passthrough", "it is no family of settings: what no edit touches is copied without it")]
}

extension OutputRequest {
    /// The request with the preset's settings where it says nothing else. Throws for an unknown preset, or for one of
    /// another type of files.
    package func withPreset() throws -> OutputRequest {
        guard let name = delivery.preset else { return self }
        let preset = try ExportPreset.named(name)
        let container = try Container(of: self)
        guard preset.fileTypes.contains(container) else {
            throw SplitreelError(
                .codecContainerMismatch, operation: "choosing the preset", subject: "\(fact: path, of: .preset)",
                reason: "\(preset.name) is not made as \(container.rawValue)",
                hint: "name the output \(alternatives(preset.fileTypes.map { "." + $0.rawValue }))")
        }
        var request = self
        request.picture = picture.taking(preset: preset.request.picture)
        request.sound = sound.taking(preset: preset.request.sound)
        return request
    }

    /// The size in pixels that the preset gives a canvas of that size, never a larger one; nil where it is the canvas's
    /// own. Throws where the preset is for films that stand upright and this one does not.
    func presetSize(of shown: PixelSize) throws -> PixelSize? {
        guard let name = delivery.preset, canvas.size == nil else { return nil }
        let preset = try ExportPreset.named(name)
        guard !preset.isPortrait || shown.height > shown.width else {
            throw impossible(
                "\(.preset, preset.name)", "it is for upright films, and this one is \(shown.width)×\(shown.height)",
                hint: entry == nil
                    ? "make renderSize 1080×1920, or say \(.size, value: .size(1080, 1920))"
                    : "make renderSize 1080×1920")
        }
        guard let box = preset.box, shown.width > 0, shown.height > 0 else { return nil }
        let stands = shown.height > shown.width
        let (width, height) =
            stands ? (min(box.width, box.height), max(box.width, box.height)) : (box.width, box.height)
        guard shown.width > width || shown.height > height else { return nil }
        // The tighter side decides; the other one is the nearest even number.
        func even(_ numerator: Int, _ denominator: Int) -> Int {
            max(2, (numerator + denominator) / (2 * denominator) * 2)
        }
        if shown.width * height >= shown.height * width {
            return PixelSize(width: width, height: min(height, even(shown.height * width, shown.width)))
        }
        return PixelSize(width: min(width, even(shown.width * height, shown.height)), height: height)
    }
}

extension PictureRequest {
    /// The request with a preset's settings where it says nothing else.
    fileprivate func taking(preset own: PictureRequest) -> PictureRequest {
        var request = self
        request.codec = codec ?? own.codec
        // Another codec has other settings.
        guard codec == nil || codec?.lowercased() == own.codec else { return request }
        if crf == nil && bitRate == nil {
            request.crf = own.crf
            request.bitRate = own.bitRate
        }
        if own.constantBitRate == true, crf == nil, maximumBitRate == nil, constantBitRate != false {
            request.constantBitRate = true
            // Its buffer is one for its own rate.
            let isOwnRate = bitRate ?? own.bitRate == own.bitRate
            request.bufferSize = bufferSize ?? (isOwnRate ? own.bufferSize : nil)
        } else if own.constantBitRate != true, maximumBitRate == nil, bitRate == nil {
            request.maximumBitRate = own.maximumBitRate
            request.bufferSize = bufferSize ?? own.bufferSize
        }
        request.profile = profile ?? own.profile
        request.encoderPreset = encoderPreset ?? own.encoderPreset
        request.pixelFormat = pixelFormat ?? (encoderPreset == nil ? own.pixelFormat : nil)
        request.keyFrameInterval = keyFrameInterval ?? own.keyFrameInterval
        return request
    }
}

extension SoundRequest {
    /// The request with a preset's settings where it says nothing else.
    fileprivate func taking(preset own: SoundRequest) -> SoundRequest {
        var request = self
        let isSameSound = codec == nil || codec?.lowercased() == own.codec
        request.codec = codec ?? own.codec
        request.sampleRate = sampleRate ?? own.sampleRate
        request.channels = channels ?? (channelLayout == nil ? own.channels : nil)
        guard isSameSound, bitRate == nil, let usual = own.bitRate else { return request }
        let layout = channelLayout.flatMap { ChannelLayout(rawValue: $0.lowercased()) }
        // Less where sound of the rate or the channels that were asked for does not take so much.
        let shape = SoundShape(
            sampleRate: request.sampleRate ?? 48_000, channels: request.channels ?? layout?.channels ?? 2)
        let taken = own.codec.flatMap(SoundCodec.init(rawValue:))
        request.bitRate = taken?.bitRate(near: usual, shape) ?? usual
        return request
    }
}
