import Diagnostics
import MediaFacts
import MediaReading
import Testing

@Suite(.serialized) struct CorpusDecodeTests {
    /// Files that need not decode to what the manifest says, each with the reason.
    static let exceptions: [String: String] = [:]

    @Test(.enabled(if: Corpus.isThere, Corpus.absent), arguments: Corpus.rows("video", "derived", "image", "audio"))
    func decodesToTheManifestsCounts(_ row: Corpus.Row) throws {
        if Self.exceptions[row.file] != nil { return }
        guard row.videoFrames != nil || row.audioSamples != nil else {
            // libavcodec 5.1 cannot decode it either: then it says so.
            #expect(throws: SplitreelError.self) { try probe(path: row.path) }
            return
        }
        let facts = try probe(path: row.path)
        if let frames = row.videoFrames {
            let track = try #require(facts.firstTrack(of: .video))
            #expect(try decodedFrameCount(path: row.path, track: track.id) == frames)
            #expect(track.count == frames)
        }
        if let samples = row.audioSamples {
            let track = try #require(facts.firstTrack(of: .audio))
            #expect(try decodedFrameCount(path: row.path, track: track.id) == samples)
        }
    }

    @Test func exceptionsAreFew() { #expect(Self.exceptions.count <= 10) }
}
