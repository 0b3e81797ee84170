import Foundation
import Splitreel
import TestTools
import Testing

/// The programs of docs/LIBRARY.md: they stand here as they stand there, and work.
@Suite("The library's guide", .timeLimit(.minutes(3))) struct LibraryGuideTests {
    private func brightness(of path: String) async throws -> [Int] {
        var brightness = [Int](repeating: 0, count: 4)
        var generator = ImageGenerator(asset: try await MediaAsset(contentsOf: path))
        generator.maximumSize = (320, 320)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = CompositionTime(value: 1, timescale: 2)
        let times = (0..<4).map { CompositionTime(value: $0, timescale: 2) }
        for try await made in generator.images(for: times) {
            switch made.result {
            case .succeeded(let image, let actualTime):
                image.withRows8 { y, row in brightness[made.index] += Int(row[0]) }
                print("\(made.requestedTime.seconds) s: \(image.width)×\(image.height) at \(actualTime.seconds) s")
            case .failed(let error): print("\(made.requestedTime.seconds) s: \(error)")
            case .cancelled: break
            }
        }
        return brightness
    }

    private func read(_ path: String) async throws -> (peak: Float, light: Double, count: Int) {
        var light = 0.0
        var settings = Reader.Settings()
        settings.timeRange = (.zero, CompositionTime(value: 1, timescale: 1))
        settings.pixelFormat = .rgbaFloat
        let reader = try await Reader(asset: MediaAsset(contentsOf: path), settings: settings)
        var peak: Float = 0
        while let block = try await reader.nextSamples() {
            for channel in block.channels { peak = max(peak, channel.map(abs).max() ?? 0) }
        }
        var count = 0
        while let frame = try await reader.nextFrame() {
            frame.image.withRowsFloat { y, row in light += Double(row[0]) }
            count = frame.index + 1
        }
        return (peak, light, count)
    }

    /// A red picture of 32 lines over 2 s, and a constant sound of 0.25.
    @Test func itsProgramsWork() async throws {
        let folder = try TestFolder("guide")
        let level = [Double](repeating: 0.25, count: 96_000)
        _ = try folder.write(SoundMedia.wave([level, level], rate: 48_000), to: "s.wav")
        let path = try folder.write(
            """
            {"format":"splitreel/1","assets":{"r":{"kind":"color","color":[1,0,0,1]},"s":{"url":"s.wav"}},
            "composition":{"tracks":[\(Text.track(1, "video", Text.still("r", at: "0s", for: "2s"))),
            \(Text.track(2, "audio", Text.clip("s", "0s", "2s", at: "0s")))]},
            "video":{"renderSize":[64,32],"frameDuration":"1/25"}}
            """, to: "cut.json")
        for sum in try await brightness(of: path) { #expect(abs(sum - 32 * 255) <= 32 * 2) }
        let found = try await read(path)
        #expect(found.count == 25 && abs(found.peak - 0.25) < 1e-4 && abs(found.light / (25 * 32) - 1) < 0.01)
    }

    @Test func theyStandInTheGuide() throws {
        let root = try #require(SourceTree.root())
        func lines(_ path: String) throws -> [String] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let own = try (lines(#filePath) + lines(root + "/Tests/Support/FarmProgram/main.swift")).joined(separator: "\n")
        var (blocks, isInside) = ([[String]](), false)
        for line in try lines(root + "/docs/LIBRARY.md") {
            if line.hasPrefix("```") {
                isInside = line == "```swift"
                if isInside { blocks.append([]) }
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
        }
        #expect(blocks.count == 3)
        for block in blocks { #expect(own.contains(block.joined(separator: "\n")), "\(block.first ?? "")") }
    }
}
