import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Testing

/// Reads `count` samples of every channel in blocks of an odd size.
func readAll(_ reader: AudioReader, channels: Int, count: Int) throws -> [[Float]] {
    var planes = [[Float]](repeating: [Float](repeating: 7, count: count), count: channels)
    var done = 0
    while done < count {
        let block = min(1003, count - done)
        let buffers = (0..<channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: block) }
        defer { for buffer in buffers { buffer.deallocate() } }
        try reader.read(into: buffers, count: block)
        for channel in 0..<channels {
            for place in 0..<block { planes[channel][done + place] = buffers[channel][place] }
        }
        done += block
    }
    return planes
}

@Suite(.serialized) struct AudioReaderTests {
    static let files = [
        "audio/al_Front_Center.wav", "audio/ax_bear-vbr-xing-header.mp3", "audio/fo_debian.mp3", "audio/ax_bear.flac",
        "audio/ft_sample.m4a", "audio/sf_alarm-clock-elapsed.oga", "audio/ax_bear.opus", "audio/ax_sample_alac.mp4",
        "audio/md_aac_he_v2.aac", "audio/pm_test.aif", "audio/mb_ac3.mp4", "video/os_test1.mp4", "video/pm_test.wmv",
    ]

    /// At the source's own rate and layout nothing is resampled: the samples are the decoder's, bit for bit, in order.
    @Test(.enabled(if: Corpus.isThere, Corpus.absent), arguments: files)
    func samplesAreTheDecoders(_ file: String) throws {
        let path = try #require(Corpus.root) + "/" + file
        let track = try #require(probe(path: path).firstTrack(of: .audio))
        let audio = try #require(track.audio)
        let count = try decodedFrameCount(path: path, track: track.id)
        let late = sampleIndex(of: Rational(track.start), rate: audio.sampleRate)
        let reader = try AudioReader(
            path: path, track: track.id, sampleRate: audio.sampleRate, channels: audio.channels, sourceStart: .zero,
            sourceDuration: Rational(late + count + 500, audio.sampleRate))
        let got = try readAll(reader, channels: audio.channels, count: late + count + 500)
        let expected = try #require(witness(path, track: track.id))
        for channel in 0..<audio.channels {
            #expect(got[channel].prefix(late).allSatisfy { $0 == 0 })
            #expect(got[channel].suffix(500).allSatisfy { $0 == 0 })
            let wanted = stride(from: channel, to: expected.count, by: audio.channels).map { expected[$0] }
            #expect(wanted.count == count)
            #expect(Array(got[channel][late..<(late + count)]) == wanted, "channel \(channel)")
        }
        // Windows from anywhere are cut from the same row.
        for start in [1, 1023, count / 3, count / 2 + 1, count - 10] {
            let window = try AudioReader(
                path: path, track: track.id, sampleRate: audio.sampleRate, channels: audio.channels,
                sourceStart: Rational(late + start, audio.sampleRate), sourceDuration: Rational(1))
            let length = min(2000, count - start)
            let samples = try readAll(window, channels: audio.channels, count: length)
            for channel in 0..<audio.channels {
                #expect(samples[channel] == Array(got[channel][(late + start)..<(late + start + length)]))
            }
        }
    }

