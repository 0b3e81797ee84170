import Foundation
import Splitreel
import TestTools
import Testing
import Threads

/// What writers refuse, and that nothing is left of films that are not finished.
@Suite("Writers that are misused", .timeLimit(.minutes(3))) struct WriterMisuseTests {
    private let folder: TestFolder
    private let witness: Witness

    private static let size = PixelSize(width: 64, height: 32)
    private static let frame = MediaTime(value: 1, timescale: 25)

    init() throws {
        folder = try TestFolder("misuse")
        witness = Witness(in: folder)
    }

    private static func output(_ codec: String) -> OutputEntry {
        var output = OutputEntry()
        output.videoSettings = PictureRequest()
        output.videoSettings?.codec = codec
        return output
    }

    private func failure(_ body: () async throws -> Void) async -> SplitreelError? {
        await #expect(throws: SplitreelError.self) { try await body() }
    }

    /// Two seconds of B frames, with a key frame at each half second.
    private func film() throws -> String {
        let path = folder.file("source.mp4")
        _ = try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-c:v", "libx264", "-g", "12", "-bf", "2", path,
        ])
        return path
    }

    private func packets() async throws -> (reader: PacketReader, all: [StoredPacket]) {
        let reader = try await PacketReader(MediaAsset(try film()), track: 1)
        var all: [StoredPacket] = []
        while let packet = try await reader.next() { all.append(packet) }
        return (reader, all)
    }

    private func isEmpty(but names: Set<String> = ["source.mp4"]) -> Bool {
        eventually(seconds: 10) {
            (try? folder.names()).map { Set($0).isSubset(of: names) } == true
        }
    }

    @Test func packetsThatCannotFollowAreRefused() async throws {
        let (reader, all) = try await packets()
        // A writer that is let go of has its place for a moment more.
        func reason(_ packets: [StoredPacket], _ name: String) async throws -> String? {
            let writer = Writer(folder.file(name))
            let input = writer.addPackets(like: reader)
            try await writer.start()
            return await failure {
                for packet in packets { try await input.append(packet) }
                _ = try await writer.finish()
            }?.reason.description
        }
        #expect(try await reason(Array(all.dropFirst()), "1.mp4") == "it is the first one, and no key frame")
        #expect(try await reason([all[0], all[2], all[1]], "2.mp4")?.hasPrefix("it is decoded at") == true)
        #expect(try await reason([], "3.mp4") == "its track of packets has none")
        let late = StoredPacket(
            data: all[0].data, presentationTime: .zero, decodeTime: Self.frame, duration: Self.frame, isKeyFrame: true)
        #expect(try await reason([late], "4.mp4")?.contains("after it is shown") == true)
        #expect(isEmpty())
    }

    /// Without decode times the writer makes them: the film is the same.
    @Test func decodeTimesCanBeLeftOut() async throws {
        let (reader, all) = try await packets()
        let path = folder.file("film.mp4")
        let writer = Writer(path)
        let input = writer.addPackets(like: reader)
        try await writer.start()
        for packet in all {
            try await input.append(
                StoredPacket(
                    data: packet.data, presentationTime: try #require(packet.presentationTime),
                    isKeyFrame: packet.isKeyFrame))
        }
        let film = try await writer.finish()
        #expect(film.duration == MediaTime(value: 2, timescale: 1) && film.frameCount == 50)
        #expect(try witness.frameHashes(path) == witness.frameHashes(folder.file("source.mp4")))
        let packets = try witness.packets(path, stream: "v:0")
        #expect(packets.compactMap { $0["dts"] as? Int }.count == 50)
        try witness.decodeStrictly(path)
    }

    @Test func tracksThatTheFilmCannotHaveAreRefused() async throws {
        let (reader, _) = try await packets()
        let webm = Writer(folder.file("film.webm"))
        _ = webm.addPackets(like: reader)
        let other = await failure { try await webm.start() }
        #expect(other?.code == .codecContainerMismatch)
        #expect(other?.reason.description == "webm takes no packets as they are stored")
        #expect(other?.hint.description == "name the film .mp4, .mov or .mkv")
        let two = Writer(folder.file("film.mkv"))
        _ = two.addPackets(like: reader)
        _ = two.addPictures(size: Self.size, frameDuration: Self.frame)
        #expect(await failure { try await two.start() }?.reason.description == "a film has one track of pictures")
        let prores = folder.file("prores.mov")
        _ = try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "-c:v", "prores_ks", prores,
        ])
        let mp4 = Writer(folder.file("film.mp4"))
        _ = mp4.addPackets(like: try await PacketReader(MediaAsset(prores), track: 1))
        #expect(await failure { try await mp4.start() }?.reason.description == "mp4 does not hold prores")
        let turned = Writer(folder.file("film.mkv"))
        _ = turned.addPictures(
            size: Self.size, frameDuration: Self.frame, transform: Affine(a: -1, b: 0, c: 0, d: -1, tx: 64, ty: 32))
        #expect(await failure { try await turned.start() }?.code == .settingsImpossible)
        var output = OutputEntry()
        output.posterTime = .zero
        let foreign = Writer(folder.file("film.mp4"), output: output)
        _ = foreign.addSound()
        let refusal = await failure { try await foreign.start() }
        #expect(refusal?.reason.description == "only films of a composition have it")
        #expect(isEmpty(but: ["source.mp4", "prores.mov"]))
    }

    /// Nothing converts the planes of another film.
    @Test func planesOfAnotherFilmAreRefused() async throws {
        var settings = Reader.Settings()
        settings.pixelFormat = .film
        let reader = try await Reader(MediaAsset(try film()), track: 1, settings: settings)
        var output = Self.output("ffv1")
        output.videoSettings?.pixelFormat = "yuv444p10le"
        let writer = Writer(folder.file("film.mkv"), output: output)
        let pictures = writer.addPictures(
            size: PixelSize(width: reader.width, height: reader.height), frameDuration: Self.frame)
        try await writer.start()
        let frame = try #require(try await reader.nextFrame())
        let refusal = await failure {
            try await pictures.append(frame.image, at: .zero)
            _ = try await writer.finish()
        }
        #expect(refusal?.reason.description.hasPrefix("its planes have 8 bits") == true)
        #expect(isEmpty())
    }

    @Test func aFilmEndsOnce() async throws {
        let path = folder.file("film.mkv")
        let writer = Writer(path, output: Self.output("ffv1"))
        let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame)
        try await writer.start()
        #expect(await failure { try await writer.start() }?.code == .usage)
        try await pictures.append(pictures.makeFrame(), at: .zero)
        _ = try await writer.finish()
        #expect(await failure { _ = try await writer.finish() }?.code == .usage)
        let late = await failure { try await pictures.append(pictures.makeFrame(), at: Self.frame) }
        #expect(late?.reason.description == "the film has been finished")
        await writer.cancel()
        #expect(try folder.names() == ["film.mkv"] && witness.luma(path).count == 1)
    }

    /// Hundreds of hours of silence would take minutes; the cancel comes while they are written.
    @Test func aFilmThatIsBeingJoinedCanBeCancelled() async throws {
        let writer = Writer(folder.file("long.flac"))
        let sound = writer.addSound()
        try await writer.start()
        let second = [Float](repeating: 0.25, count: 48_000)
        try await sound.append([second, second])
        let joining = Task { try await writer.finish(at: .seconds(720_000)) }
        #expect(!Latch().isOpen(within: .milliseconds(500)))
        joining.cancel()
        let asked = ContinuousClock.now
        await #expect(throws: CancellationError.self) { try await joining.value }
        #expect(ContinuousClock.now - asked < .seconds(20))
        #expect(try folder.names().isEmpty)
    }

    @Test func onePlaceHasOneWriter() async throws {
        let path = folder.file("film.mkv")
        let first = Writer(path, output: Self.output("ffv1"))
        let pictures = first.addPictures(size: Self.size, frameDuration: Self.frame)
        try await first.start()
        let second = Writer(path, output: Self.output("ffv1"))
        _ = second.addPictures(size: Self.size, frameDuration: Self.frame)
        #expect(await failure { try await second.start() }?.code == .outputInUse)
        try await pictures.append(pictures.makeFrame(), at: .zero)
        _ = try await first.finish()
        // It may be started again, and finds the film there.
        #expect(await failure { try await second.start() }?.code == .outputExists)
        #expect(try folder.names() == ["film.mkv"])
    }

    /// A writer that is let go of ends its threads and leaves nothing; so does one that is cancelled while it starts.
    @Test func nothingIsLeftOfAWriterThatIsDropped() async throws {
        do {
            let writer = Writer(folder.file("film.mkv"), output: Self.output("ffv1"))
            let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame)
            _ = writer.addSound()
            try await writer.start()
            try await pictures.append(pictures.makeFrame(), at: .zero)
        }
        #expect(isEmpty())
        for _ in 0..<10 {
            let writer = Writer(folder.file("film.mkv"), output: Self.output("ffv1"))
            let input = writer.addSound()
            async let starting: Void = writer.start()
            await Task.yield()
            await writer.cancel()
            do {
                try await starting
                await #expect(throws: (any Error).self) { try await input.append([[0], [0]]) }
            } catch {}
            await #expect(throws: SplitreelError.self) { _ = try await writer.finish() }
            #expect(isEmpty())
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs a mount namespace")) func aFullDiskIsTold() async throws {
        let disk = try SmallDisk(in: folder, "disk", megabytes: 4)
        let (reader, all) = try await packets()
        let key = try #require(all.first)
        let writer = Writer(disk.seen + "/film.mkv")
        let input = writer.addPackets(like: reader)
        try await writer.start()
        disk.fill()
        let full = await failure {
            for number in 0..<1000 {
                try await input.append(
                    StoredPacket(
                        data: key.data + [UInt8](repeating: 0, count: 4096),
                        presentationTime: MediaTime(value: Int64(number), timescale: 25), isKeyFrame: true))
            }
            _ = try await writer.finish()
        }
        #expect(full?.code == .diskFull)
        await writer.cancel()
        #expect(eventually(seconds: 10) { (try? disk.names()) == ["filler"] })
    }
}
