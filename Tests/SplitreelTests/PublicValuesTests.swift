import Foundation
import Splitreel
import Testing

/// The values as a program outside sees them: `import Splitreel` brings all that is used here.
@Suite("Values of programs") struct PublicValuesTests {
    @Test func times() {
        let frame = MediaTime(1001, 30_000)
        let second = 30_000 * frame / 1001
        #expect(second == .seconds(1) && !second.hasBeenRounded)
        #expect(second + .seconds(2) - MediaTime(1, 2) == MediaTime(5, 2))
        #expect(MediaTime(seconds: 2.5, preferredTimescale: 600).value == 1500)
        #expect(MediaTime(text: "00:00:02.5")?.text == "2.5s" && MediaTime(text: "soon") == nil)
        #expect(MediaTime(1, 3).convertScale(600, method: .towardPositiveInfinity) == MediaTime(1, 3))
        #expect(MediaTime(1, 7).convertScale(600).hasBeenRounded && MediaTime(1, 2).seconds == 0.5)
        #expect(max(frame, .zero) == frame && [MediaTime.seconds(2), .zero, frame].sorted().first == .zero)
        #expect(MediaTime(dictionary: frame.dictionary) == frame && -frame < .zero && (-frame).absolute == frame)
    }

    @Test func rangesAndMappings() throws {
        var range = TimeRange(start: .zero, end: .seconds(10))
        range.start += .seconds(1)
        #expect(range.end == .seconds(11) && range.contains(.seconds(1)) && !range.contains(.seconds(11)))
        let later = TimeRange(start: .seconds(8), duration: .positiveInfinity)
        #expect(range.intersection(later) == TimeRange(start: .seconds(8), duration: .seconds(3)))
        #expect(range.union(later).end.isPositiveInfinity && range.clamp(.zero as MediaTime) == .seconds(1))
        #expect(range.fold(.seconds(12)) == .seconds(2))
        let twice = TimeMapping(source: range, target: TimeRange(start: .zero, duration: .seconds(5)))
        #expect(twice.rate == 2 && twice.rate.double == 2 && twice.sourceTime(at: .seconds(2)) == .seconds(5))
        #expect(twice.targetTime(of: .seconds(5)) == .seconds(2))
        #expect(twice.targetRange(of: range) == twice.target && twice.sourceRange(in: twice.target) == range)
        #expect(TimeMapping(emptyFor: range).isEmptyEdit)
        let written = try JSONEncoder().encode(range)
        #expect(try JSONDecoder().decode(TimeRange.self, from: written) == range)
    }

    @Test func geometryAndColours() throws {
        // A turn of 90° clockwise takes what is right of the origin below it: y points down.
        let turned = Affine.rotation(degrees: 90).apply(1, 0)
        #expect(turned == (x: 0, y: 1))
        let placed = Affine.scale(2, 2).then(.rotation(degrees: 180)).then(.translation(10, 20))
        #expect(placed.apply(1, 2) == (x: 8, y: 16) && placed.determinant == 4)
        let back = try #require(placed.inverse)
        #expect(back.apply(8, 16) == (x: 1, y: 2) && Affine.scale(0, 1).inverse == nil)
        #expect(Rect(x: 0, y: 0, width: 4, height: 2).bounds(by: placed) == Rect(x: 2, y: 16, width: 8, height: 4))
        #expect(Rect.infinite.isInfinite && !Rect.infinite.isEmpty)
        #expect(Colour(text: "#ff0000") == Colour(red: 1, green: 0, blue: 0) && Colour(text: "white") == .white)
        #expect(ColourTransfer.hlg.isHDR && !ColourTriple.bt709.transfer.isHDR)
        #expect(PixelAspect(64, 45)?.isSquare == false && PixelAspect(0, 1) == nil)
    }

    @Test func anyJSON() throws {
        let value: JSONValue = ["radius": 4, "soft": true, "way": "in", "stops": [0.5, -2.0]]
        let text = #"{"radius":4,"soft":true,"stops":[0.5,-2],"way":"in"}"#
        #expect(String(decoding: value.canonicalBytes(), as: UTF8.self) == text)
        #expect(try JSONValue(parsing: Data(text.utf8)) == value)
        #expect(value["radius"]?.double == 4 && value["way"]?.string == "in" && value["size"] == nil)
        let largest = try JSONValue(parsing: Data("9223372036854775807".utf8))
        #expect(largest == .integer(.max))
    }

    @Test func errorsAreReadAndMade() throws {
        let error = try #require(throws: SplitreelError.self) { try JSONValue(parsing: Data("{\n  ,}".utf8)) }
        #expect(error.code == .compositionUnreadable && error.code.number == 50_000 && !error.code.isWarning)
        #expect(!error.code.title.isEmpty && !error.code.explanation.isEmpty)
        #expect(error.subject == "line 2, column 3" && !error.reason.isEmpty)
        #expect(error.localizedDescription.hasPrefix(error.code.title))
        #expect(error.description.hasPrefix("error 50000: "))
        #expect(ErrorCode(12_345).title == "unknown error" && ErrorCode(12_345).explanation.isEmpty)
        let name = "https://me:secret@example.org/a.mp4?key=1"
        let own = SplitreelError(.mediaNotFound, operation: "looking", subject: name, reason: "it is not there")
        #expect(own.subject.description == "https://example.org/a.mp4")
        let bytes = try JSONEncoder().encode(own)
        #expect(try JSONDecoder().decode(SplitreelError.self, from: bytes) == own)
    }

    @Test func factsOfAFileThatIsKnown() throws {
        let size = PixelSize(width: 720, height: 576)
        let picture = VideoFacts(
            codedSize: size, pixelAspectNumerator: 16, pixelAspectDenominator: 15, pixelFormat: "yuv420p")
        let facts = AssetFacts(
            path: "/films/a.mov", duration: .seconds(4),
            tracks: [
                TrackFacts(id: 1, type: .video, codec: "h264", duration: .seconds(4), video: picture),
                TrackFacts(
                    id: 2, type: .audio, codec: "aac",
                    audio: AudioFacts(sampleRate: 48_000, channels: 2, layout: "stereo")),
            ])
        #expect(facts.firstTrack(of: .audio)?.id == 2 && facts.track(1)?.video?.displaySize.width == 768)
        #expect(facts.kind == .media && facts.firstTrack(of: .subtitle) == nil)
        #expect(try JSONDecoder().decode(AssetFacts.self, from: JSONEncoder().encode(facts)) == facts)
    }
}
