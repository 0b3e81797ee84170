import Compositing
import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import TestTools
import Testing

/// Small films, sounds and pictures of every usual kind with some of their bytes changed: each is read, or refused by
/// an error of ours; nothing traps and nothing takes long. `SPLITREEL_MUTATIONS=500` makes more of them.
@Suite(.serialized) struct MutationTests {
    private static let count = ProcessInfo.processInfo.environment["SPLITREEL_MUTATIONS"].flatMap { Int($0) } ?? 100

    @Test func mutatedFilesAreReadOrRefused() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mutated-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bases = SmallMedia.kinds.compactMap { kind in
            SmallMedia.bytes(kind, in: folder.path).map { (kind: kind, bytes: $0) }
        }
        try #require(bases.count > 20, "ffmpeg makes too few kinds")
        var refused = 0
        for number in 0..<Self.count {
            let base = bases[number % bases.count]
            var random = SeededNumbers(seed: UInt64(number))
            let file = folder.appendingPathComponent("\(number).\(base.kind.ending)").path
            try Data(random.mutated(base.bytes)).write(to: URL(fileURLWithPath: file))
            if Self.count > 100 { FileHandle.standardError.write(Data("mutation \(number) of \(base.kind)\n".utf8)) }
            let began = ContinuousClock.now
            do {
                try SmallMedia.readSome(of: file)
            } catch let error as SplitreelError {
                refused += 1
                #expect(error.subject.contains(file), "mutation \(number) of \(base.kind): \(error)")
            }
            let time = ContinuousClock.now - began
            #expect(time < .seconds(20), "mutation \(number) of \(base.kind) took \(time)")
            try FileManager.default.removeItem(atPath: file)
        }
        // Otherwise the mutations reach nothing that matters.
        #expect(refused > Self.count / 20 && refused < Self.count)
    }
}

/// Half a second of something, in many containers and codecs.
enum SmallMedia {
    struct Kind: Sendable, CustomStringConvertible {
        var ending: String
        var coding: [String]
        var hasPicture = true
        var hasSound = true
        var description: String { "\(ending) (\(coding.joined(separator: " ")))" }
    }

