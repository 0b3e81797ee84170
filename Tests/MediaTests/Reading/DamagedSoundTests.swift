import Composition
import Diagnostics
import Foundation
import Media
import MediaTime
import TestSupport
import Testing

/// What damaged sound is heard as depends on the file alone.
@Suite("Damaged sound", .serialized) struct DamagedSoundTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var ending: String
        var coding: [String]
        var testDescription: String { coding.joined(separator: " ") }
    }

    static let kinds = [
        Kind(ending: "m4a", coding: ["-c:a", "aac", "-b:a", "96k"]),
        Kind(ending: "mp3", coding: ["-c:a", "libmp3lame", "-b:a", "96k"]),
        Kind(ending: "flac", coding: ["-c:a", "flac"]),
    ]

    static var seeds: Range<UInt64> {
        0..<(ProcessInfo.processInfo.environment["SPLITREEL_SEEDS"].flatMap(UInt64.init) ?? 3)
    }

    private let rate = 44_100
    private let seconds = 16

    @Test(arguments: kinds) func samplesAreAFunctionOfTheFile(_ kind: Kind) throws {
        let folder = try TestFolder("damaged-sound")
        let whole = folder.file("whole.\(kind.ending)")
        try Witness(in: folder).ffmpeg(
            ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(900*t*t)+0.1*sin(4000*t):s=\(rate):d=\(seconds)"] + kind.coding
                + [whole])
        var noticed = 0
        for seed in Self.seeds {
            for fault in DamagedMedia.Fault.allCases {
                let path = folder.file("\(fault)-\(seed).\(kind.ending)")
                try DamagedMedia.write(fault, seed: seed, from: whole, to: path)
                guard let track = try? probe(path: path).firstTrack(of: .audio) else { continue }
                let (all, notices) = try samples(path, track.id, from: 0)
                #expect(try samples(path, track.id, from: 0).0 == all, "\(fault) \(seed), again")
                // Before, in and after the damage; the last ones are entered near their place.
                for skipped in stride(from: rate, to: seconds * rate, by: 2 * rate + 4321) {
                    let part = try samples(path, track.id, from: skipped).0
                    let firstOther = zip(part, all[skipped...]).enumerated().first { $1.0 != $1.1 }?.offset
                    // Noise that AAC stands in for is made by a generator that goes on from where decoding began.
                    let isOpen = kind.coding.contains("aac")
                    withKnownIssue("AAC's noise depends on the entry", isIntermittent: true) {
                        #expect(firstOther == nil, "\(fault) \(seed), from sample \(skipped)")
                    } when: {
                        isOpen
                    }
                }
                noticed += notices.notices.count
                for notice in notices.notices {
                    #expect(notice.code == .sourceDamaged && notice.subject == "\(path), track \(track.id)")
                    #expect((0...Double(seconds)).contains(try #require(notice.firstSeconds)))
                }
            }
        }
        #expect(noticed > 0, "some damage is told")
    }

    private func samples(_ path: String, _ track: Int, from skipped: Int) throws -> ([UInt32], NoticeList) {
        let reader = try AudioReader(
            path: path, track: track, sampleRate: rate, channels: 1, sourceStart: .zero,
            sourceDuration: Rational(seconds), skipping: skipped)
        var samples = [Float](repeating: 0, count: seconds * rate - skipped)
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            _ = try reader.read(into: [start], count: buffer.count)
        }
        return (samples.map(\.bitPattern), reader.takeNotices())
    }
}
