package import Diagnostics
package import MediaWriting
package import Outputs

/// Measures a sound while it is read, and writes it as it goes. A file that could not be finished is not there.
package func writeWaveform(
    of sound: SoundStream, _ settings: WaveformSettings, as kind: WaveformKind, to path: String,
    cancellation: Cancellation
) throws -> NoticeList {
    let file = try WaveformFile(
        path, kind, settings, sampleRate: sound.sampleRate, channels: sound.channels, sampleCount: sound.sampleCount)
    let notices = try sound.read(cancellation: cancellation) { planes, count in try file.add(planes, count: count) }
    try file.finish()
    return notices
}
