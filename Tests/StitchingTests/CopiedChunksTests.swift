import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Outputs
import Pictures
import Planning
import Stitching
import Testing

/// Films of rendered chunks and of packets of sources that ffmpeg made; ffmpeg decodes them, too.
@Suite struct CopiedChunksTests {
    /// Closed groups of twelve pictures, in which B-pictures are referred to.
    private static let h264 = [
        "-c:v", "libx264", "-preset", "fast", "-crf", "24", "-g", "12", "-keyint_min", "12", "-sc_threshold", "0",
        "-bf", "3", "-b-pyramid", "normal", "-b_strategy", "0", "-pix_fmt", "yuv420p",
    ]
    /// Tagged: an untagged sequence parameter set outweighs what the film's container says.
    private static let hevc = [
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-c:v", "libx265", "-preset",
        "fast", "-x265-params", "keyint=12:min-keyint=12:scenecut=0:open-gop=0:log-level=none", "-pix_fmt", "yuv420p",
        "-tag:v", "hvc1",
    ]

    @Test(arguments: [Container.mp4, .mov, .mkv], [false, true])
    func h264StandsBesideCopies(container: Container, isFragmented: Bool) throws {
        guard container == .mp4 || !isFragmented else { return }
        let film = try CopiedFilm(.h264, Self.h264, named: "source.mp4", [.made(5), .copied(12..<36), .made(1)])
        try film.check(container, isFragmented: isFragmented)
    }

    @Test("The numbers of x265's own sets are rewritten in its slices", arguments: [Container.mp4, .mov, .mkv])
    func hevcStandsBesideCopies(container: Container) throws {
        try CopiedFilm(.hevc, Self.hevc, named: "source.mp4", [.made(5), .copied(12..<36), .made(1), .copied(0..<12)])
            .check(container)
    }

    @Test("Frames that are copied may come first, last and twice in a row", arguments: ["source.mp4", "source.ts"])
    func anyOrder(name: String) throws {
        // Transport streams are Annex B, with delimiters, and have their sets in every group.
        try CopiedFilm(.h264, Self.h264, named: name, [.copied(24..<36), .copied(0..<12), .made(2), .copied(48..<60)])
            .check(.mp4)
    }

    @Test(arguments: [Container.mp4, .mov, .mkv]) func aFilmMayBeAllCopied(container: Container) throws {
        try CopiedFilm(.h264, Self.h264, named: "source.mkv", [.copied(12..<24), .copied(36..<60)]).check(container)
        try CopiedFilm(.hevc, Self.hevc, named: "source.mp4", [.copied(12..<24), .copied(36..<60)]).check(container)
    }

    @Test func everyFrameOfProResIsAPlaceToCut() throws {
        let options = ["-c:v", "prores_ks", "-profile:v", "3", "-vendor", "apl0", "-pix_fmt", "yuv422p10le"]
        let film = try CopiedFilm(.prores, options, named: "source.mov", [.made(3), .copied(7..<20), .copied(21..<22)])
        let path = try film.check(.mov)
        let packets = try packetHashes(film.source)
        #expect(try packetHashes(path).suffix(14) == packets[7..<20] + packets[21..<22])
    }

    @Test func mjpegStandsBesideCopies() throws {
        let options = ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"]
        try CopiedFilm(.mjpeg, options, named: "source.mov", [.copied(7..<20), .made(2), .copied(3..<4)]).check(.mov)
    }

    @Test("Copies may have other numbers than their source", arguments: [PictureCodec.h264, .hevc])
    func otherNumbers(codec: PictureCodec) throws {
        let film = try CopiedFilm(
            codec, codec == .h264 ? Self.h264 : Self.hevc, named: "source.mp4", [.made(5), .copied(12..<36)],
            ownNumber: 1, numbers: [0: 9])
        let path = try film.check(.mp4)
        let names: Set = ["pic_parameter_set_id", "slice_pic_parameter_set_id"]
        let slices = try traced(path).filter { names.contains($0.name) }.suffix(24)
        #expect(slices.count == 24 && slices.allSatisfy { $0.value == 9 })
    }

