import Foundation
import Splitreel
import Synchronization
import TestTools
import Testing

/// A program's own source: it counts its reads, waits at a gate, gives little at a time, and may fail.
private final class OwnSource: MediaSource {
    struct Broken: Error, CustomStringConvertible {
        var description: String { "the row is locked" }
    }

    let identity: SourceIdentity
    private let bytes: [UInt8]
    private let isBroken: Bool
    private let gate: DispatchSemaphore?
    let reads = Mutex(0)

    init(_ bytes: [UInt8], isBroken: Bool = false, gate: DispatchSemaphore? = nil) {
        (self.bytes, self.isBroken, self.gate) = (bytes, isBroken, gate)
        identity = SourceIdentity(byteCount: bytes.count, version: "1")
    }

    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        reads.withLock { $0 += 1 }
        if let gate {
            gate.wait()
            gate.signal()
        }
        if isBroken { throw Broken() }
        guard place < bytes.count else { return 0 }
        let count = min(buffer.count, 40_000, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        return count
    }
}

@Suite("Assets in memory", .timeLimit(.minutes(3))) struct MemoryAssetTests {
    private let folder: TestFolder
    private let witness: Witness
    private let file: String

    init() throws {
        folder = try TestFolder("memory")
        witness = Witness(in: folder)
        file = folder.file("film.mkv")
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2", "-c:v", "mpeg4", "-g",
            "12", "-c:a", "flac", file,
        ])
    }

    private var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) }
    }

    private static func frames(_ asset: MediaAsset) async throws -> [[UInt8]] {
        var settings = Reader.Settings()
        settings.pixelFormat = .film
        let reader = try await Reader(asset, settings: settings)
        var frames: [[UInt8]] = []
        while let frame = try await reader.nextFrame() { frames.append(ReadingFixture.bytes(frame.image)) }
        return frames
    }

    @Test func framesAndFactsAreThoseOfTheFile() async throws {
        let known = MediaAsset(file)
        let frames = try await Self.frames(known)
        #expect(frames.count == 50 && Set(frames).count == 50)
        let others = [
            MediaAsset(data: try bytes, name: "film.mkv"), MediaAsset(source: OwnSource(try bytes), name: "film.mkv"),
        ]
        for asset in others {
            let tracks = try await known.load(.tracks)
            #expect(try await asset.load(.tracks) == tracks)
            let metadata = try await known.load(.metadata)
            #expect(try await asset.load(.metadata) == metadata)
            let sum = try await known.load(.facts).contentSum
            #expect(try await asset.load(.facts).contentSum == sum)
            #expect(try await Self.frames(asset) == frames)
            let (image, time) = try await ImageGenerator(asset).image(at: .zero)
            #expect(image.width == 96 && time == .zero)
        }
    }

    /// Two tasks that load at once have the source read once; who is cancelled goes, and the other one stays.
    @Test func loadsAreShared() async throws {
        let alone = OwnSource(try bytes)
        _ = try await MediaAsset(source: alone, name: "film.mkv").load(.facts)
        let gate = DispatchSemaphore(value: 0)
        let source = OwnSource(try bytes, gate: gate)
        let asset = MediaAsset(source: source, name: "film.mkv")
        let first = Task { try await asset.load(.duration) }
        while case .notLoaded = asset.status(of: .duration) { await Task.yield() }
        let second = Task { try await asset.load(.tracks) }
        let third = Task { try await asset.load(.tracks) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(asset.status(of: .tracks) == .loading)
        gate.signal()
        #expect(try await first.value.seconds == 2)
        #expect(try await third.value.count == 2)
        #expect(source.reads.withLock { $0 } == alone.reads.withLock { $0 })
    }

    @Test func aLoadThatNobodyWantsIsCancelled() async throws {
        let gate = DispatchSemaphore(value: 0)
        let asset = MediaAsset(source: OwnSource(try bytes, gate: gate), name: "film.mkv")
        let task = Task { try await asset.load(.duration) }
        while case .notLoaded = asset.status(of: .duration) { await Task.yield() }
        // It may not wait yet; then it never does.
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(asset.status(of: .duration) == .cancelled)
        gate.signal()
        #expect(try await asset.load(.duration).seconds == 2)
        let refused = Task { () async throws -> MediaTime in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await asset.load(.duration)
        }
        await #expect(throws: CancellationError.self) { try await refused.value }
    }

    @Test func whatASourceThrowsIsTold() async throws {
        let asset = MediaAsset(source: OwnSource(try bytes, isBroken: true), name: "take 7.mkv")
        let error = await renderError { try await asset.load(.duration) }
        #expect(error?.code == .mediaNotDelivered)
        let words = error?.description ?? ""
        #expect(words.contains("take 7.mkv") && words.contains("the row is locked"), "\(words)")
    }

    /// A project keeps names alone: a source that nobody keeps is gone, and the error says so.
    @Test func aSourceLivesAsLongAsItsAsset() async throws {
        var project = Project()
        do {
            let asset = MediaAsset(data: try bytes, name: "film.mkv")
            try await project.insert(of: asset)
            #expect(try await MediaAsset(project).load(.duration).seconds == 2)
            withExtendedLifetime(asset) {}
        }
        // A thread of the library may hold the source for a moment longer.
        var error: SplitreelError?
        let (gone, deadline) = (project, ContinuousClock.now + .seconds(10))
        while error == nil, ContinuousClock.now < deadline {
            error = await renderError { try await MediaAsset(gone).load(.duration) }
        }
        #expect(error?.code == .mediaNotFound && error?.description.contains("MediaAsset") == true, "\(error as Any)")
        // An asset of the project keeps what the project names.
        var kept: MediaAsset?
        do {
            let asset = MediaAsset(data: try bytes, name: "film.mkv")
            var other = Project()
            try await other.insert(of: asset)
            kept = MediaAsset(other)
            withExtendedLifetime(asset) {}
        }
        #expect(try await kept?.load(.duration).seconds == 2)
    }

    // MARK: - In a project

    @Test func anAssetHasOneNameInAProject() async throws {
        var project = Project()
        let asset = MediaAsset(file)
        #expect(try await project.add(asset) == "film")
        #expect(try await project.add(MediaAsset(file)) == "film")
        let memory = MediaAsset(data: try bytes, name: "film.mkv")
        #expect(try await project.add(memory) == "film-2")
        #expect(try await project.add(memory) == "film-2")
        #expect(try await project.add(MediaAsset("/elsewhere/a b.mov")) == "a-b")
        #expect(try await project.add(asset, named: "take") == "take")
        #expect(await renderError { try await project.add(memory, named: "take") }?.code == .usage)
        #expect(Set(project.assets.keys) == ["film", "film-2", "a-b", "take"])
    }

    @Test func insertsAreEdits() async throws {
        let (film, known) = (MediaAsset(file), try await Self.frames(MediaAsset(file)))
        let second = MediaTime(value: 1, timescale: 1)
        var project = Project()
        try await project.insert(of: film)
        try await project.insert(TimeRange(start: .zero, duration: second), of: film, at: second)
        #expect(project.composition.tracks.map(\.type) == [.video, .audio])
        let frames = try await Self.frames(MediaAsset(project))
        #expect(frames == Array(known[..<25]) + Array(known[..<25]) + Array(known[25...]))
        try await project.insert(
            TimeRange(start: second, duration: second), of: film, track: 1, into: project.composition.tracks[0].id)
        #expect(try await Self.frames(MediaAsset(project)) == frames + Array(known[25...]))
        // What fails changes nothing.
        let before = project
        let still = folder.file("still.png")
        try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1", still])
        let endless = await renderError { try await project.insert(of: MediaAsset(still)) }
        #expect(endless?.code == .segmentRangeInvalid)
        #expect(await renderError { try await project.insert(of: MediaAsset("/no/such.mov")) }?.code == .mediaNotFound)
        #expect(await renderError { try await project.insert(of: film, into: 99) }?.code == .layerTrackUnknown)
        #expect(project == before)
        try await project.insert(TimeRange(start: .zero, duration: second), of: MediaAsset(still))
        #expect(try await Self.frames(MediaAsset(project)).count == 125)
    }

    /// A composition is an asset wherever one is wanted: in memory, and by its file.
    @Test func aCompositionIsAnAsset() async throws {
        var inner = Project()
        try await inner.insert(of: MediaAsset(file))
        let frames = try await Self.frames(MediaAsset(inner))
        let asset = MediaAsset(inner, name: "inner")
        let (duration, tracks, size) = try await asset.load(.duration, .tracks, .naturalSize)
        #expect(duration.seconds == 2 && tracks.map(\.type) == [.video, .audio])
        #expect(size?.width == 96 && size?.height == 64)
        #expect(try await asset.load(.metadata).isEmpty)
        let path = try folder.write(String(decoding: inner.canonicalBytes(), as: UTF8.self), to: "inner.json")
        for nested in [asset, MediaAsset(path)] {
            var outer = Project()
            try await outer.insert(of: nested)
            #expect(outer.assets["inner"]?.isNested == true)
            #expect(try await Self.frames(MediaAsset(outer)) == frames)
        }
    }
}
