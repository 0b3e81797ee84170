import Foundation
import MediaFacts
import MediaReading
import MediaTime
import TestTools
import Testing

/// Films cut out of others without coding them anew: an edit list hides what the decoders need before the cut.
@Suite("Films with a pre-roll") struct EditListTests {
    /// Cuts between key frames, on and off the grids of frames and of sound packets.
    @Test(arguments: [("2.3", "mp4"), ("3.01", "mp4"), ("1.5", "mov"), ("2", "mp4"), ("4.0213", "mp4")])
    func soundAndPictureBeginWhereTheEditDoes(start: String, ending: String) throws {
        let folder = try TestFolder("pre-roll")
        let witness = Witness(in: folder)
        let (source, cut) = (folder.file("source.mp4"), folder.file("cut.\(ending)"))
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=8", "-f", "lavfi", "-i",
            "aevalsrc=0.3*sin(900*t*t):s=44100:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-bf", "2",
            "-c:a", "aac", "-b:a", "96k", "-aac_pns", "0", source,
        ])
        try witness.ffmpeg(["-ss", start, "-i", source, "-t", "3", "-c", "copy", cut])
        let facts = try probe(path: cut)
        let (picture, sound) = (try #require(facts.firstTrack(of: .video)), try #require(facts.firstTrack(of: .audio)))
        let times = try witness.presentationTimes(cut)
        let bases = try witness.streams(cut).map { ($0["time_base"] as? String).flatMap { Rational(base: $0) } }
        func seconds(_ track: Int) throws -> [Rational] {
            let base = try #require(bases[track - 1])
            return try #require(times[track - 1]).map { Rational($0) * base }
        }
        let (frames, blocks) = (try seconds(picture.id), try seconds(sound.id))
        let origin = min(try #require(frames.first), try #require(blocks.first))
        #expect(try presentationTimes(path: cut, track: picture.id) == frames.map { $0 - origin })
        #expect(try decodedFrameCount(path: cut, track: picture.id) == frames.count)
        #expect(Rational(sound.start) == blocks[0] - origin)
        // The frames and samples are those of the whole film from the cut on.
        let expected = try witness.samples(cut)[0]
        let late = sampleIndex(of: Rational(sound.start), rate: 44_100)
        let reader = try AudioReader(
            path: cut, track: sound.id, sampleRate: 44_100, channels: 1,
            sourceStart: .zero, sourceDuration: Rational(late + expected.count, 44_100))
        let samples = try readAll(reader, channels: 1, count: late + expected.count)[0]
        #expect(samples.prefix(late).allSatisfy { $0 == 0 })
        let firstOther = zip(samples.dropFirst(late), expected).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(firstOther == nil)
        let whole = try witness.samples(source)[0]
        let place = sampleIndex(of: try #require(Rational(decimal: start)), rate: 44_100)
        func distance(_ shift: Int) -> Float {
            var most: Float = 0
            for number in 1000..<9000 {
                most = max(most, abs(samples[late + number] - whole[place + number + shift]))
            }
            return most
        }
        let distances = [distance(-64), distance(0), distance(64)]
        #expect(distances[1] < distances[0] && distances[1] < distances[2], "\(distances)")
        #expect(distances[1] < 0.05, "\(distances)")
        let shown = try witness.frameHashes(cut)
        #expect(shown.count == frames.count && shown[0] != shown[1])
    }
}

extension Rational {
    /// `1/12800`.
    fileprivate init?(base: String) {
        let parts = base.split(separator: "/").compactMap { Int($0) }
        guard parts.count == 2, parts[1] > 0 else { return nil }
        self.init(parts[0], parts[1])
    }

    /// `2.3`.
    fileprivate init?(decimal: String) {
        let parts = decimal.split(separator: ".")
        let digits = parts.count == 2 ? parts[1] : ""
        guard let whole = Int(parts[0] + digits) else { return nil }
        self.init(whole, digits.reduce(1) { power, _ in power * 10 })
    }
}
