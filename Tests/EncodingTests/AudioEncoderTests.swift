import Diagnostics
import Foundation
import Libav
import MediaReading
import MediaTime
import MediaWriting
import Outputs
import Testing

@Suite struct AudioEncoderTests {
    private struct Encoded: Equatable {
        var times: [Int64] = []
        var durations: [Int64] = []
        var sizes: [Int] = []
        var priming = 0
        var clipped = 0
    }

    private static func settings(_ codec: SoundCodec, channels: Int = 2) -> AudioSettings {
        AudioSettings(codec: codec, bitRate: nil, sampleRate: 48000, channels: channels)
    }

    /// `blocks` are the lengths of the blocks, used again and again.
    private func encode(
        _ settings: AudioSettings, _ samples: [[Float]], blocks: [Int], to path: String? = nil
    ) throws -> Encoded {
        let encoder = try AudioEncoder(settings: settings)
        let writer = try path.map { try SegmentWriter(path: $0, audio: encoder) }
        var result = Encoded()
        func take(_ packet: consuming Packet) throws {
            result.times.append(packet.pts ?? .min)
            result.durations.append(packet.duration)
            result.sizes.append(packet.byteCount)
            try writer?.write(packet)
        }
        let count = samples[0].count
        let planes = samples.map { plane in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
            memory.initialize(from: plane, count: count)
            return memory
        }
        defer { planes.forEach { $0.deallocate() } }
        var (done, turn) = (0, 0)
        while done < count {
            let part = min(blocks[turn % blocks.count], count - done)
            let from = done
            try encoder.send(planes.map { $0 + from }, count: part, take)
            (done, turn) = (done + part, turn + 1)
        }
        try encoder.finish(take)
        result.priming = encoder.priming
        result.clipped = encoder.clipping.sampleCount
        if let writer {
            let facts = try writer.finish()
            #expect(facts.count == count && facts.packetCount == result.times.count)
            #expect(Int64(facts.lastPacketDuration) == result.durations.last)
        }
        return result
    }

    private func tone(_ count: Int, channels: Int = 2) -> [[Float]] {
        (0..<channels).map { channel in
            (0..<count).map { index in
                let phase: Double = Double(index) * Double(channel + 2) / 40
                return Float(sin(phase) * 0.5)
            }
        }
    }

    @Test(arguments: [
        (SoundCodec.aac, 1024), (.opus, 312), (.flac, 0), (.pcm, 0), (.alac, 0), (.mp3, 1105), (.vorbis, 128),
    ])
    func packetsCoverEverySampleOnce(codec: SoundCodec, priming: Int) throws {
        for count in [1, 959, 1024, 48_000, 100_003] {
            let encoded = try encode(Self.settings(codec), tone(count), blocks: [1000])
            #expect(encoded.priming == priming)
            var next = Int64(-priming)
            for (time, duration) in zip(encoded.times, encoded.durations) {
                #expect(time == next && duration > 0)
                next += duration
            }
            #expect(next == Int64(count), "\(count) samples")
        }
    }

    @Test(arguments: SoundCodec.all)
    func blockLengthsDoNotMatter(codec: SoundCodec) throws {
        let samples = tone(20_011)
        let whole = try encode(Self.settings(codec), samples, blocks: [20_011])
        #expect(try encode(Self.settings(codec), samples, blocks: [1, 7, 1024, 333]) == whole)
    }

