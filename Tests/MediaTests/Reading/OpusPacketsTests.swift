import MediaFacts
import MediaReading
import SplitreelFiles
import TestTools
import Testing

/// The lengths of Opus's packets, which copies go by.
@Suite struct OpusPacketsTests {
    /// Packets of Opus are told while the file is indexed, and not read again: their first bytes tell their lengths.
    /// 1101 1 is 20 ms, 1110 0 is 2.5 ms; the last two bits are the frames, or 3 for a number of them behind.
    @Test func thePacketsOfOpusThatAreAlike() {
        func told(_ packets: [[UInt8]]) -> [Int?] {
            var own = OpusPackets()
            for packet in packets { own.take(packet) }
            return [own.length, own.count]
        }
        let (plain, double, eight): ([UInt8], [UInt8], [UInt8]) = ([0xD8, 1], [0xD9, 1], [0xE3, 8, 1])
        #expect(told([]) == [nil, 0] && told([[], plain]) == [nil, 0] && told([[0xE3]]) == [nil, 0])
        #expect(told([plain, plain, eight]) == [960, 3])
        #expect(told([plain, plain, double, plain]) == [960, 2])
        #expect(told([double, plain]) == [1920, 1])
        #expect(told([plain, [], plain]) == [960, 1])
    }

    /// ffprobe counts the packets.
    @Test(arguments: [20, 60]) func theIndexTellsThePacketsOfOpus(milliseconds: Int) throws {
        let folder = try TestFolder("opus-packets")
        let witness = Witness(in: folder)
        let (path, aac) = (folder.file("o.mkv"), folder.file("a.mp4"))
        let tone = ["-f", "lavfi", "-i", "sine=440:r=48000:d=2"]
        _ = try witness.ffmpeg(tone + ["-c:a", "libopus", "-frame_duration", "\(milliseconds)", path])
        _ = try witness.ffmpeg(tone + ["-c:a", "aac", aac])
        let found = try opusPackets(openSource(path), track: 1)
        #expect(found.length == milliseconds * 48)
        let count = try witness.packets(path, stream: "a:0").count
        #expect(found.count == count && count > 30)
        #expect(try opusPackets(openSource(path), track: 2).count == 0)
        #expect(try opusPackets(openSource(aac), track: 1).count == 0)
    }
}
