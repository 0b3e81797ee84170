import Foundation
import JSONText
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import Testing

@Suite("Requests and their groups") struct OutputRequestTests {
    @Test func pathIsEnough() throws {
        let request = try JSONDecoder().decode(OutputRequest.self, from: Data(#"{"path":"/f.mkv"}"#.utf8))
        #expect(request == OutputRequest(path: "/f.mkv"))
        #expect(throws: (any Error).self) {
            _ = try JSONDecoder().decode(OutputRequest.self, from: Data(#"{"overwrite":true}"#.utf8))
        }
    }

    /// Of each group anything may be absent: requests of before are read when a setting is added.
    @Test func groupsMayBePartial() throws {
        let text = """
            {"path": "/f.mkv", "delivery": {"renditions": [{}, {"size": [64, 36], "videoSettings": {"crf": 20}}]},
            "picture": {"codec": "h264", "pixelAspect": [4, 3]}, "sound": {"disposition": ["default"]},
            "soundTracks": [{"channels": 1}], "canvas": {}, "timing": {}, "stills": {}, "tags": {},
            "rendering": {"chunkSeconds": "3s"}}
            """
        var expected = OutputRequest(path: "/f.mkv")
        var settings = RenditionSettings()
        settings.crf = 20
        var rendition = RenditionEntry()
        rendition.size = PixelSize(width: 64, height: 36)
        rendition.videoSettings = settings
        expected.delivery.renditions = [RenditionEntry(), rendition]
        expected.picture.codec = "h264"
        expected.picture.pixelAspect = [4, 3]
        expected.sound.disposition = [.default]
        var track = SoundRequest()
        track.channels = 1
        expected.soundTracks = [track]
        expected.rendering.chunkSeconds = "3s"
        #expect(try [OutputRequest](requestText: text) == [expected])
        expected.rendering = RenderingRequest()
        expected.rendering.strict = true
        #expect(try [OutputRequest](requestText: [expected].requestText()) == [expected])
    }

    /// Keys of the file that nobody reads stay in the file.
    @Test func foreignKeysDoNotTravel() throws {
        var (track, settings, rendition) = (SoundRequest(), RenditionSettings(), RenditionEntry())
        (track.codec, track.unknown) = ("flac", ["x-mine": .string("x")])
        (settings.crf, settings.unknown) = (20, ["x-mine": .string("x")])
        (rendition.videoSettings, rendition.unknown) = (settings, ["x-mine": .string("x")])
        #expect(track.yielding(to: SoundRequest()).unknown.isEmpty)
        #expect(track.yielding(to: SoundRequest()).codec == "flac")
        var request = OutputRequest(path: "/f.mkv")
        request.soundTracks = [track]
        request.delivery.renditions = [rendition]
        let text = try [request].requestText()
        #expect(!text.contains("x-mine") && text.contains("flac") && text.contains("20"))
    }

    /// Each group crosses the wire, and each is one that requests differ by.
    @Test(
        arguments: [
            { $0.delivery.renditions = [RenditionEntry()] }, { $0.picture.crf = 20.5 }, { $0.sound.channels = 1 },
            { $0.soundTracks = [SoundRequest()] }, { $0.canvas.size = PixelSize(width: 64, height: 36) },
            { $0.timing.rangeStart = "1s" }, { $0.stills.times = [MediaTime(value: 1, timescale: 30)] },
            { $0.tags.metadata = ["title": .string("x")] }, { $0.rendering.proxy = true },
            { $0.streamPart = StreamPart(of: "/f.m3u8", .film(rendition: 2)) }, { $0.overwrite = true },
            { $0.isPassedOn = true }, { $0.compositionPath = "/c.json" }, { $0.entry = 3 },
        ] as [@Sendable (inout OutputRequest) -> Void])
    func groupCrossesTheWire(_ change: @Sendable (inout OutputRequest) -> Void) throws {
        var request = OutputRequest(path: "/f.mkv")
        change(&request)
        #expect(request != OutputRequest(path: "/f.mkv"))
        #expect(try [OutputRequest](requestText: [request].requestText()) == [request])
    }

    /// A rate and a quality exclude one another, and so the one that was said drives the other out.
    @Test func rateAndQualityAreNotMixed() {
        var (own, other) = (PictureRequest(), PictureRequest())
        (other.bitRate, other.passes, other.constantBitRate, other.level) = (5_000_000, 2, true, "4.1")
        #expect(own.taking(other) == other)
        own.crf = 20
        var expected = own
        expected.level = "4.1"
        #expect(own.taking(other) == expected)
        var (rate, quality) = (PictureRequest(), PictureRequest())
        (rate.bitRate, quality.crf) = (1_000_000, 30)
        #expect(rate.taking(quality) == rate)
        var (limit, buffer) = (PictureRequest(), PictureRequest())
        (limit.maximumBitRate, buffer.bufferSize) = (2_000_000, 9_000_000)
        #expect(limit.taking(buffer) == limit && PictureRequest().taking(buffer) == buffer)
    }

    @Test func channelsAreSaidWithTheirLayout() {
        var (own, other) = (SoundRequest(), SoundRequest())
        (other.channelLayout, other.codec) = ("5.1", "flac")
        own.channels = 2
        #expect(own.taking(other).channelLayout == nil && own.taking(other).codec == "flac")
        #expect(other.yielding(to: own).channelLayout == nil && other.yielding(to: own).codec == "flac")
    }

    /// A track's words are no settings of its encoding: they stay where those go.
    @Test func wordsStayWithoutTheEncoding() {
        var request = OutputRequest(path: "/f.mkv")
        (request.picture.language, request.picture.codec) = ("de", "h264")
        (request.sound.name, request.sound.codec, request.sound.bitRate) = ("Ton", "None", 64_000)
        #expect(request.withoutPicture.picture.language == "de" && request.withoutPicture.pictureSettings.isEmpty)
        let silent = request.withoutSound
        #expect(silent.sound.name == "Ton" && silent.sound.codec == "None" && silent.sound.bitRate == nil)
    }
}
