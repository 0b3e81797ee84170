import JSONText
import MediaFacts
import MediaTime
import Pictures
import Planning
import Preparation
import SplitreelProject
import Testing

/// A group's property that has no field would be dropped without a word.
@Suite("Requests filled from a file's output") struct FilledRequestTests {
    private func picture() -> PictureRequest {
        var picture = PictureRequest()
        picture.codec = "h264"
        picture.profile = "high"
        picture.bitRate = 4_000_000
        picture.crf = 20.5
        picture.encoderPreset = "fast"
        picture.pixelFormat = "yuv420p"
        picture.maximumBitRate = 5_000_000
        picture.bufferSize = 6_000_000
        picture.constantBitRate = true
        picture.passes = 2
        picture.level = "4.1"
        picture.tune = "film"
        picture.keyFrameInterval = 50
        picture.keyFramesAtCuts = true
        picture.pixelAspect = [4, 3]
        picture.language = "de"
        picture.name = "Bild"
        picture.disposition = [.dub]
        return picture
    }

    private func sound() -> SoundRequest {
        var sound = SoundRequest()
        sound.codec = "aac"
        sound.bitRate = 128_000
        sound.sampleRate = 44_100
        sound.channels = 2
        sound.channelLayout = "stereo"
        sound.language = "fr"
        sound.name = "Ton"
        sound.disposition = [.original]
        return sound
    }

    /// An output that says every key of its groups.
    private func entry(_ type: OutputEntry.Kind) -> OutputEntry {
        var entry = OutputEntry()
        entry.type = type
        entry.delivery.fileType = "mov"
        entry.delivery.preset = "some"
        entry.delivery.fragmented = true
        entry.delivery.fileLengthLimit = 1_000_000
        entry.delivery.renditions = [RenditionEntry()]
        entry.delivery.samplesPerBucket = 512
        entry.canvas.size = PixelSize(width: 64, height: 36)
        entry.canvas.maximumSize = PixelSize(width: 640, height: 360)
        entry.canvas.pitch = .varispeed
        entry.stills.times = [MediaTime(value: 1, timescale: 2)]
        entry.stills.startNumber = 7
        entry.stills.loopCount = 3
        entry.tags.metadata = ["title": .string("Titel")]
        entry.tags.filter = .sharing
        entry.tags.chapters = .markers
        entry.videoSettings = picture()
        entry.audioSettings = sound()
        return entry
    }

    @Test func everyKeyOfTheGroupsIsTaken() {
        // Images have no peaks, and a waveform's name says its type.
        let images = entry(.images)
        let request = OutputRequest(path: "/x/a-%d.png").filled(from: images)
        var delivery = images.delivery
        delivery.samplesPerBucket = nil
        #expect(request.delivery == delivery && request.canvas == images.canvas)
        #expect(request.stills == images.stills && request.tags == images.tags)
        #expect(request.picture == images.videoSettings && request.sound == images.audioSettings)
        let waveform = OutputRequest(path: "/x/a.json").filled(from: entry(.waveform))
        #expect(waveform.delivery.samplesPerBucket == 512)
    }

    /// The test above says something of a new property too, or this one fails. `unknown` is the file's own.
    @Test func everyPropertyOfTheGroupsIsSaid() {
        let all = entry(.file)
        #expect(unsaid(all.delivery, DeliveryRequest()).isEmpty)
        #expect(unsaid(all.canvas, CanvasRequest()).isEmpty)
        #expect(unsaid(all.stills, StillsRequest()).isEmpty)
        #expect(unsaid(all.tags, TagsRequest()).isEmpty)
        #expect(unsaid(picture(), PictureRequest()) == ["unknown"])
        #expect(unsaid(sound(), SoundRequest()) == ["unknown"])
    }

    /// The names of the properties that `value` has as `empty` has them.
    private func unsaid<Value>(_ value: Value, _ empty: Value) -> [String] {
        zip(Mirror(reflecting: value).children, Mirror(reflecting: empty).children)
            .filter { String(describing: $0.value) == String(describing: $1.value) }
            .compactMap { $0.0.label }
    }
}
