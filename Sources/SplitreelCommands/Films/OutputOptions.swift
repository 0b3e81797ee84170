import ArgumentParser
import Diagnostics
import Foundation
import Outputs
import Planning
import SplitreelProject

/// The option that names the film; shared by render, submit and plan.
struct FilmOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: """
            The film: .mp4, .mov, .mkv, .webm or .mxf; .m4a, .wav, .flac, .ogg or .mp3 for its sound alone; .gif, \
            .webp, or a name such as f-%05d.png (.jpg, .tiff, .exr) for an image of each frame, without sound; .m3u8 \
            (HLS) or .mpd (DASH) for a stream; .y4m or .nut for raw frames; `-` for standard output (of `render`, \
            with --format). Left out: every output of the composition.
            """, completion: .file())
    var output: String?
}

/// The options that decide on the film; shared by render, submit, plan and export.
struct OutputOptions: ParsableArguments {
    @Option(
        help: "The container, where the name's ending does not say it; y4m, nut, mp4, mkv or webm with `-o -`.",
        completion: .containers)
    var format: String?

    @Option(
        help: """
            \(alternatives(PictureCodec.ofFilms.map(\.rawValue))). Default: h264, hevc for films in HDR; vp9 in webm, \
            dnxhr in mxf.
            """, completion: .videoCodecs)
    var videoCodec: String?

    @Option(
        help: """
            Quality, lower is better: 0…51 for h264 (default 20, and 0 is lossless) and hevc (24), 0…63 for av1 (32) \
            and vp9 (31), 2…31 for mjpeg, JPEG and mpeg2 (3), 0 (lossless) … 100 for WebP (25).
            """)
    var crf: Double?

    @Option(help: "Bits per second instead of a quality, such as 6M or 800k.")
    var videoBitrate: String?

    @Option(
        help: """
            The encoder's preset: ultrafast … veryslow; 0 (slow) … 13 for av1, 0 … 8 for vp9. Or the profile: proxy, \
            lt, standard, hq, 4444 or 4444xq of ProRes; lb, sq, hq, hqx or 444 of DNxHR; half or float for EXR.
            """, completion: .encoderPresets)
    var encoderPreset: String?

    @Option(help: "Bits per second that the film never exceeds, such as 8M (h264, hevc, mpeg2).")
    var maxBitrate: String?

    @Option(help: "Bits of the decoder's buffer for it, such as 16M. Default: two seconds of --max-bitrate.")
    var bufferSize: String?

    @Flag(help: "--video-bitrate all the time, with filler where the pictures need less (h264, hevc, mpeg2).")
    var constantBitrate = false

    @Option(help: "mp4, mkv: the composition's time whose frame is the film's cover, too.")
    var posterTime: String?

    @Option(help: "So many frames of --poster-time's stand in front of the film.")
    var coverFrames: Int?

    @Option(help: "The number of a sequence's first image (default 1).")
    var startNumber: Int?

    @Option(help: "gif and webp: how often it plays; 0, the default, for ever.")
    var loopCount: Int?

    @Flag(help: "Measure the film first: it gets --video-bitrate, and an even quality (h264, hevc).")
    var twoPass = false

    @Option(
        help: "h264: baseline, main, high, high10, high422, high444; hevc: main, main10 … By default as needed.",
        completion: .profiles)
    var profile: String?

    @Option(help: "The level of h264 or hevc, such as 4.1. Default: the lowest that suffices.")
    var level: String?

    @Option(
        help: "film, animation, grain, stillimage, psnr, ssim or fastdecode (h264; some of hevc).", completion: .tunes)
    var tune: String?

    @Option(help: "Frames between key frames at most. Default: two seconds.")
    var keyFrameInterval: Int?

    @Flag(help: "A key frame wherever a segment or an instruction begins.")
    var keyFramesAtCuts = false

    @Flag(help: "An mp4 or mov in fragments, one from each key frame.")
    var fragmented = false

    @Option(help: "m3u8, mpd: sizes and rates that the stream is offered in, such as 1280x720:3M,640x360:800k.")
    var renditions: String?

    @Option(help: "m3u8, mpd: the time from segment to segment (default 6s).")
    var segmentInterval: String?

    @Option(help: "The file's bytes at most, such as 25M: the rate is limited to it (h264, hevc, sound alone).")
    var fileLengthLimit: String?

    @Option(
        help: "A named family of settings (`splitreel presets` lists them); other options go before it.",
        completion: .presets)
    var preset: String?

    @Option(
        help: """
            yuv420p, yuv422p, yuv444p or the same with 10le; yuva444p10le for ProRes 4444, WebP, \
            nut and images with alpha, yuva420p for VP9 with alpha.
            """, completion: .pixelFormats)
    var pixelFormat: String?

    @Option(
        help: """
            \(alternatives(SoundCodec.all.map(\.rawValue) + ["none"])). Default: aac; flac in mkv, opus in webm and \
            ogg, pcm in mxf and beside prores and dnxhr in mov.
            """, completion: .audioCodecs)
    var audioCodec: String?

    @Option(help: "Bits per second of the sound, such as 192k. Default for aac: 96k a channel, 384k for 5.1.")
    var audioBitrate: String?

    @Option(help: "Samples per second of the sound (default 48000).", completion: .list(["44100", "48000", "96000"]))
    var sampleRate: Int?

