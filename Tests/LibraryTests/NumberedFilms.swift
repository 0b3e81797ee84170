import Splitreel
import TestTools
import Testing

/// Small films each of whose frames and samples says which one it is, and what ffmpeg finds in films that are made of
/// them.
///
/// Frame number n is a grey of luma 20 + 2 · n; sample number n of both channels is (n + 1) / 2^18, and 1920 samples
/// belong to a frame. Codecs without loss keep both.
struct NumberedFilms {
    let folder: TestFolder
    let witness: Witness

    init() throws {
        folder = try TestFolder("library")
        witness = Witness(in: folder)
    }

    /// Two seconds of 64×36 at 25 frames a second, whose numbers begin with `first`; up to 50.
    func film(_ name: String = "a.mkv", from first: Int = 0) throws -> MediaAsset {
        let wave = "(\(first * Found.samplesOfAFrame)+n+1)/\(Int(Found.scale))"
        return try film(
            name, luma: "20+2*(N+\(first))",
            rest: ["-f", "lavfi", "-i", "aevalsrc=\(wave)|\(wave):s=48000:d=2"],
            coding: ["-c:v", "ffv1", "-c:a", "pcm_f32le"])
    }

    /// The same pictures alone, at another rate and by another encoder.
    func pictures(_ name: String, rate: String = "25", coding: [String]) throws -> MediaAsset {
        try film(name, rate: rate, luma: "20+2*N", rest: [], coding: coding)
    }

    private func film(
        _ name: String, rate: String = "25", luma: String, rest: [String], coding: [String]
    ) throws -> MediaAsset {
        let path = folder.file(name)
        let picture = "color=black:s=64x36:r=\(rate):d=2,format=yuv420p,geq=lum='\(luma)':cb=128:cr=128"
        let tags = [
            "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
        ]
        try witness.ffmpeg(["-f", "lavfi", "-i", picture] + rest + tags + coding + [path])
        return MediaAsset(path)
    }

    // MARK: - Films of a project

    /// A session that renders by threads: the tests' own program is not its own worker.
    static func session(_ project: Project) -> ExportSession {
        let session = ExportSession(project)
        session.farm = .threads
        session.overwrites = true
        return session
    }

    /// A reader of all of an asset.
    static func reader(of asset: MediaAsset, format: PixelFormat = .rgba8) async throws -> Reader {
        var settings = Reader.Settings()
        settings.pixelFormat = format
        return try await Reader(asset, settings: settings)
    }

    /// The grey of 8 bits in the middle of exact images of an asset, at the times of those frames.
    static func greys(of asset: MediaAsset, at frames: [Int]) async throws -> [Int] {
        var generator = ImageGenerator(asset)
        (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
        var greys: [Int] = []
        for frame in frames {
            let image = try await generator.image(at: time(frame)).image
            greys.append(image.withRow8(image.height / 2) { Int($0[4 * (image.width / 2)]) })
        }
        return greys
    }

    /// The film of a project without loss, as ffmpeg reads it.
    func film(
        of project: Project, code: OwnCode = OwnCode(), range: TimeRange? = nil
    ) async throws -> Found {
        let session = Self.session(project)
        let isSilent = project.composition.tracks(of: .audio).isEmpty
        (session.code, session.timeRange) = (code, range)
        session.output = .film(
            videoSettings: PictureRequest(codec: .ffv1), audioSettings: isSilent ? nil : SoundRequest(codec: .flac))
        let path = try await session.export(to: folder.file("film.mkv")).path
        return try Found(path, witness, isSilent: isSilent)
    }

    /// Fails unless the film shows frames of those numbers, nil for black, and has their samples, nil for silence.
    ///
    /// - Parameter sounds: the frames whose samples are heard; nil for those that are shown.
    func expect(
        _ project: Project, shows frames: [Int?], sounds: [Int?]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await film(of: project)
        #expect(found.frames == frames, sourceLocation: sourceLocation)
        #expect(found.sounds == sounds ?? frames, sourceLocation: sourceLocation)
    }
}

/// What ffmpeg finds in a film.
struct Found {
    static let scale = 262_144.0
    static let samplesOfAFrame = 1920

    let path: String
    /// The luma of each frame, -1 where its pixels are not all the same.
    let lumas: [Int]
    /// For each frame's time the number of the frame whose samples are heard; nil for silence, -1 for other samples.
    let sounds: [Int?]

    /// The number of each frame; nil for black, -1 for none.
    var frames: [Int?] {
        lumas.map { $0 == 16 ? nil : $0 >= 20 && $0.isMultiple(of: 2) ? ($0 - 20) / 2 : -1 }
    }

    init(_ path: String, _ witness: Witness, isSilent: Bool = false) throws {
        self.path = path
        lumas = try witness.luma(path).map { Set($0).count == 1 ? Int($0[0]) : -1 }
        guard !isSilent else {
            sounds = []
            return
        }
        let channels = try witness.samples(path)
        guard channels.count == 2, channels[0] == channels[1] else { throw ToolFailure("no two equal channels") }
        sounds = stride(from: 0, to: channels[0].count, by: Self.samplesOfAFrame).map { start in
            Self.number(channels[0][start..<min(start + Self.samplesOfAFrame, channels[0].count)])
        }
    }

    private static func number(_ samples: ArraySlice<Float>) -> Int? {
        guard let first = samples.first, samples.contains(where: { $0 != 0 }) else { return nil }
        let number = Int(((Double(first) * scale - 1) / Double(samplesOfAFrame)).rounded())
        let start = Double(number * samplesOfAFrame + 1)
        for (place, sample) in samples.enumerated() where abs(Double(sample) * scale - start - Double(place)) > 0.25 {
            return -1
        }
        return number
    }

    /// Whether each frame has a luma, give or take what a way through 8 bits of R'G'B' changes.
    func hasLumas(_ expected: [Double]) -> Bool {
        lumas.count == expected.count && zip(lumas, expected).allSatisfy { abs(Double($0) - $1) <= 1 }
    }

    /// The luma of a grey of R'G'B' of 8 bits.
    static func luma(ofGrey level: Int) -> Double { 16 + 219 * Double(level) / 255 }
}

/// The time at which a frame of 25 a second begins.
func time(_ frame: Int) -> MediaTime { MediaTime(frame, 25) }

/// The time of frames of 25 a second.
func frames(_ range: Range<Int>) -> TimeRange {
    TimeRange(start: time(range.lowerBound), end: time(range.upperBound))
}

/// The numbers of frames that follow each other.
func numbers(_ ranges: Range<Int>...) -> [Int?] { ranges.flatMap { $0.map { $0 } } }

/// As many frames that show nothing.
func nothing(_ count: Int) -> [Int?] { [Int?](repeating: nil, count: count) }
