import Foundation
import Splitreel

/// FILM.mp4: writes pictures that get brighter for two seconds, and a tone of 440 Hz as AAC of 128 kbit/s, 44.1 kHz and
/// two channels. The film begins with the second half.
func write(_ files: [String]) async throws {
    let rate = 44_100
    let writer = Writer(
        files[0],
        output: .film(
            videoSettings: PictureRequest(codec: .h264, crf: 12),
            audioSettings: SoundRequest(codec: .aac, bitRate: 128_000, sampleRate: rate)))
    let pictures = writer.addPictures(size: PixelSize(width: 160, height: 90), frameDuration: MediaTime(1, 25))
    let sound = writer.addSound(sampleRate: rate, channelCount: 2)
    try await writer.start(at: .seconds(1))

    async let drawn: Void = {
        for number in 0..<50 {
            let frame = pictures.makeFrame()
            frame.withRows8 { _, row in
                for place in row.indices { row[place] = place % 4 == 3 ? 255 : UInt8(5 * number) }
            }
            try await pictures.append(frame, at: MediaTime(number, 25))
        }
    }()
    for start in stride(from: 0, to: 2 * rate, by: 4410) {
        let wave = (start..<start + 4410).map { Float(sin(2 * .pi * 440 * Double($0) / Double(rate)) / 2) }
        try await sound.append([wave, wave], at: MediaTime(start, rate))
    }
    try await drawn
    let film = try await writer.finish(at: .seconds(2))
    print("\(film.frameCount) frames, \(film.sampleCount) samples, \(film.duration.seconds) s")
}
