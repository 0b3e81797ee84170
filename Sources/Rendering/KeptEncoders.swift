import Media
import MediaTime
import Planning

/// Encoders that wait for the next chunk of their settings, so that it need not open one. Only those whose packets
/// depend on their own frames alone: a chunk's bytes are the same whichever chunks went before.
///
/// Confined to the thread that renders, as its session is. Holds as many encoders as one chunk had of equal settings.
final class KeptEncoders {
    private struct Key: Hashable {
        var settings: VideoSettings
        var frameDuration: MediaTime
    }

    private var idle: [Key: [VideoEncoder]] = [:]

    /// Ready for a chunk's first frame; the caller's until `keep`. nil where none waits.
    func take(_ settings: VideoSettings, frameDuration: MediaTime) -> VideoEncoder? {
        let encoder = idle[Key(settings: settings, frameDuration: frameDuration)]?.popLast()
        encoder?.beginAgain()
        return encoder
    }

    /// Takes an encoder whose chunk is complete; lets go of one that serves no other.
    func keep(_ encoder: VideoEncoder) {
        guard encoder.isReusable else { return }
        idle[Key(settings: encoder.settings, frameDuration: encoder.frameDuration), default: []].append(encoder)
    }
}
