import Foundation
import MediaTime
import MediaWriting
import Outputs
import Testing

/// Encoders that work on several frames at once: the last chunks of a film.
@Suite("Frame threads") struct FrameThreadTests {
    /// x264 and x265 make the same bits of two threads whenever they run, and the header that all chunks share.
    @Test(arguments: [(PictureCodec.h264, 22.0), (.h264, 0), (.hevc, 24)])
    func bitsDoNotDependOnWhenThreadsRun(codec: PictureCodec, crf: Double) throws {
        let folder = try TemporaryFolder()
        var settings = VideoSettings.sized(codec, 320, 180, preset: "medium")
        settings.crf = crf
        let wide = settings.having(threads: 2)
        #expect(wide.threads == 2)
        let headers = try [settings, wide].map {
            try VideoEncoder(settings: $0, frameDuration: .init(value: 1, timescale: 25)).extradata
        }
        #expect(headers[0] == headers[1])
        let bytes = try (0..<4).map { round in
            let path = folder.file("\(round).nut")
            _ = try encodeSegment(wide, count: 60, to: path)
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        #expect(bytes.allSatisfy { $0 == bytes[0] && !$0.isEmpty })
        guard crf == 0 else { return }
        // Without loss the frames are those of one thread.
        let path = folder.file("one.nut")
        _ = try encodeSegment(settings, count: 60, to: path)
        #expect(try frames(of: path) == frames(of: folder.file("0.nut")))
    }

    private func frames(of path: String) throws -> Data {
        let text = try run("ffmpeg", ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        #expect(text.count { $0 == UInt8(ascii: "\n") } > 60)
        return text
    }
}
