import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// What a person can write in any number must not cost its square, nor a stack.
@Suite("Thousands of tracks and layers")
struct ManyTracksTests {
    private func segment(_ start: Int, _ length: Int, _ asset: String? = "c") -> TrackSegment {
        var segment = TrackSegment()
        segment.asset = asset
        segment.target = TimeRange(
            start: MediaTime(value: Int64(start), timescale: 30),
            duration: MediaTime(value: Int64(length), timescale: 30))
        return segment
    }

    private func project(tracks count: Int, _ segments: (Int) -> [TrackSegment]) -> Project {
        var project = Project()
        var keys = AssetKeys()
        (keys.kind, keys.color, keys.size) = (.color, .black, PixelSize(width: 8, height: 8))
        project.assets["c"] = Asset(keys)
        project.composition.tracks = (1...count).map { id in
            var track = Track()
            (track.id, track.segments) = (id, segments(id))
            return track
        }
        return project
    }

    /// Every track ends at a time of its own: 5,000 instructions of up to 5,000 layers, which are not all made.
    @Test func fiveThousandTracksWithoutInstructions() throws {
        var made = project(tracks: 5000) { [segment(0, $0)] }
        for index in made.composition.tracks.indices {
            made.composition.tracks[index].preferredTransform = .translation(Double(index + 1), 0)
        }
        let timeline = try Timeline(project: made, assets: [:])
        #expect(timeline.instructionCount == 5000)
        #expect(timeline.recipe(at: .zero).layers.count == 5000)
        #expect(timeline.recipe(at: .zero).layers.first?.transform.tx == 5000)
        #expect(timeline.recipe(at: Rational(4998, 30)).layers.map(\.transform.tx) == [5000, 4999])
        #expect(timeline.recipe(at: Rational(5000, 30)).layers.isEmpty)
        #expect(timeline.boundaries.count == 4999)
    }

    @Test func tenThousandLayersOfFiveThousandTracks() throws {
        var made = project(tracks: 5000) { _ in [segment(0, 30)] }
        var instruction = Instruction()
        instruction.range = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
        instruction.layers = (0..<10_000).map { index in
            var layer = Layer()
            layer.track = 1 + index % 5000
            return layer
        }
        made.video = VideoComposition()
        made.video?.instructions = [instruction]
        #expect(made.validate(assets: nil).isEmpty)
        let timeline = try Timeline(project: made, assets: [:])
        #expect(timeline.recipe(at: .zero).layers.count == 10_000)
    }

    /// Each sound at a time needs a decoder; one after the other they do not.
    @Test func soundsAtOnceAreBounded() throws {
        func sounds(_ count: Int, _ segments: @escaping (Int) -> [TrackSegment]) -> [Problem] {
            var made = project(tracks: count, segments)
            made.assets["c"] = Asset(url: "a.wav")
            for index in made.composition.tracks.indices {
                made.composition.tracks[index].type = .audio
                for place in made.composition.tracks[index].segments.indices
                where made.composition.tracks[index].segments[place].asset != nil {
                    let target = made.composition.tracks[index].segments[place].target
                    made.composition.tracks[index].segments[place].source = TimeRange(
                        start: .zero, duration: target.duration)
                }
            }
            return made.validate(assets: nil)
        }
        #expect(sounds(512) { _ in [segment(0, 30)] }.isEmpty)
        let tooMany = sounds(513) { _ in [segment(0, 30)] }
        #expect(tooMany.map(\.path) == ["composition.tracks"] && tooMany[0].message.contains("512"))
        #expect(sounds(600) { $0 == 1 ? [segment(0, 1)] : [segment(0, $0 - 1, nil), segment($0 - 1, 1)] }.isEmpty)
    }
}
