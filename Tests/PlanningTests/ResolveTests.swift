import Diagnostics
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import Testing

private func facts(
    _ width: Int = 640, _ height: Int = 360, video: Bool = true, audio: Bool = true, colour: ColourTriple = .bt709,
    frame: MediaTime = MediaTime(value: 1001, timescale: 30000)
) -> OutputFacts {
    OutputFacts(
        hasVideo: video, hasAudio: audio, size: PixelSize(width: width, height: height), colour: colour,
        frameDuration: frame)
}

private func request(_ path: String = "/out/film.mp4", _ change: (inout OutputRequest) -> Void = { _ in })
    -> OutputRequest
{
    var request = OutputRequest(path: path)
    change(&request)
    return request
}

private func code(_ request: OutputRequest, _ facts: OutputFacts = facts()) -> ErrorCode? {
    do {
        _ = try resolve(request, facts: facts)
        return nil
    } catch let error as SplitreelError {
        return error.code
    } catch {
        return .internalFault
    }
}

@Suite struct ResolveTests {
    @Test(
        arguments: [
            ("h256", nil, "‘h264’"), (nil, "acc", "‘aac’"), ("H265x", nil, "h264"), ("zzzzzzzz", nil, "say h264, hevc"),
        ] as [(String?, String?, String)])
    func aWrongCodecIsAnsweredByItsNearest(video: String?, audio: String?, hint: String) throws {
        let error = #expect(throws: SplitreelError.self) {
            try resolve(
                request {
                    $0.picture.codec = video
                    $0.sound.codec = audio
                }, facts: facts())
        }
        #expect(error?.hint.contains(hint) == true, "\(String(describing: error))")
    }

    /// A layout is named where there is one of so many channels.
    @Test(
        arguments: [
            ("/f.mp3", nil, 6, "say 1 or 2"),
            ("/f.m4a", "aac", 5, "say 1, 2, 6 or 8, or channelLayout 5.0"),
            ("/f.m4a", "alac", 8, "say 1, 2 or 6, or channelLayout 7.1(wide)"),
            ("/f.ogg", "flac", 5, "say 1, 2, 6 or 8"),
        ] as [(String, String?, Int, String)])
    func countsOfChannelsAreAnsweredByWhatThereIs(path: String, codec: String?, count: Int, hint: String) throws {
        let asked = request(path) { ($0.sound.codec, $0.sound.channels) = (codec, count) }
        let error = try #require(throws: SplitreelError.self) { _ = try resolve(asked, facts: facts()) }
        #expect(error.subject == "\(.channels, count)" && error.hint.description == hint, "\(error)")
    }

    @Test func defaultsOfMP4() throws {
        let settings = try resolve(request(), facts: facts())
        #expect(settings.container == .mp4)
        let video = try #require(settings.video)
        #expect(video.codec == .h264 && video.crf == 20 && video.bitRate == nil && video.preset == "medium")
        #expect(video.format == .yuv420p && video.threads == 1)
        // 2 s hold 59.94 frames of 29.97 Hz.
        #expect(video.keyFrameInterval == 59)
        let audio = try #require(settings.audio)
        #expect(audio == AudioSettings(codec: .aac, bitRate: 192_000, sampleRate: 48_000, channels: 2))
    }

    @Test(arguments: [("mp4", "aac"), ("mov", "aac"), ("mkv", "flac"), ("MKV", "flac"), ("MoV", "aac")])
    func containerAndSoundByExtension(ending: String, sound: String) throws {
        let settings = try resolve(request("/out/a.b/film.\(ending)"), facts: facts())
        #expect(settings.container.rawValue == ending.lowercased())
        #expect(settings.audio?.codec.rawValue == sound)
        #expect(settings.audio?.bitRate == (sound == "aac" ? 192_000 : nil))
    }

    @Test(arguments: [(1, 96_000), (2, 192_000), (6, 384_000), (8, 512_000)])
    func bitRateOfAACFollowsTheChannels(channels: Int, bitRate: Int) throws {
        #expect(try resolve(request { $0.sound.channels = channels }, facts: facts()).audio?.bitRate == bitRate)
        // As far as a low sampling frequency has room for it.
        let slow = request { ($0.sound.channels, $0.sound.sampleRate) = (channels, 8_000) }
        #expect(try resolve(slow, facts: facts()).audio?.bitRate == min(bitRate, 48_000 * channels))
    }

    @Test func proresInQuickTimeKeepsTheSoundWhole() throws {
        func codec(_ path: String) throws -> SoundCodec? {
            try resolve(request(path) { $0.picture.codec = "ProRes" }, facts: facts()).audio?.codec
        }
        #expect(try codec("/f.mov") == .pcm)
        #expect(try codec("/f.mkv") == .flac)
        #expect(try resolve(request("/f.mov"), facts: facts()).audio?.codec == .aac)
    }

    @Test func aZeroCharacterEndsNoName() {
        #expect(code(request("/out/a\0.mp4")) == .usage)
    }

    @Test func sizesAndRatesOfOutputs() throws {
        #expect(try request { $0.canvas.size = PixelSize(width: 64, height: 36) }.outputSize()?.width == 64)
        for size in [(0, 10), (-1, 10), (Int.max, Int.max), (16_385, 10)] {
            #expect(throws: SplitreelError.self) {
                try request { $0.canvas.size = PixelSize(width: size.0, height: size.1) }.outputSize()
            }
        }
        let rates = [
            ("25", "1/25"), ("30000/1001", "1001/30000"), ("29.97", "1001/30000"), ("23.976", "1001/24000"),
            ("23.98", "1001/24000"), ("12.5", "2/25"), ("100000", "1/100000"),
        ]
        for (text, duration) in rates {
            #expect(frameDuration(ofRate: text)?.description == duration, "\(text)")
        }
        for text in ["", "0", "-25", "inf", "1e9", "100001", "25fps", "1/0", "00:00:25", "9223372036854775807/2"] {
            #expect(frameDuration(ofRate: text) == nil, "\(text)")
        }
    }

    @Test(arguments: ["/out/film", "/out/film.avi", "/out.mp4/film", "/out/film.", "/out/film.mp4.avi"])
    func unknownExtensionIsUsage(path: String) { #expect(code(request(path)) == .usage) }

    /// Every pair that is not here is refused.
    private static let pictures = [
        "mp4": "h264 hevc av1 vp9 mjpeg mpeg2", "mov": "h264 hevc prores dnxhr ffv1 mjpeg mpeg2",
        "mkv": "h264 hevc av1 vp9 prores dnxhr ffv1 mjpeg mpeg2", "webm": "vp9 av1", "mxf": "dnxhr prores mpeg2",
        "m4a": "", "wav": "", "flac": "", "ogg": "", "mp3": "", "gif": "gif", "webp": "webp", "png": "png",
        "jpg": "mjpeg", "tiff": "tiff", "exr": "exr", "y4m": "rawvideo", "nut": "rawvideo",
    ]
    private static let sounds = [
        "mp4": "aac alac mp3 opus", "mov": "aac alac mp3 pcm", "mkv": "aac flac pcm opus mp3 vorbis",
        "webm": "opus vorbis", "mxf": "pcm", "m4a": "aac alac", "wav": "pcm", "flac": "flac", "ogg": "opus vorbis flac",
        "mp3": "mp3", "gif": "", "webp": "", "png": "", "jpg": "", "tiff": "", "exr": "", "y4m": "", "nut": "pcm",
    ]

    /// A stream's document holds no codec itself; the films beside it are mp4 and m4a.
    @Test func aStreamIsOfSeveralOutputs() throws {
        #expect(code(request("/f.m3u8")) == .settingsImpossible && code(request("/f.mpd")) == .settingsImpossible)
        let parts = try OutputRequest(path: "/a/f.m3u8").streamed(hasPicture: true, hasSound: true)
        #expect(parts.map(\.path) == ["/a/f.m3u8", "/a/f-1.mp4", "/a/f-sound.m4a", "/a/f-1.m3u8", "/a/f-sound.m3u8"])
        #expect(parts.filter { $0.stream == nil }.allSatisfy { $0.delivery.fragmented == true })
        #expect(try parts.map { try resolve($0, facts: facts()).video != nil } == [false, true, false, false, false])
        #expect(try parts.map { try resolve($0, facts: facts()).audio != nil } == [false, false, true, false, false])
    }

    @Test(arguments: Container.allCases.filter { $0.stream == nil && $0.kind != .waveform })
    func codecTimesContainer(container: Container) throws {
        let name = container.rawValue
        for codec in PictureCodec.all {
            let found = code(request("/f%d.\(name)") { $0.picture.codec = codec.rawValue })
            let isTaken = try #require(Self.pictures[name]).split(separator: " ").contains { $0 == codec.rawValue }
            #expect(found == (isTaken ? nil : .codecContainerMismatch), "\(container) \(codec)")
        }
        for codec in SoundCodec.all {
            let found = code(request("/f%d.\(name)") { $0.sound.codec = codec.rawValue })
            let isTaken = try #require(Self.sounds[name]).split(separator: " ").contains { $0 == codec.rawValue }
            #expect(found == (isTaken ? nil : .codecContainerMismatch), "\(container) \(codec)")
        }
        #expect(ErrorCode.codecContainerMismatch.exit == .usage)
    }

    /// No name's ending says it.
    @Test func waveformsAreAskedForByTheirType() throws {
        #expect(code(request("/w.waveform")) == .usage && code(request("/w.json")) == .usage)
        func waveform(_ path: String, _ change: @escaping (inout OutputRequest) -> Void = { _ in }) -> OutputRequest {
            request(path) {
                $0.delivery.fileType = "waveform"
                change(&$0)
            }
        }
        let settings = try resolve(waveform("/w.dat") { $0.delivery.samplesPerBucket = 500 }, facts: facts())
        #expect(settings.waveform?.kind == .dat && settings.waveform?.samplesPerBucket == 500)
        #expect(settings.video == nil && settings.audio?.codec == .pcm)
        #expect(code(waveform("/w.json")) == nil && code(waveform("/w.png")) == .settingsImpossible)
        #expect(code(waveform("/w.json") { $0.delivery.samplesPerBucket = 0 }) == .settingsImpossible)
        #expect(code(waveform("/w.json") { $0.sound.codec = "aac" }) == .codecContainerMismatch)
        #expect(code(waveform("/w.json") { $0.picture.codec = "h264" }) == .codecContainerMismatch)
        #expect(code(waveform("/w.json") { $0.sound.codec = "none" }) == .settingsImpossible)
    }

    @Test(
        arguments: [
            ("webm", "vp9", "opus"), ("mxf", "dnxhr", "pcm"), ("m4a", nil, "aac"), ("wav", nil, "pcm"),
            ("flac", nil, "flac"), ("ogg", nil, "opus"), ("mp3", nil, "mp3"),
        ] as [(String, String?, String)])
    func defaultsOfContainers(ending: String, picture: String?, sound: String) throws {
        let settings = try resolve(request("/f.\(ending)"), facts: facts())
        #expect(settings.video?.codec.rawValue == picture && settings.audio?.codec.rawValue == sound)
        // Without sound nothing is left of a file of sound.
        #expect(code(request("/f.\(ending)"), facts(audio: false)) == (picture == nil ? .settingsImpossible : nil))
    }

    @Test func mxfNeedsAPicture() { #expect(code(request("/f.mxf"), facts(video: false)) == .settingsImpossible) }

    @Test func theFileTypeGoesBeforeTheExtension() throws {
        #expect(try resolve(request("/f.mp4") { $0.delivery.fileType = "mkv" }, facts: facts()).audio?.codec == .flac)
        #expect(code(request("/f.mp4") { $0.delivery.fileType = "avi" }) == .usage)
    }

    @Test func whatCodecsTake() throws {
        func found(_ codec: String, _ size: (Int, Int) = (640, 360), _ change: (inout OutputRequest) -> Void)
            -> ErrorCode?
        {
            code(
                request("/f.mkv") {
                    $0.picture.codec = codec
                    change(&$0)
                }, facts(size.0, size.1))
        }
        #expect(found("av1", (62, 64)) { _ in } == .settingsImpossible)
        #expect(found("av1", (64, 64)) { _ in } == nil)
        #expect(found("dnxhr", (254, 144)) { _ in } == .settingsImpossible)
        for (codec, most) in [("av1", 63.0), ("vp9", 63), ("mjpeg", 31), ("mpeg2", 31)] {
            #expect(found(codec) { $0.picture.crf = most } == nil)
            #expect(found(codec) { $0.picture.crf = most + 1 } == .settingsImpossible)
        }
        #expect(found("av1") { $0.picture.crf = 30.5 } == .settingsImpossible)
        #expect(found("mjpeg") { $0.picture.bitRate = 1_000_000 } == .settingsImpossible)
        #expect(found("av1") { $0.picture.encoderPreset = "medium" } == .settingsImpossible)
        #expect(found("dnxhr") { $0.picture.encoderPreset = "444" } == nil)
        #expect(
            found("dnxhr") { ($0.picture.encoderPreset, $0.picture.pixelFormat) = ("sq", "yuv422p10") }
                == .settingsImpossible)
        let xq = try resolve(
            request("/f.mov") { ($0.picture.codec, $0.picture.encoderPreset) = ("prores", "4444xq") }, facts: facts())
        #expect(xq.video?.format == .yuv444p10 && xq.video?.preset == "4444xq")
        // Rec. 601 is what readers of JPEG go by.
        let jpeg = try resolve(request("/f.mov") { $0.picture.codec = "mjpeg" }, facts: facts())
        #expect(jpeg.video?.colour == ColourTriple(primaries: .bt709, transfer: .bt709, matrix: .bt601))
        let rate = facts(frame: MediaTime(value: 1, timescale: 12))
        #expect(code(request("/f.mkv") { $0.picture.codec = "mpeg2" }, rate) == .settingsImpossible)
        #expect(code(request("/f.mxf"), rate) == .settingsImpossible)
        let dark = facts(colour: ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020))
        #expect(code(request("/f.mov") { $0.picture.codec = "mjpeg" }, dark) == .settingsImpossible)
        #expect(
            code(request("/f.mov") { ($0.picture.codec, $0.picture.encoderPreset) = ("dnxhr", "hqx") }, dark) == nil)
        #expect(code(request("/f.mov") { $0.picture.codec = "dnxhr" }, dark) == .settingsImpossible)
    }

    @Test func unknownCodecNamesTheKnownOnes() {
        let pictures = request { $0.picture.codec = "cinepak" }
        #expect(throws: SplitreelError.self) { try resolve(pictures, facts: facts()) }
        do { _ = try resolve(pictures, facts: facts()) } catch let error as SplitreelError {
            #expect(error.code == .encoderUnavailable && error.code.exit == .usage)
            for codec in PictureCodec.all { #expect(error.hint.contains(codec.rawValue)) }
        } catch {}
        #expect(code(request { $0.sound.codec = "mp2" }) == .encoderUnavailable)
    }

    @Test(arguments: [
        ("h265", "‘hevc’"), ("libx265", "‘hevc’"), ("x264", "‘h264’"), ("avc", "‘h264’"), ("libvpx-vp9", "‘vp9’"),
        ("prores422", "‘prores’ with encoderPreset standard"), ("apch", "‘prores’ with encoderPreset hq"),
        ("dnxhd", "‘dnxhr’"), ("jpeg", "‘mjpeg’"), ("h256", "‘h264’"),
    ])
    func codecsAreKnownByOtherNames(name: String, meant: String) throws {
        let error = try #require(throws: SplitreelError.self) {
            try resolve(request { $0.picture.codec = name }, facts: facts())
        }
        #expect(error.hint.hasPrefix("did you mean \(meant)? "), "\(error)")
    }

    @Test func aSizeOfTheCommandLineIsNotTheFiles() throws {
        let error = try #require(throws: SplitreelError.self) {
            try resolve(request { $0.canvas.size = PixelSize(width: 641, height: 361) }, facts: facts(641, 361))
        }
        #expect(error.hint.hasPrefix("say size 642x362, or pixelFormat yuv444p"), "\(error)")
    }

    @Test func aSegmentIntervalNeedsAUnit() throws {
        let error = try #require(throws: SplitreelError.self) {
            try request("/e.m3u8") { $0.timing.segmentInterval = "2" }.streamed(hasPicture: true, hasSound: true)
        }
        #expect(error.hint == "did you mean ‘2s’?", "\(error)")
    }

    @Test func defaultsByCodec() throws {
        func picture(_ codec: String) throws -> VideoSettings {
            try #require(try resolve(request("/f.mkv") { $0.picture.codec = codec }, facts: facts()).video)
        }
        let hevc = try picture("hevc")
        #expect(hevc.crf == 24 && hevc.preset == "medium" && hevc.keyFrameInterval == 59)
        let ffv1 = try picture("ffv1")
        #expect(ffv1.crf == nil && ffv1.bitRate == nil && ffv1.keyFrameInterval == 1 && ffv1.format == .yuv420p)
        let prores = try picture("prores")
        #expect(prores.preset == "hq" && prores.format == .yuv422p10 && prores.keyFrameInterval == 1)
    }

    @Test(arguments: [ColourTransfer.pq, .hlg]) func highDynamicRangeIsTenBit(transfer: ColourTransfer) throws {
        let colour = ColourTriple(primaries: .bt2020, transfer: transfer, matrix: .bt2020)
        for codec in ["h264", "hevc", "ffv1"] {
            let settings = try resolve(request("/f.mkv") { $0.picture.codec = codec }, facts: facts(colour: colour))
            #expect(settings.video?.format == .yuv420p10)
            #expect(settings.video?.colour == colour)
        }
        for container in ["mp4", "mov", "mkv"] {
            let settings = try resolve(request("/f.\(container)"), facts: facts(colour: colour))
            #expect(settings.video?.codec == .hevc && settings.video?.format == .yuv420p10)
        }
    }

    /// More where four are larger than libavcodec 5.1 takes: as its `ffv1` did when it was asked for each number.
    @Test(
        arguments: [
            (.yuv420p, 1920, 1080, 4), (.yuv444p, 4096, 2160, 4), (.yuv444p, 5120, 2880, 4),
            (.yuv444p10, 5120, 2880, 4), (.yuva444p10, 5120, 2880, 6), (.yuv444p, 5760, 3240, 4),
            (.yuv444p10, 5760, 3240, 6), (.yuv444p, 7680, 4320, 9), (.yuva444p10, 7680, 4320, 12),
            (.yuv420p, 16384, 128, 4), (.yuv420p, 354, 4, 4), (.yuv444p, 4, 4, 1), (.yuv420p, 1000, 14, 4),
            (.yuv420p, 2, 288, nil), (.yuv420p, 400, 3, nil), (.yuv444p, 1, 1, nil), (.yuv420p, 4, 290, 4),
        ] as [(WorkingFormat, Int, Int, Int?)])
    func slicesOfFFV1(format: WorkingFormat, width: Int, height: Int, count: Int?) {
        #expect(format.slicesOfFFV1(PixelSize(width: width, height: height)) == count)
    }

    @Test func pixelFormats() throws {
        for (codec, taken) in [
            ("h264", ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv420p10"]),
            ("prores", ["yuv422p10le", "yuv444p10le", "yuva444p10le", "YUV422P10"]),
        ] {
            for name in taken {
                let asked = request("/f.mov") { ($0.picture.codec, $0.picture.pixelFormat) = (codec, name) }
                let format = try resolve(asked, facts: facts()).video?.format.rawValue
                #expect(format == name.lowercased() || format == name.lowercased() + "le")
            }
        }
        for (codec, refused) in [("h264", "yuva444p10le"), ("hevc", "rgb24"), ("prores", "yuv420p"), ("ffv1", "nv12")] {
            let asked = request("/f.mkv") { ($0.picture.codec, $0.picture.pixelFormat) = (codec, refused) }
            #expect(code(asked) == .settingsImpossible, "\(codec) \(refused)")
        }
        let profile = request("/f.mov") { ($0.picture.codec, $0.picture.encoderPreset) = ("prores", "4444") }
        #expect(try resolve(profile, facts: facts()).video?.format == .yuv444p10)
        #expect(
            code(request("/f.mp4") { ($0.picture.codec, $0.picture.pixelFormat) = ("vp9", "yuva420p") })
                == .settingsImpossible)
        let alpha = request("/f.mov") { ($0.picture.codec, $0.picture.pixelFormat) = ("prores", "yuva444p10") }
        #expect(try resolve(alpha, facts: facts()).video?.preset == "4444")
    }

    @Test func oddSizes() {
        #expect(code(request(), facts(641, 360)) == .settingsImpossible)
        #expect(code(request(), facts(640, 361)) == .settingsImpossible)
        #expect(code(request { $0.picture.pixelFormat = "yuv444p" }, facts(641, 361)) == nil)
        #expect(code(request { $0.picture.pixelFormat = "yuv422p" }, facts(640, 361)) == nil)
        #expect(code(request { $0.picture.pixelFormat = "yuv422p" }, facts(641, 360)) == .settingsImpossible)
        #expect(code(request("/f.mov") { $0.picture.codec = "prores" }, facts(641, 360)) == .settingsImpossible)
        #expect(code(request { $0.picture.codec = "hevc" }, facts(8, 8)) == .settingsImpossible)
        #expect(code(request(), facts(8, 8)) == nil)
        #expect(code(request(), facts(20_000, 360)) == .settingsImpossible)
        do { _ = try resolve(request(), facts: facts(641, 361)) } catch let error as SplitreelError {
            #expect(error.hint.contains("642×362") && error.hint.contains("yuv444p"))
        } catch {}
    }

    @Test func rateControlAndPresets() throws {
        #expect(code(request { $0.picture.crf = 51.5 }) == .settingsImpossible)
        #expect(code(request { $0.picture.crf = -1 }) == .settingsImpossible)
        #expect(code(request { $0.picture.crf = 1e30 }) == .settingsImpossible)
        #expect(code(request { $0.picture.crf = .nan }) == .settingsImpossible)
        #expect(code(request { ($0.picture.crf, $0.picture.bitRate) = (20, 1_000_000) }) == .usage)
        #expect(code(request { $0.picture.bitRate = 9_999 }) == .settingsImpossible)
        #expect(code(request("/f.mkv") { ($0.picture.codec, $0.picture.crf) = ("ffv1", 20) }) == .settingsImpossible)
        #expect(code(request { $0.picture.encoderPreset = "quickly" }) == .settingsImpossible)
        let video = try resolve(request { $0.picture.bitRate = 4_000_000 }, facts: facts()).video
        #expect(video?.crf == nil && video?.bitRate == 4_000_000)
    }

    @Test(arguments: [
        (24000, 1001, 47), (24, 1, 48), (25, 1, 50), (30000, 1001, 59), (30, 1, 60), (50, 1, 100), (60000, 1001, 119),
        (60, 1, 120), (1, 3, 1),
    ])
    func keyFramesAtMostTwoSecondsApart(numerator: Int32, denominator: Int64, frames: Int) throws {
        let frame = MediaTime(value: denominator, timescale: numerator)
        #expect(try resolve(request(), facts: facts(frame: frame)).video?.keyFrameInterval == frames)
    }
}

