import Diagnostics
import Foundation
import MediaTime
import Outputs
import Pictures
import Planning
import Stitching
import Testing

@Suite struct RefusalTests {
    static let frameDuration = MediaTime(value: 1, timescale: 25)

    static func film(preset: String = "veryfast") throws -> FilmFixture {
        try FilmFixture(
            video: .small(.h264, preset: preset), frameDuration: frameDuration, chunks: [6, 1, 5])
    }

    private func verify(_ film: FilmFixture, _ path: String, _ record: SegmentRecord, task: Int = 0) -> ErrorCode? {
        code {
            try StitchingTests.verify(
                (path, record), film.plan(.mp4), task: task, reference: task == 0 ? nil : film.segments[0].record)
        }
    }

    @Test func otherParameterSetsAreRefused() throws {
        let film = try Self.film()
        let other = try Self.film(preset: "slow")
        #expect(film.segments[1].record.extradataHash == film.segments[0].record.extradataHash)
        #expect(film.segments[1].record.extradataHash != other.segments[1].record.extradataHash)
        #expect(verify(film, film.segments[1].path, film.segments[1].record, task: 1) == nil)
        #expect(verify(film, other.segments[1].path, other.segments[1].record, task: 1) == .segmentInvalid)
        let stitcher = try FilmStitcher(
            plan: film.plan(.mp4), path: film.folder.file("out.mp4"))
        try stitcher.append(path: film.segments[0].path, record: film.segments[0].record, chunk: 0)
        #expect(
            code { try stitcher.append(path: other.segments[1].path, record: other.segments[1].record, chunk: 1) }
                == .segmentInvalid)
        stitcher.abandon()
        #expect(!FileManager.default.fileExists(atPath: film.folder.file("out.mp4")))
    }

    @Test func damagedFilesAreRefused() throws {
        let film = try Self.film()
        let (path, record) = film.segments[0]
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var flipped = bytes
        flipped[bytes.count / 2] ^= 1
        for (name, damaged) in [("flipped", flipped), ("cut", bytes.prefix(bytes.count * 2 / 3)), ("empty", Data())] {
            let copy = film.folder.file(name)
            try damaged.write(to: URL(fileURLWithPath: copy))
            #expect(verify(film, copy, record) == .segmentInvalid)
            // Also where the record was made from the damaged file.
            var matching = record
            matching.byteCount = Int64(damaged.count)
            matching.fileHash = FilmFixture.hash(damaged)
            if name != "flipped" { #expect(verify(film, copy, matching) == .segmentInvalid) }
        }
        #expect(verify(film, film.folder.file("missing"), record) == .segmentInvalid)
    }

    @Test func aFileOfAnotherSizeIsNotRead() throws {
        let film = try Self.film()
        let (path, record) = film.segments[0]
        let copy = film.folder.file("sparse.nut")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        // Five GiB that take no room on the disk: only reading them takes long.
        #expect(truncate(copy, 5 << 30) == 0)
        let error = #expect(throws: SplitreelError.self) {
            try verifyBytes(
                path: copy, record: record, output: film.plan(.mp4).output, frameDuration: Self.frameDuration)
        }
        #expect(error?.reason == "5368709120 bytes, \(record.byteCount) promised")
    }

    @Test func recordsThatDoNotFitAreRefused() throws {
        let film = try Self.film()
        let (path, record) = film.segments[0]
        #expect(verify(film, path, record) == nil)
        let changes: [(inout SegmentRecord) -> Void] = [
            { $0.count = 7 }, { $0.packetCount = 5 },
            { $0.reorderDepth = 3 }, { $0.reorderDepth = 0 }, { $0.media = .audio },
            { $0.extradataHash = String(repeating: "0", count: 64) },
        ]
        for change in changes {
            var other = record
            change(&other)
            #expect(verify(film, path, other) == .segmentInvalid)
        }
        // A chunk's record with another chunk's file.
        #expect(verify(film, film.segments[2].path, film.segments[2].record, task: 0) == .segmentInvalid)
        #expect(verify(film, path, record, task: 9) == .segmentInvalid)
    }

    @Test func orderIsKept() throws {
        let film = try Self.film()
        let stitcher = try FilmStitcher(
            plan: film.plan(.mp4), path: film.folder.file("out.mp4"))
        let (first, second) = (film.segments[0], film.segments[1])
        #expect(code { try stitcher.append(path: second.path, record: second.record, chunk: 1) } == .internalFault)
        try stitcher.append(path: first.path, record: first.record, chunk: 0)
        #expect(code { try stitcher.append(path: first.path, record: first.record, chunk: 0) } == .internalFault)
        #expect(code { try stitcher.finish() } == .internalFault, "two chunks are missing")
    }

    /// Before any packet of the picture and of the sound.
    @Test(arguments: [0, 0.5, 0.99]) func aJoinEndsWhereverItIsStopped(share: Double) throws {
        let film = try FilmFixture(
            video: .small(.h264), audio: .stereo(.aac), frameDuration: Self.frameDuration, chunks: [6, 6])
        let path = film.folder.file("stopped.mp4")
        func join(stoppingAfter most: Int) throws -> Int {
            var count = 0
            let stitcher = try FilmStitcher(plan: film.plan(.mp4), path: path) {
                count += 1
                if count > most { throw CancellationError() }
            }
            defer { stitcher.abandon() }
            let sound = try #require(film.sound)
            try stitcher.setAudio(path: sound.path, record: sound.record)
            for (index, segment) in film.segments.enumerated() {
                try stitcher.append(path: segment.path, record: segment.record, chunk: index)
            }
            try stitcher.finish()
            return count
        }
        let whole = try join(stoppingAfter: .max)
        #expect(whole > film.segments.count)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: CancellationError.self) { try join(stoppingAfter: Int(Double(whole) * share)) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [Container.mov, .mkv])
    func aFullDiskIsToldFromARefusal(container: Container) throws {
        let film = try FilmFixture(
            video: .small(.ffv1), frameDuration: Self.frameDuration, chunks: [12])
        let plan = film.plan(container)
        let full = film.folder.file("full." + container.rawValue)
        try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
        let failed = code {
            let stitcher = try FilmStitcher(plan: plan, path: full)
            defer { stitcher.abandon() }
            try stitcher.append(path: film.segments[0].path, record: film.segments[0].record, chunk: 0)
            try stitcher.finish()
        }
        #expect(failed == .diskFull)
        let nowhere = code {
            let stitcher = try FilmStitcher(
                plan: plan, path: film.folder.file("missing/film"))
            try stitcher.append(path: film.segments[0].path, record: film.segments[0].record, chunk: 0)
        }
        #expect(nowhere == .outputNotWritable)
    }

    /// One open at a time; and the room that is kept for the index suffices where every packet is its own chunk.
    @Test func manySegmentsNeedFewDescriptors() throws {
        let many = 1500
        let settings = VideoSettings.small(.h264, size: PixelSize(width: 32, height: 32))
        let film = try FilmFixture(
            video: settings, audio: AudioSettings(codec: .pcm, bitRate: nil, sampleRate: 48000, channels: 1),
            frameDuration: Self.frameDuration, chunks: [1], sampleCount: many * 48000 / 25)
        var plan = film.plan(.mov)
        plan.frameCount = many
        plan.chunks = (0..<many).map {
            Chunk(index: $0, kind: .composite, firstFrame: $0, frameCount: 1, cost: 1, why: "test")
        }
        let path = film.folder.file("many.mov")
        let stitcher = try FilmStitcher(plan: plan, path: path)
        let sound = try #require(film.sound)
        try stitcher.setAudio(path: sound.path, record: sound.record)
        var most = 0
        for index in 0..<many {
            try stitcher.append(path: film.segments[0].path, record: film.segments[0].record, chunk: index)
            if index % 100 == 99 { most = max(most, try openFiles(in: film.folder.path)) }
        }
        try stitcher.finish()
        #expect(most == 2, "the film and the sound alone stay open")
        let report = try verifyFilm(path: path, plan: plan)
        #expect(report.ok && report.frames == many, "\(report.checks.filter { !$0.ok })")
        let order = try BoxReader(path: path).boxes().map(\.type)
        #expect(order.firstIndex(of: "moov") ?? .max < order.firstIndex(of: "mdat") ?? 0)
    }

    private func openFiles(in folder: String) throws -> Int {
        let real = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
            return target?.hasPrefix(real) ?? false
        }
    }
}

