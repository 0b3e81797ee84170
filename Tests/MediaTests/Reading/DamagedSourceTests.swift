import Compositing
import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import TestTools
import Testing

/// What a damaged file shows depends on the file alone. SPLITREEL_SEEDS=200 tries that many damages of each kind.
@Suite("Damaged sources", .serialized) struct DamagedSourceTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var ending: String
        var coding: [String]
        /// Faults that may make another valid film, of which no decoder can tell.
        var untold: Set<DamagedMedia.Fault> = []
        var testDescription: String { "\(ending) \(coding.joined(separator: " "))" }
    }

    static let films = [
        Kind(ending: "mp4", coding: ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-bf", "2"]),
        Kind(ending: "ts", coding: ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-flags", "-cgop"]),
        Kind(
            ending: "mp4",
            coding: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=12"]),
        Kind(ending: "webm", coding: ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-deadline", "realtime", "-g", "12"]),
        Kind(ending: "mkv", coding: ["-c:v", "libsvtav1", "-preset", "12", "-g", "12"]),
        Kind(ending: "mpg", coding: ["-c:v", "mpeg2video", "-b:v", "1M", "-g", "12", "-bf", "2"]),
        Kind(ending: "ts", coding: ["-c:v", "mpeg2video", "-b:v", "1M", "-g", "12", "-bf", "2"]),
        Kind(ending: "avi", coding: ["-c:v", "mpeg4", "-b:v", "1M", "-g", "12", "-bf", "2"]),
        Kind(ending: "mp4", coding: ["-c:v", "mpeg4", "-b:v", "1M", "-g", "12"]),
        Kind(
            ending: "webm", coding: ["-c:v", "libvpx", "-cpu-used", "8", "-deadline", "realtime", "-g", "12"],
            untold: [.bits, .hole]),
        Kind(ending: "avi", coding: ["-c:v", "mjpeg", "-q:v", "5"], untold: [.bits, .hole]),
        Kind(ending: "mov", coding: ["-c:v", "prores_ks", "-profile:v", "0"], untold: [.bits]),
    ]

    static var seeds: Range<UInt64> {
        0..<(ProcessInfo.processInfo.environment["SPLITREEL_SEEDS"].flatMap(UInt64.init) ?? 2)
    }

    private let folder: TestFolder
    init() throws { folder = try TestFolder("damaged") }

    @Test(arguments: films)
    func picturesAreAFunctionOfTheFile(_ kind: Kind) throws {
        let whole = folder.file("whole.\(kind.ending)")
        try Witness(in: folder).ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=3"] + kind.coding + ["-threads", "1", whole])
        let intact = try shown(whole)
        for seed in Self.seeds {
            for fault in DamagedMedia.Fault.allCases {
                let path = folder.file("\(fault)-\(seed).\(kind.ending)")
                defer { try? FileManager.default.removeItem(atPath: path) }
                try DamagedMedia.write(fault, seed: seed, from: whole, to: path)
                guard let damaged = try expectFunctionOfFile(path, "\(fault) \(seed)") else { continue }
                let isTold = try damaged.notices.contains { !$0.isEmpty } || !probe(path: path).warnings.isEmpty
                #expect(
                    isTold || damaged.film == intact.film || kind.untold.contains(fault), "\(fault) \(seed) is told")
            }
        }
    }

    /// The same of real films: the n-th seed damages the n-th of the small ones.
    @Test(.enabled(if: Corpus.isThere, Corpus.absent)) func realFilmsAreAFunctionOfTheFile() throws {
        let films = Corpus.rows("video", "derived").filter { ($0.videoFrames ?? 0) > 9 }
        for seed in Self.seeds {
            let film = films[Int(seed) % films.count]
            let size = try Data(contentsOf: URL(fileURLWithPath: film.path)).count
            guard size < 400_000 else { continue }
            for fault in DamagedMedia.Fault.allCases {
                let path = folder.file("\(fault)." + (film.file as NSString).pathExtension)
                try DamagedMedia.write(fault, seed: seed, from: film.path, to: path)
                _ = try expectFunctionOfFile(path, "\(film.file) \(fault) \(seed)")
            }
        }
    }

    private struct Shown {
        var film: [UInt32?] = []
        /// What is told of each picture.
        var notices: [NoticeList] = []

        mutating func read(_ times: some Sequence<Rational>, of reader: VideoReader) throws {
            for time in times {
                film.append(try DamagedSourceTests.sum(reader, time))
                notices.append(reader.takeNotices())
            }
        }
    }

    private func shown(_ path: String) throws -> Shown {
        let track = try #require(probe(path: path).firstTrack(of: .video))
        var shown = Shown()
        try shown.read(
            presentationTimes(path: path, track: track.id), of: VideoReader(path: path, track: track.id))
        return shown
    }

    /// Whole, in pieces by new readers, backwards by one reader, and whole again: one film. The same is told of each
    /// picture in pieces. Never fewer pictures than the ffmpeg command shows. nil where it cannot be opened.
    private func expectFunctionOfFile(_ path: String, _ name: Comment) throws -> Shown? {
        guard let track = try? probe(path: path).firstTrack(of: .video), let count = track.count else { return nil }
        guard let whole = try? shown(path) else { return nil }
        let film = whole.film
        let times = try presentationTimes(path: path, track: track.id)
        for length in [1, 5, 19] {
            var pieces = Shown()
            for start in stride(from: 0, to: times.count, by: length) {
                let part = try VideoReader(path: path, track: track.id)
                try pieces.read(times[start..<min(start + length, times.count)], of: part)
            }
            #expect(Self.differences(pieces.film, film) == [], "\(name), \(length) frames each")
            #expect(Self.differences(pieces.notices, whole.notices) == [], "\(name), \(length) frames each, told")
        }
        let back = try VideoReader(path: path, track: track.id)
        let backwards = try times.reversed().map { try Self.sum(back, $0) }
        #expect(Self.differences(backwards.reversed(), film) == [], "\(name), backwards")
        #expect(Self.differences(try times.map { try Self.sum(back, $0) }, film) == [], "\(name), again")
        let witnessed = Self.witnessed(path, track.id)
        #expect(Set(film).count >= witnessed, "\(name): \(Set(film).count) of \(count) pictures, ffmpeg \(witnessed)")
        return whole
    }

    private static func differences<Fact: Equatable>(_ some: [Fact], _ others: [Fact]) -> [Int] {
        some.count == others.count ? some.indices.filter { some[$0] != others[$0] } : [-1]
    }

    private static func sum(_ reader: VideoReader, _ time: Rational) throws -> UInt32? {
        try reader.withFrame(at: time) { frame, _ in frame.withImage(checksum) }
    }

    /// Distinct pictures that the ffmpeg command makes of it.
    private static func witnessed(_ path: String, _ track: Int) -> Int {
        let process = output(
            of: "ffmpeg",
            [
                "-v", "quiet", "-threads", "1", "-i", path, "-map", "0:\(track - 1)", "-fps_mode", "passthrough", "-f",
                "framemd5", "-",
            ])
        let lines = process?.split(separator: "\n").filter { !$0.hasPrefix("#") } ?? []
        return Set(lines.compactMap { $0.split(separator: ",").last }).count
    }
}
