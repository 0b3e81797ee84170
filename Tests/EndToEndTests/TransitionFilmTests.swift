import TestTools
import Testing

extension EndToEnd {
    /// A wipe about a cut, against arithmetic and ffmpeg's xfade, however the film is split.
    @Suite struct TransitionFilmTests {
        private static let composition = """
            {"format": "splitreel/1",
             "assets": {"black": {"kind": "color", "color": [0, 0, 0, 1]},
                        "white": {"kind": "color", "color": [1, 1, 1, 1]}},
             "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
               {"asset": "black", "target": ["0s", "1s"]},
               {"asset": "white", "target": ["1s", "1s"],
                "transition": {"id": "wipe.left", "duration": "0.96s"}}]}]},
             "video": {"renderSize": [96, 48], "frameDuration": "1/25"}}
            """

        @Test func aWipeGoesAsFarAsItsTime() throws {
            let folder = try TestFolder("transition")
            let witness = Witness(in: folder)
            let check = InvarianceCheck(
                name: "wipe", file: try folder.write(Self.composition, to: "cut.json"), options: [], folder: folder,
                witness: witness, program: try Splitreel(in: folder), isLively: false, hasSound: false)
            let reference = try check.reference()
            try check.expectSame(as: reference, [(1, "0.4"), (2, "0.2")])
            let frames = try witness.luma(folder.file("one.mkv"))
            let theirs = try xfade(folder, witness)
            try #require(frames.count == 50 && theirs.count >= 37)
            for (index, frame) in frames.enumerated() {
                // 24 frames of 4 columns each, the first of them still whole.
                let edge = 96 - 4 * min(max(index - 13, 0), 24)
                let row = (0..<96).map { UInt8($0 < edge ? 16 : 235) }
                #expect((0..<48).allSatisfy { Array(frame[$0 * 96..<$0 * 96 + 96]) == row }, "frame \(index)")
                // xfade leaves the column at the edge to the first picture.
                guard (13..<37).contains(index) else { continue }
                let other = theirs[index]
                let isSame = row.indices.allSatisfy { $0 == edge || abs(Int(other[$0]) - Int(row[$0])) <= 1 }
                #expect(isSame, "frame \(index) of xfade")
            }
        }

        private func xfade(_ folder: TestFolder, _ witness: Witness) throws -> [[UInt8]] {
            let path = folder.file("xfade.mkv")
            _ = try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=black:s=96x48:r=25:d=2", "-f", "lavfi", "-i",
                "color=white:s=96x48:r=25:d=2", "-filter_complex",
                "[0]format=yuv444p[a];[1]format=yuv444p[b];[a][b]xfade=transition=wipeleft:duration=0.96:offset=0.52",
                "-c:v", "ffv1", path,
            ])
            return try witness.luma(path)
        }
    }
}
