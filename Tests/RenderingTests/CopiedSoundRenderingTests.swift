import Diagnostics
import Foundation
import Hashing
import MediaFacts
import Outputs
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// Copied sound is held against its source when it is copied. ffmpeg made the source, and tells its packets.
@Suite("Rendering of copied sound") struct CopiedSoundRenderingTests {
    private let fixture: RenderFixture
    private let source: String
    private let plan: RenderPlan

    init() throws {
        fixture = try RenderFixture("copied-sound")
        source = fixture.folder.file("a.m4a")
        let film = fixture.folder.file("film.m4a")
        _ = try fixture.witness.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc='0.4*sin(440*2*PI*t)|0.3*sin(2*PI*660*t)':s=48000:d=1", "-c:a", "aac",
            source,
        ])
        let clip = Text.clip("a", "0s", "0.9s", at: "0s")
        plan = try fixture.plan(
            """
            {"format":"splitreel/1","assets":{"a":{"url":"\(source)"}},
            "composition":{"tracks":[{"id":1,"type":"audio","segments":[\(clip)]}]}}
            """
        ) { ($0.path, $0.picture.codec) = (film, nil) }
    }

    @Test func thePlansPacketsAreTheSegment() throws {
        let header = try #require(plan.copiedSound?.header)
        let made = try fixture.render(plan, .audio(parts: []))
        #expect(made.record.extradataHash == sha256(header))
        // 43,200 samples behind 1,024 of priming lie in 44 packets.
        #expect(made.record.packetCount == 44 && made.record.count == 43_200)
    }

    /// A header that would do for the film, and is not the source's.
    @Test func aForgedHeaderIsNotTheSources() throws {
        var forged = plan
        let header = try #require(plan.copiedSound?.header)
        forged.copiedSound?.packets.header = header.count == 2 ? header + [0x56, 0xE5, 0x00] : Array(header.prefix(2))
        #expect(throws: Never.self) { try forged.check() }
        let error = try #require(throws: SplitreelError.self) {
            _ = try fixture.render(forged, .audio(parts: []), to: "forged.nut")
        }
        #expect(error.code == .mediaChanged && "\(error.subject)".contains("a.m4a"), "\(error)")
        #expect("\(error.reason)".contains("header"), "\(error)")
    }
}
