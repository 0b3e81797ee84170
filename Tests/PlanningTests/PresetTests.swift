import Diagnostics
import Foundation
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import TestTools
import Testing

@Suite struct PresetTests {
    private func facts(_ width: Int, _ height: Int) -> OutputFacts {
        OutputFacts(
            hasVideo: true, hasAudio: true, size: PixelSize(width: width, height: height),
            frameDuration: MediaTime(value: 1, timescale: 25))
    }

    private func request(_ preset: String, _ path: String, _ change: (inout OutputRequest) -> Void = { _ in })
        -> OutputRequest
    {
        var request = OutputRequest(path: path)
        request.delivery.preset = preset
        change(&request)
        return request
    }

    private func code(_ body: () throws -> Void) -> ErrorCode? {
        do {
            try body()
            return nil
        } catch { return (error as? SplitreelError)?.code }
    }

    /// Each makes settings that hold, as each of its file types and as no other.
    @Test func everyPresetIsPossible() throws {
        #expect(Set(ExportPreset.all.map { $0.name.lowercased() }).count == ExportPreset.all.count)
        for preset in ExportPreset.all {
            for container in Container.allCases where container != .waveform {
                let asked = request(preset.name, "/f%d." + container.rawValue)
                let fits = preset.fileTypes.contains(container)
                #expect(
                    code { _ = try resolve(asked, facts: facts(160, 90)) } == (fits ? nil : .codecContainerMismatch),
                    "\(preset.name) \(container)")
            }
        }
    }

    @Test func presetsStandInTheReference() throws {
        let place = try #require(SourceTree.root()) + "/docs/reference/outputs.md"
        let text = try String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
        for preset in ExportPreset.all {
            let files = preset.fileTypes.map(\.rawValue).joined(separator: ", ")
            let row = "\n| `\(preset.name)` | \(files) | \(preset.summary) |\n"
            #expect(text.contains(row), "outputs.md has no row of \(preset.name)")
        }
    }

    /// Nobody has named the encoder's preset.
    @Test func aFormatThatThePresetDoesNotTakeIsToldOfTheTwo() throws {
        let asked = request("AppleProRes4444LPCM", "/f.mov") { $0.picture.pixelFormat = "yuv422p10le" }
        let error = try #require(throws: SplitreelError.self) { _ = try resolve(asked, facts: facts(160, 90)) }
        #expect(
            error.subject == "\(.preset, "AppleProRes4444LPCM")"
                && error.reason == "it takes no \(.pixelFormat, "yuv422p10le")")
        #expect(error.hint.contains("yuva444p10le") && !"\(error)".contains("encoderPreset"))
        let typed = request("AppleProRes4444LPCM", "/f.mov") {
            ($0.picture.encoderPreset, $0.picture.pixelFormat) = ("hq", "yuv444p10le")
        }
        let own = try #require(throws: SplitreelError.self) { _ = try resolve(typed, facts: facts(160, 90)) }
        #expect(own.subject == "\(.encoderPreset, "hq")")
    }

    @Test func whatIsSaidGoesBeforeThePreset() throws {
        let web = try resolve(request("web", "/f.mp4"), facts: facts(1280, 720))
        #expect(web.video?.crf == 22 && web.video?.rateLimit == RateLimit(rate: 6_000_000, buffer: 12_000_000))
        #expect(web.audio?.bitRate == 160_000)
        let own = try resolve(
            request("web", "/f.mp4") {
                ($0.picture.crf, $0.sound.bitRate, $0.picture.maximumBitRate) = (18, 96_000, 2_000_000)
            }, facts: facts(1280, 720))
        #expect(own.video?.crf == 18 && own.video?.rateLimit?.rate == 2_000_000 && own.audio?.bitRate == 96_000)
        // Another codec has another scale.
        let other = try resolve(request("web", "/f.mp4") { $0.picture.codec = "av1" }, facts: facts(1280, 720))
        #expect(other.video?.crf == 32 && other.video?.rateLimit == nil)
        let full = try resolve(request("AVAssetExportPreset1280x720", "/f.mov"), facts: facts(640, 360))
        #expect(full.video?.crf == 19)
    }

    @Test func buffersAreTaken() throws {
        let web = try resolve(request("web", "/f.mp4") { $0.picture.bufferSize = 8_000_000 }, facts: facts(1280, 720))
        #expect(web.video?.rateLimit == RateLimit(rate: 6_000_000, buffer: 8_000_000))
        let highest = request("HighestQuality", "/f.mov") { $0.picture.bufferSize = 8_000_000 }
        #expect(code { _ = try resolve(highest, facts: facts(1280, 720)) } == .settingsImpossible)
    }

    @Test func unknownOnesAreNamed() throws {
        for (name, words) in [
            ("wbe", "‘web’"), ("Passthrough", "passthrough"), ("MVHEVC960x960", "presets"), ("1280x721", "1280x720"),
        ] {
            let error = #expect(throws: SplitreelError.self) {
                try resolve(self.request(name, "/f.mp4"), facts: self.facts(64, 64))
            }
            let text = (error?.hint.description ?? "").replacing("`", with: "‘")
            #expect(error?.code == .settingsImpossible && text.contains(words.dropLast()), "\(text)")
        }
    }
}

