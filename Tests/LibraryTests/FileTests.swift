import Foundation
import Splitreel
import TestTools
import Testing

/// Limits of the files that a program exports, and what is attached to the samples that it reads.
@Suite("Limits and attachments", .timeLimit(.minutes(3))) struct FileTests {
    private let films: NumberedFilms

    init() throws { films = try NumberedFilms() }

    // MARK: - Limits of an export

    private static func noise() -> Project {
        let track = Track(id: 1, .video, segments: [TrackSegment("noise", target: frames(0..<50))])
        return Project(
            assets: ["noise": .noise(rate: 25, size: PixelSize(width: 160, height: 90))],
            composition: Composition(tracks: [track]),
            video: VideoComposition(renderSize: PixelSize(width: 160, height: 90), frameDuration: MediaTime(1, 25)))
    }

    private func size(of path: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: path)).count
    }

    /// The film keeps all of its frames, within the limit but not far below it.
    @Test func fileLengthLimitIsKept() async throws {
        let path = films.folder.file("film.mp4")
        var sizes: [Int] = []
        for limit in [nil, 150_000, 60_000] {
            let session = NumberedFilms.session(Self.noise())
            session.fileLengthLimit = limit
            let film = try await session.export(to: path)
            #expect(film.frameCount == 50)
            #expect(try films.witness.frameHashes(path).count == 50)
            sizes.append(try size(of: path))
        }
        #expect(sizes[0] > 200_000 && (75_000...150_000).contains(sizes[1]) && (30_000...60_000).contains(sizes[2]))
        // One that no film keeps is refused before anything is rendered.
        let session = NumberedFilms.session(Self.noise())
        session.fileLengthLimit = 3000
        let other = films.folder.file("other.mp4")
        let error = try await #require(throws: SplitreelError.self) { try await session.export(to: other) }
        #expect(error.code == .settingsImpossible, "\(error)")
        #expect(try films.folder.names() == ["film.mp4"])
    }

    /// What is exported ends with the last frame that begins before the limit.
    @Test func maxDurationEndsTheFilm() async throws {
        var project = Project()
        try await project.insert(of: films.film())
        let session = NumberedFilms.session(project)
        session.output = .film(
            videoSettings: PictureRequest(codec: .ffv1), audioSettings: SoundRequest(codec: .flac))
        (session.timeRange, session.maxDuration) = (frames(5..<45), time(12))
        let film = try await session.export(to: films.folder.file("film.mkv"))
        let found = try Found(film.path, films.witness)
        #expect(found.frames == numbers(5..<17) && found.sounds == found.frames)
    }

    // MARK: - Samples and what is attached to them

    /// A film of B frames, of pixels that are not square, in a colour of its own.
    private func wide() throws -> String {
        let path = films.folder.file("wide.mp4")
        try films.witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1,setsar=4/3", "-color_primaries", "bt2020", "-color_trc",
            "arib-std-b67", "-colorspace", "bt2020nc", "-pix_fmt", "yuv420p10le", "-c:v", "libx264", "-bf", "2", "-g",
            "12", "-x264-params", "b-adapt=0", path,
        ])
        return path
    }

    @Test func framesHaveTimesDurationsAndAttachments() async throws {
        let asset = MediaAsset(try wide())
        let reader = try await Reader(asset, track: 1)
        var count = 0
        while let frame = try await reader.nextFrame() {
            #expect(frame.time == time(count) && frame.duration == MediaTime(1, 25))
            #expect(abs(frame.pixelAspect - 4.0 / 3) < 1e-12)
            #expect(frame.colour == ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020))
            count += 1
        }
        #expect(count == 25)
    }

    /// Of each packet, in the order in which they are decoded: by how much it is decoded before it is shown.
    @Test func packetsHaveTimesOfPresentationAndDecoding() async throws {
        let path = try wide()
        let packets = try await PacketReader(MediaAsset(path), track: 1)
        var found: [StoredPacket] = []
        while let packet = try await packets.next() { found.append(packet) }
        let known = try films.witness.packets(path, stream: "v:0")
        #expect(found.count == 25 && known.count == 25)
        var (delays, last) = (Set<Int>(), -Double.infinity)
        for (own, other) in zip(found, known) {
            let times = ["pts_time", "dts_time", "duration_time"].map { Double(other[$0] as? String ?? "") ?? -9 }
            let (shown, decoded) = (try #require(own.presentationTime), try #require(own.decodeTime))
            #expect(abs((shown - decoded).seconds - (times[0] - times[1])) < 1e-6)
            #expect(abs(own.duration.seconds - times[2]) < 1e-6 && decoded.seconds > last)
            delays.insert(Int(((shown - decoded).seconds * 25).rounded()))
            last = decoded.seconds
        }
        // Pictures are decoded in another order than that in which they are shown.
        #expect(delays.count > 2, "\(delays)")
    }
}
