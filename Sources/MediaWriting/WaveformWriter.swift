internal import CFFmpeg
internal import Glibc
internal import Libav
internal import MediaReading
internal import Outputs
internal import Pictures

/// Writes a sound's peaks in place of the sound; see `WaveformFile`. Its segment is PCM of 24 bits.
final class WaveformWriter: FilmSink {
    private let path: String
    private let kind: WaveformKind
    private let settings: WaveformSettings
    private let audio: FilmAudioTrack

    init(path: String, _ waveform: WaveformOutput?, audio: [FilmAudioTrack]) throws {
        guard let waveform, let sound = audio.first else { throw invalidSegment(path, "a waveform is of one sound") }
        self.path = path
        kind = waveform.kind
        self.audio = sound
        settings = WaveformSettings(samplesPerBucket: waveform.samplesPerBucket)
    }

    func appendVideo(_ packet: consuming Packet, frame: Int) throws {
        throw invalidSegment(path, "a waveform has no picture")
    }

    func finish(light: ContentLight?) throws {
        let source = try SoundSource(track: audio, container: .waveform)
        let channels = audio.settings.channels
        let file = try WaveformFile(
            path, kind, settings, sampleRate: audio.settings.sampleRate, channels: channels,
            sampleCount: audio.record.count, isAlone: true)
        let planes = unsafe (0..<channels).map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: Self.blockLength)
        }
        defer { unsafe planes.forEach { unsafe $0.deallocate() } }
        while try source.nextStart() != nil {
            let packet = try source.take()
            let bytes = unsafe bytes(packet.fields.data, count: packet.fields.size)
            guard bytes.count % (3 * channels) == 0 else {
                throw invalidSegment(audio.segmentPath, "a packet of sound ends within a sample")
            }
            let count = bytes.count / (3 * channels)
            var done = 0
            while done < count {
                let part = min(Self.blockLength, count - done)
                for channel in 0..<channels {
                    let plane = unsafe planes[channel]
                    for sample in 0..<part {
                        let place = 3 * ((done + sample) * channels + channel)
                        let (low, middle) = (UInt32(bytes[place]) << 8, UInt32(bytes[place + 1]) << 16)
                        let word: UInt32 = low | middle | UInt32(bytes[place + 2]) << 24
                        unsafe plane[sample] = Float(Int32(bitPattern: word) >> 8) / 8_388_608
                    }
                }
                try unsafe file.add(planes, count: part)
                done += part
            }
        }
        try source.checkComplete()
        try file.finish()
    }

    func remove() { _ = unsafe unlink(path) }

    private static let blockLength = 4096
}
