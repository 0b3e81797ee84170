import TestTools
import Testing

extension EndToEnd {
    /// What a program holds that works in rounds: `Tests/Support/FarmProgram/Leaks.swift`.
    @Suite struct LeakTests {
        private struct Held {
            let memory, descriptors, threads: Int

            init(_ line: Substring) throws {
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                guard numbers.count == 3 else { throw ToolFailure("it says \(line)") }
                (memory, descriptors, threads) = (numbers[0], numbers[1], numbers[2])
            }
        }

        /// The rounds of each part, and half of what is kept where each keeps one frame of 480×270: as small as
        /// a frame is, 12 bits a pixel.
        private static let rounds = 16
        private static let bound = rounds * 480 * 270 * 3 / 2 / 2

        /// Loading, pictures that are cancelled, reading and writing: after many rounds there is no more memory, and
        /// there are no more descriptors and threads. That one frame a round would be seen is tried too.
        @Test func roundsLeaveNothing() throws {
            let folder = try TestFolder("leaks")
            let path = folder.file("film.mkv")
            try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=480x270:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-metadata", "title=Leaks", "-c:a", "flac", path,
            ])
            // Freed memory of 64 KiB or more goes back at once, and all threads have one arena: what is in use counts.
            let allocation = ["MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536"]
            let result = try Splitreel(in: folder).sibling("FarmProgram").run(
                ["leaks", path, folder.folder("films"), "\(Self.rounds)", "threads"],
                environment: allocation)
            let lines = result.text.split(separator: "\n")
            try #require(result.status == 0 && lines.count == 4, "\(result)\n\(result.text)")
            let held = try lines.map { try Held($0) }
            // What leaks grows in both parts; what is filled once grows in one of them.
            func growth(_ count: KeyPath<Held, Int>) -> Int {
                zip(held, held[1...2]).map { $1[keyPath: count] - $0[keyPath: count] }.min() ?? .max
            }
            #expect(growth(\.memory) < Self.bound, "\(result.text)")
            #expect(growth(\.descriptors) < Self.rounds / 2, "\(result.text)")
            #expect(growth(\.threads) < Self.rounds / 2, "\(result.text)")
            #expect(held[3].memory - held[2].memory > Self.bound, "kept frames are not seen: \(result.text)")
            #expect(try folder.names(in: "films").filter { $0 != "film.mkv" }.isEmpty)
        }
    }
}
