import Diagnostics
import Foundation
import Hashing
import MediaFacts
import MediaTime
import MediaWriting
import Outputs
import Planning
import Stitching
import Testing

/// The sound of a film that is copied has the packets and the header of the plan. An encoder of AAC stands for the
/// source.
@Suite("Segments and films of copied sound") struct CopiedSoundTests {
    private let film: FilmFixture
    private let plan: RenderPlan

    init() throws {
        film = try FilmFixture(
            video: nil, audio: .stereo(.aac), frameDuration: MediaTime(value: 1, timescale: 25), chunks: [],
            sampleCount: 48_000, sample: { _, index in index % 100 < 50 ? 0.2 : -0.2 })
        let record = try #require(film.sound?.record)
        let header = try AudioEncoder(settings: .stereo(.aac)).extradata
        try #require(sha256(header) == record.extradataHash && header.starts(with: [0x11, 0x90]))
        var plan = film.plan(.m4a)
        plan.copiedSound = CopiedSound(
            asset: "a", track: 1,
            packets: SoundPackets(firstPacket: 4, count: record.packetCount, priming: record.priming, header: header))
        self.plan = plan
    }

    private func forged(_ change: (inout SoundPackets) -> Void) throws -> RenderPlan {
        var plan = plan
        var copied = try #require(plan.copiedSound)
        change(&copied.packets)
        plan.copiedSound = copied
        return plan
    }

    @Test func aSegmentOfOtherPacketsIsRefused() throws {
        let sound = try #require(film.sound)
        #expect(code { try verify(sound, plan, task: nil) } == nil)
        let changes: [(inout SoundPackets) -> Void] = [
            { $0.header = [0x12, 0x10] }, { $0.header.append(0) }, { $0.count += 1 }, { $0.priming -= 1 },
        ]
        for change in changes {
            let forged = try forged(change)
            #expect(code { try verify(sound, forged, task: nil) } == .segmentInvalid)
            let stitcher = try FilmStitcher(plan: forged, path: film.folder.file("forged.m4a"))
            #expect(
                code { try stitcher.setAudio(path: sound.path, record: sound.record) } == .segmentInvalid)
        }
    }

    @Test func aFilmWithAnotherHeaderIsNotThePlans() throws {
        let path = try film.stitch(plan)
        #expect(try verifyFilm(path: path, plan: plan).ok)
        let forged = try forged { $0.header.append(0) }
        let report = try verifyFilm(path: path, plan: forged)
        #expect(report.checks.filter { !$0.ok }.map(\.name) == ["sound header"])
    }
}
