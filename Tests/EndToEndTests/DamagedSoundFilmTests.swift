import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A film with damaged AAC sounds the same in other chunks, by other workers, and cut where nothing is heard of it.
    /// SPLITREEL_SEEDS=200 tries that many damages.
    @Suite("Damaged sound does not depend on the split") struct DamagedSoundFilmTests {
        static let ways: [(chunks: String, workers: Int)] = [
            ("none", 1), ("none", 2), ("1", 1), ("1", 2), ("0.4", 1), ("0.4", 2),
        ]
        /// A decoder's cell ends at 11.9 s.
        private static let whole = Text.track(2, "audio", Text.clip("s", "10.4s", "3s", at: "0s"))
        private static let parts = [
            Text.track(2, "audio", Text.clip("s", "10.4s", "2s", at: "0s")),
            Text.track(3, "audio", Text.gap("0s", "2s"), Text.clip("s", "12.4s", "1s", at: "2s")),
        ]

        @Test func splitsAndCutsSoundTheSame() throws {
            let folder = try TestFolder("damaged-sound-films")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            try NumberedMedia.write(
                75, rate: "25", to: folder.file("v.mkv"), coding: ["-c:v", "ffv1"], with: witness)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc=0.3*sin(900*t*t)+0.05*random(0):s=44100:d=16", "-c:a", "aac", "-b:a",
                "48k", "-aac_pns", "1", folder.file("whole.m4a"),
            ])
            let seeds = ProcessInfo.processInfo.environment["SPLITREEL_SEEDS"].flatMap(UInt64.init) ?? 1
            for seed in 0..<seeds {
                let name = "s\(seed).m4a"
                try DamagedMedia.write(.bits, seed: seed, from: folder.file("whole.m4a"), to: folder.file(name))
                func film(_ sound: [String], _ chunks: String, _ workers: Int) throws -> String {
                    let composition = try folder.write(
                        Text.project(
                            ["v": "v.mkv", "s": name],
                            [Text.track(1, "video", Text.clip("v", "0s", "3s", at: "0s"))] + sound,
                            size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25"), to: "cut.json")
                    let path = folder.file("out.mkv")
                    try? FileManager.default.removeItem(atPath: path)
                    try program.render(
                        composition, to: path,
                        [
                            "--video-codec", "ffv1", "--audio-codec", "pcm", "--chunk-seconds", chunks, "--workers",
                            "\(workers)",
                        ])
                    return try witness.soundHash(path)
                }
                let reference = try film([Self.whole], "none", 1)
                for (chunks, workers) in Self.ways.dropFirst() {
                    #expect(
                        try film([Self.whole], chunks, workers) == reference, "\(seed), \(chunks), \(workers) workers")
                }
                #expect(try film(Self.parts, "none", 1) == reference, "\(seed), cut")
                #expect(try film([Self.whole], "none", 1) == reference, "\(seed), again")
            }
        }
    }
}