@Suite struct RateControlTests {
    private func settings(_ change: (inout OutputRequest) -> Void) throws -> VideoSettings? {
        var request = OutputRequest(path: "/f.mp4")
        change(&request)
        return try resolve(
            request,
            facts: OutputFacts(
                hasVideo: true, hasAudio: false, size: PixelSize(width: 1920, height: 1080),
                frameDuration: MediaTime(value: 1, timescale: 25))
        ).video
    }

    private func isRefused(_ change: (inout OutputRequest) -> Void) -> Bool {
        do {
            _ = try settings(change)
            return false
        } catch { return (error as? SplitreelError)?.code == .settingsImpossible }
    }

    @Test func limitsOfTheRate() throws {
        #expect(
            try settings { $0.picture.maximumBitRate = 4_000_000 }?.rateLimit
                == RateLimit(rate: 4_000_000, buffer: 8_000_000))
        #expect(
            try settings { ($0.picture.maximumBitRate, $0.picture.bufferSize) = (4_000_000, 1_000_000) }?.rateLimit?
                .buffer == 1_000_000
        )
        #expect(isRefused { $0.picture.bufferSize = 1_000_000 })
        #expect(isRefused { ($0.picture.maximumBitRate, $0.picture.bitRate) = (4_000_000, 4_000_001) })
        #expect(isRefused { ($0.picture.maximumBitRate, $0.picture.bufferSize) = (4_000_000, 700_000) })
        #expect(isRefused { ($0.picture.maximumBitRate, $0.picture.codec) = (4_000_000, "av1") })
    }

    /// Rec. ITU-T H.264, table A-1 with A-2, and H.265, tables A.8 and A.10.
    @Test(arguments: [
        ("h264", "yuv420p", "4.0", 25_000_000), ("h264", "yuv422p", "4.1", 200_000_000),
        ("hevc", "yuv420p", "4.0", 12_000_000), ("hevc", "yuv422p10", "4.1", 33_340_000),
    ])
    func levelsLimitTheRate(codec: String, format: String, level: String, most: Int) throws {
        func found(_ rate: Int, _ buffer: Int? = nil) throws -> VideoSettings? {
            try settings {
                ($0.picture.codec, $0.picture.pixelFormat, $0.picture.level) = (codec, format, level)
                ($0.picture.maximumBitRate, $0.picture.bufferSize) = (rate, buffer)
            }
        }
        let limit = try #require(try found(most)?.rateLimit)
        #expect(limit.rate == most && limit.buffer >= most && limit.buffer < 2 * most)
        #expect(throws: SplitreelError.self) { try found(most + 1) }
        #expect(throws: SplitreelError.self) { try found(most, limit.buffer + 1) }
        #expect(try found(most, limit.buffer)?.rateLimit == limit)
    }

    /// Where none is said, the lowest one copes with the rate, too.
    @Test func lowestLevelTakesTheRate() throws {
        let frame = MediaTime(value: 1, timescale: 25)
        #expect(try settings { _ in }?.lowestH264Level(frameDuration: frame).number == 40)
        #expect(
            try settings { $0.picture.maximumBitRate = 50_000_000 }?.lowestH264Level(frameDuration: frame).number == 50)
    }

    @Test func wordsAreTakenInAnyCase() throws {
        let found = try settings {
            ($0.picture.profile, $0.picture.tune, $0.picture.encoderPreset, $0.delivery.fileType) = (
                "High", "Film", "Fast", "MP4"
            )
        }
        #expect(found?.profile == "high" && found?.tune == "film" && found?.preset == "fast")
        #expect(
            try settings {
                ($0.picture.codec, $0.picture.encoderPreset, $0.delivery.fileType) = ("prores", "HQ", "Mov")
            }?.preset == "hq")
    }

    /// A profile is refused where the encoder would make another: what each format is in, as ffprobe names x264's.
    @Test func aProfileIsOneOfTheFormats() throws {
        let profiles = ["baseline", "main", "high", "high10", "high422", "high444"]
        let own = [
            "yuv420p": ["baseline", "main", "high"], "yuv420p10": ["high10"], "yuv422p": ["high422"],
            "yuv422p10": ["high422"], "yuv444p": ["high444"], "yuv444p10": ["high444"],
        ]
        for (format, own) in own {
            let taken = profiles.filter { name in
                !isRefused { ($0.picture.profile, $0.picture.pixelFormat) = (name, format) }
            }
            #expect(taken == own, "\(format)")
            let exact = profiles.filter { name in
                !isRefused { ($0.picture.profile, $0.picture.pixelFormat, $0.picture.crf) = (name, format, 0) }
            }
            #expect(exact == ["high444"], "\(format)")
        }
        let error = #expect(throws: SplitreelError.self) { try settings { $0.picture.profile = "high10" } }
        #expect(
            error?.subject == "\(.profile, "high10")" && error?.reason == "h264 in yuv420p has no such profile here")
        #expect(error?.hint == "say baseline, main or high, or \(.pixelFormat, "yuv420p10le")")
        for (profile, format) in [("main", "yuv420p"), ("main10", "yuv420p10")] {
            for (interval, isTaken) in [(nil, true), (2, true), (1, false)] {
                let found = isRefused {
                    ($0.picture.codec, $0.picture.profile, $0.picture.pixelFormat) = ("hevc", profile, format)
                    $0.picture.keyFrameInterval = interval
                }
                #expect(found != isTaken, "\(profile) \(interval ?? 0)")
            }
        }
    }

    @Test func profilesLevelsAndTunes() throws {
        #expect(
            try settings { ($0.picture.profile, $0.picture.level, $0.picture.tune) = ("High", "4.1", "film") }?.level
                == 41)
        #expect(try settings { ($0.picture.codec, $0.picture.level) = ("hevc", "4") }?.level == 40)
        #expect(isRefused { $0.picture.level = "3.1" })
        #expect(isRefused { $0.picture.level = "4.3" })
        #expect(try settings { $0.picture.level = "4.0" }?.level == 40)
        for name in ["inf", "-inf", "nan", "1e30", "-4", "", "4.04", "0x28p-3", "٤"] {
            #expect(isRefused { $0.picture.level = name }, "\(name)")
            #expect(isRefused { ($0.picture.codec, $0.picture.level) = ("hevc", name) }, "\(name)")
        }
        #expect(isRefused { ($0.picture.codec, $0.picture.level) = ("hevc", "3.1") })
        #expect(isRefused { ($0.picture.profile, $0.picture.pixelFormat) = ("main", "yuv420p10") })
        #expect(isRefused { $0.picture.profile = "extended" })
        #expect(isRefused { ($0.picture.codec, $0.picture.profile) = ("vp9", "0") })
        #expect(isRefused { $0.picture.tune = "zerolatency" })
        #expect(isRefused { ($0.picture.codec, $0.picture.tune) = ("av1", "film") })
        #expect(try settings { $0.picture.keyFrameInterval = 10 }?.keyFrameInterval == 10)
        #expect(isRefused { $0.picture.keyFrameInterval = 0 })
        #expect(isRefused { ($0.picture.codec, $0.picture.keyFrameInterval) = ("mjpeg", 2) })
        #expect(isRefused { ($0.picture.codec, $0.picture.keyFramesAtCuts) = ("av1", true) })
        #expect(isRefused { ($0.picture.codec, $0.picture.level, $0.picture.bitRate) = ("hevc", "4.1", 30_000_000) })
        #expect(!isRefused { ($0.picture.codec, $0.picture.level, $0.picture.bitRate) = ("hevc", "4.1", 10_000_000) })
    }
}

