import Foundation
import Splitreel
import TestTools
import Testing

/// Compositions of strangers, of which a session reads what lies below its roots.
@Suite("Roots of sessions", .timeLimit(.minutes(2))) struct ReadingRootsTests {
    private let folder: TestFolder
    private let witness: Witness
    private let (own, foreign): (String, String)

    /// A folder of media that may be read, and one of others; each has the same film.
    init() throws {
        folder = try TestFolder("roots")
        witness = Witness(in: folder)
        (own, foreign) = (try folder.folder("own"), try folder.folder("foreign"))
        for place in [own, foreign] {
            try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1", "-c:v", "ffv1", place + "/a.mkv"])
        }
    }

    private func project(_ asset: Asset) -> Project {
        var project = Project()
        project.assets["a"] = asset
        let second = TimeRange(start: .zero, duration: .seconds(1))
        project.composition.tracks = [
            Track(id: 1, .video, segments: [TrackSegment("a", source: second, target: second)])
        ]
        project.video = VideoComposition(
            renderSize: PixelSize(width: 64, height: 36), frameDuration: MediaTime(1, 25))
        return project
    }

    /// The error of an export with `roots`; nil for a film, which is there.
    private func failure(_ asset: MediaAsset, _ roots: [String]? = nil) async throws -> SplitreelError? {
        let session = ExportSession(asset)
        session.roots = roots ?? [own]
        let path = folder.file("film.mkv")
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            try await session.export(to: path)
            #expect(try witness.luma(path).count == 25)
            return nil
        } catch let error as SplitreelError {
            #expect(!FileManager.default.fileExists(atPath: path))
            return error
        }
    }

    private func failure(_ project: Project, _ roots: [String]? = nil) async throws -> SplitreelError? {
        try await failure(MediaAsset(project), roots)
    }

    @Test func whatLiesElsewhereIsRefused() async throws {
        #expect(try await failure(project(.media(own + "/a.mkv"))) == nil)
        #expect(try await failure(project(.media(foreign + "/a.mkv")), [own, foreign]) == nil)
        #expect(try await failure(project(.media(foreign + "/a.mkv")), []) == nil)
        #expect(try await failure(MediaAsset(own + "/a.mkv")) == nil)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: foreign + "/a.mkv")))
        var held = Project()
        let ofBytes = MediaAsset(data: bytes, name: "held.mkv")
        try await held.insert(of: ofBytes)
        let ofMemory = try await failure(held)
        withExtendedLifetime(ofBytes) {}
        #expect(ofMemory == nil, "\(String(describing: ofMemory))")

        try FileManager.default.createSymbolicLink(atPath: own + "/link.mkv", withDestinationPath: foreign + "/a.mkv")
        // One that is not there is told as little of as one that is.
        for name in [foreign + "/a.mkv", own + "/link.mkv", own + "/../foreign/a.mkv", foreign + "/none.mkv"] {
            let refused = try #require(try await failure(project(.media(name))))
            #expect(refused.code == .refused && refused.reason.contains("`roots`"), "\(name): \(refused)")
        }
        #expect(try await failure(MediaAsset(foreign + "/a.mkv"))?.code == .refused)
        #expect(try await failure(project(.media(own + "/none.mkv")))?.code == .mediaNotFound)
        #expect(try await failure(project(.media("s3://bucket/a.mkv")))?.code == .refused)
        #expect(try await failure(project(.media("https://example.org/a.mkv")), ["s3://bucket/"])?.code == .refused)
        #expect(try await failure(project(.media(own + "/a.mkv")), ["s3://bucket/"])?.code == .refused)
        #expect(try await failure(project(.media(own + "/a.mkv")), [own + "/none"])?.code == .usage)
    }

    /// What is named beside the picture: a proxy, and each file of a sequence.
    @Test func everyNameCounts() async throws {
        var asset = Asset.media(own + "/a.mkv")
        asset.keys.proxy = foreign + "/a.mkv"
        #expect(try await failure(project(asset))?.code == .refused)
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1", "-start_number", "0", own + "/%02d.png",
        ])
        let frames = project(.imageSequence(own + "/%02d.png", rate: 25))
        #expect(try await failure(frames) == nil)
        let last = own + "/24.png"
        try FileManager.default.moveItem(atPath: last, toPath: foreign + "/24.png")
        try FileManager.default.createSymbolicLink(atPath: last, withDestinationPath: foreign + "/24.png")
        #expect(try await failure(frames)?.code == .refused)
    }

    /// A file of a nested composition is not read before it is known to lie below a root.
    @Test func nestedCompositionsLieThereToo() async throws {
        let text = project(.media("a.mkv")).data(pretty: false)
        for place in [own, foreign] { try text.write(to: URL(fileURLWithPath: place + "/inner.json")) }
        #expect(try await failure(project(.composition(own + "/inner.json"))) == nil)
        // The composition that is exported may lie anywhere, and what it shows may not.
        #expect(try await failure(MediaAsset(foreign + "/inner.json"))?.code == .refused)
        try Data("secret words".utf8).write(to: URL(fileURLWithPath: foreign + "/words.json"))
        for name in ["inner.json", "words.json", "none.json"] {
            let error = try #require(try await failure(project(.composition(foreign + "/" + name))))
            #expect(error.description.contains("`roots`") && !error.description.contains("secret"), "\(error)")
        }
    }
}