@Suite struct ResolveSoundTests {
    /// A GIF counts hundredths of a second in 16 bits, an animated WebP thousandths in 24.
    @Test(arguments: [("gif", 50, 655), ("webp", 90, 16_777)])
    func framesOfMovingImages(name: String, most: Int, longest: Int) {
        func found(_ frame: MediaTime) -> ErrorCode? { code(request("/f." + name), facts(audio: false, frame: frame)) }
        #expect(found(MediaTime(value: 1, timescale: Int32(most))) == nil)
        #expect(found(MediaTime(value: 1, timescale: Int32(most + 1))) == .settingsImpossible)
        #expect(found(MediaTime(value: Int64(longest), timescale: 1)) == nil)
        #expect(found(MediaTime(value: Int64(longest + 1), timescale: 1)) == .settingsImpossible)
    }

    /// The same of each frame of a list, of which the last lasts until the end; in hundredths of a second.
    @Test(arguments: [("gif", 65_535), ("webp", 1_677_721)])
    func listedFramesOfMovingImages(name: String, most: Int) throws {
        let container = try #require(Container(rawValue: name))
        func found(_ offsets: [Int], end: Int) throws -> SplitreelError? {
            let tick = Rational(1, 100)
            let times = try #require(FrameTimes(start: .zero, tick: tick, offsets: offsets.map { Int64($0) }))
            let timing = FrameTiming.listed(times, end: Rational(end) * tick)
            do {
                try container.refuseTimes(timing, areEven: false, frameCount: offsets.count, path: "/f." + name)
                return nil
            } catch let error as SplitreelError { return error }
        }
        #expect(try found([0, 2, 2 + most], end: 2 + 2 * most) == nil)
        #expect(try found([0, 1, 5], end: 10)?.reason.contains("so short as number 0") == true)
        #expect(try found([0, 2, 3 + most], end: 4 + most)?.reason.contains("so long as number 1") == true)
        #expect(try found([0, 2], end: 3 + most)?.reason.contains("so long as number 1") == true)
    }

