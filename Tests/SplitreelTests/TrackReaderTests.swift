import Foundation
import Splitreel
import TestTools
import Testing

/// Single tracks of files, decoded and as they are stored, beside what ffmpeg and ffprobe tell.
@Suite("Readers of tracks", .timeLimit(.minutes(3))) struct TrackReaderTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("tracks")
        witness = Witness(in: folder)
    }

    /// A film of B frames, whose frames come at uneven times, with two sounds of unlike rates.
    private func film() throws -> String {
        let path = folder.file("film.mkv")
        _ = try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-f", "lavfi", "-i", "sine=440:r=44100:d=2", "-f",
            "lavfi",
            "-i", "sine=330:r=48000:d=1.5", "-map", "0", "-map", "1", "-map", "2", "-vf",
            "select='not(eq(mod(n,7),3))'", "-fps_mode", "vfr", "-c:v", "libx264", "-g", "12", "-bf", "2", "-c:a",
            "flac",
            "-ac:a:1", "1", path,
        ])
        return path
    }

    @Test func framesHaveTheirOwnTimes() async throws {
        let path = try film()
        var settings = Reader.Settings()
        settings.pixelFormat = .film
        let reader = try await Reader(MediaAsset(path), track: 1, settings: settings)
        var (times, luma): ([Double], [[UInt8]]) = ([], [])
        while let frame = try await reader.nextFrame() {
            times.append(frame.time.seconds)
            luma.append(Array(ReadingFixture.bytes(frame.image).prefix(64 * 36)))
        }
        let known = try witness.frames(path, stream: "v:0")
        let seconds = known.compactMap { ($0["best_effort_timestamp_time"] as? String).flatMap(Double.init) }
        #expect(times.count == seconds.count && times.count == 43)
        #expect(zip(times, seconds).allSatisfy { abs($0 - ($1 - seconds[0])) < 0.0006 }, "\(times)\n\(seconds)")
        #expect(try witness.luma(path) == luma)
        #expect(reader.status == .completed && reader.width == 64 && reader.height == 36)
    }

    @Test(arguments: [(2, 44_100, 1), (3, 48_000, 1)]) func samplesHaveTheirOwnRate(
        id: Int, rate: Int, channels: Int
    ) async throws {
        let path = try film()
        let reader = try await Reader(MediaAsset(path), track: id)
        var samples: [Int16] = []
        while let block = try await reader.nextSamples() {
            #expect(block.channels.count == channels)
            samples += block.interleavedIntegers(Int16.self)
        }
        let data = try witness.ffmpeg(["-i", path, "-map", "0:\(id - 1)", "-f", "s16le", "-"]).standardOutput
        let known = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        // Matroska counts a track's length in thousandths of a second.
        #expect((0...rate / 1000).contains(known.count - samples.count))
        #expect(zip(samples, known).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test func packetsAreThoseOfTheFile() async throws {
        let path = try film()
        let reader = try await PacketReader(MediaAsset(path), track: 1)
        #expect(reader.codec == "h264" && !reader.header.isEmpty)
        let known = try witness.packets(path, stream: "v:0", ["-show_data_hash", "MD5"])
        var found: [StoredPacket] = []
        while let packet = try await reader.next() { found.append(packet) }
        #expect(found.count == known.count)
        for (own, other) in zip(found, known) {
            let time = (other["pts_time"] as? String).flatMap(Double.init)
            #expect(abs((own.presentationTime?.seconds ?? -1) - (time ?? -2)) < 0.0006)
            #expect(own.data.count == Int(other["size"] as? String ?? ""))
            #expect(own.isKeyFrame == (other["flags"] as? String)?.hasPrefix("K"))
        }
        // From the key frame at or before 1 s on.
        try await reader.seek(to: MediaTime(value: 1, timescale: 1))
        let first = try #require(try await reader.next())
        let keys = found.filter(\.isKeyFrame).compactMap(\.presentationTime)
        #expect(first.isKeyFrame && first.presentationTime == keys.last { $0 <= MediaTime(value: 1, timescale: 1) })
    }

    /// The bytes of red, green, blue and alpha of one pixel, whatever their order, and Y' of NV12.
    @Test(arguments: [(PixelFormat.bgra8, [2, 1, 0, 3]), (.argb8, [1, 2, 3, 0])]) func bytesAreInTheirOrder(
        format: PixelFormat, order: [Int]
    ) async throws {
        let asset = MediaAsset(try film())
        func pixels(_ format: PixelFormat) async throws -> [UInt8] {
            var settings = Reader.Settings()
            settings.pixelFormat = format
            let frame = try #require(try await Reader(asset, track: 1, settings: settings).nextFrame())
            var bytes: [UInt8] = []
            frame.image.withRows8 { _, row in bytes += row }
            return bytes
        }
        let (own, plain) = (try await pixels(format), try await pixels(.rgba8))
        #expect(own.count == 64 * 36 * 4 && Set(plain).count > 20)
        for pixel in stride(from: 0, to: own.count, by: 4) {
            let isSame = (0..<4).allSatisfy { own[pixel + order[$0]] == plain[pixel + $0] }
            guard isSame else {
                Issue.record("pixel \(pixel / 4)")
                return
            }
        }
    }

    /// Of a film of 4:2:0 the samples are its own: those that ffmpeg converts to nv12.
    @Test func nv12IsTheFilmsOwn() async throws {
        let path = try film()
        var settings = Reader.Settings()
        settings.pixelFormat = .nv12
        let reader = try await Reader(MediaAsset(path), track: 1, settings: settings)
        let frame = try #require(try await reader.nextFrame())
        let own = frame.image.withPlanes { planes in
            planes.enumerated().flatMap { place, plane in
                (0..<plane.height).flatMap { y in
                    let row = plane.base + y * plane.bytesPerRow
                    return [UInt8](UnsafeRawBufferPointer(start: row, count: plane.width * (place + 1)))
                }
            }
        }
        let known = try witness.ffmpeg([
            "-i", path, "-map", "0:v", "-frames:v", "1", "-pix_fmt", "nv12", "-f", "rawvideo", "-",
        ]).standardOutput
        #expect(own == [UInt8](known))
    }

    /// What is shown at a range's ends is whole, and a range without an end goes to the track's.
    @Test func rangesHoldWholeFrames() async throws {
        let asset = MediaAsset(try film())
        func frames(_ range: TimeRange?) async throws -> [TimeRange] {
            var settings = Reader.Settings()
            settings.timeRange = range
            let reader = try await Reader(asset, track: 1, settings: settings)
            var frames: [TimeRange] = []
            while let frame = try await reader.nextFrame() {
                frames.append(TimeRange(start: frame.time, duration: frame.duration))
            }
            return frames
        }
        let all = try await frames(nil)
        let last = try #require(all.last)
        let (tiny, late) = (MediaTime(value: 1, timescale: 1000), last.start + MediaTime(value: 2, timescale: 1000))
        #expect(try await frames(TimeRange(start: late, duration: tiny)) == [last])
        #expect(try await frames(TimeRange(start: all[20].start, duration: .positiveInfinity)) == Array(all[20...]))
        var settings = Reader.Settings()
        settings.timeRange = TimeRange(start: MediaTime(value: 1, timescale: 2), duration: .positiveInfinity)
        let sound = try await Reader(asset, track: 3, settings: settings)
        #expect(abs(sound.sampleCount - 48_000) <= 48)
        #expect(try await Reader(asset, settings: settings).sampleCount > 48_000)
    }

    /// Still cameras and phones write full range: its black is 0 and its white 255, in other formats too.
    @Test func fullRangeIsHeeded() async throws {
        let path = folder.file("full.mkv")
        _ = try witness.ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=s=64x36:r=25:d=0.04,format=yuvj420p,geq=lum=4*X:cb=128:cr=128", "-c:v",
            "mjpeg", "-q:v", "1", path,
        ])
        func plain(_ format: String) throws -> [UInt8] {
            let bytes = try witness.ffmpeg([
                "-i", path, "-frames:v", "1", "-pix_fmt", format, "-f", "rawvideo", "-",
            ]).standardOutput
            return [UInt8](bytes.prefix(64 * 36))
        }
        var settings = Reader.Settings()
        let coloured = try await Reader(MediaAsset(path), track: 1, settings: settings)
        let grey = try plain("gray")
        #expect(Set(grey).count > 40 && grey.contains { $0 < 8 } && grey.contains { $0 > 247 })
        try #require(try await coloured.nextFrame()).image.withRows8 { y, row in
            #expect((0..<64).allSatisfy { abs(Int(row[4 * $0]) - Int(grey[64 * y + $0])) <= 2 }, "row \(y)")
        }
        settings.pixelFormat = .nv12
        let limited = try await Reader(MediaAsset(path), track: 1, settings: settings)
        let luma = try plain("nv12")
        try #require(try await limited.nextFrame()).image.withPlanes { planes in
            for y in 0..<36 {
                let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: UInt8.self)
                #expect((0..<64).allSatisfy { abs(Int(row[$0]) - Int(luma[64 * y + $0])) <= 1 }, "row \(y)")
            }
        }
    }

    @Test func whatIsNotThereIsTold() async throws {
        let asset = MediaAsset(try film())
        let none = await #expect(throws: SplitreelError.self) { try await Reader(asset, track: 9) }
        #expect(none?.code == .mediaHasNoSuchTrack && none?.hint == "its tracks are 1, 2, 3")
    }

    @Test func integersAreHeldAtTheirEnds() {
        let samples = Reader.Samples(firstSample: 0, channels: [[0, 0.5, 1, -1, 2, .nan], [0, 0, 0, 0, 0, 0]])
        #expect(samples.integers(Int16.self)[0] == [0, 16384, 32767, -32768, 32767, 0])
        #expect(samples.interleaved.count == 12 && samples.interleaved[2] == 0.5)
        #expect(samples.integers(Int32.self)[0][1] == 1 << 30)
    }
}
