import Splitreel
import TestTools
import Testing

/// Sessions that say whether packets of sources are copied.
@Suite("Copies in exports", .timeLimit(.minutes(3))) struct ExportCopyTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("export-copies")
        witness = Witness(in: folder)
    }

    /// Two seconds of 50 frames with a key frame at each half second, whose packets a film may hold.
    private func source() throws -> String {
        let path = folder.file("source.mp4")
        _ = try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-vf",
            "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709",
            "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "12", "-bf", "0", "-crf", "30",
            "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", path,
        ])
        return path
    }

    private func export(
        _ path: String, _ passthrough: ExportSession.Passthrough, to name: String
    ) async throws -> String {
        let session = ExportSession(MediaAsset(path))
        session.passthrough = passthrough
        return try await session.export(to: folder.file(name)).path
    }

    @Test func requiredCopiesAreTheSourcesFramesAndNeverAreNot() async throws {
        let path = try source()
        let own = try witness.frameHashes(path)
        let copied = try await export(path, .require, to: "copied.mp4")
        #expect(try witness.frameHashes(copied) == own && own.count == 50)
        let usual = try await export(path, .auto, to: "usual.mp4")
        #expect(try witness.frameHashes(usual) == own)
        let rendered = try await export(path, .never, to: "rendered.mp4")
        #expect(try witness.frameHashes(rendered) != own)
    }

    @Test func whatMustBeRenderedIsRefusedWithItsReason() async throws {
        let session = ExportSession(MediaAsset(try source()))
        session.passthrough = .require
        session.preset = "HighestQuality"
        let error = try await #require(throws: SplitreelError.self) {
            try await session.export(to: folder.file("film.mp4"))
        }
        #expect(error.code == .copyImpossible)
        #expect(error.reason.description.contains("a quality was asked for"), "\(error)")
        #expect(error.hint.description == "say passthrough auto to have it rendered")
        #expect(try folder.names() == ["source.mp4"])
    }
}
