import Foundation
import MediaFacts
import Preparation
import TestTools
import Testing

/// The packets that are found for runs of samples. The expectations are arithmetic: AAC's encoder puts 1,024 samples in
/// front and has 1,024 in each packet, Opus's 312 and 960.
@Suite struct SoundFindingTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("sound-finding")
        witness = Witness(in: folder)
    }

    private func make(_ name: String, _ options: [String], filter: String = "anull") throws -> String {
        let path = folder.file(name)
        let tone = "aevalsrc='0.4*sin(440*2*PI*t)|0.3*sin(2*PI*660*t)':s=48000:d=2"
        _ = try witness.ffmpeg(["-f", "lavfi", "-i", tone, "-af", filter] + options + [path])
        return path
    }

    private func find(_ first: Int, _ count: Int, rest: Int = 0, codec: String = "aac", in path: String) throws
        -> SoundFinding
    {
        try .reading(
            SoundRun(
                codec: codec, track: 1, sampleRate: 48_000, channels: 2, first: first, count: count, rest: rest),
            of: path)
    }

    private func shape(_ finding: SoundFinding) -> [Int] {
        guard case .packets(let own) = finding else { return [] }
        return [own.firstPacket, own.count, own.priming]
    }

    private func reason(_ finding: SoundFinding) -> String {
        if case .unfit(let reason) = finding { reason } else { "fit" }
    }

    @Test(arguments: ["mp4", "mov", "m4a"]) func aacOfAFileThatTellsItsPriming(ending: String) throws {
        let path = try make("a.\(ending)", ["-c:a", "aac"])
        #expect(shape(try find(0, 48_000, in: path)) == [0, 48, 1024])
        // Sample 5,000 is number 6,024 of all: it lies in packet 5, and packet 4 is decoded in front of it. The
        // last one is number 16,023, in packet 15.
        #expect(shape(try find(5000, 10_000, in: path)) == [4, 12, 6024 - 4 * 1024])
        #expect(shape(try find(1023, 1, in: path)) == [0, 2, 2047])
        #expect(shape(try find(0, 96_000, in: path)) == [0, 95, 1024])
    }

    /// Matroska knows nothing of AAC's priming: what is heard begins with it.
    @Test func aacOfMatroska() throws {
        let path = try make("a.mkv", ["-c:a", "aac"])
        #expect(shape(try find(0, 48_000, in: path)) == [0, 47, 0])
        #expect(shape(try find(20_000, 2048, in: path)) == [18, 4, 20_000 - 18 * 1024])
    }

    /// Opus remembers: a run is copied from the file's first packet on, or not at all.
    @Test(arguments: ["mkv", "webm", "mp4"]) func opusFromItsStart(ending: String) throws {
        let path = try make("o.\(ending)", ["-c:a", "libopus", "-strict", "-2"])
        #expect(shape(try find(0, 48_000, codec: "opus", in: path)) == [0, 51, 312])
        let far = try find(30_000, 9600, codec: "opus", in: path)
        #expect(reason(far) == "its samples follow from all before them, and it is not shown from its start")
        // Sample 3,000 is the 3,312th, in packet 3.
        let found = try find(3000, 9600, codec: "opus", in: path)
        #expect(shape(found) == [0, 14, 3312])
        guard case .packets(let own) = found else { return }
        #expect(Int(own.header[10]) | Int(own.header[11]) << 8 == own.priming)
    }

    /// The sound may end up to a second before its film, but only where its track ends.
    @Test func aRestFollowsTheLastPacketAlone() throws {
        let path = try make("a.mp4", ["-c:a", "aac"])
        #expect(shape(try find(0, 96_000, rest: 480, in: path)) == [0, 95, 1024])
        #expect(reason(try find(0, 96_000, rest: 50_000, in: path)) == "it is not heard to the film's end")
        #expect(reason(try find(0, 60_000, rest: 480, in: path)) == "it is not heard to the film's end")
    }

    @Test func whatIsNotEvenIsUnfit() throws {
        let gap = "aselect='not(between(t,0.5,0.8))'"
        let path = try make("gap.mp4", ["-c:a", "aac"], filter: gap)
        #expect(reason(try find(0, 48_000, in: path)) == "its packets do not follow one another evenly")
        #expect(shape(try find(0, 20_000, in: path)) == [0, 21, 1024])
        let long = try make("long.mkv", ["-c:a", "libopus", "-frame_duration", "60"])
        #expect(reason(try find(0, 48_000, codec: "opus", in: long)) != "fit")
        let stream = try make("a.ts", ["-c:a", "aac"])
        #expect(reason(try find(0, 48_000, in: stream)) == "its header is not the one that the film would have")
        let mono = try make("mono.mp4", ["-c:a", "aac", "-ac", "1"])
        #expect(reason(try find(0, 48_000, in: mono)) == "its header is not the one that the film would have")
        let other = try make("rate.mp4", ["-c:a", "aac", "-ar", "44100"])
        #expect(reason(try find(0, 48_000, in: other)) == "its header is not the one that the film would have")
    }
}
