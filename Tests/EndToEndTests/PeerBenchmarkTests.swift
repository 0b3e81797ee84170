import TestTools
import Testing

extension EndToEnd {
    /// The scripts of `make bench-peers` in their short form, with splitreel and ffmpeg alone.
    @Suite struct PeerBenchmarkTests {
        @Test("the benchmarks count what processes cost, find one wrong frame, and make and judge a film")
        func shortForm() throws {
            let folder = try TestFolder("peers")
            let program = try Splitreel(in: folder)
            let root = try #require(SourceTree.root())
            let script = root + "/Benchmarks/peers/selftest.py"
            let words = ["PYTHONDONTWRITEBYTECODE=1", "TMPDIR=\(folder.path)", "python3", script, program.path]
            let proof = try Tool("/usr/bin/env", words, in: folder).finish(seconds: 300)
            #expect(proof.status == 0, "\(proof)")
            #expect(proof.text.hasSuffix("all held\n"), "\(proof.text)")
            #expect(proof.text.contains("a frame shown twice is 1 wrong frame of 1"), "\(proof.text)")
        }
    }
}