    /// The ffmpeg command's samples, interleaved.
    private func witness(_ path: String, track: Int) -> [Float]? {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("witness-\(UUID().uuidString).f32")
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = ["-v", "error", "-y", "-i", path, "-map", "0:\(track - 1)", "-f", "f32le", file.path]
        guard output(of: "ffmpeg", arguments) != nil, let data = try? Data(contentsOf: file) else { return nil }
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// A mono 16-bit WAV at 44.1 kHz.
    private func wave(_ samples: [Int16], rate: UInt32 = 44100) throws -> String {
        var data = Data("RIFF".utf8)
        func little(_ value: UInt32, _ count: Int) {
            for shift in 0..<count { data.append(UInt8(value >> (8 * shift) & 255)) }
        }
        little(UInt32(36 + samples.count * 2), 4)
        data.append(Data("WAVEfmt ".utf8))
        for (value, size) in [(16, 4), (1, 2), (1, 2), (rate, 4), (rate * 2, 4), (2, 2), (16, 2)] as [(UInt32, Int)] {
            little(value, size)
        }
        data.append(Data("data".utf8))
        little(UInt32(samples.count * 2), 4)
        for sample in samples { little(UInt32(UInt16(bitPattern: sample)), 2) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("wave-\(UUID().uuidString).wav")
        try data.write(to: file)
        return file.path
    }

    @Test(arguments: [
        (Rational(1), 48000), (Rational(2), 48000), (Rational(1, 2), 44100), (Rational(1001, 1000), 48000),
    ])
    func impulsesLandWhereTheyShould(_ rate: Rational, _ outputRate: Int) throws {
        let places = [0, 5000, 22050, 44099, 80000]
        var samples = [Int16](repeating: 0, count: 88200)
        for place in places { samples[place] = 20000 }
        let path = try wave(samples)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let start = Rational(1, 100)
        let reader = try AudioReader(
            path: path, track: 1, sampleRate: outputRate, channels: 2, rate: rate, sourceStart: start,
            sourceDuration: Rational(199, 100))
        // 1.99 s of source at that speed.
        let count = sampleIndex(of: Rational(199, 100) / rate, rate: outputRate)
        #expect(reader.sampleCount == count)
        let out = try readAll(reader, channels: 2, count: count)
        #expect(out[0] == out[1])
        for place in places.dropFirst() {
            let exact = (Rational(place - 441, 44100) / rate * Rational(outputRate))
            let centre = exact.rounded()
            let near = max(0, centre - 20)..<min(count, centre + 20)
            let peak = try #require(near.max { out[0][$0] < out[0][$1] })
            #expect(abs((Rational(peak) - exact).double) <= 1, "impulse \(place) at \(peak), not \(exact.double)")
            #expect(out[0][peak] > 0.05)
        }
    }

    /// An hour would show any drift of the ratio; a minute at 44.1 → 48 kHz must too, to the sample.
    @Test func ratiosDoNotDrift() throws {
        var samples = [Int16](repeating: 0, count: 44100 * 60)
        for second in 0..<60 { samples[second * 44100 + 100] = 30000 }
        let path = try wave(samples)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reader = try AudioReader(
            path: path, track: 1, sampleRate: 48000, channels: 1, sourceStart: .zero, sourceDuration: Rational(60))
        #expect(reader.sampleCount == 48000 * 60)
        let out = try readAll(reader, channels: 1, count: 48000 * 60)[0]
        // 100 samples at 44.1 kHz are 108.84 at 48 kHz.
        for second in 0..<60 {
            let base = second * 48000
            let peak = try #require((base..<(base + 400)).max { out[$0] < out[$1] })
            #expect(peak == base + 109)
        }
    }

    /// Entering a long file midway gives what decoding it from the start gives.
    @Test(arguments: [
        ["mp3", "libmp3lame", "-b:a", "64k"], ["m4a", "aac", "-aac_pns", "0"], ["flac", "flac"], ["wav", "pcm_s24le"],
        ["ogg", "libvorbis"], ["mkv", "aac"], ["ts", "mp2"],
    ])
    func seekingChangesNothing(_ codec: [String]) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "long-\(UUID().uuidString).\(codec[0])")
        defer { try? FileManager.default.removeItem(at: file) }
        let signal = "aevalsrc='0.3*sin(t*t*90)+0.1*random(0)':s=44100:d=40"
        let made = output(
            of: "ffmpeg",
            ["-v", "error", "-y", "-f", "lavfi", "-i", signal, "-c:a", codec[1]] + codec.dropFirst(2) + [file.path])
        try #require(made != nil, "ffmpeg makes the file")
        let whole = try readAll(
            AudioReader(
                path: file.path, track: 1, sampleRate: 44100, channels: 1, sourceStart: .zero,
                sourceDuration: Rational(40)), channels: 1, count: 44100 * 40)[0]
        #expect(whole.contains { abs($0) > 0.2 })
        for start in [44100 * 11 + 7, 44100 * 25, 44100 * 39 + 1] {
            let window = try AudioReader(
                path: file.path, track: 1, sampleRate: 44100, channels: 1, sourceStart: Rational(start, 44100),
                sourceDuration: Rational(1, 2))
            let got = try readAll(window, channels: 1, count: 5000)[0]
            #expect(got == Array(whole[start..<(start + 5000)]))
        }
    }
}
