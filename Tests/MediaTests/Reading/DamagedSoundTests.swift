import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import TestTools
import Testing

/// What sound is heard as depends on the file alone, damaged or not: a part of it, wherever reading began, is the same
/// part of the whole. SPLITREEL_SEEDS=200 tries that many damages of each kind.
@Suite("Sound wherever reading begins", .serialized) struct DamagedSoundTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var ending: String
        var coding: [String]
        /// The decoder makes up noise: the samples may differ from the witness's.
        var isNoisy = false
        var testDescription: String { coding.joined(separator: " ") + " in \(ending)" }

        init(_ ending: String, _ coding: String..., isNoisy: Bool = false) {
            (self.ending, self.coding, self.isNoisy) = (ending, coding, isNoisy)
        }
    }

    static let kinds = [
        Kind("m4a", "aac", "-b:a", "96k", "-aac_pns", "0"),
        Kind("m4a", "aac", "-b:a", "48k", "-aac_pns", "1", isNoisy: true),
        Kind("aac", "aac", "-b:a", "96k", isNoisy: true),
        Kind("m4a", "aac", "-profile:a", "aac_main", "-aac_pns", "0"),
        Kind("m4a", "aac", "-profile:a", "aac_ltp", "-strict", "-2", "-aac_pns", "0"),
        Kind("mp3", "libmp3lame", "-b:a", "96k"),
        Kind("mp3", "libmp3lame", "-b:a", "8k", "-ar", "24000"),
        Kind("mp2", "mp2", "-b:a", "96k"),
        Kind("ogg", "libvorbis", "-b:a", "96k"),
        Kind("flac", "flac"),
        Kind("m4a", "alac"),
        Kind("wav", "pcm_s16le"),
        Kind("wav", "adpcm_yamaha"),
        Kind("wav", "g722", "-ar", "16000"),
        Kind("ogg", "libopus", "-b:a", "64k"),
        Kind("ac3", "ac3", "-b:a", "96k"),
        Kind("mp4", "ac3", "-b:a", "96k"),
        Kind("eac3", "eac3", "-b:a", "96k"),
        Kind("wma", "wmav2", "-b:a", "96k"),
        Kind("dts", "dca", "-strict", "-2", "-b:a", "768k"),
    ]

    static var seeds: Range<UInt64> {
        0..<(ProcessInfo.processInfo.environment["SPLITREEL_SEEDS"].flatMap(UInt64.init) ?? 2)
    }

    private let seconds = 30
    /// From the end to the start: cells of AAC begin at 11.9 and 23.8 s, and the last second holds the end.
    private let starts = [28.9, 24.1, 23.85, 23.7, 18.3, 12.25, 11.88, 11.7, 5.2, 1.003]

    @Test(arguments: kinds) func samplesAreAFunctionOfTheFile(_ kind: Kind) throws {
        let folder = try TestFolder("damaged-sound")
        let whole = folder.file("whole.\(kind.ending)")
        try Witness(in: folder).ffmpeg(
            [
                "-f", "lavfi", "-i",
                "aevalsrc=0.3*sin(900*t*t)+0.1*sin(4000*t)+0.02*random(0):s=44100:d=\(seconds)", "-c:a",
            ] + kind.coding + [whole])
        try check(whole, kind)
        try compareWithWitness(whole, kind)
        var noticed = 0
        for seed in Self.seeds {
            for fault in DamagedMedia.Fault.allCases {
                let path = folder.file("\(fault)-\(seed).\(kind.ending)")
                try DamagedMedia.write(fault, seed: seed, from: whole, to: path)
                noticed += try check(path, kind)
                try FileManager.default.removeItem(atPath: path)
            }
        }
        let isTold = ["aac", "libmp3lame", "flac"].contains(kind.coding[0])
        // Ogg leaves damaged pages out without a word.
        #expect(!isTold || noticed > 0, "some damage is told")
    }

    /// The number of notices.
    @discardableResult
    private func check(_ path: String, _ kind: Kind) throws -> Int {
        guard let track = try? probe(path: path).firstTrack(of: .audio), let rate = track.audio?.sampleRate else {
            return 0
        }
        let (all, notices) = try samples(path, track.id, rate, from: 0, count: (seconds + 1) * rate)
        let again = try samples(path, track.id, rate, from: 0, count: rate).0
        #expect(firstDifference(again, all) == nil, "\(path) again")
        for start in starts {
            let skipped = Int(start * Double(rate))
            let (part, _) = try samples(path, track.id, rate, from: skipped, count: 2 * rate)
            #expect(firstDifference(part, Data(all.dropFirst(skipped * 4))) == nil, "\(path) from \(start) s")
        }
        for notice in notices.notices {
            #expect(notice.code == .sourceDamaged && notice.subject == "\(path), track \(track.id)")
            #expect((0...Double(seconds + 1)).contains(try #require(notice.firstSeconds)))
        }
        return notices.notices.count
    }

    /// Cells do not sound: what makes no noise is what ffmpeg decodes from the start; noise differs, but by no step.
    private func compareWithWitness(_ path: String, _ kind: Kind) throws {
        let track = try #require(probe(path: path).firstTrack(of: .audio))
        let rate = try #require(track.audio?.sampleRate)
        let witness = try Witness(in: try TestFolder("witness")).ffmpeg(
            ["-i", path, "-c:a", "pcm_f32le", "-f", "f32le", "-"]
        ).standardOutput
        let late = sampleIndex(of: Rational(track.start), rate: rate)
        let ours = try samples(path, track.id, rate, from: late, count: witness.count / 4).0
        guard kind.isNoisy else {
            let other = firstDifference(ours, witness)
            #expect(ours.count == witness.count && other == nil, "\(path) from sample \(other ?? 0)")
            return
        }
        func values(_ data: Data) -> [Float] { data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }
        let differences = zip(values(ours), values(witness)).map { abs($0 - $1) }
        let boundary = 512 * 1024 - 1024
        #expect(differences[..<(boundary - 1024)].allSatisfy { $0 == 0 })
        let elsewhere = try #require(differences[(boundary + 8192)..<(2 * boundary - 8192)].max())
        let there = try #require(differences[(boundary - 2048)..<(boundary + 2048)].max())
        #expect(there <= elsewhere && elsewhere < 0.1, "\(there) at the boundary, \(elsewhere) elsewhere")
    }

    /// The first sample that differs, in what both have.
    private func firstDifference(_ some: Data, _ others: Data) -> Int? {
        let count = min(some.count, others.count)
        if some.prefix(count) == others.prefix(count) { return nil }
        return zip(some, others).enumerated().first { $1.0 != $1.1 }.map { $0.offset / 4 }
    }

    /// As bytes: equal is equal bit for bit.
    private func samples(_ path: String, _ track: Int, _ rate: Int, from skipped: Int, count: Int) throws
        -> (Data, NoticeList)
    {
        let reader = try AudioReader(
            path: path, track: track, sampleRate: rate, channels: 1, sourceStart: .zero,
            sourceDuration: Rational(seconds), skipping: skipped)
        var samples = [Float](repeating: 0, count: count)
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            _ = try reader.read(into: [start], count: count)
        }
        return (samples.withUnsafeBytes { Data($0) }, reader.takeNotices())
    }
}