    /// Each picture is an IDR picture, and x264 numbers them 0 and 1 in turns.
    @Test("Two IDR pictures in a row differ in idr_pic_id")
    func idrPictures() throws {
        let parts: [CopiedFilm.Part] = [
            .copied(0..<1), .copied(2..<3), .made(1), .made(1), .copied(4..<7), .made(1), .copied(8..<9),
            .copied(11..<12),
        ]
        for coding in [[], ["-coder", "0"]] {
            let film = try CopiedFilm(.h264, Self.h264 + ["-g", "1"] + coding, named: "source.mp4", parts)
            let ids = try traced(try film.check(.mp4)).filter { $0.name == "idr_pic_id" }.map(\.value)
            #expect(ids.count == 10 && zip(ids, ids.dropFirst()).allSatisfy { $0 != $1 }, "\(ids)")
        }
    }

    /// Some recorders write messages whose length leads behind their end. Decoders pass over them.
    @Test func messagesThatCannotBeReadStayBesideAnotherIDRPicture() throws {
        let film = try CopiedFilm(.h264, Self.h264, named: "source.mp4", [.copied(0..<1), .copied(0..<1)]) { bytes in
            // x264's words about itself, in the first picture: type 5, and a length of several bytes.
            guard let unit = bytes.range(of: Data([6, 5, 0xFF])),
                let end = bytes[unit.upperBound...].firstIndex(where: { $0 != 0xFF })
            else { return }
            bytes[end] = 0xFE
        }
        let hashes = try pictureHashes(film.source)
        let path = try film.stitch(.mp4)
        #expect(try pictureHashes(path) == [hashes[0], hashes[0]])
        let (source, packets) = (try packetHashes(film.source), try packetHashes(path))
        #expect(packets.count == 2 && packets[0] == source[0] && packets[1] != source[0])
    }

    /// The numbers in a film's headers, as FFmpeg reads them.
    private func traced(_ path: String) throws -> [(name: String, value: Int)] {
        let trace = try run("ffmpeg", ["-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"])
        return trace.complaints.split(separator: "\n").compactMap { line in
            let words = line.split(separator: "]", maxSplits: 1).last?.split(separator: " ") ?? []
            guard words.count >= 4, words[words.count - 2] == "=", let value = Int(words[words.count - 1]) else {
                return nil
            }
            return (String(words[1]), value)
        }
    }

    @Test func setsOfOneNumberAreRefused() throws {
        let film = try CopiedFilm(
            .h264, Self.h264, named: "source.mp4", [.made(5), .copied(12..<36)], ownNumber: nil)
        #expect(code { _ = try film.stitch(.mp4) } == .settingsImpossible)
    }

    @Test("A source that is another one by now fails the film, whose bytes are no film then")
    func changedSourcesAreFound() throws {
        let film = try CopiedFilm(.h264, Self.h264, named: "source.mp4", [.made(5), .copied(12..<36)])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: film.source))
        let places = try run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pos", "-of", "csv=p=0", film.source])
        let lines = String(decoding: places.output, as: UTF8.self).split(separator: "\n")
        let place = try #require(lines.dropFirst(20).first.flatMap { Int($0) })
        bytes[place + 9] ^= 0x10
        try bytes.write(to: URL(fileURLWithPath: film.source))
        #expect(code { _ = try film.stitch(.mp4) } == .mediaChanged)
    }

    @Test func chunksComeInOrderAndEachInItsWay() throws {
        let film = try CopiedFilm(.h264, Self.h264, named: "source.mp4", [.made(5), .copied(12..<36)])
        let stitcher = try FilmStitcher(plan: film.plan(.mp4), path: film.folder.file("out.mp4"))
        defer { stitcher.abandon() }
        let source = try #require(film.plan(.mp4).copiedSource(ofChunk: 1, indexes: nil))
        #expect(code { try stitcher.appendCopied(source, chunk: 1) } == .internalFault)
        let segment = try #require(film.segments[0])
        try stitcher.append(path: segment.path, record: segment.record, chunk: 0)
        #expect(code { try stitcher.append(path: segment.path, record: segment.record, chunk: 1) } == .segmentInvalid)
    }
}

/// A film of made and copied chunks.
private struct CopiedFilm {
    enum Part {
        /// So many frames that are encoded.
        case made(Int)
        /// The source's packets.
        case copied(Range<Int>)

        var count: Int {
            switch self {
            case .made(let count): count
            case .copied(let packets): packets.count
            }
        }
    }

    static let frameDuration = MediaTime(value: 1, timescale: 25)
    let folder: TemporaryFolder
    let source: String
    private let settings: VideoSettings
    private let facts: AssetFacts
    private let header: [UInt8]
    private let numbers: [Int: Int]?
    private let parts: [Part]
    private(set) var segments: [Int: (path: String, record: SegmentRecord)] = [:]

