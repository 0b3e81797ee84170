import Diagnostics
import MediaTime
import Pictures
import Planning
import SplitreelProject
import Testing

/// The options of a picture where there is none, and those of sound.
@Suite struct OptionsOfStreamsTests {
    private static let facts = OutputFacts(
        hasVideo: true, hasAudio: true, size: PixelSize(width: 640, height: 360),
        frameDuration: MediaTime(value: 1, timescale: 25))

    private func refusal(
        _ path: String, video: Bool = true, _ change: (inout OutputRequest) -> Void
    ) -> SplitreelError? {
        var request = OutputRequest(path: path)
        change(&request)
        var facts = Self.facts
        facts.hasVideo = video
        do {
            _ = try resolve(request, facts: facts)
            return nil
        } catch {
            return error as? SplitreelError
        }
    }

    private static let ofPictures: [(Setting, @Sendable (inout OutputRequest) -> Void)] = [
        (.crf, { $0.picture.crf = 20 }), (.videoBitRate, { $0.picture.bitRate = 1_000_000 }),
        (.encoderPreset, { $0.picture.encoderPreset = "fast" }),
        (.maximumBitRate, { $0.picture.maximumBitRate = 1_000_000 }),
        (.bufferSize, { $0.picture.bufferSize = 1_000_000 }), (.constantBitRate, { $0.picture.constantBitRate = true }),
        (.twoPass, { $0.picture.passes = 2 }), (.profile, { $0.picture.profile = "high" }),
        (.level, { $0.picture.level = "4.0" }),
        (.tune, { $0.picture.tune = "film" }), (.keyFrameInterval, { $0.picture.keyFrameInterval = 10 }),
        (.keyFramesAtCuts, { $0.picture.keyFramesAtCuts = true }),
        (.pixelFormat, { $0.picture.pixelFormat = "yuv420p" }),
        (.pixelAspect, { $0.picture.pixelAspect = [4, 3] }),
        (.size, { $0.canvas.size = PixelSize(width: 64, height: 64) }),
    ]

    private static let ofSound: [(Setting, @Sendable (inout OutputRequest) -> Void)] = [
        (.audioBitRate, { $0.sound.bitRate = 96_000 }), (.sampleRate, { $0.sound.sampleRate = 48_000 }),
        (.channels, { $0.sound.channels = 2 }), (.channelLayout, { $0.sound.channelLayout = "stereo" }),
    ]

    @Test(arguments: ["wav", "flac", "m4a", "ogg", "mp3"]) func soundHasNoPicture(ending: String) {
        for (setting, change) in Self.ofPictures {
            for video in [true, false] {
                let found = refusal("/f.\(ending)", video: video, change)
                #expect(
                    found?.code == .settingsImpossible && found?.subject == "\(setting)", "\(setting): \(found as Any)")
            }
        }
        #expect(refusal("/f.\(ending)") { $0.sound.channels = 2 } == nil)
    }

    @Test(arguments: ["gif", "webp", "f-%d.png", "f-%d.jpg", "y4m"]) func picturesHaveNoSound(ending: String) {
        let path = ending.hasPrefix("f") ? "/\(ending)" : "/f.\(ending)"
        for (setting, change) in Self.ofSound {
            let found = refusal(path, change)
            #expect(found?.code == .settingsImpossible && found?.subject == "\(setting)", "\(setting): \(found as Any)")
        }
        #expect(refusal(path) { $0.sound.codec = "none" } == nil)
    }

    /// A composition of sound has no picture in a film, either; what no picture can have is refused all the same.
    @Test func filmsOfSoundCheckWhatIsAsked() {
        func crf(_ crf: Double) -> SplitreelError? { refusal("/f.mp4", video: false) { $0.picture.crf = crf } }
        #expect(crf(20) == nil && crf(99)?.code == .settingsImpossible)
        #expect(refusal("/f.mp4", video: false) { $0.picture.bitRate = -5 }?.code == .settingsImpossible)
        #expect(refusal("/f.mp4", video: false) { $0.picture.passes = 7 }?.code == .settingsImpossible)
    }

    /// What is asked of all outputs is asked of those that have such a thing.
    @Test func optionsGoWhereTheyBelong() {
        let asked = ["/a.mp4", "/b.wav", "/c.gif"].map { path in
            var request = OutputRequest(path: path)
            (request.picture.crf, request.sound.channels, request.timing.frameRate) = (20, 1, "25")
            return request
        }
        let shared = asked.sharedOut { _, request in request }
        #expect(shared.map(\.picture.crf) == [20, nil, 20] && shared.map(\.sound.channels) == [1, 1, nil])
        #expect(shared.map(\.timing.frameRate) == ["25", "25", "25"])
        // What an output says itself is its own mistake, and what is asked of sounds alone that of all.
        let own = asked.sharedOut { index, request in
            var request = request
            if index == 1 { request.picture.level = "4.0" }
            return request
        }
        #expect(own[1].pictureSettings == [.level])
        #expect([asked[1]].sharedOut { _, request in request }[0].pictureSettings == [.crf])
    }
}
