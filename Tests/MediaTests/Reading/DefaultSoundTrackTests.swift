import MediaFacts
import MediaReading
import TestTools
import Testing

/// Which of several sound tracks is taken where nobody chooses.
@Suite struct DefaultSoundTrackTests {
    private func facts(_ name: String, _ marks: [String]) throws -> AssetFacts {
        let witness = Witness(in: try TestFolder())
        defer { withExtendedLifetime(witness) {} }
        let tones = marks.indices.flatMap { ["-f", "lavfi", "-i", "sine=\(300 * ($0 + 1)):r=48000:d=0.2"] }
        let flags = marks.indices.flatMap { ["-map", "\($0):a", "-disposition:a:\($0)", marks[$0]] }
        let path = witness.folder.file(name)
        try witness.ffmpeg(tones + flags + ["-c:a", "aac", path])
        return try probe(path: path)
    }

    @Test(arguments: ["mp4", "mov", "mkv"]) func theMarkedTrackIsTaken(ending: String) throws {
        let cases: [([String], Int)] = [
            (["0", "default"], 2), (["default", "0"], 1), (["0", "0", "default"], 3), (["default", "default"], 1),
        ]
        for (marks, track) in cases {
            #expect(try facts("a." + ending, marks).firstTrack(of: .audio)?.id == track, "\(marks)")
        }
    }

    @Test func whereNoneIsMarkedTheFirstOneIsTaken() throws {
        #expect(try facts("a.mkv", ["0", "0"]).firstTrack(of: .audio)?.id == 1)
        #expect(try facts("a.ts", ["0", "0"]).firstTrack(of: .audio)?.id == 1)
    }
}
