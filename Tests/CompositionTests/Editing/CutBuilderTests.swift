import Authoring
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import Testing

/// Whole films made of clips, as `splitreel new` makes them.
@Suite("Films of clips") struct CutBuilderTests {
    /// Two seconds of picture at 25 fps that begin after so many thousandths, and sound from 0 on that is as long.
    private static func clip(pictureAfter start: Int64) -> Clip {
        var video = VideoFacts(codedSize: PixelSize(width: 64, height: 36), pixelFormat: "yuv420p")
        video.nominalFrameRate = MediaTime(value: 25, timescale: 1)
        let length = MediaTime(value: 2, timescale: 1)
        let first = MediaTime(value: start, timescale: 1000)
        let facts = AssetFacts(
            kind: .media, path: "/a.webm", duration: MediaTime(value: 2000 + start, timescale: 1000),
            tracks: [
                TrackFacts(id: 1, type: .video, codec: "vp8", start: first, duration: length, video: video),
                TrackFacts(id: 2, type: .audio, codec: "opus", duration: length),
            ])
        return Clip(path: "/a.webm", shown: "a.webm", facts: facts)
    }

    /// The film's frames lie on the clips' own: none is shown twice and none is lost.
    @Test(arguments: [0, 7, 21, 480, 1000] as [Int64]) func clipsBeginWithTheirPicture(start: Int64) throws {
        let clips = [Self.clip(pictureAfter: start), Self.clip(pictureAfter: start)]
        let cut = try CutBuilder(clips: clips, options: CutOptions())
        #expect(cut.end == 4)
        let tracks = try cut.project().composition.tracks
        #expect(tracks.map(\.type) == [.video, .video, .audio, .audio])
        let sources = tracks.flatMap(\.segments).compactMap { $0.source?.exact }
        #expect(sources.count == 4)
        #expect(sources.allSatisfy { $0.start == Rational(Int(start), 1000) && $0.end - $0.start == 2 })
    }

    /// Sound that plays for longer before the first picture is meant.
    @Test func soundBeforeThePictureStays() throws {
        let cut = try CutBuilder(clips: [Self.clip(pictureAfter: 3000)], options: CutOptions())
        #expect(cut.end == 5)
        let sources = try cut.project().composition.tracks.flatMap(\.segments).compactMap { $0.source?.exact }
        #expect(sources.allSatisfy { $0.start == .zero && $0.end == 5 })
    }
}
