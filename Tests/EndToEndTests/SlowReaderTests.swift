import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// `render -o -` into readers that take their time: the film waits for them.
    @Suite struct SlowReaderTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let composition: String
        /// Where renders keep what nobody has taken yet.
        private let place: String
        /// A frame of 1280×720 in 4:4:4 with its line, and how many there are: 359 MB.
        private static let (frame, count) = (3 * 1280 * 720 + 6, 130)
        /// As docs/reference/outputs.md says it.
        private static let mostUntaken: Int64 = 256 << 20

        init() throws {
            folder = try TestFolder("slow")
            program = try Splitreel(in: folder)
            place = try folder.folder("place")
            composition = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.2,0.4,0.6,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"c","target":["0s","\(Self.count)/25"]}]}]},
                "video":{"renderSize":[1280,720],"frameDuration":"1/25"}}
                """, to: "film.json")
        }

        /// The size in bytes of the film that grows, 0 while there is none.
        private func size() -> Int64 {
            let files = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
            let film = files.first { $0.hasSuffix("/film.y4m") }.map { place + "/" + $0 }
            var facts = stat()
            return film.map { stat($0, &facts) } == 0 ? Int64(facts.st_size) : 0
        }

        /// A reader that does as `reader` says once the film stands still; how long the film was then.
        private func film(_ reader: String) throws -> (size: Int64, result: ToolResult) {
            let line = """
                { "$0" render "$1" -o - --format y4m --pixel-format yuv444p --chunk-seconds 1; echo "status $?" >&2; } \
                | { while [ ! -e "$2" ]; do sleep 0.1; done; \(reader); }
                """
            let tool = try Tool(
                "/bin/sh", ["-c", line, program.path, composition, folder.file("go")], in: folder,
                environment: ["TMPDIR": place])
            var (last, since) = (Int64(0), ContinuousClock.now)
            let standsStill = tool.until(seconds: 100) {
                let now = size()
                if now != last { (last, since) = (now, .now) }
                return last > Self.mostUntaken / 2 && ContinuousClock.now - since > .seconds(3)
            }
            #expect(standsStill)
            _ = try folder.write("", to: "go")
            return (last, tool.finish())
        }

        @Test func theFilmIsNoFurtherAheadThanItMayBe() throws {
            let (size, result) = try film("wc -c")
            #expect(result.standardError.contains("status 0"), "\(result)")
            // The reader has what a pipe holds, and what was read for it.
            let most = Self.mostUntaken + Int64(Self.frame) + (2 << 20)
            #expect(size <= most && size > Self.mostUntaken / 2, "\(size)")
            let header = "YUV4MPEG2".utf8.count
            let taken = Int(result.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            #expect(taken > Self.frame * Self.count + header && taken < Self.frame * Self.count + 200, "\(taken)")
            #expect(try folder.names(in: "place").isEmpty)
        }

        /// What waits ends with its reader.
        @Test func aReaderMayLeaveWhileTheFilmWaits() throws {
            let (_, result) = try film("head -c 1000")
            #expect(result.standardOutput.count == 1000)
            #expect(result.standardError.contains("status 0"), "\(result)")
            #expect(try folder.names(in: "place").isEmpty)
        }
    }
}