    /// 24 bits of the sample rounded to nearest, held at full scale.
    @Test(arguments: [SoundCodec.flac, .pcm])
    func losslessCodecsKeepEveryBit(codec: SoundCodec) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("sound.nut")
        var left: [Float] = [0, 1, -1, 1.5, -2, .nan, .infinity, 0.25, -0.25, 1e-8, 3 / 8_388_608, 0.999_999_9]
        left += tone(5000)[0]
        let right = left.map { $0.isNaN ? 0 : max(-1, min(1, -$0)) }
        let encoded = try encode(Self.settings(codec), [left, right], blocks: [700], to: path)
        #expect(encoded.clipped == 4)
        let output = try run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c:a", "pcm_s32le", "-f", "s32le", "-"])
        let words = output.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        #expect(words.count == 2 * left.count)
        for (index, sample) in left.enumerated() {
            let held = sample.isNaN ? 0 : Double(max(-1, min(1, sample)))
            let wanted = max(-8_388_608, min(8_388_607, (held * 8_388_608).rounded()))
            #expect(words[2 * index] == Int32(wanted) * 256)
        }
    }

    /// Count, first time and peak of a sine above full scale, of every codec alike.
    @Test(arguments: SoundCodec.all) func clippedSamplesAreCounted(codec: SoundCodec) throws {
        let folder = try TemporaryFolder()
        let count = 20_000
        // Above full scale on the left for a tenth of a second from 0.2 s on, then on the right.
        let loud = (0..<count).map { (place: Int) -> Float in Float(1.5 * sin(Double(place) / 20)) }
        let quiet = (0..<count).map { (place: Int) -> Float in Float(0.5 * sin(Double(place) / 20)) }
        let onTheLeft = 9_600..<14_400
        let left = (0..<count).map { (place: Int) -> Float in onTheLeft.contains(place) ? loud[place] : quiet[place] }
        let right = (0..<count).map { $0 < 14_400 ? quiet[$0] : loud[$0] }
        let encoder = try AudioEncoder(settings: Self.settings(codec))
        let writer = try SegmentWriter(path: folder.file("sound.nut"), audio: encoder)
        let planes = [left, right].map { plane in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
            memory.initialize(from: plane, count: count)
            return memory
        }
        defer { planes.forEach { $0.deallocate() } }
        for start in stride(from: 0, to: count, by: 5000) {
            try encoder.send(planes.map { $0 + start }, count: 5000) { try writer.write($0) }
        }
        try encoder.finish { try writer.write($0) }
        let facts = try writer.finish()
        let notice = try #require(facts.notices.notices.first)
        #expect(facts.notices.notices.count == 1 && notice.code == .soundClipped)
        #expect(notice.count == (left + right).count { abs($0) > 1 })
        let first = try #require(left.firstIndex { abs($0) > 1 })
        #expect(notice.firstSeconds == Double(first) / 48_000)
        // 20 log10 1.5 = 3.52; down by the next tenth nothing is clipped.
        #expect(notice.reason == "peak +3.5 dBFS; lower the volumes by 3.6 dB")
    }

    @Test func fullScaleItselfIsNotClipped() throws {
        let folder = try TemporaryFolder()
        let encoder = try AudioEncoder(settings: Self.settings(.pcm, channels: 1))
        let writer = try SegmentWriter(path: folder.file("sound.nut"), audio: encoder)
        let plane = UnsafeMutablePointer<Float>.allocate(capacity: 2)
        defer { plane.deallocate() }
        (plane[0], plane[1]) = (1, -1)
        try encoder.send([plane], count: 2) { try writer.write($0) }
        try encoder.finish { try writer.write($0) }
        #expect(try writer.finish().notices.isEmpty)
    }

    @Test func opusIsAlways48000() {
        let settings = AudioSettings(codec: .opus, bitRate: nil, sampleRate: 44100, channels: 2)
        let code = #expect(throws: SplitreelError.self) { _ = try AudioEncoder(settings: settings) }?.code
        #expect(code == .settingsImpossible)
    }

    @Test(arguments: [1, 2, 6, 8])
    func channelsStayApart(channels: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("sound.nut")
        let samples = (0..<channels).map { channel in [Float](repeating: Float(channel + 1) / 16, count: 3000) }
        _ = try encode(Self.settings(.pcm, channels: channels), samples, blocks: [512], to: path)
        let output = try run("ffmpeg", ["-v", "error", "-i", path, "-c:a", "pcm_s32le", "-f", "s32le", "-"])
        let words = output.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        #expect(words.count == 3000 * channels)
        for channel in 0..<channels { #expect(words[1500 * channels + channel] == Int32(channel + 1) << 27) }
    }
}
