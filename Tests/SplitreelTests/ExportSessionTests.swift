import Foundation
import Splitreel
import TestTools
import Testing

/// Sessions whose films are made by threads: the tests' own program is not its own worker.
@Suite("Export sessions", .timeLimit(.minutes(5))) struct ExportSessionTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("export")
        witness = Witness(in: folder)
    }

    /// Two seconds of noise in 50 frames, as a composition's file.
    private func cut(_ name: String = "cut.json", seconds: Int = 2) throws -> MediaAsset {
        MediaAsset(
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"kind":"noise","size":[64,36],"rate":25}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","target":["0s","\(seconds)s"]}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25"}}
                """, to: name))
    }

    private func files(in place: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place).sorted()
    }

    @Test func aFilmIsMadeAndTold() async throws {
        let session = ExportSession(try cut())
        let (one, two) = (session.progress, session.progress)
        async let first = Self.states(one)
        async let second = Self.states(two)
        let out = folder.file("film.mkv")
        let film = try await session.export(to: out)
        #expect(film.paths == [out] && film.path == out && film.frameCount == 50)
        #expect(film.duration == MediaTime(value: 2, timescale: 1) && film.warnings.isEmpty)
        #expect(session.status == .completed(film))
        #expect(try witness.frameHashes(out).count == 50)
        for states in await [first, second] { #expect(states.last == .completed) }
        // Who comes late is told how it ended.
        #expect(await Self.states(session.progress) == [.completed])
        let again = await #expect(throws: SplitreelError.self) { try await session.export(to: out) }
        #expect(again?.description.contains("exported already") == true)
    }

    private static func states(
        _ progress: AsyncStream<ExportSession.Progress>
    ) async -> [ExportSession.Progress.State] {
        var states: [ExportSession.Progress.State] = []
        for await step in progress where states.last != step.state { states.append(step.state) }
        return states
    }

    /// A program's own threads and `.local` without the one line are the same, and so are the films.
    @Test func threadsMakeTheSameFilmEachTime() async throws {
        let asset = try cut()
        let farms: [(String, ExportSession.Farm)] = [
            ("a.mkv", .threads), ("b.mkv", .local(workers: 1)), ("c.mkv", .local()),
        ]
        for (name, farm) in farms {
            let session = ExportSession(asset)
            session.farm = farm
            try await session.export(to: folder.file(name))
        }
        let first = FileManager.default.contents(atPath: folder.file("a.mkv"))
        #expect(first != nil)
        for name in ["b.mkv", "c.mkv"] { #expect(FileManager.default.contents(atPath: folder.file(name)) == first) }
    }

    @Test func rangesAndTheLongestDurationEndAFilm() async throws {
        let asset = try cut()
        let half = MediaTime(value: 1, timescale: 2)
        let second = MediaTime(value: 1, timescale: 1)
        let cases: [(range: TimeRange?, most: MediaTime?, frames: Int)] = [
            (nil, second, 25), (TimeRange(start: half, duration: second), nil, 25),
            (TimeRange(start: half, duration: second), MediaTime(value: 1, timescale: 5), 5),
            (TimeRange(start: half, duration: MediaTime(value: 1, timescale: 5)), second, 5),
            (nil, MediaTime(value: 10, timescale: 1), 50),
        ]
        for (index, (range, most, frames)) in cases.enumerated() {
            let session = ExportSession(asset)
            (session.timeRange, session.maxDuration) = (range, most)
            let film = try await session.export(to: folder.file("\(index).mkv"))
            #expect(film.frameCount == frames)
            #expect(film.duration == MediaTime(value: Int64(frames), timescale: 25))
            #expect(try witness.frameHashes(film.path).count == frames)
        }
    }

    @Test func severalOutputsAreMadeTogether() async throws {
        let session = ExportSession(try cut())
        var small = OutputEntry()
        small.url = folder.file("small.mp4")
        small.canvas.size = PixelSize(width: 32, height: 18)
        session.outputs.append(small)
        session.metadata = ["title": .string("Noise")]
        let film = try await session.export(to: folder.file("whole.mkv"))
        #expect(film.paths == [folder.file("whole.mkv"), folder.file("small.mp4")])
        for path in film.paths {
            let tags = try witness.format(path)["tags"] as? [String: Any] ?? [:]
            #expect(tags.contains { $0.key.lowercased() == "title" && $0.value as? String == "Noise" }, "\(tags)")
        }
    }

    /// Errors name properties of the library, never options of the command line.
    @Test func errorsNameProperties() async throws {
        func told(_ name: String, _ change: (ExportSession) -> Void) async throws -> String {
            let session = ExportSession(try cut())
            change(session)
            let error = await #expect(throws: SplitreelError.self) { try await session.export(to: folder.file(name)) }
            let text = error?.description ?? ""
            #expect(!text.contains("--"), "\(text)")
            if case .failed(let kept) = session.status { #expect(kept == error) } else { Issue.record("no failure") }
            return text
        }
        let wrong = try await told("a.mp4") { session in
            session.output.videoSettings = PictureRequest()
            session.output.videoSettings?.crf = 99
        }
        #expect(wrong.contains("outputs[0].videoSettings.crf"), "\(wrong)")
        let preset = try await told("b.mp4") { $0.preset = "nonsense" }
        #expect(preset.contains("preset nonsense"), "\(preset)")
        let range = try await told("c.mp4") {
            let (nine, one) = (MediaTime(value: 9, timescale: 1), MediaTime(value: 1, timescale: 1))
            $0.timeRange = TimeRange(start: nine, duration: one)
        }
        #expect(range.contains("timeRange") || range.contains("9"), "\(range)")
        #expect(try await told("d.mp4") { $0.maxDuration = .zero }.contains("maxDuration"))
        #expect(try await told("e.mp4") { $0.outputs = [] }.contains("outputs"))
        #expect(try await told("f.mp4") { $0.farm = .local(workers: 257) }.contains("1 to 256"))
        _ = try folder.write("mine", to: "g.mkv")
        let taken = try await told("g.mkv") { _ in }
        #expect(taken.contains("overwrites"), "\(taken)")
        #expect(FileManager.default.contents(atPath: folder.file("g.mkv")) == Data("mine".utf8))
    }

    @Test func aFileThatIsThereIsReplacedWhereThatIsWanted() async throws {
        _ = try folder.write("old", to: "old.mkv")
        let session = ExportSession(try cut())
        session.overwrites = true
        let film = try await session.export(to: folder.file("old.mkv"))
        #expect(try witness.frameHashes(film.path).count == 50)
    }

    @Test func aCancelledExportLeavesNothing() async throws {
        let out = try folder.folder("out")
        let session = ExportSession(try cut("long.json", seconds: 3600))
        let progress = session.progress
        let exporting = Task { try await session.export(to: out + "/film.mkv") }
        for await step in progress where step.framesDone > 0 { exporting.cancel() }
        await #expect(throws: CancellationError.self) { try await exporting.value }
        #expect(session.status == .cancelled)
        #expect(try files(in: out).isEmpty)
        // One that is cancelled before it begins.
        let other = ExportSession(try cut())
        let never = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await other.export(to: out + "/film.mkv")
        }
        await #expect(throws: CancellationError.self) { try await never.value }
        #expect(other.status == .cancelled)
        #expect(try files(in: out).isEmpty)
    }

    @Test func presetsAreListedAndHeldAgainstAFilm() async throws {
        let all = ExportSession.presets
        #expect(Set(all.map(\.name)).isSuperset(of: ["HighestQuality", "1920x1080", "AppleM4A"]))
        let fitting = try await ExportSession(try cut()).compatiblePresets()
        let names = Set(fitting.map(\.name))
        // It has no sound, and does not stand upright.
        #expect(names.contains("HighestQuality") && !names.contains("AppleM4A"))
        #expect(!fitting.contains { $0.isPortrait } && names.isSubset(of: Set(all.map(\.name))))
        let session = ExportSession(try cut())
        session.preset = "HighestQuality"
        let film = try await session.export(to: folder.file("best.mp4"))
        #expect(try witness.streams(film.path).first?["codec_name"] as? String == "h264")
    }

    /// A worker is this program, started again: the tests' own program would run all tests.
    @Test func programsWithoutTheOneLineServeNoFarm() async {
        let error = await #expect(throws: SplitreelError.self) { try await serve("tcp://127.0.0.1:1") }
        #expect(error?.description.contains("serveFarmIfAsked") == true)
        let slots = await #expect(throws: SplitreelError.self) { try await serve("tcp://127.0.0.1:1", slots: 0) }
        #expect(slots?.description.contains("1 to 256") == true)
    }
}
