import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Tasks of a plan folder, run one by one as engines run them: the film is `render`'s, byte by byte.
    @Suite struct PlanFolderTests {
        private static let chunked = ["--chunk-seconds", "1s"]

        /// Two passes and a sound in parts. Each task is made twice, in an order by chance: of two calls one makes the
        /// segment and the other one keeps it.
        @Test func twoPassesInAnyOrder() throws {
            let film = try PlanFolderFilm("plan-passes")
            let options = Self.chunked + ["--two-pass", "--video-bitrate", "300k", "--sound-part-seconds", "2"]
            let tasks = try film.export("plan", film: "film.mp4", options)
            #expect(tasks.chunks == [0, 1, 2, 3] && tasks.sound == [4])
            #expect(tasks.soundParts == [5, 6] && tasks.analyses == [7, 8, 9, 10])
            // A chunk needs all analyses, and the sound its parts.
            for (task, needed) in [(0, "7-10"), (4, "5-6")] {
                let early = try film.program.run(["render-chunk", film.folder.file("plan"), "\(task)"])
                #expect(early.status == 1 && early.standardError.contains("20114"), "\(early)")
                #expect(early.standardError.contains(needed), "\(early)")
            }
            var numbers = SeededNumbers(seed: 7)
            for group in [tasks.analyses + tasks.soundParts, tasks.chunks + tasks.sound] {
                var states: [Int: [String]] = [:]
                for task in (group + group).shuffled(using: &numbers) {
                    states[task, default: []].append(try film.make(task, of: "plan")["state"] as? String ?? "none")
                }
                #expect(states.values.allSatisfy { $0 == ["made", "kept"] }, "\(states)")
            }
            let stitched = try film.stitch("plan")
            #expect(stitched.status == 0, "\(stitched)")
            #expect(film.bytes("film.mp4") != nil && film.bytes("film.mp4") == film.bytes("rendered-film.mp4"))
            #expect(try film.unfinished(in: "plan") == [])
            let again = try film.stitch("plan")
            #expect(again.status == 5 && again.standardError.contains("20104"), "\(again)")
        }

        /// A segment that is missing or damaged is named, and a second call mends it.
        @Test func missingAndDamagedSegments() throws {
            let film = try PlanFolderFilm("plan-damage")
            let tasks = try film.export("plan", film: "film.mp4", Self.chunked)
            for task in tasks.chunks + tasks.sound where task != 2 { try film.make(task, of: "plan") }
            let early = try film.stitch("plan", ["--json"])
            #expect(early.status == 1, "\(early)")
            let error = early.json?["error"] as? [String: Any]
            #expect(error?["code"] as? Int == 20114, "\(early.text)")
            #expect((error?["message"] as? String)?.hasSuffix("1 task of 5 without a segment: 2") == true)
            try film.make(2, of: "plan")

            let segment = film.folder.file("plan/chunk-000001-1.nut")
            var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
            bytes[bytes.count / 2] ^= 0xFF
            try bytes.write(to: URL(fileURLWithPath: segment))
            let damaged = try film.stitch("plan")
            #expect(damaged.status == 8 && damaged.standardError.contains("of task 1;"), "\(damaged)")
            #expect(film.bytes("film.mp4") == nil)
            let mended = try film.make(1, of: "plan")
            #expect(mended["state"] as? String == "made" && mended["replaced"] as? String != nil, "\(mended)")

            let stitched = try film.stitch("plan", ["-o", film.folder.file("other.mp4")])
            #expect(stitched.status == 0, "\(stitched)")
            #expect(film.bytes("other.mp4") == film.bytes("rendered-film.mp4"))
            let wrong = try film.stitch("plan", ["-o", film.folder.file("other.mkv")])
            #expect(wrong.status == 2, "\(wrong)")
        }

        /// Segments elsewhere are known by what their records say, whatever their names and order.
        @Test func segmentsOfTheirOwnNames() throws {
            let film = try PlanFolderFilm("plan-names")
            let tasks = try film.export("plan", film: "film.mp4", Self.chunked)
            _ = try film.folder.folder("parts")
            var segments: [String] = []
            for task in (tasks.chunks + tasks.sound).reversed() {
                segments.append(film.folder.file("parts/s \(task)"))
                try film.make(task, of: "plan/plan.json", ["-o", segments[segments.count - 1]])
            }
            let stitched = try film.stitch("plan", segments + ["-o", film.folder.file("film.mp4")])
            #expect(stitched.status == 0, "\(stitched)")
            #expect(film.bytes("film.mp4") == film.bytes("rendered-film.mp4"))
            // All that a pattern of the shell names.
            let all = try film.folder.names(in: "parts").map { film.folder.file("parts/" + $0) }
            let again = try film.stitch("plan", all + ["-o", film.folder.file("again.mp4")])
            #expect(all.count == 2 * segments.count && again.status == 0, "\(again)")
            // A damaged one is to be made again where it is.
            let damaged = try #require(segments.last)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: damaged))
            bytes[bytes.count / 2] ^= 0xFF
            try bytes.write(to: URL(fileURLWithPath: damaged))
            let told = try film.stitch("plan", segments + ["-o", film.folder.file("told.mp4")])
            #expect(told.status == 8 && told.standardError.contains(" -o \(damaged)`"), "\(told)")
            // A file that is no segment stays.
            let refused = try film.program.run(["render-chunk", film.folder.file("plan"), "0", "-o", "media/a.mp4"])
            #expect(refused.status == 5 && refused.standardError.contains("20104"), "\(refused)")
        }

        /// A record is not put where a composition or a plan is, nor a film where a segment is.
        @Test func namesOfOthersAreKept() throws {
            let film = try PlanFolderFilm("plan-others")
            let tasks = try film.export("plan", film: "film.nut", Self.chunked + ["--video-codec", "rawvideo"])
            let kept = ["cut.json", "plan/plan.json", "plan/job.json"].map { ($0, film.bytes($0)) }
            for name in ["cut", "plan/plan", "plan/job"] {
                let words = ["render-chunk", film.folder.file("plan"), "0", "--again", "-o", film.folder.file(name)]
                let refused = try film.program.run(words)
                #expect(refused.status == 5 && refused.standardError.contains("20104"), "\(name): \(refused)")
                #expect(film.bytes(name) == nil)
            }
            for (name, bytes) in kept { #expect(film.bytes(name) == bytes, "\(name)") }
            for task in tasks.chunks + tasks.sound { try film.make(task, of: "plan") }
            let segment = film.folder.file("plan/chunk-000001-1.nut")
            let refused = try film.stitch("plan", ["-o", segment, "--overwrite"])
            #expect(refused.status != 0 && refused.standardError.contains("checking the output"), "\(refused)")
            #expect(try film.make(1, of: "plan")["state"] as? String == "kept")
        }

        /// A film at an address is refused before anything is rendered.
        @Test func filmsAreMadeInFolders() throws {
            let film = try PlanFolderFilm("plan-address")
            let plan = film.folder.file("plan")
            let words = ["export", "--openjd", film.composition, "-o", plan]
            let refused = try film.program.run(words + ["--film", "s3://films/film.mp4"])
            #expect(refused.status == 2 && film.bytes("plan/plan.json") == nil, "\(refused)")
            #expect(try film.program.run(words).status == 0)
            let stitched = try film.stitch("plan", ["-o", "s3://films/film.mp4"])
            #expect(stitched.status == 2 && stitched.standardError.contains("an address"), "\(stitched)")
        }

        /// Several films keep their names in another folder, whatever letters the first one has.
        @Test func severalFilmsInAnotherFolder() throws {
            let film = try PlanFolderFilm("plan-several")
            let text = String(decoding: try #require(film.bytes("cut.json")), as: UTF8.self)
            let outputs = #""outputs": [{"url": "a.mp4"}, {"url": "b/ç.mkv"}], "composition""#
            _ = try film.folder.folder("Größe/b")
            _ = try film.folder.write(
                text.replacingOccurrences(of: #""composition""#, with: outputs)
                    .replacingOccurrences(of: "media/", with: "../media/"), to: "Größe/cut.json")
            let plan = film.folder.file("plan")
            let words = ["export", "--openjd", film.folder.file("Größe/cut.json"), "-o", plan, "--chunk-seconds", "4s"]
            let exported = try film.program.run(words)
            #expect(exported.status == 0, "\(exported)")
            _ = try film.folder.folder("parts")
            for task in ["0", "1", "sound"] {
                let words = ["render-chunk", plan, task, "-o", film.folder.file("parts/\(task).nut")]
                let made = try film.program.run(words)
                #expect(made.status == 0, "\(made)")
            }
            let all = try film.folder.names(in: "parts").map { film.folder.file("parts/" + $0) }
            let stitched = try film.stitch("plan", all + ["-o", film.folder.file("out") + "/"])
            #expect(all.count == 12)
            #expect(stitched.status == 0, "\(stitched)")
            #expect(film.bytes("out/a.mp4") != nil && film.bytes("out/b/ç.mkv") != nil)
        }

        /// A source that is another one than when the film was planned makes no segment.
        @Test func aChangedSourceIsRefused() throws {
            let film = try PlanFolderFilm("plan-stale")
            _ = try film.export("plan", film: "film.mp4", Self.chunked)
            try FileManager.default.removeItem(atPath: film.folder.file("media/a.mp4"))
            try FileManager.default.copyItem(
                atPath: film.folder.file("media/b.mp4"), toPath: film.folder.file("media/a.mp4"))
            let refused = try film.program.run(["render-chunk", film.folder.file("plan"), "0"])
            #expect(refused.status == 4 && refused.standardError.contains("20007"), "\(refused)")
            #expect(try film.folder.names(in: "plan").filter { $0.contains("chunk") } == [])
        }

        /// Two processes of one task, and one that is killed on its way: a whole segment, and nothing else.
        @Test func processesThatMeetOrDie() throws {
            let film = try PlanFolderFilm("plan-kill")
            let plan = film.folder.file("plan")
            _ = try film.export("plan", film: "film.mp4", Self.chunked)
            let both = try (0..<2).map { _ in try film.program.start(["render-chunk", plan, "0", "--again"]) }
            for result in both.map({ $0.finish() }) { #expect(result.status == 0, "\(result)") }
            #expect(try film.unfinished(in: "plan") == [])
            #expect(try film.make(0, of: "plan")["state"] as? String == "kept")

            let killed = try film.program.start(["render-chunk", plan, "1"])
            let begun = try killed.until(seconds: 20) { try film.unfinished(in: "plan").isEmpty == false }
            killed.send(SIGKILL)
            let end = killed.finish()
            #expect(begun && end.signal == SIGKILL, "\(end)")
            #expect(try film.folder.names(in: "plan").filter { $0.hasPrefix("chunk-000001") } == [])
            try film.make(1, of: "plan")
            #expect(try film.unfinished(in: "plan") == [])

            let told = try film.program.start(["render-chunk", plan, "2"])
            _ = try told.until(seconds: 20) { try film.unfinished(in: "plan").isEmpty == false }
            told.send(SIGTERM)
            let last = told.finish()
            #expect(last.status == 7 || last.status == 0, "\(last)")
            #expect(try film.unfinished(in: "plan") == [])
        }

        /// A folder gets another plan only when that is asked for, and no folder with other files gets one. Segments
        /// that fit the new plan are kept.
        @Test func exportReplacesNothing() throws {
            let film = try PlanFolderFilm("plan-again")
            _ = try film.export("plan", film: "film.mp4", Self.chunked)
            try film.make(0, of: "plan")
            let words = ["export", "--openjd", film.composition, "--film", film.folder.file("x.mp4")] + Self.chunked
            let refused = try film.program.run(words + ["-o", film.folder.file("plan")])
            #expect(refused.status == 5 && refused.standardError.contains("20104"), "\(refused)")
            let again = try film.program.run(words + ["-o", film.folder.file("plan"), "--overwrite"])
            #expect(again.status == 0, "\(again)")
            #expect(try film.make(0, of: "plan")["state"] as? String == "kept")
            let foreign = try film.program.run(words + ["-o", film.folder.path, "--overwrite"])
            #expect(foreign.status == 5, "\(foreign)")
            let none = try film.program.run(["stitch", film.folder.path])
            #expect(none.status == 2, "\(none)")
        }
    }
}
