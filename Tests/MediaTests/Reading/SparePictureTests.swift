import CFFmpeg
import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Synchronization
import TestTools
import Testing

/// Pictures that nothing refers to, which are those that ffmpeg leaves out where it is told `-skip_frame noref`.
@Suite("Spare pictures", .serialized) struct SparePictureTests {
    static let films = [
        ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-bf", "2"],
        ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-x264-params", "slices=3:b-pyramid=normal:open-gop=1"],
        ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=12:bframes=3"],
        ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=25:temporal-layers=1"],
        ["-c:v", "mpeg2video", "-qscale:v", "2", "-g", "12", "-bf", "2"],
        ["-c:v", "mpeg1video", "-qscale:v", "2", "-g", "15", "-bf", "2"],
    ]

    private let folder: TestFolder
    private let witness: Witness
    init() throws {
        folder = try TestFolder("spare")
        witness = Witness(in: folder)
    }

    private struct Picture: Equatable { var sum: UInt32?, isTold: Bool }

    @Test(arguments: films) func damageConcernsThePictureAlone(_ coding: [String]) throws {
        let whole = folder.file("whole.mp4")
        let isMPEG = coding[1].hasPrefix("mpeg")
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=2"] + coding + (isMPEG ? [] : ["-crf", "12"])
                + ["-threads", "1", whole])
        let all = try times(whole, [])
        let spares = Set(all).subtracting(try times(whole, ["-skip_frame", "noref"])).sorted()
        let intact = try read(whole, all.indices)
        try #require(spares.count > 12 && all.count == 50 && !intact.contains { $0.isTold })
        let third = stride(from: 1, to: all.count, by: 3)
        #expect(try read(whole, third) == third.map { intact[$0] })
        var told = 0
        for spare in stride(from: 1, to: spares.count, by: spares.count / 3).map({ spares[$0] }) {
            let place = try #require(all.firstIndex(of: spare))
            let path = folder.file("\(spare).mp4")
            try damage(spare, of: whole, to: path)
            let pictures = try read(path, all.indices)
            #expect(all.indices.filter { pictures[$0] != intact[$0] && $0 != place } == [], "picture \(place)")
            told += pictures[place].isTold ? 1 : 0
            for first in all.indices {
                #expect(try read(path, [first]) == [pictures[first]], "picture \(first), \(place) is damaged")
            }
            // Nobody complains of what is not decoded.
            let said = try heard(path) { _ = try read(path, place + 1..<all.count) }
            #expect(said == [], "after picture \(place)")
        }
        #expect(told >= 2, "damage shows")
    }

    /// Messages behind the first may hold on for later pictures, as the one of two views in a frame does, 45.
    @Test func everyMessageIsLookedAt() throws {
        var parameters = AVCodecParameters()
        parameters.codec_id = AV_CODEC_ID_H264
        var spares = try #require(SparePictures(parameters))
        let timing: [UInt8] = [0, 0, 1, 6, 1, 1, 0x10]
        let slice: [UInt8] = [0, 0, 1, 0x01, 0x9a, 0x80]
        let found = [timing + [0x80] + slice, timing + [45, 1, 0x10, 0x80] + slice, [0, 0, 1, 0x41, 0x9a, 0x80]].map {
            spares.isSpare($0)
        }
        #expect(found == [true, false, false])
    }

    /// The presentation times of the pictures that ffmpeg's decoders give, in the track's ticks.
    private func times(_ path: String, _ options: [String]) throws -> [Int] {
        try witness.frames(path, stream: "v:0", options).compactMap { $0["best_effort_timestamp"] as? Int }
    }

    /// Fills the last quarter of that picture's packet with ones: where it has three slices, a part of the last one.
    private func damage(_ time: Int, of film: String, to path: String) throws {
        let packet = try #require(
            try witness.packets(film, stream: "v:0").first { $0["pts"] as? Int == time })
        let place = try #require((packet["pos"] as? String).flatMap { Int($0) })
        let size = try #require((packet["size"] as? String).flatMap { Int($0) })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: film))
        let range = place + size * 3 / 4..<place + size
        bytes.replaceSubrange(range, with: Data(repeating: 0xff, count: range.count))
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// The pictures at those places, by one reader.
    private func read(_ path: String, _ places: some Sequence<Int>) throws -> [Picture] {
        let track = try #require(probe(path: path).firstTrack(of: .video))
        let times = try presentationTimes(path: path, track: track.id)
        let reader = try VideoReader(path: path, track: track.id)
        return try places.map { place in
            let sum = try reader.withFrame(at: times[place]) { frame, _ in frame.withImage(checksum) }
            return Picture(sum: sum, isTold: !reader.takeNotices().isEmpty)
        }
    }

    /// libav's complaints of a file meanwhile, but for those of pictures that were left out where an open group begins.
    private func heard(_ path: String, _ body: () throws -> Void) rethrows -> [String] {
        let lines = Mutex<[String]>([])
        Libav.listen { line in
            guard line.file == path, line.isError, !line.text.hasPrefix("mmco: unref short") else { return }
            lines.withLock { $0.append(line.text) }
        }
        defer { Libav.listen(nil) }
        try body()
        return lines.withLock { $0 }
    }
}