    static let kinds: [Kind] = [
        Kind(ending: "mp4", coding: ["-c:v", "libx264", "-bf", "2", "-g", "6", "-c:a", "aac"]),
        Kind(ending: "mov", coding: ["-c:v", "prores_ks", "-c:a", "pcm_s16le"]),
        Kind(ending: "mkv", coding: ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"]),
        Kind(ending: "webm", coding: ["-c:v", "libvpx", "-c:a", "libvorbis"]),
        Kind(ending: "avi", coding: ["-c:v", "mpeg4", "-c:a", "libmp3lame"]),
        Kind(ending: "nut", coding: ["-c:v", "ffv1", "-c:a", "flac"]),
        Kind(ending: "ts", coding: ["-c:v", "mpeg2video", "-c:a", "mp2"]),
        Kind(ending: "mpg", coding: ["-c:v", "mpeg2video", "-c:a", "mp2"]),
        Kind(ending: "flv", coding: ["-c:v", "flv", "-c:a", "libmp3lame", "-ar", "44100"]),
        Kind(ending: "ogg", coding: ["-c:v", "libtheora", "-c:a", "libvorbis"]),
        Kind(ending: "wmv", coding: ["-c:v", "wmv2", "-c:a", "wmav2"]),
        Kind(ending: "mxf", coding: ["-c:v", "mpeg2video", "-c:a", "pcm_s16le"]),
        Kind(ending: "y4m", coding: [], hasSound: false),
        Kind(ending: "h264", coding: ["-c:v", "libx264"], hasSound: false),
        Kind(ending: "ivf", coding: ["-c:v", "libvpx"], hasSound: false),
        Kind(ending: "gif", coding: [], hasSound: false), Kind(ending: "apng", coding: [], hasSound: false),
        Kind(ending: "wav", coding: [], hasPicture: false), Kind(ending: "flac", coding: [], hasPicture: false),
        Kind(ending: "mp3", coding: [], hasPicture: false), Kind(ending: "aiff", coding: [], hasPicture: false),
        Kind(ending: "au", coding: [], hasPicture: false), Kind(ending: "w64", coding: [], hasPicture: false),
        Kind(ending: "caf", coding: [], hasPicture: false), Kind(ending: "aac", coding: [], hasPicture: false),
        Kind(ending: "png", coding: ["-frames:v", "1", "-pix_fmt", "rgba64be"], hasSound: false),
        Kind(ending: "jpg", coding: ["-frames:v", "1"], hasSound: false),
        Kind(ending: "webp", coding: ["-frames:v", "1"], hasSound: false),
        Kind(ending: "tiff", coding: ["-frames:v", "1"], hasSound: false),
        Kind(ending: "bmp", coding: ["-frames:v", "1"], hasSound: false),
    ]

    /// nil where this ffmpeg cannot make it.
    static func bytes(_ kind: Kind, in folder: String) -> [UInt8]? {
        let file = folder + "/base." + kind.ending
        defer { try? FileManager.default.removeItem(atPath: file) }
        let picture = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.5"]
        let sound = ["-f", "lavfi", "-i", "sine=r=48000:d=0.5"]
        let arguments =
            ["-v", "error", "-y"] + (kind.hasPicture ? picture : []) + (kind.hasSound ? sound : []) + kind.coding
        guard output(of: "ffmpeg", arguments + ["-threads", "1", file]) != nil else { return nil }
        return FileManager.default.contents(atPath: file).map { [UInt8]($0) }
    }

    /// Facts, some frames and some sound, as a render would: from the start, the middle and the end.
    static func readSome(of path: String) throws {
        let facts = try probe(path: path)
        let times = [Rational.zero, Rational(facts.duration) / Rational(2), Rational(facts.duration)]
        for track in facts.tracks where track.fault == nil && !track.isCoverPicture {
            for time in times {
                if track.type == .video {
                    let reader = try VideoReader(path: path, track: track.id)
                    _ = try reader.withFrame(at: time) { frame, _ in frame.withImage { $0.luma.width } }
                } else if track.type == .audio {
                    let reader = try AudioReader(
                        path: path, track: track.id, sampleRate: 48000, channels: 2, sourceStart: time,
                        sourceDuration: Rational(1))
                    try withUnsafeTemporaryAllocation(of: Float.self, capacity: 8192) { samples in
                        guard let base = samples.baseAddress else { return }
                        try reader.read(into: [base, base + 4096], count: 4096)
                    }
                }
            }
        }
    }
}

extension SeededNumbers {
    /// One to eight changes, most of them where headers are: near the start and the end.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...8, using: &self) where bytes.count > 16 {
            let place = place(in: bytes.count)
            let extremes: [[UInt8]] = [
                [255, 255, 255, 255], [127, 255, 255, 255], [128, 0, 0, 0], [0, 0, 0, 0], [255, 255, 255, 127],
            ]
            switch Int.random(in: 0..<10, using: &self) {
            case 0...3: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 4...5: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 6...7:
                let value = extremes[Int.random(in: 0..<extremes.count, using: &self)]
                for (offset, byte) in value.enumerated() where place + offset < bytes.count {
                    bytes[place + offset] = byte
                }
            case 8: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...64, using: &self)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 32)], at: place)
            }
        }
        return bytes
    }

    private mutating func place(in count: Int) -> Int {
        switch Int.random(in: 0..<10, using: &self) {
        case 0...4: Int.random(in: 0..<min(count, 400), using: &self)
        case 5...7: Int.random(in: max(0, count - 2000)..<count, using: &self)
        default: Int.random(in: 0..<count, using: &self)
        }
    }
}