    @Test func rates() throws {
        for rate in [8_000, 11_025, 44_100, 96_000] {
            let settings = try resolve(request { $0.sound.sampleRate = rate }, facts: facts())
            #expect(settings.audio?.sampleRate == rate)
        }
        for rate in [7_350, 192_001, 192_000, 50_000, 0, -48_000] {
            #expect(code(request { $0.sound.sampleRate = rate }) == .settingsImpossible, "aac at \(rate)")
        }
        #expect(code(request("/f.mkv") { $0.sound.sampleRate = 192_000 }) == nil)
        #expect(code(request("/f.mkv") { $0.sound.sampleRate = 50_000 }) == nil)
        #expect(
            code(request("/f.mkv") { ($0.sound.codec, $0.sound.sampleRate) = ("opus", 44_100) }) == .settingsImpossible)
        #expect(code(request("/f.mkv") { ($0.sound.codec, $0.sound.sampleRate) = ("opus", 48_000) }) == nil)
    }

    @Test func channelsAndBitRates() throws {
        for count in [1, 2, 6, 8] { #expect(code(request { $0.sound.channels = count }) == nil) }
        for count in [0, 3, 4, 5, 7, 9] { #expect(code(request { $0.sound.channels = count }) == .settingsImpossible) }
        // A mono AAC frame at 8 kHz holds 6144 bits: 6144 / 1024 × 8000 = 48,000 bit/s.
        let small = try resolve(request { ($0.sound.sampleRate, $0.sound.channels) = (8_000, 1) }, facts: facts())
        #expect(small.audio?.bitRate == 48_000)
        #expect(
            code(request { ($0.sound.sampleRate, $0.sound.channels, $0.sound.bitRate) = (8_000, 1, 48_001) })
                == .settingsImpossible)
        #expect(code(request { $0.sound.bitRate = 100 }) == .settingsImpossible)
        #expect(
            code(request("/f.mkv") { ($0.sound.codec, $0.sound.bitRate) = ("flac", 128_000) }) == .settingsImpossible)
        let opus = try resolve(
            request("/f.mkv") { ($0.sound.codec, $0.sound.bitRate) = ("opus", 96_000) }, facts: facts())
        #expect(opus.audio?.bitRate == 96_000)
    }

    @Test func soundsOfMP3AndTheirLikes() throws {
        func found(_ ending: String, _ change: (inout OutputRequest) -> Void) -> ErrorCode? {
            code(request("/f.\(ending)", change))
        }
        #expect(found("mp3") { $0.sound.channels = 6 } == .settingsImpossible)
        #expect(found("mp3") { $0.sound.sampleRate = 96_000 } == .settingsImpossible)
        #expect(found("mp3") { $0.sound.bitRate = 100_000 } == .settingsImpossible)
        #expect(found("mp3") { ($0.sound.bitRate, $0.sound.sampleRate) = (160_000, 24_000) } == nil)
        #expect(found("mp3") { ($0.sound.bitRate, $0.sound.sampleRate) = (192_000, 24_000) } == .settingsImpossible)
        // Its frames have a name in mp4 from 16 kHz on.
        let rates: [(String, Int, ErrorCode?)] = [
            ("mp4", 12_000, .settingsImpossible), ("mp4", 16_000, nil), ("mov", 8000, nil), ("mp3", 8000, nil),
        ]
        for (ending, rate, wanted) in rates {
            #expect(
                found(ending) { ($0.sound.codec, $0.sound.sampleRate) = ("mp3", rate) } == wanted, "\(ending) \(rate)")
        }
        #expect(found("m4a") { ($0.sound.codec, $0.sound.channels) = ("alac", 8) } == .settingsImpossible)
        #expect(found("mxf") { $0.sound.sampleRate = 44_100 } == .settingsImpossible)
        #expect(found("wav") { $0.sound.bitRate = 1 } == .settingsImpossible)
        let vorbis = try resolve(request("/f.ogg") { $0.sound.codec = "vorbis" }, facts: facts()).audio
        #expect(vorbis?.bitRate == nil)
        #expect(try resolve(request("/f.mp3"), facts: facts()).audio?.bitRate == 192_000)
    }

    @Test func withAndWithoutSound() throws {
        #expect(try resolve(request { $0.sound.codec = "none" }, facts: facts()).audio == nil)
        #expect(try resolve(request(), facts: facts(audio: false)).audio == nil)
        #expect(try resolve(request(), facts: facts(video: false)).video == nil)
        #expect(code(request { $0.sound.codec = "none" }, facts(video: false)) == .settingsImpossible)
        // A container that cannot hold the codec is told even where no sound is there.
        #expect(code(request { $0.sound.codec = "flac" }, facts(audio: false)) == .codecContainerMismatch)
    }

    @Test func aacInMatroskaWarns() throws {
        let aac = try resolve(request("/f.mkv") { $0.sound.codec = "aac" }, facts: facts())
        #expect(warnings(for: aac).count == 1 && warnings(for: aac)[0].contains("21 ms"))
        #expect(warnings(for: try resolve(request("/f.mkv"), facts: facts())).isEmpty)
        #expect(warnings(for: try resolve(request("/f.mp4"), facts: facts())).isEmpty)
    }
}
