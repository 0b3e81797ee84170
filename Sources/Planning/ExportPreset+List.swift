import Outputs
import SplitreelProject

/// The presets themselves: Apple's first, in the order of its headers, then those by purpose.
extension ExportPreset {
    package static let all: [ExportPreset] = apple + purposes

    private static let films: [Container] = [.mp4, .mov]

    private static let apple: [ExportPreset] = [
        ExportPreset("LowQuality", "H.264, to send over slow lines", films, box: (224, 126)) {
            h264(&$0, crf: 28, most: 300_000, sound: 32_000)
            $0.sound.channels = 1
        },
        ExportPreset("MediumQuality", "H.264, to share", films, box: (568, 320)) {
            h264(&$0, crf: 25, most: 1_200_000, sound: 64_000)
        },
        ExportPreset("HighestQuality", "H.264 of the canvas's own size", films) { h264(&$0, crf: 17, sound: 256_000) },
        sized("640x480", 640, 480, 2_500_000), sized("960x540", 960, 540, 4_000_000),
        sized("1280x720", 1280, 720, 8_000_000), sized("1920x1080", 1920, 1080, 16_000_000),
        sized("3840x2160", 3840, 2160, 50_000_000),
        ExportPreset("HEVCHighestQuality", "HEVC of the canvas's own size", films) { hevc(&$0, crf: 20) },
        sizedHEVC("HEVC1920x1080", 1920, 1080, 10_000_000), sizedHEVC("HEVC3840x2160", 3840, 2160, 30_000_000),
        sizedHEVC("HEVC4320x2160", 4320, 2160, 34_000_000), sizedHEVC("HEVC7680x4320", 7680, 4320, 90_000_000),
        ExportPreset("AppleM4A", "AAC, sound alone", [.m4a]) { sound(&$0, "aac", 256_000) },
        ExportPreset("AppleProRes422LPCM", "ProRes 422 and PCM", [.mov]) { prores(&$0, "standard") },
        ExportPreset("AppleProRes4444LPCM", "ProRes 4444 with alpha, and PCM", [.mov]) {
            prores(&$0, "4444")
            $0.picture.pixelFormat = "yuva444p10le"
        },
        ExportPreset("AppleM4VCellular", "H.264 for phones over the air", films, box: (176, 144)) {
            h264(&$0, crf: 26, most: 90_000, sound: 32_000)
            ($0.picture.profile, $0.sound.channels) = ("baseline", 1)
        },
        ExportPreset("AppleM4ViPod", "H.264 for early players", films, box: (640, 480)) {
            h264(&$0, crf: 22, most: 1_500_000, sound: 128_000)
            $0.picture.profile = "baseline"
        },
        ExportPreset("AppleM4V480pSD", "H.264 in 480p", films, box: (720, 480)) {
            h264(&$0, crf: 21, most: 2_500_000, sound: 128_000)
        },
        ExportPreset("AppleM4VAppleTV", "H.264 for the first Apple TV", films, box: (960, 540)) {
            h264(&$0, crf: 21, most: 4_000_000, sound: 160_000)
            $0.picture.profile = "main"
        },
        ExportPreset("AppleM4VWiFi", "H.264 for phones over wireless networks", films, box: (480, 320)) {
            h264(&$0, crf: 23, most: 1_000_000, sound: 128_000)
            $0.picture.profile = "baseline"
        },
        ExportPreset("AppleM4V720pHD", "H.264 in 720p", films, box: (1280, 720)) {
            h264(&$0, crf: 20, most: 6_000_000, sound: 160_000)
        },
        ExportPreset("AppleM4V1080pHD", "H.264 in 1080p", films, box: (1920, 1080)) {
            h264(&$0, crf: 20, most: 10_000_000, sound: 160_000)
        },
    ]

    private static let purposes: [ExportPreset] = [
        ExportPreset("web", "H.264 up to 1080p that starts at once", [.mp4], box: (1920, 1080)) {
            h264(&$0, crf: 22, most: 6_000_000, sound: 160_000)
        },
        ExportPreset("web-open", "VP9 and Opus up to 1080p", [.webm], box: (1920, 1080)) {
            $0.picture.codec = "vp9"
            $0.sound.codec = "opus"
            $0.sound.bitRate = 128_000
        },
        ExportPreset(
            "social-portrait", "H.264, upright, up to 1080×1920", [.mp4], box: (1080, 1920), isPortrait: true
        ) { h264(&$0, crf: 20, most: 8_000_000, sound: 160_000) },
        ExportPreset("phone", "HEVC up to 1080p, small", [.mp4, .mov], box: (1920, 1080)) {
            hevc(&$0, crf: 27, most: 4_000_000)
            $0.sound.bitRate = 128_000
        },
        ExportPreset("archive", "FFV1 and FLAC, encoded without loss", [.mkv]) {
            ($0.picture.codec, $0.sound.codec) = ("ffv1", "flac")
        },
        ExportPreset("master", "ProRes 422 HQ and PCM", [.mov]) { prores(&$0, "hq") },
        ExportPreset("editing-proxy", "ProRes Proxy and PCM up to 960×540", [.mov], box: (960, 540)) {
            prores(&$0, "proxy")
        },
        ExportPreset("broadcast", "MPEG-2 4:2:2 at constant 50 Mb/s, PCM, as XDCAM HD422", [.mxf], box: (1920, 1080)) {
            $0.picture.codec = "mpeg2"
            $0.picture.pixelFormat = "yuv422p"
            $0.picture.bitRate = 50_000_000
            ($0.sound.codec, $0.picture.keyFrameInterval) = ("pcm", 12)
            // The buffer is XDCAM HD422's.
            ($0.picture.constantBitRate, $0.picture.bufferSize) = (true, 36_408_333)
        },
        ExportPreset("podcast", "MP3, mono, for speech", [.mp3]) {
            sound(&$0, "mp3", 96_000)
            ($0.sound.channels, $0.sound.sampleRate) = (1, 44_100)
        },
        ExportPreset("music", "AAC at 256 kb/s", [.m4a]) { sound(&$0, "aac", 256_000) },
    ]

    private static func sized(_ name: String, _ width: Int, _ height: Int, _ most: Int) -> ExportPreset {
        ExportPreset(name, "H.264 within \(width)×\(height)", films, box: (width, height)) {
            h264(&$0, crf: 19, most: most, sound: 192_000)
        }
    }

    private static func sizedHEVC(_ name: String, _ width: Int, _ height: Int, _ most: Int) -> ExportPreset {
        ExportPreset(name, "HEVC within \(width)×\(height)", films, box: (width, height)) {
            hevc(&$0, crf: 22, most: most)
        }
    }

    private static func h264(_ request: inout OutputRequest, crf: Double, most: Int? = nil, sound: Int) {
        request.picture.codec = "h264"
        request.picture.crf = crf
        request.picture.maximumBitRate = most
        (request.sound.codec, request.sound.bitRate) = ("aac", sound)
    }

    private static func hevc(_ request: inout OutputRequest, crf: Double, most: Int? = nil) {
        request.picture.codec = "hevc"
        request.picture.crf = crf
        request.picture.maximumBitRate = most
        (request.sound.codec, request.sound.bitRate) = ("aac", 192_000)
    }

    private static func prores(_ request: inout OutputRequest, _ profile: String) {
        request.picture.codec = "prores"
        request.picture.encoderPreset = profile
        request.sound.codec = "pcm"
    }

    private static func sound(_ request: inout OutputRequest, _ codec: String, _ bitRate: Int) {
        (request.sound.codec, request.sound.bitRate) = (codec, bitRate)
    }
}
