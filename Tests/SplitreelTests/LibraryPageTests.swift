import Foundation
import Splitreel
import TestTools
import Testing

/// The programs of docs/library, on a film of 2 s that ffmpeg has made: they do what the pages say.
@Suite("The library's pages", .timeLimit(.minutes(3))) struct LibraryPageTests {
    private let folder: TestFolder
    private let witness: Witness
    private let film: String

    init() throws {
        folder = try TestFolder("pages")
        witness = Witness(in: folder)
        film = folder.file("source.mkv")
        _ = try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=2", "-f", "lavfi", "-i",
            "sine=frequency=440:sample_rate=48000:duration=2", "-c:v", "libx264", "-g", "10", "-sc_threshold", "0",
            "-pix_fmt", "yuv420p", "-c:a", "flac", "-metadata", "title=Bars", film,
        ])
    }

    private func seconds(_ time: MediaTime, are expected: Double) -> Bool { abs(time.seconds - expected) < 0.05 }

    @Test func clipsBecomeAFilm() async throws {
        let made = try await makeFilm(of: [film, film], to: folder.file("clips.mp4"))
        #expect(seconds(made.duration, are: 3.5), "\(made.duration)")
        try witness.decodeStrictly(made.path)
    }

    @Test func editsAddUp() async throws {
        let project = try await edit(film)
        #expect(seconds(project.composition.duration, are: 3.5), "\(project.composition.duration)")
        #expect(try saveAndOpen(project, at: folder.file("edited.json")) == project)
        let song = folder.file("song.wav")
        _ = try witness.ffmpeg(["-f", "lavfi", "-i", "sine=frequency=220:sample_rate=48000:duration=8", song])
        let scored = try await music(song, under: project)
        #expect(scored.composition.tracks.count == project.composition.tracks.count + 1)
        #expect(try await check(scored))
    }

    @Test func layersAndTransitionsAreValid() async throws {
        let project = try await picture(film, in: film)
        #expect(try await check(project))
        #expect(try await project.plan().frameCount == 50)
        let wiped = try await wipe(from: film, to: film)
        #expect(try await check(wiped))
        #expect(try await wiped.plan().frameCount == 75)
    }

    /// White at half of its value is 127 or 128, whose luma is 16 + 219 · 127.5 / 255.
    @Test func ownEffectsDarken() async throws {
        var project = Project(assets: ["white": .colour(Colour(red: 1, green: 1, blue: 1))])
        let second = TimeRange(start: .zero, duration: .seconds(1))
        project.composition.tracks = [Track(id: 1, .video, segments: [TrackSegment("white", target: second)])]
        project.video = VideoComposition(
            renderSize: PixelSize(width: 64, height: 32), frameDuration: MediaTime(value: 1, timescale: 25))
        let session = darkened(project)
        session.output = .film(videoSettings: PictureRequest(codec: .ffv1))
        let made = try await session.export(to: folder.file("dark.mkv"))
        let luma = try witness.luma(made.path)
        #expect(luma.count == 25)
        #expect(luma.joined().allSatisfy { abs(Double($0) - 125.5) <= 2 })
    }

    @Test func outputsAreMade() async throws {
        let outputs = try folder.folder("outputs")
        let paths = try await export(try await edit(film), into: outputs)
        #expect(paths == [outputs + "/film.mp4", outputs + "/film.json"])
        try witness.decodeStrictly(paths[0])
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: film)))
        let made = try await export(bytes, named: "source.mkv", to: folder.file("memory.mp4"))
        #expect(made.frameCount == 50)
    }

    @Test func picturesSamplesAndPacketsAreRead() async throws {
        let image = try await thumbnail(of: try await edit(film), at: .seconds(1))
        #expect(image.width == 160 && image.height == 90)
        let tracks = try await MediaAsset(film).load(.tracks)
        let sound = try #require(tracks.first { $0.type == .audio })
        let pictures = try #require(tracks.first { $0.type == .video })
        // ffmpeg's sine has an amplitude of an eighth.
        #expect(abs(try await peak(ofTrack: sound.id, in: film) - 0.125) < 0.005)
        let keys = try await keyFrames(ofTrack: pictures.id, in: film).map { Int(($0.seconds * 25).rounded()) }
        #expect(keys == [0, 10, 20, 30, 40])
        let lines = try await describe(film)
        #expect(lines.count == 4 && lines[0].hasSuffix("title Bars") && lines[3] == "48000 Hz, 1 channels", "\(lines)")
        #expect(lines[1].hasSuffix("video, h264") && lines[2].hasSuffix("audio, flac"))
    }

    @Test func filmsAreWritten() async throws {
        let drawn = try await draw(25, to: folder.file("drawn.mp4"))
        #expect(drawn.frameCount == 25 && drawn.duration == .seconds(1))
        let again = try await encodeAgain(film, to: folder.file("again.mp4"))
        #expect(again.frameCount == 50 && abs(again.sampleCount - 96_000) < 1024)
        let copied = try await copyPictures(of: film, to: folder.file("copied.mkv"))
        #expect(copied.frameCount == 50)
        #expect(try witness.frameHashes(copied.path) == witness.frameHashes(film))
        for path in [drawn.path, again.path] { try witness.decodeStrictly(path) }
    }

    @Test func timesAreExact() {
        let values = times()
        #expect(values[0] == MediaTime(value: 1001, timescale: 3000))
        #expect(values[1] == MediaTime(value: 4999, timescale: 3000))
        #expect(values[2] == MediaTime(value: 3, timescale: 2))
        #expect(values[3] == .seconds(2))
        #expect(values[4] == MediaTime(value: 200, timescale: 600) && values[4].hasBeenRounded)
    }

    @Test func errorsTell() async throws {
        let words = await told(folder.file("missing.mkv"), to: folder.file("none.mp4"))
        #expect(words.hasPrefix("\(ErrorCode.mediaNotFound.number) in "), "\(words)")
        let missing = Project(
            assets: ["a": .file(folder.file("missing.mkv"))],
            composition: Composition(tracks: [
                Track(
                    id: 1, .video,
                    segments: [TrackSegment("a", target: TimeRange(start: .zero, duration: .seconds(1)))])
            ]))
        #expect(try await !check(missing))
    }
}
