import Foundation
import Hashing
import Outputs
import Planning
import Rendering
import SplitreelProject
import SplitreelTimeline
import TestTools
import Testing
import Validation

/// A still of 2401×1601 that is enlarged from 0.12 to 1/6 of its size: it is reduced by three before, once.
@Suite("Large stills") struct LargeStillTests {
    private let fixture: RenderFixture
    private let path: String
    private static let still = (width: 2401, height: 1601)
    private static let size = (width: 320, height: 200)
    private static let frames = 6

    init() throws {
        fixture = try RenderFixture("stills")
        path = fixture.folder.file("still.png")
        try fixture.witness.ffmpeg([
            "-f", "lavfi", "-i", "mandelbrot=s=\(Self.still.width)x\(Self.still.height):start_scale=0.4", "-frames:v",
            "1", "-pix_fmt", "gray", path,
        ])
    }

    private static func map(_ frame: Int) -> (scale: Double, x: Double, y: Double) {
        let share = Double(frame) / Double(frames)
        return (0.12 + (1.0 / 6 - 0.12) * share, 3.3 - 40.3 * share, 2.7 - 20.2 * share)
    }

    private func plan(_ chunks: String) throws -> RenderPlan {
        let (first, last) = (Self.map(0), Self.map(Self.frames))
        let layer = Text.layer(
            1, [first.scale, 0, 0, first.scale, first.x, first.y],
            to: [last.scale, 0, 0, last.scale, last.x, last.y], "0s", "\(Self.frames)/25")
        let text = Text.project(
            ["a": path], [Text.track(1, "video", Text.still("a", at: "0s", for: "\(Self.frames)/25"))],
            size: Self.size, frame: "1/25", [Text.instruction("0s", "\(Self.frames)/25", layer)])
        return try fixture.plan(text) { $0.rendering.chunkSeconds = chunks }
    }

    private func frames(_ chunks: String) throws -> [[UInt8]] {
        let plan = try plan(chunks)
        return try plan.chunks.indices.reversed().map { index in
            try fixture.witness.luma(try fixture.render(plan, .chunk(index), to: "\(chunks.count)-\(index).nut").path)
        }.reversed().flatMap { $0 }
    }

    /// Sampled straight from the still, by the model's triangle; black beside it.
    private func expected(_ gray: [UInt8], _ frame: Int) -> [Double] {
        let map = Self.map(frame)
        func axis(_ count: Int, _ length: Int, _ offset: Double) -> [(cover: Double, taps: [(Int, Double)])] {
            (0..<count).map { place in
                let left = max(Double(place), offset)
                let right = min(Double(place + 1), offset + Double(length) * map.scale)
                let centre = (Double(place) + 0.5 - offset) / map.scale - 0.5
                let reach = 1 / map.scale
                let taps = (Int((centre - reach).rounded(.down))...Int((centre + reach).rounded(.up))).map { k in
                    (min(max(k, 0), length - 1), max(0, 1 - abs(Double(k) - centre) / reach))
                }
                let sum = taps.reduce(0) { $0 + $1.1 }
                return (max(0, right - left), taps.map { ($0.0, $0.1 / sum) })
            }
        }
        let columns = axis(Self.size.width, Self.still.width, map.x)
        let rows = axis(Self.size.height, Self.still.height, map.y)
        // Rows first, each of which is summed once.
        return rows.flatMap { row in
            var line = [Double](repeating: 0, count: Self.still.width)
            for (y, share) in row.taps where share > 0 {
                for x in line.indices { line[x] += share * Double(gray[y * Self.still.width + x]) }
            }
            return columns.map { column in
                let value = column.taps.reduce(0) { $0 + $1.1 * line[$1.0] }
                return 16 + column.cover * row.cover * value * 219 / 255
            }
        }
    }

    /// Some 54 dB; above 60 where nothing is reduced before.
    @Test func looksAsSampledDirectly() throws {
        let gray = [UInt8](
            try fixture.witness.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]).standardOutput)
        let made = try frames("none")
        #expect(made.count == Self.frames)
        for index in [0, 3, 5] {
            let expected = expected(gray, index)
            let error = zip(made[index], expected).reduce(0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) }
            let decibels = 10 * log10(255 * 255 * Double(expected.count) / error)
            #expect(decibels > 48, "frame \(index): \(decibels) dB")
            // An error of its place by half of one of its pixels shows.
            let moved = zip(made[index].dropFirst(), expected).reduce(0) {
                $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1)
            }
            #expect(moved > 20 * error)
        }
    }

    @Test func anyChunkingGivesTheSameFilm() throws {
        let whole = try frames("none")
        #expect(Set(whole).count == Self.frames)
        #expect(try frames("1/25") == whole)
        #expect(try frames("4/25") == whole)
    }

    /// The factor follows from the whole film: a film that ends with the still at its own size has other chunks.
    @Test func itsFactorIsOfTheChunksKeys() throws {
        func keys(_ last: Double) throws -> [ContentKey] {
            let text = Text.project(
                ["a": path], [Text.track(1, "video", Text.still("a", at: "0s", for: "2s"))], size: Self.size,
                frame: "1/25",
                [
                    Text.instruction("0s", "1s", Text.layer(1, [0.1, 0, 0, 0.1, 0, 0])),
                    Text.instruction("1s", "1s", Text.layer(1, [last, 0, 0, last, 0, 0])),
                ])
            let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = "1s" }
            let timeline = try Timeline(
                project: try Project(parsing: Data(text.utf8)), assets: plan.assets, size: plan.output.video?.size,
                frameDuration: plan.frameDuration)
            return try contentKeys(of: plan, canvases: [CommonPlanning(timeline)])
        }
        let (small, large, smaller) = (try keys(0.1), try keys(1), try keys(0.05))
        #expect(small.count == 2 && small[0] != large[0] && small[0] == smaller[0])
    }
}
