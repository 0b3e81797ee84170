import Foundation
import TestTools
import Testing

/// Small media, and the programs of examples/programs, each run over them as a process.
struct ProgramRuns {
    let folder: TestFolder
    let witness: Witness
    private let programs: Splitreel

    static let rate = 48_000
    private static let toFilm = "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"

    init() throws {
        folder = try TestFolder("programs")
        witness = Witness(in: folder)
        programs = try Splitreel(in: folder).sibling("Programs")
    }

    /// Runs a program in the folder, and gives its lines; fails unless it exits with 0 and says nothing else.
    @discardableResult
    func run(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        let result = try programs.run(words, seconds: 60)
        #expect(result.status == 0 && result.standardError.isEmpty, "\(result)", sourceLocation: sourceLocation)
        return result.text.split(separator: "\n").map(String.init)
    }

    // MARK: - Media

    /// A film of a picture that ffmpeg's filters make, with a tone on both channels. Its colours are BT.709's.
    func film(
        _ name: String, _ picture: String, filter: String = "null", toFilm: String = toFilm, seconds: Int = 2,
        frames: Int = 25, size: String = "160x90", tone: Int = 440
    ) throws {
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", "\(picture):s=\(size):r=\(frames):d=\(seconds)"]
                + Self.tone(tone, 0.5, seconds)
                + [
                    "-vf", "\(filter),\(toFilm)", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
                    "bt709", "-color_range", "tv", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "4", "-c:a",
                    "pcm_s16le", folder.file(name),
                ])
    }

    /// A film whose frame of number n has the luma 16 + `step` · n everywhere.
    func ramp(_ name: String, step: Int = 4, seconds: Int = 2, frames: Int = 25, size: String = "160x90") throws {
        try film(
            name, "color=black", filter: "format=yuv420p", toFilm: "geq=lum='16+\(step)*N':cb=128:cr=128",
            seconds: seconds, frames: frames, size: size)
    }

    /// A song of a tone of 220 Hz.
    func song(_ name: String, seconds: Int, amplitude: Double = 0.25) throws {
        try witness.ffmpeg(Self.tone(220, amplitude, seconds) + ["-b:a", "192k", folder.file(name)])
    }

    /// A picture of one colour.
    func picture(_ name: String, _ colour: String, size: String = "160x90") throws {
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", "color=\(colour):s=\(size),format=rgb24", "-frames:v", "1", folder.file(name)])
    }

    /// A GIF that is red for half a second, then blue for half a second.
    func gif(_ name: String) throws {
        try picture("gif-0.png", "red")
        try picture("gif-1.png", "blue")
        try witness.ffmpeg(["-framerate", "2", "-i", folder.file("gif-%d.png"), folder.file(name)])
    }

    private static func tone(_ hertz: Int, _ amplitude: Double, _ seconds: Int) -> [String] {
        let wave = "\(amplitude)*sin(2*PI*\(hertz)*t)"
        return ["-f", "lavfi", "-i", "aevalsrc=\(wave)|\(wave):s=\(rate):d=\(seconds)"]
    }

    // MARK: - What is in a film

    /// The frames of a film in R'G'B' of 8 bits.
    func pictures(_ name: String) throws -> [RunPicture] {
        let video = try #require(try stream(name, "video"))
        let (width, height) = (video["width"] as? Int ?? 1, video["height"] as? Int ?? 1)
        let bytes = [UInt8](
            try witness.ffmpeg([
                "-noautorotate", "-i", folder.file(name), "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
                "scale=in_color_matrix=bt709:in_range=tv,format=rgb24", "-f", "rawvideo", "-",
            ]).standardOutput)
        let size = width * height * 3
        return stride(from: 0, to: bytes.count, by: size).map {
            RunPicture(width: width, height: height, bytes: Array(bytes[$0..<$0 + size]))
        }
    }

    /// The luma of the pixel in the middle of each frame.
    func lumas(_ name: String) throws -> [Int] {
        try witness.luma(folder.file(name)).map { Int($0[$0.count / 2]) }
    }

    /// The first stream of a type, as ffprobe tells it.
    func stream(_ name: String, _ type: String) throws -> [String: Any]? {
        try witness.streams(folder.file(name)).first { $0["codec_type"] as? String == type }
    }

    /// The amplitude of a tone in the left channel from a second on, over half a second.
    func amplitude(of hertz: Int, in samples: [Float], at second: Double = 0.25, rate: Int = Self.rate) -> Double {
        let (first, count) = (Int(second * Double(rate)), rate / 2)
        guard first + count <= samples.count else { return -1 }
        var (sine, cosine) = (0.0, 0.0)
        for index in 0..<count {
            let angle = 2 * Double.pi * Double(hertz) * Double(index) / Double(rate)
            sine += Double(samples[first + index]) * sin(angle)
            cosine += Double(samples[first + index]) * cos(angle)
        }
        return 2 * (sine * sine + cosine * cosine).squareRoot() / Double(count)
    }

    /// The left channel of a film, about so many seconds long.
    func sound(_ name: String, seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Float] {
        let samples = try witness.samples(folder.file(name))[0]
        let expected = seconds * Double(Self.rate)
        // An AAC packet has 1024 samples, of which a container without edits shows all.
        #expect(abs(Double(samples.count) - expected) <= 2048, "\(samples.count)", sourceLocation: sourceLocation)
        return samples
    }
}

/// A frame of a film in R'G'B' of 8 bits.
struct RunPicture {
    let width: Int
    let height: Int
    let bytes: [UInt8]

    static let red = [255, 0, 0]
    static let green = [0, 128, 0]
    static let blue = [0, 0, 255]
    static let black = [0, 0, 0]
    static let white = [255, 255, 255]

    static func grey(_ level: Double) -> [Int] { [Int](repeating: Int(level.rounded()), count: 3) }

    subscript(x: Int, y: Int) -> [Int] { (0..<3).map { Int(bytes[3 * (y * width + x) + $0]) } }

    /// Whether a pixel, the middle one unless said otherwise, has a colour but for what an encoder changes.
    func shows(_ colour: [Int], _ x: Int? = nil, _ y: Int? = nil, within: Int = 10) -> Bool {
        zip(self[x ?? width / 2, y ?? height / 2], colour).allSatisfy { abs($0 - $1) <= within }
    }
}
