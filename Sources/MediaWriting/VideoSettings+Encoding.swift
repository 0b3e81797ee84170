internal import CFFmpeg
internal import Diagnostics
internal import Outputs
internal import Pictures

extension VideoSettings {
    /// The constant quantiser where the codec's qualities are quantisers; nil for other codecs, and without one.
    var quantiser: Double? { codec.qualities?.areQuantisers == true ? crf : nil }

    /// Throws `.settingsImpossible` for combinations that the encoder would take and get wrong.
    func check() throws {
        guard codec.presets.formats != nil, !codec.formats(ofPreset: preset).contains(format) else { return }
        let formats = codec.formats(ofPreset: preset).map(\.rawValue).joined(separator: " or ")
        throw SplitreelError(
            .settingsImpossible, operation: "setting up the encoder", subject: "\(codec.rawValue) \(preset)",
            reason: "profile \(preset) does not take \(format.rawValue)",
            hint: "say \(.pixelFormat) \(formats)")
    }

    /// The width of a pixel over its height, in libav's terms.
    var sampleAspect: AVRational {
        AVRational(num: Int32(clamping: pixelAspect?.width ?? 1), den: Int32(clamping: pixelAspect?.height ?? 1))
    }

    /// The words for these settings in error messages.
    var summary: String { "\(codec.rawValue) \(size.width)x\(size.height) \(format.rawValue)" }
}
