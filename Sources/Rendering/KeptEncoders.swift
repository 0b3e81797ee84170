import MediaTime
import MediaWriting
import Outputs

/// Encoders that wait for the next chunk of their settings, so that a chunk need not open its own. They are kept only
/// where their packets depend on their own frames alone: a chunk's bytes are the same whichever chunks went before.
///
/// Confined to the thread that renders, as its session is, which lets go of them when no chunk comes for a while.
final class KeptEncoders {
    private struct Key: Hashable {
        var settings: VideoSettings
        var frameDuration: MediaTime
    }

    /// The most bytes that all of them hold together: two of 1080p's.
    private static let mostBytes = 640 << 20

    private var idle: [Key: [VideoEncoder]] = [:]
    private var bytes = 0

    var isEmpty: Bool { idle.isEmpty }

    /// Takes an encoder that is ready for a chunk's first frame, the caller's until `keep`; nil where none waits.
    func take(_ settings: VideoSettings, frameDuration: MediaTime) -> VideoEncoder? {
        let key = Key(settings: settings, frameDuration: frameDuration)
        guard let encoder = idle[key]?.popLast() else { return nil }
        if idle[key]?.isEmpty == true { idle[key] = nil }
        bytes -= encoder.openingBytes
        encoder.beginAgain()
        return encoder
    }

    /// Takes an encoder whose chunk is complete; lets go of one that serves no other, or for which there is no room.
    func keep(_ encoder: VideoEncoder) {
        guard encoder.isReusable, bytes + encoder.openingBytes <= Self.mostBytes else { return }
        bytes += encoder.openingBytes
        let key = Key(settings: encoder.settings, frameDuration: encoder.frameDuration)
        idle[key, default: []].append(encoder)
    }

    func letGo() { (idle, bytes) = ([:], 0) }
}
