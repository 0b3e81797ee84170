import Foundation
import Splitreel
import TestTools
import Testing

/// Compositions that a program edits at random, by the public interface alone.
@Suite("Random edits", .timeLimit(.minutes(3))) struct RandomEditsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("edits") }

    /// A numbered film of 2 s at 25 frames a second, with sound.
    private func asset() throws -> MediaAsset {
        let path = folder.file("film.mkv")
        _ = try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=32x18:r=25:d=2", "-f", "lavfi", "-i", "sine=440:r=8000:d=2", "-c:v",
            "ffv1",
            "-c:a", "flac", path,
        ])
        return MediaAsset(path)
    }

    private static func time(_ random: inout SeededNumbers, upTo most: Int64) -> MediaTime {
        MediaTime(value: Int64.random(in: 0...most, using: &random), timescale: 25)
    }

    private static func range(_ random: inout SeededNumbers, within length: MediaTime) -> TimeRange? {
        let frames = Int64(length.seconds * 25)
        guard frames > 2 else { return nil }
        let start = Int64.random(in: 0..<frames - 1, using: &random)
        let end = Int64.random(in: start + 1...frames, using: &random)
        return TimeRange(
            start: MediaTime(value: start, timescale: 25), duration: MediaTime(value: end - start, timescale: 25))
    }

    private static func edit(
        _ composition: inout Composition, _ facts: AssetFacts, _ random: inout SeededNumbers
    ) throws {
        let length = composition.duration
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            let source = range(&random, within: .seconds(2)) ?? TimeRange(start: .zero, duration: .seconds(1))
            try composition.insert("film", source, of: facts, at: time(&random, upTo: Int64(length.seconds * 25)))
        case 4: try composition.insertEmpty(TimeRange(start: time(&random, upTo: 50), duration: MediaTime(1, 5)))
        case 5...6:
            // The whole of it is not taken out: nothing would be left to render.
            if let range = range(&random, within: length), range.duration.seconds < length.seconds / 2 {
                try composition.remove(range)
            }
        case 7:
            if let range = range(&random, within: length) {
                let share = Int64.random(in: 1...3, using: &random)
                try composition.scale(range, to: range.duration * Int(share) / 2)
            }
        case 8: composition.addTrack(Bool.random(using: &random) ? .video : .audio)
        default:
            if let empty = composition.tracks.last(where: { $0.segments.isEmpty }) { composition.removeTrack(empty.id) }
        }
    }

    /// What was edited 100 times is the same when it was written and read again: as a value, as a plan, as frames and
    /// samples.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func aFileHoldsWhatWasEdited(seed: UInt64) async throws {
        let asset = try asset()
        let facts = try await asset.load(.facts)
        var random = SeededNumbers(seed: seed)
        var project = Project()
        let name = try await project.add(asset, named: "film")
        #expect(name == "film")
        try project.composition.insert("film", TimeRange(start: .zero, duration: .seconds(2)), of: facts)
        for _ in 0..<100 { try Self.edit(&project.composition, facts, &random) }
        project.composition.tracks.removeAll { $0.segments.isEmpty }
        // A film of a few seconds is enough.
        let length = project.composition.duration
        if length > .seconds(4) {
            try project.composition.remove(TimeRange(start: .seconds(4), end: length))
        }
        project.composition.tracks.removeAll { $0.segments.isEmpty }
        let data = project.data()
        let again = try Project(data)
        #expect(again == project)
        #expect(again.data() == data)
        let (first, second) = (try await project.plan(), try await again.plan())
        #expect(first.hash == second.hash && first.frameCount == second.frameCount && first.frameCount > 0)
        let (one, two) = (try await Self.read(project), try await Self.read(again))
        #expect(one == two && !one.isEmpty)
    }

    private static func read(_ project: Project) async throws -> [UInt8] {
        let reader = try await Reader(project)
        var bytes: [UInt8] = []
        while let frame = try await reader.nextFrame() { frame.image.withRows8 { _, row in bytes += row } }
        while let block = try await reader.nextSamples() {
            for sample in block.interleavedIntegers(Int16.self) { bytes.append(UInt8(truncatingIfNeeded: sample)) }
        }
        return bytes
    }

    /// Each of 1,000 times has one answer, whatever is cancelled meanwhile.
    @Test func aThousandRequestsHaveAThousandAnswers() async throws {
        var generator = ImageGenerator(try asset())
        (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
        let times = (0..<1000).map { MediaTime(value: Int64($0 % 60), timescale: 25) }
        let images = generator.images(for: times)
        var answers = Set<Int>()
        var (made, failed, cancelled) = (0, 0, 0)
        while let image = try await images.next() {
            #expect(answers.insert(image.index).inserted)
            switch image.result {
            case .succeeded: made += 1
            case .failed: failed += 1
            case .cancelled: cancelled += 1
            }
            if answers.count == 400 { images.cancel() }
        }
        #expect(answers.count == 1000 && made > 300 && cancelled > 500)
        #expect(made + failed + cancelled == 1000)
    }
}