    /// Makes the source, sixty frames, which `change` may damage, and the segments.
    init(
        _ codec: PictureCodec, _ options: [String], named name: String, _ parts: [Part], ownNumber: Int? = 1,
        numbers: [Int: Int]? = nil, change: (inout Data) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        source = folder.file(name)
        let made = try run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25", "-frames:v", "60"] + options + [source])
        #expect(made.status == 0, "\(made.complaints)")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
        change(&bytes)
        try bytes.write(to: URL(fileURLWithPath: source))
        var settings = VideoSettings.small(codec)
        let reorders = codec == .h264 || codec == .hevc
        let isMixed = parts.contains { if case .made = $0 { true } else { false } }
        settings.parameterSetID = reorders && isMixed ? ownNumber : nil
        settings.copiedReorderDepth = reorders ? 2 : 0
        self.settings = settings
        (self.parts, self.numbers) = (parts, numbers)
        facts = try probe(path: source)
        header = reorders ? try StoredPackets(path: source, track: 1).format.header : []
        for (index, part) in parts.enumerated() {
            guard case .made(let count) = part else { continue }
            let path = folder.file("chunk\(index).nut")
            let first = 100 * index
            segments[index] = (
                path, try FilmFixture.encode(settings, Self.frameDuration, frames: first..<first + count, to: path)
            )
        }
    }

    func plan(_ container: Container, isFragmented: Bool = false) -> RenderPlan {
        var chunks: [Chunk] = []
        var first = 0
        for (index, part) in parts.enumerated() {
            var chunk = Chunk(
                index: index, kind: .cut, firstFrame: first, frameCount: part.count, cost: 1, why: "test")
            if case .copied(let packets) = part {
                chunk.kind = .passthrough
                chunk.copied = CopiedSpan(asset: "a", track: 1, firstPacket: packets.lowerBound, sets: 0)
            }
            chunks.append(chunk)
            first += part.count
        }
        var output = OutputSettings(container: container, video: settings, audio: nil)
        output.isFragmented = isFragmented ? true : nil
        var plan = RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "", assets: ["a": facts], output: output,
            range: TimeRange(start: .zero, duration: (Rational(Self.frameDuration) * Rational(first)).mediaTime),
            frameDuration: Self.frameDuration, frameCount: first, sampleRate: 0, sampleCount: 0, chunks: chunks)
        plan.copiedSets = [CopiedSets(header: header, numbers: numbers)]
        return plan
    }

    func stitch(_ container: Container, isFragmented: Bool = false) throws -> String {
        let plan = plan(container, isFragmented: isFragmented)
        try plan.check()
        let path = folder.file("film." + container.rawValue)
        let stitcher = try FilmStitcher(plan: plan, path: path)
        for index in parts.indices {
            if let source = plan.copiedSource(ofChunk: index, indexes: nil) {
                try stitcher.appendCopied(source, chunk: index)
            } else if let segment = segments[index] {
                try verify(segment, plan, task: index)
                try stitcher.append(path: segment.path, record: segment.record, chunk: index)
            }
        }
        try stitcher.finish()
        return path
    }

    /// Stitches, and holds the film against the source and the segments, frame by frame.
    @discardableResult
    func check(_ container: Container, isFragmented: Bool = false) throws -> String {
        let path = try stitch(container, isFragmented: isFragmented)
        let plan = plan(container, isFragmented: isFragmented)
        try requireFilm(path: path, plan: plan)
        let whole = try pictureHashes(source)
        var expected: [String] = []
        for (index, part) in parts.enumerated() {
            switch part {
            case .made: expected += try pictureHashes(try #require(segments[index]).path)
            case .copied(let packets): expected += whole[packets]
            }
        }
        #expect(try pictureHashes(path) == expected)
        let strict = try run(
            "ffmpeg", ["-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-f", "null", "-"])
        #expect(strict.status == 0 && strict.complaints.isEmpty, "\(strict.complaints)")
        let times = try run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path])
        let seconds = String(decoding: times.output, as: UTF8.self).split(whereSeparator: \.isNewline)
            .compactMap { Double($0.filter { $0 != "," }) }.sorted()
        #expect(seconds.count == plan.frameCount)
        for (frame, time) in seconds.enumerated() { #expect(abs(time - Double(frame) / 25) < 0.001) }
        return path
    }
}
