import AudioMixing
import MediaTime
import Outputs

/// Sound on its way through a gain and a limiter, whose delay is made up for: as many samples come out as go in.
final class LimitedSound {
    private let limiter: any SoundTap
    private let factor: Float
    private let channels: Int
    private let deliver: AudioRendering.Deliver
    private var position = 0
    /// The samples still to come out before the first one that went in.
    private var late: Int

    init(
        factor: Double, ceiling: Double, _ settings: AudioSettings, _ deliver: @escaping AudioRendering.Deliver
    ) {
        let context = TapContext(
            sampleRate: settings.sampleRate, channels: settings.channels, rangeStart: .zero)
        limiter = makeLimiter(ceiling: ceiling, context)
        self.factor = Float(factor)
        channels = settings.channels
        self.deliver = deliver
        late = limiter.latency
    }

    /// Sends samples through the gain and the limiter; changes the planes.
    func take(_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws {
        for plane in planes { for sample in 0..<count { plane[sample] *= factor } }
        try limiter.process(planes, first: position, count: count, lead: [])
        position += count
        let dropped = min(late, count)
        late -= dropped
        if dropped < count { try deliver(planes.map { $0 + dropped }, count - dropped) }
    }

    /// Hands on the samples that are still in the limiter.
    func finish() throws {
        var left = limiter.latency
        let block = PlanarBlock(channels: channels, capacity: Mixer.blockLimit)
        while left > 0 {
            let count = min(left, Mixer.blockLimit)
            for plane in block.planes { plane.update(repeating: 0, count: count) }
            try take(block.planes, count)
            left -= count
        }
    }
}
