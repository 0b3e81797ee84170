import Foundation

/// Small media with the traits of real ones, made by ffmpeg; every film's frames carry their numbers.
package enum MadeMedia: String, CaseIterable {
    /// 29.97 frames a second, H.264 with B frames, sound at 44.1 kHz in AAC.
    case ntsc
    /// The same from frame 39 on, by an edit list.
    case edited
    /// The same, stored upside down and marked as such.
    case turned
    /// 25 frames a second in MPEG-2, in a transport stream.
    case pal
    /// 23.976 frames a second in HEVC of ten bits with open GOPs.
    case deep
    /// 24 frames a second in H.264 with open GOPs.
    case open
    /// 25 frames a second of which some are missing.
    case irregular
    /// VP9 with alpha.
    case clear
    /// A PNG of which the right is half seen through.
    case still
    /// A tone at 22.05 kHz, mono, in FLAC.
    case low
    /// Two tones at 48 kHz in PCM.
    case high

    /// The first frame that `edited` shows; its time is 1.3013 s exactly.
    package static let firstEdited = 39
    package static let irregularCount = 90

    /// Whether `irregular` has that frame of its 25 a second.
    package static func isKept(_ number: Int) -> Bool { number % 5 != 2 && !(20..<25).contains(number) }

    private var fileName: String {
        switch self {
        case .ntsc, .edited, .turned, .deep: rawValue + ".mp4"
        case .open: "open.mov"
        case .pal: "pal.ts"
        case .irregular: "irregular.mkv"
        case .clear: "clear.webm"
        case .still: "still.png"
        case .low: "low.flac"
        case .high: "high.wav"
        }
    }

    /// Makes the file once in a folder; its path.
    package func make(in folder: TestFolder, _ witness: Witness) throws -> String {
        let path = folder.file(fileName)
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        switch self {
        case .ntsc: try Self.writeNTSC(to: path, turned: false, in: folder, witness)
        case .turned:
            let stored = folder.file("stored.mp4")
            try Self.writeNTSC(to: stored, turned: true, in: folder, witness)
            try witness.ffmpeg(["-i", stored, "-c", "copy", "-metadata:s:v:0", "rotate=180", path])
        case .edited:
            let whole = try MadeMedia.ntsc.make(in: folder, witness)
            try witness.ffmpeg(["-ss", "1.3013", "-i", whole, "-c", "copy", path])
        case .pal:
            try NumberedMedia.write(
                110, rate: "25", to: path, coding: ["-c:v", "mpeg2video", "-q:v", "2", "-g", "12", "-bf", "2"],
                with: witness)
        case .deep:
            let coding = "keyint=12:min-keyint=12:open-gop=1:bframes=3:pools=none:frame-threads=1:log-level=none"
            try NumberedMedia.write(
                72, rate: "24000/1001", to: path,
                coding: [
                    "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-crf", "12",
                    "-x265-params", coding, "-tag:v", "hvc1",
                ], with: witness)
        case .open:
            try NumberedMedia.write(
                72, rate: "24", to: path,
                coding: [
                    "-c:v", "libx264", "-crf", "12", "-g", "12", "-bf", "3", "-x264-params",
                    "open-gop=1:scenecut=0:b-adapt=0",
                ], with: witness)
        default: try makeOther(path, in: folder, witness)
        }
        return path
    }

    private func makeOther(_ path: String, in folder: TestFolder, _ witness: Witness) throws {
        switch self {
        case .irregular:
            let kept = "not(eq(mod(n\\,5)\\,2))*not(between(n\\,20\\,24))"
            try NumberedMedia.write(
                Self.irregularCount, rate: "25", to: path,
                coding: [
                    "-vf", "select=\(kept)", "-fps_mode", "passthrough", "-c:v", "libx264", "-crf", "12", "-g", "10",
                    "-bf", "2",
                ], with: witness)
        case .clear:
            try NumberedMedia.write(
                60, rate: "25", to: path,
                coding: [
                    "-vf", "scale=128:72,split[a][b];[b]format=gray[m];[a][m]alphamerge,format=yuva420p", "-c:v",
                    "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M", "-g", "20", "-auto-alt-ref",
                    "0",
                ], with: witness)
        case .still:
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x64", "-vf",
                "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)'"
                    + ":a='if(gt(X,48),128,255)'", "-frames:v", "1", path,
            ])
        case .low:
            let tone = SoundMedia.tone(330, count: 4 * 22_050, rate: 22_050)
            let wave = try folder.write(SoundMedia.wave([tone], rate: 22_050), to: "low.wav")
            try witness.ffmpeg(["-i", wave, "-c:a", "flac", path])
        default:
            let tones = [523.0, 659.0].map { SoundMedia.tone($0, count: 4 * 48_000, rate: 48_000) }
            _ = try folder.write(SoundMedia.wave(tones, rate: 48_000), to: fileName)
        }
    }

    private static func writeNTSC(
        to path: String, turned: Bool, in folder: TestFolder, _ witness: Witness
    ) throws {
        let rate = 44_100
        let tones = [262.0, 392.0].map { SoundMedia.tone($0, count: 4 * rate, rate: rate) }
        let sound = try folder.write(SoundMedia.wave(tones, rate: rate), to: "ntsc.wav")
        try NumberedMedia.write(
            120, rate: "30000/1001", to: path,
            coding: (turned ? ["-vf", "hflip,vflip"] : []) + [
                "-c:v", "libx264", "-crf", "12", "-g", "15", "-bf", "2", "-c:a", "aac", "-b:a", "96k",
            ], sound: sound, with: witness)
    }
}

extension [MadeMedia] {
    /// Their paths by their names.
    package func makeAll(in folder: TestFolder, _ witness: Witness) throws -> [String: String] {
        try Dictionary(uniqueKeysWithValues: map { ($0.rawValue, try $0.make(in: folder, witness)) })
    }
}