@Suite struct FileLengthTests {
    private func plan(_ change: (inout OutputRequest) -> Void) throws -> RenderPlan {
        try PlanFixture(frameDuration: "1/25", duration: "1s", instructions: nil).plan {
            $0.picture.codec = "h264"
            change(&$0)
        }
    }

    @Test func limitsThatNoFileHasAreRefused() throws {
        for limit in [.min, -1, 0, 9_000_000_000_000_000_000, .max] {
            let error = #expect(throws: SplitreelError.self) { try plan { $0.delivery.fileLengthLimit = limit } }
            #expect(error?.code == .settingsImpossible && error?.hint.contains("25M") == true)
        }
        // The picture's rate is as high as any may be.
        #expect(
            try plan { $0.delivery.fileLengthLimit = 1_000_000_000_000_000 }.output.video?.rateLimit?.rate
                == 1_000_000_000)
    }

    private func error(_ change: (inout OutputRequest) -> Void) -> SplitreelError? {
        do {
            _ = try plan(change)
            return nil
        } catch { return error as? SplitreelError }
    }

    /// What has no rate is held to the limit when it is there, or refused where it cannot be less; the advice is one
    /// that can be taken.
    @Test func soundAloneIsRefusedWhereItIsCertain() {
        func found(_ ending: String, _ limit: Int, _ codec: String? = nil) -> SplitreelError? {
            error {
                ($0.path, $0.picture.codec, $0.sound.codec, $0.delivery.fileLengthLimit) = (
                    "/f." + ending, nil, codec, limit
                )
            }
        }
        // A second of 48 kHz in 24 bits and stereo.
        #expect(found("wav", 288_000) == nil)
        #expect(found("wav", 287_999)?.hint.contains(".m4a or .mp3") == true)
        #expect(found("wav", 287_999)?.code.exit == .usage)
        #expect(found("flac", 1000) == nil && found("m4a", 9000, "alac") == nil)
        // The quality of Vorbis is even: its length is known when it is there.
        #expect(found("ogg", 1000, "vorbis") == nil)
        #expect(found("mp3", 1000)?.hint.contains("audioBitRate") == true)
        let film = error { ($0.sound.codec, $0.delivery.fileLengthLimit) = ("flac", 100_000) }
        #expect(film?.hint.contains("lossy") == true && film?.reason.contains("least") == false)
    }

    /// What is advised is something that the container holds.
    @Test(
        arguments: [
            ("webm", nil, "name the film .mp4, or"), ("gif", nil, "name the film .mp4, or"),
            ("webm", "av1", "name the film .mp4, with videoCodec h264, or"),
            ("mkv", "vp9", "say videoCodec h264, or"),
        ] as [(String, String?, String)])
    func codecsWithoutALengthAreAnsweredByTheirContainer(ending: String, codec: String?, hint: String) {
        let limited = error {
            ($0.path, $0.picture.codec, $0.sound.codec, $0.delivery.fileLengthLimit) = (
                "/f." + ending, codec, nil, 900_000
            )
        }
        #expect(limited?.hint.hasPrefix(hint) == true, "\(String(describing: limited))")
        guard ending != "gif" else { return }
        let twice = error {
            ($0.path, $0.picture.codec, $0.picture.bitRate, $0.picture.passes) = ("/f." + ending, codec, 900_000, 2)
        }
        #expect(twice?.subject == "\(.twoPass)" && twice?.hint.hasPrefix(hint) == true, "\(String(describing: twice))")
    }

    /// A minute of Opus, Vorbis and MP3 is refused where its packets and pages do not fit, and taken soon after.
    @Test func soundAloneHasNearlyAllOfItsLimit() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "60s", instructions: nil)
        for (ending, codec, header) in [("ogg", "opus", 1024), ("ogg", "vorbis", 8192), ("mp3", "mp3", 2048)] {
            func isTaken(_ limit: Int) -> Bool {
                let plan = try? fixture.plan {
                    ($0.path, $0.picture.codec, $0.sound.codec) = ("/f." + ending, nil, codec)
                    ($0.sound.bitRate, $0.delivery.fileLengthLimit) = (128_000, limit)
                }
                return plan != nil
            }
            // An encoder's average is off by some hundredths; Vorbis has a reservoir of two seconds.
            let sound = 1.015 * (codec == "vorbis" ? 992_000 : 960_000)
            #expect(!isTaken(Int(sound)))
            // A page a second, or for each 255 of a byte for each packet and each 255 of their bytes.
            let packets = codec == "opus" ? 3000.0 : 5625
            let laces = ending == "ogg" ? packets + sound / 255 : 0
            let pages = ending == "ogg" ? laces + 27 * (60 + laces / 255 + 8) : 0
            #expect(isTaken(Int(sound + pages) + header + 2048), "\(codec)")
        }
    }

    @Test func losslessFilmsHaveNoLimit() {
        #expect(error { ($0.picture.crf, $0.picture.maximumBitRate) = (0, 500_000) }?.code == .settingsImpossible)
        #expect(error { ($0.picture.crf, $0.delivery.fileLengthLimit) = (0, 5_000_000) }?.code == .settingsImpossible)
        #expect(error { ($0.picture.crf, $0.delivery.fileLengthLimit) = (1, 5_000_000) } == nil)
    }

    /// What is left beside the sound and the index is the picture's, but for some hundredths.
    @Test func thePictureHasWhatIsLeft() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "4s", instructions: nil)
        func plan(_ passes: Int, _ limit: Int, chunks: String? = nil) throws -> RenderPlan {
            try fixture.plan {
                ($0.path, $0.picture.codec, $0.sound.codec) = ("/f.mp4", "h264", "aac")
                ($0.picture.bitRate, $0.sound.bitRate) = (2_000_000, 192_000)
                ($0.picture.passes, $0.delivery.fileLengthLimit, $0.rendering.chunkSeconds) = (passes, limit, chunks)
            }
        }
        // 96 kB of sound, and an index of 8 kB, of 40 bytes for each of 100 frames, of 36 for each of 188 packets.
        let words = 96_000 + 8192 + 100 * 40 + 101 * 20 + 188 * 16
        for (limit, chunks) in [(200_000, nil), (200_000, "1"), (150_000, "2"), (1_000_000, nil)] {
            let two = try plan(2, limit, chunks: chunks)
            let rate = try #require(two.output.video?.bitRate)
            let room = Double(limit - words) * 8 / 4
            #expect(Double(rate) < room && Double(rate) > room * 0.98 - 12_000, "\(limit): \(rate) of \(room)")
            #expect(two.output.video?.rateLimit == nil && two.chunks.allSatisfy { $0.rate == nil })
            // The chunks' own limits prove what one pass takes.
            let one = try plan(1, limit, chunks: chunks)
            let most = one.chunks.reduce(0.0) { sum, chunk in
                let part = chunk.rate ?? RateLimit(rate: .max, buffer: .max)
                return sum + Double(part.rate) * Double(chunk.frameCount) / 25 + Double(part.buffer)
            }
            #expect(most / 8 < Double(limit - words))
            #expect(most / 8 > Double(limit - words) * 0.96 - 6000)
        }
    }

    /// What is said to be the least can be asked for.
    @Test func theLeastLengthIsTaken() throws {
        for passes in [1, 2] {
            func error(_ limit: Int) -> SplitreelError? {
                self.error {
                    ($0.picture.bitRate, $0.picture.passes, $0.delivery.fileLengthLimit) = (300_000, passes, limit)
                }
            }
            let reason = try #require(error(1000)?.reason.description)
            let least = try #require(reason.split(separator: " ").compactMap { Int($0) }.first)
            #expect(error(least - 50) != nil && error(least + 50) == nil, "\(passes): \(reason)")
        }
    }

    @Test func whatTheLimitLowersIsSaid() throws {
        func remarks(_ limit: Int, _ change: (inout OutputRequest) -> Void) throws -> [Phrase] {
            var asked: OutputRequest?
            let plan = try plan {
                change(&$0)
                ($0.path, $0.sound.codec, $0.delivery.fileLengthLimit) = ("/f.mp4", "aac", limit)
                asked = $0
            }
            return try lengthRemarks(try #require(asked), plan.output, frameDuration: plan.frameDuration)
        }
        #expect(try remarks(100_000) { $0.picture.bitRate = 2_000_000 }.first?.contains("of the 2000 kb/s") == true)
        #expect(try remarks(100_000) { $0.picture.maximumBitRate = 2_000_000 }.count == 1)
        #expect(try remarks(9_000_000) { $0.picture.bitRate = 2_000_000 }.isEmpty)
        // Without a rate where the limit leaves less than a sixth of what such pictures take.
        #expect(try remarks(100_000) { $0.picture.crf = 30 }.isEmpty)
        let least = stride(from: 24_000, to: 80_000, by: 250).lazy.compactMap { limit in
            try? remarks(limit) { $0.picture.crf = 20 }
        }.first
        #expect(least?.first?.contains("pictures of this size and rate take about") == true)
    }

    /// A film with many words has fewer bits for its picture.
    @Test func textsCount() throws {
        var output = try plan { _ in }.output
        func length() -> Int {
            output.estimatedBytes(duration: Rational(1), frameCount: 25, sampleCount: 48_000)
        }
        let before = length()
        let second = MediaTime(value: 1, timescale: 1)
        output.texts = [
            FilmText(
                kind: .subtitle, codec: .movText,
                cues: [.init(start: .zero, end: second, text: String(repeating: "w", count: 50_000))])
        ]
        #expect(length() - before >= 50_000)
    }

    /// What cannot be is estimated all the same: the most that is counted.
    @Test func estimatesAreHeld() throws {
        let output = try plan { $0.picture.bitRate = 1_000_000_000 }.output
        let length = output.estimatedBytes(duration: Rational(.max), frameCount: .max, sampleCount: .max)
        #expect(length == .max)
        #expect(output.estimatedBytes(duration: Rational(1), frameCount: 25, sampleCount: 48_000) < 130_000_000)
    }

    /// A chunk that lasts almost for ever.
    @Test func budgetsAreHeld() throws {
        var budget = RateBudget(RateLimit(rate: 1_000_000_000, buffer: 2_000_000_000))
        _ = budget.take(Rational(.max))
        let part = budget.take(Rational(1))
        #expect(part.rate > 0 && part.buffer > 0 && part.buffer <= 2_000_000_000)
    }
}
