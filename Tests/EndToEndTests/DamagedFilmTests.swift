import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Damaged films in other chunks, by other workers and once more are the same film. SPLITREEL_SEEDS=200 tries that
    /// many damages of every kind.
    @Suite("Damaged films do not depend on the split") struct DamagedFilmTests {
        static let kinds: [(ending: String, coding: [String])] = [
            ("mp4", ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-bf", "2"]),
            ("mp4", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=12"]),
            ("webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-deadline", "realtime", "-g", "12"]),
            ("mkv", ["-c:v", "libsvtav1", "-preset", "12", "-g", "12"]),
            ("ts", ["-c:v", "mpeg2video", "-b:v", "1M", "-g", "12", "-bf", "2"]),
            ("avi", ["-c:v", "mpeg4", "-b:v", "1M", "-g", "12", "-bf", "2"]),
            ("webm", ["-c:v", "libvpx", "-cpu-used", "8", "-deadline", "realtime", "-g", "12"]),
        ]
        static let ways: [(chunks: String, workers: Int)] = [
            ("none", 2), ("1", 1), ("1", 2), ("0.4", 1), ("0.4", 2),
        ]

        @Test func splitsAndRepetitionsShowTheSame() throws {
            let folder = try TestFolder("damaged-films")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let asked = ProcessInfo.processInfo.environment["SPLITREEL_SEEDS"].flatMap(UInt64.init)
            for (number, kind) in Self.kinds.enumerated() {
                let whole = folder.file("whole\(number).\(kind.ending)")
                try witness.ffmpeg(
                    ["-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=3"] + kind.coding + ["-threads", "1", whole])
                for seed in 0..<(asked ?? 1) {
                    // One of the faults for each kind of film unless more is asked for.
                    let faults = asked == nil ? [number % 2 == 0 ? .hole : .bits] : DamagedMedia.Fault.allCases
                    for fault in faults {
                        let name = "\(number)-\(fault)-\(seed)"
                        try DamagedMedia.write(
                            fault, seed: seed, from: whole, to: folder.file("\(name).\(kind.ending)"))
                        let composition = try folder.write(
                            Text.project(
                                ["v": "\(name).\(kind.ending)"],
                                [Text.track(1, "video", Text.clip("v", "0s", "2.8s", at: "0s"))], size: (192, 144),
                                frame: "1/25"), to: "\(name).json")
                        func film(_ chunks: String, _ workers: Int) throws -> [String] {
                            let path = folder.file("out.mkv")
                            try? FileManager.default.removeItem(atPath: path)
                            try program.render(
                                composition, to: path,
                                ["--video-codec", "ffv1", "--chunk-seconds", chunks, "--workers", "\(workers)"])
                            return try witness.frameHashes(path)
                        }
                        let reference = try film("none", 1)
                        #expect(reference.count == 70, "\(name)")
                        // Cut in a damaged group, the halves with two workers.
                        let ways: [(chunks: String, workers: Int)] =
                            asked == nil ? [("0.4", 2)] : Self.ways + [("none", 1)]
                        for (chunks, workers) in ways {
                            let other = try film(chunks, workers)
                            let places = zip(other, reference).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
                            #expect(
                                other.count == reference.count && places == [],
                                "\(kind.coding[1]) \(fault) \(seed), chunks of \(chunks), \(workers) workers")
                        }
                    }
                }
            }
        }
    }
}