@Suite struct FilmVerificationTests {
    static func film() throws -> FilmFixture {
        try FilmFixture(
            video: .small(.h264, preset: "veryfast"), audio: .stereo(.aac),
            frameDuration: MediaTime(value: 1, timescale: 25), chunks: [20, 20],
            sample: { _, index in Float(index % 64) / 100 })
    }

    private func failures(_ path: String, _ plan: RenderPlan?, decoding: Bool = false) throws -> [String] {
        try verifyFilm(path: path, plan: plan, decoding: decoding).checks.filter { !$0.ok }.map(\.name)
    }

    @Test func everyDepartureFromThePlanIsNamed() throws {
        let film = try Self.film()
        let path = try film.stitch(.mp4)
        let plan = film.plan(.mp4)
        #expect(try failures(path, plan, decoding: true) == [])
        #expect(try failures(path, nil, decoding: true) == [])
        let changes: [(change: (inout RenderPlan) -> Void, fails: [String])] = [
            ({ $0.frameCount = 41 }, ["frames"]),
            ({ $0.frameDuration = MediaTime(value: 1001, timescale: 25000) }, ["rate", "timestamps"]),
            ({ $0.sampleCount += 1 }, ["sound length"]),
            ({ $0.output.audio = nil }, ["layout"]),
            ({ $0.output.video?.size.width = 162 }, ["size"]),
            ({ $0.output.video?.format = .yuv444p }, ["pixel format"]),
            ({ $0.output.video?.colour.transfer = .pq }, ["colour"]),
            ({ $0.output.container = .mkv }, ["container"]),
            ({ $0.output.audio?.codec = .opus }, ["audio codec"]),
        ]
        for (change, fails) in changes {
            var other = plan
            change(&other)
            #expect(try failures(path, other) == fails)
        }
    }

