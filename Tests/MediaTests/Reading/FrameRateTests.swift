import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Testing

/// Frames that a camera dropped do not change the rate of the others.
@Suite("Rates of films with holes") struct FrameRateTests {
    /// A film of 60 frames without those that ffmpeg's expression leaves out.
    private func video(_ ending: String, rate: String, without hole: String) throws -> VideoFacts {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hole-\(UUID().uuidString).\(ending)")
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = [
            "-v", "error", "-f", "lavfi", "-i", "testsrc=s=32x32:r=\(rate)", "-frames:v", "60", "-vf",
            "select='not(\(hole))'", "-fps_mode", "passthrough", "-c:v", "mpeg4", file.path,
        ]
        try #require(output(of: "ffmpeg", arguments) != nil)
        return try #require(try probe(path: file.path).firstTrack(of: .video)?.video)
    }

    @Test(arguments: ["mp4", "mov", "mkv", "nut"], ["25", "30000/1001", "24000/1001"])
    func oneMissingFrame(ending: String, rate: String) throws {
        let facts = try video(ending, rate: rate, without: "eq(n,20)")
        let parts = rate.split(separator: "/").compactMap { Int($0) }
        let exact = Rational(parts[0], parts.count > 1 ? parts[1] : 1)
        #expect(facts.nominalFrameRate.map { Rational($0) } == exact && !facts.isVariableFrameRate)
    }

    @Test(arguments: ["mp4", "mkv"]) func aHoleOfASecond(ending: String) throws {
        let facts = try video(ending, rate: "25", without: "between(n,10,34)")
        #expect(facts.nominalFrameRate == MediaTime(value: 25, timescale: 1))
    }

    /// Steps of one and of two by turns have no usual one.
    @Test func everyThirdFrameMissingIsVariable() throws {
        #expect(try video("mp4", rate: "25", without: "eq(mod(n,3),2)").isVariableFrameRate)
    }
}