    @Option(help: "Channels of the sound: 1, 2, 6 or 8 (default 2).", completion: .list(["1", "2", "6", "8"]))
    var channels: Int?

    @Option(
        help: """
            Which channel is played where, such as stereo, 3.0, quad, 5.1(side) or 7.1, or a sound field's order: \
            ‘ambisonic 1’ to ‘ambisonic 3’; in place of --channels.
            """)
    var channelLayout: String?

    @Option(
        help: """
            The film's size, such as 1280x720, whatever renderSize and renderScale say: the whole canvas fitted into \
            it, the background in what is left.
            """)
    var size: String?

    @Option(
        help: "Frames per second, such as 25, 30000/1001 or 23.98 (24000/1001). Only the frame grid changes, no speed.",
        completion: .frameRates)
    var fps: String?

    @Option(help: "Only this part: START,DURATION, such as 2.5s,10s or 00:01:00,00:00:30.")
    var range: String?

    @Option(help: "Longest chunk in seconds, 3 or a little less if not given; `none`: all is one chunk.")
    var chunkSeconds: String?

    @Option(
        help: """
            Parts that a long sound is mixed in side by side, in whole seconds; by what it costs if not given; `none`: \
            mixed in one.
            """)
    var soundPartSeconds: String?

    @Option(
        help: """
            Whether packets of sources are copied where no edit touches their frames: `auto`, where nothing that was \
            asked for forbids it; `never`; `require`: else the render is refused.
            """)
    var passthrough: Passthrough?

    @Flag(help: "Warnings about the composition count as errors.")
    var strict = false

    @Flag(help: "Show the assets' proxies, where they have some, with the geometry of the originals; sound is theirs.")
    var proxy = false

    @Flag(help: "Replace the output if it exists.")
    var overwrite = false

    func validate() throws {
        // A codec's own numbers are decided with the rest; a text that is no number cannot even be handed on.
        if let crf, !crf.isFinite { throw ValidationError("--crf takes a number such as 20; not ‘\(crf)’") }
    }

    /// The request for one output path (absolute); `isNamedFolder` tells that a person named a folder.
    func request(path: String, isNamedFolder: Bool = false) throws -> OutputRequest {
        try refuseFolder(path, isNamedSo: isNamedFolder)
        var request = OutputRequest(path: path)
        request.picture = try picture()
        request.delivery.fileType = format
        request.delivery.preset = preset
        request.delivery.fragmented = fragmented ? true : nil
        request.delivery.fileLengthLimit =
            try fileLengthLimit.map { try ByteCount.parse($0, option: "--file-length-limit") }
        request.delivery.renditions = try renditions.map { try RenditionOption.parse($0, option: "--renditions") }
        request.sound = try sound()
        request.canvas.size = try size.map { try SizeOption.parse($0, option: "--size") }
        request.timing = try timing()
        request.stills.startNumber = startNumber
        request.stills.loopCount = loopCount
        request.rendering.chunkSeconds = chunkSeconds
        request.rendering.soundPartSeconds = soundPartSeconds
        request.rendering.passthrough = passthrough
        request.rendering.strict = strict
        request.rendering.proxy = proxy
        request.overwrite = overwrite
        return request
    }

    /// Refuses a folder in a film's place, which would be told to lack an extension.
    private func refuseFolder(_ path: String, isNamedSo: Bool) throws {
        var isFolder: ObjCBool = false
        guard !(path as NSString).lastPathComponent.contains("."),
            isNamedSo || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        else { return }
        throw SplitreelError(
            .usage, operation: "naming the output", subject: path, reason: "it is a folder",
            hint: "name the film in it, such as \((path as NSString).appendingPathComponent("film.mp4"))")
    }

    private func picture() throws -> PictureRequest {
        var picture = PictureRequest()
        picture.codec = videoCodec
        picture.crf = crf
        picture.bitRate = try videoBitrate.map { try BitRate.parse($0, option: "--video-bitrate") }
        picture.maximumBitRate = try maxBitrate.map { try BitRate.parse($0, option: "--max-bitrate") }
        picture.bufferSize = try bufferSize.map { try BitRate.parse($0, option: "--buffer-size") }
        picture.constantBitRate = constantBitrate ? true : nil
        picture.passes = twoPass ? 2 : nil
        picture.profile = profile
        picture.level = level
        picture.tune = tune
        picture.keyFrameInterval = keyFrameInterval
        picture.keyFramesAtCuts = keyFramesAtCuts ? true : nil
        picture.encoderPreset = encoderPreset
        picture.pixelFormat = pixelFormat
        return picture
    }

    private func sound() throws -> SoundRequest {
        var sound = SoundRequest()
        sound.codec = audioCodec
        sound.bitRate = try audioBitrate.map { try BitRate.parse($0, option: "--audio-bitrate") }
        sound.sampleRate = sampleRate
        sound.channels = channels
        sound.channelLayout = channelLayout
        return sound
    }

    private func timing() throws -> TimingRequest {
        var timing = TimingRequest()
        timing.frameRate = fps
        timing.posterTime = posterTime
        timing.coverFrames = coverFrames
        timing.segmentInterval = segmentInterval
        if let range {
            let parts = range.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw ValidationError("--range takes START,DURATION, such as 2.5s,10s; not ‘\(range)’")
            }
            timing.rangeStart = String(parts[0])
            timing.rangeDuration = String(parts[1])
        }
        return timing
    }
}

extension Passthrough: ExpressibleByArgument {}
