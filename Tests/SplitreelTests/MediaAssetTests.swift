import Foundation
import Splitreel
import TestTools
import Testing

/// What a program asks of assets, beside what ffprobe tells of the same files.
@Suite("Assets", .timeLimit(.minutes(3))) struct MediaAssetTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("assets")
        witness = Witness(in: folder)
    }

    private static let absence: Comment = "the corpus of real films is not beside the project"

    @Test(
        .enabled(if: SourceTree.hasCorpus, absence),
        arguments: [
            "video/tc_h264_10bits.mp4", "video/mo_transparent.webm", "video/tc_nasa_13013_rotated.mp4",
            "video/ax_sample.avi", "audio/mb_ac3.mp4", "audio/fo_debian.mp3",
        ])
    func tracksAreThoseThatFFprobeTells(_ name: String) async throws {
        let file = try #require(SourceTree.corpusFile(name))
        let asset = MediaAsset(file)
        let (tracks, duration) = try await asset.load(.tracks, .duration)
        let streams = try witness.streams(file)
        #expect(tracks.map(\.id) == Array(1...streams.count))
        for (track, stream) in zip(tracks, streams) {
            #expect(track.codec == stream["codec_name"] as? String)
            if let video = track.video {
                #expect(track.type == .video && stream["codec_type"] as? String == "video")
                #expect(video.codedSize.width == stream["width"] as? Int)
                #expect(video.codedSize.height == stream["height"] as? Int)
            }
            if let audio = track.audio {
                #expect(track.type == .audio && stream["codec_type"] as? String == "audio")
                #expect("\(audio.sampleRate)" == stream["sample_rate"] as? String)
                #expect(audio.channels == stream["channels"] as? Int)
            }
        }
        let told = Double(try witness.format(file)["duration"] as? String ?? "") ?? 0
        #expect(abs(duration.seconds - told) < 0.2, "\(duration.seconds) and \(told)")
        #expect(try await asset.loadTracks(.video) == tracks.filter { $0.video != nil })
        #expect(try await asset.loadTracks(.audible) == tracks.filter { $0.audio != nil })
        let (size, transform) = try await asset.load(.naturalSize, .preferredTransform)
        let first = tracks.first { $0.video != nil }?.video
        #expect(size?.width == first?.displaySize.width && transform == first?.preferredTransform)
    }

    /// Every tag and every chapter, letter by letter.
    private func expectTags(of file: String) async throws -> [FileChapter] {
        let (tags, trackTags, chapters) = try await MediaAsset(file).load(.metadata, .trackMetadata, .chapters)
        let format = try witness.format(file)
        #expect(tags == format["tags"] as? [String: String] ?? [:])
        for (index, stream) in try witness.streams(file).enumerated() {
            #expect(trackTags[index + 1] ?? [:] == stream["tags"] as? [String: String] ?? [:], "track \(index + 1)")
        }
        let start = Double(format["start_time"] as? String ?? "") ?? 0
        let told = try witness.chapters(file)
        #expect(chapters.count == told.count)
        for (chapter, other) in zip(chapters, told) {
            let times = ["start_time", "end_time"].map { Double(other[$0] as? String ?? "") ?? -1 }
            #expect(abs(chapter.range.start.seconds - (times[0] - start)) < 1e-6)
            #expect(abs(chapter.range.duration.seconds - (times[1] - times[0])) < 1e-6)
            #expect(chapter.tags == other["tags"] as? [String: String] ?? [:])
            #expect(chapter.title == chapter.tags["title"])
        }
        return chapters
    }

    @Test(
        .enabled(if: SourceTree.hasCorpus, absence),
        arguments: ["audio/mb_ac3.mp4", "audio/fo_debian.mp3", "video/ax_sample.mkv", "video/st_ios9.mov"])
    func tagsAreThoseThatFFprobeTells(_ name: String) async throws {
        _ = try await expectTags(of: try #require(SourceTree.corpusFile(name)))
    }

    @Test(arguments: ["film.mkv", "film.mp4"]) func chaptersAreThoseThatFFprobeTells(_ name: String) async throws {
        let text = """
            ;FFMETADATA1
            title=Über den Fluss
            artist=Ada
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=480
            title=Am Ufer
            [CHAPTER]
            TIMEBASE=1/1000
            START=480
            END=2000
            title=岸
            """
        let words = try folder.write(text, to: "words.txt")
        let file = folder.file(name)
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2", "-i", words, "-map",
            "0", "-map", "1", "-map_metadata", "2", "-map_chapters", "2", "-c:v", "mpeg4", "-c:a", "aac", file,
        ])
        let chapters = try await expectTags(of: file)
        #expect(chapters.map(\.title) == ["Am Ufer", "岸"])
        #expect(try await MediaAsset(file).load(.metadata)["title"] == "Über den Fluss")
        // `probe` shows them, and keeps what containers write for programs to its JSON.
        let splitreel = try Splitreel(in: folder)
        let said = try splitreel.run(["probe", file]).text
        #expect(said.contains("title: Über den Fluss") && said.contains("Am Ufer") && said.contains("岸"), "\(said)")
        #expect(!said.contains("major_brand"))
        let report = try #require(try splitreel.run(["probe", file, "--json"]).json)
        #expect(report["tags"] as? [String: String] == (try witness.format(file)["tags"] as? [String: String]))
        #expect((report["chapters"] as? [[String: Any]])?.map { $0["title"] as? String } == ["Am Ufer", "岸"])
    }

    @Test func characteristicsChooseTracks() async throws {
        let cues = try folder.write("1\n00:00:00,000 --> 00:00:01,000\nHallo\n", to: "a.srt")
        let file = folder.file("many.mkv")
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1,format=yuva420p", "-f", "lavfi", "-i",
            "anullsrc=cl=5.1:d=1", "-f", "lavfi", "-i", "anullsrc=cl=stereo:d=1", "-i", cues, "-map", "0", "-map", "1",
            "-map", "2", "-map", "3", "-c:v", "ffv1", "-c:a", "flac", "-c:s", "srt", file,
        ])
        let asset = MediaAsset(file)
        func ids(_ characteristic: MediaCharacteristic) async throws -> [Int] {
            try await asset.loadTracks(characteristic).map(\.id)
        }
        #expect(try await ids(.visual) == [1])
        #expect(try await ids(.audible) == [2, 3])
        #expect(try await ids(.legible) == [4])
        #expect(try await ids(.containsAlpha) == [1])
        #expect(try await ids(.multichannel) == [2])
        #expect(try await ids(.containsHDR) == [])
        #expect(try await asset.loadTracks(.subtitle).map(\.id) == [4])
    }

    // MARK: - One by one

    @Test func keysLoadOneByOne() async throws {
        let file = folder.file("a.mkv")
        try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "ffv1", file])
        let asset = MediaAsset(file)
        #expect(asset.status(of: .duration) == .notLoaded && asset.status(of: .metadata) == .notLoaded)
        #expect(try await asset.load(.duration) == MediaTime(value: 1, timescale: 1))
        #expect(asset.status(of: .duration) == .loaded(MediaTime(value: 1, timescale: 1)))
        #expect(asset.status(of: .tracks).value?.count == 1 && asset.status(of: .metadata) == .notLoaded)
        _ = try await asset.load(.chapters)
        #expect(asset.status(of: .chapters) == .loaded([]) && asset.status(of: .metadata).value != nil)
    }

    /// What failed stays so, with what, where and why; another asset of the same file tries again.
    @Test func failuresStay() async throws {
        let file = folder.file("later.mkv")
        let asset = MediaAsset(file)
        let error = await renderError { try await asset.load(.tracks) }
        #expect(error?.code == .mediaNotFound && error?.description.contains("later.mkv") == true)
        try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "ffv1", file])
        guard case .failed(let kept) = asset.status(of: .duration) else {
            Issue.record("it is \(asset.status(of: .duration))")
            return
        }
        #expect(kept == error)
        #expect(await renderError { try await asset.load(.duration) } == error)
        #expect(try await MediaAsset(file).load(.tracks).count == 1)
        let text = try folder.write("no film", to: "text.mp4")
        let strange = await renderError { try await MediaAsset(text).load(.facts) }
        #expect([.mediaUnsupported, .mediaCannotOpen].contains(strange?.code), "\(String(describing: strange))")
    }

    /// A relative path is one of the folder that was current when the asset was made, and `file://` is a path.
    @Test func urlsAreFiles() async throws {
        let file = folder.file("with space.mkv")
        try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "ffv1", file])
        let url = "file://" + file.replacingOccurrences(of: " ", with: "%20")
        #expect(try await MediaAsset(url).load(.facts).path == file)
    }
}
