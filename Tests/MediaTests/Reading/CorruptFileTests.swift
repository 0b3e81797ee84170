import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Testing

@Suite(.serialized) struct CorruptFileTests {
    @Test(.enabled(if: Corpus.isThere, Corpus.absent), arguments: Corpus.rows("corrupt"))
    func failsClearlyOrGivesTheFramesThatAreThere(_ row: Corpus.Row) throws {
        // Forgets the peak so far, so that the one below is this file's.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let began = ContinuousClock.now
        if row.videoFrames == nil && row.audioSamples == nil {
            #expect(throws: SplitreelError.self) { try readAll(row.path) }
        } else {
            let counts = try readAll(row.path)
            #expect(counts.frames == row.videoFrames)
            #expect(counts.samples == row.audioSamples)
        }
        #expect(ContinuousClock.now - began < .seconds(120))
        let peak = try #require(peakMemory)
        #expect(peak < 1 << 30, "peak of \(peak) bytes")
    }

    private func readAll(_ path: String) throws -> (frames: Int?, samples: Int?) {
        let facts = try probe(path: path)
        let video = facts.firstTrack(of: .video)
        let audio = facts.firstTrack(of: .audio)
        if let video {
            _ = try VideoReader(path: path, track: video.id).withFrame(at: Rational(video.start)) { _, _ in }
        }
        return (
            try video.map { try decodedFrameCount(path: path, track: $0.id) },
            try audio.map { try decodedFrameCount(path: path, track: $0.id) }
        )
    }

    private var peakMemory: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = Int(line.split(whereSeparator: \.isWhitespace)[1])
        else { return nil }
        return kilobytes * 1024
    }

    @Test func namesWhatIsMissing() {
        #expect { try probe(path: "/nowhere/at/all.mp4") } throws: { ($0 as? SplitreelError)?.code == .mediaNotFound }
        #expect { try probe(path: "/dev/zero") } throws: { ($0 as? SplitreelError)?.code == .mediaCannotOpen }
    }
}