    @Test func damageIsFoundByDecoding() throws {
        let film = try Self.film()
        let path = try film.stitch(.mp4)
        var boxes = try BoxReader(path: path)
        let mdat = try #require(boxes.boxes().first { $0.type == "mdat" })
        var bytes = boxes.bytes
        for at in stride(from: mdat.range.lowerBound + mdat.range.count / 3, to: mdat.range.upperBound, by: 97) {
            bytes[at] ^= 0x55
        }
        let damaged = film.folder.file("damaged.mp4")
        try Data(bytes).write(to: URL(fileURLWithPath: damaged))
        #expect(try failures(damaged, nil, decoding: true).contains("picture decodes"))
        boxes = try BoxReader(path: damaged)
        #expect(code { _ = try verifyFilm(path: film.folder.file("missing.mp4"), plan: nil) } == .mediaCannotOpen)
    }

    /// Each damaged packet is told with its own time, as ffprobe has it, and what comes after the first one too.
    @Test func damageIsToldWithItsTimes() throws {
        let film = try Self.film()
        let path = try film.stitch(.mp4)
        let probed = try run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,size,pos"]
                + ["-of", "csv=p=0", path])
        let packets = String(decoding: probed.output, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",").compactMap { Double($0) }
            return fields.count == 3 ? (time: fields[0], size: Int(fields[1]), place: Int(fields[2])) : nil
        }
        try #require(packets.count == 40)
        #expect(try verifyFilm(path: path, plan: nil, decoding: true).warnings.isEmpty)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The first pictures of both chunks: an impossible length of a NAL unit.
        for packet in [packets[0], packets[20]] {
            let body = (packet.place + packet.size / 2)..<(packet.place + packet.size)
            bytes.replaceSubrange(packet.place..<(packet.place + 2), with: [0x7f, 0xff])
            bytes.replaceSubrange(body, with: Data(repeating: 0xff, count: body.count))
        }
        let damaged = film.folder.file("damaged.mp4")
        try bytes.write(to: URL(fileURLWithPath: damaged))
        let report = try verifyFilm(path: damaged, plan: nil, decoding: true)
        #expect(!report.ok && report.warnings.count <= 32)
        let told = report.warnings.filter { $0.code == .sourceDamaged && $0.subject == "\(damaged), track 1" }
        for wanted in [packets[0].time, packets[20].time] {
            #expect(told.contains { abs(($0.firstSeconds ?? -1) - wanted) < 0.001 }, "\(wanted) in \(told)")
        }
    }

    @Test func aFilmWithAHoleIsNotOnTheGrid() throws {
        let film = try Self.film()
        let holed = film.folder.file("holed.mp4")
        // Every frame from the tenth on is a frame late.
        let made = try run(
            "ffmpeg",
            [
                "-v", "error", "-i", try film.stitch(.mp4), "-an", "-vf", "setpts=PTS+gte(N\\,10)*1/25/TB", "-fps_mode",
                "passthrough", "-c:v", "libx264", holed,
            ])
        #expect(made.status == 0)
        let failed = try failures(holed, nil)
        #expect(failed.contains("timestamps") || failed.contains("rate"))
    }
}
