import TestSupport

/// What a composition must look like, worked out from its text, ffprobe's facts and ffmpeg's decoder alone.
///
/// It knows films and stills over black; of colours it converts the matrix only.
struct ReferenceFilm {
    /// A frame of a source.
    private struct Shown {
        var stream: SourceStream
        var number: Int
        var key: String { "\(stream.index) \(stream.path)" }
    }

    /// A frame and how it is drawn.
    private struct Placed {
        var shown: Shown
        var affine: [Double]
        var opacity = 1.0
        var crop: [Double]?
    }

    let cut: Cut
    /// The pictures that are played, in the order of the tracks.
    let streams: [SourceStream]
    private let files: [String: SourceFile]
    let witness: Witness

    /// - Parameter isTimed: false is enough for the sources' facts, but not for pictures.
    init(_ text: String, _ witness: Witness, isTimed: Bool = true) throws {
        let cut = try Cut(text)
        let played = Set(cut.videoTracks.flatMap(\.segments).compactMap(\.asset))
        let files = try cut.assets.filter { played.contains($0.key) }
            .mapValues { try SourceFile($0, witness, isTimed: isTimed) }
        streams = try cut.videoTracks.flatMap(\.segments).compactMap { segment in
            try segment.asset.flatMap { files[$0] }?.picture(segment.position)
        }
        (self.cut, self.files, self.witness) = (cut, files, witness)
    }

    /// What all films among the sources are tagged with; else BT.709.
    var matrix: ColourMatrix {
        let tags = streams.filter { $0.frameRate != nil }.map(\.taggedMatrix)
        guard let first = tags.first, let first, tags.allSatisfy({ $0 == first }) else { return .bt709 }
        return first
    }

    /// What the file says, else that of the fastest source.
    var frameDuration: Fraction {
        cut.frameDuration ?? Fraction(1) / (streams.compactMap(\.frameRate).max { $0 < $1 } ?? Fraction(30))
    }

    var frameCount: Int { (cut.duration / frameDuration).ceiling }

    /// An output frame, perhaps with sources that show later frames of theirs, to see what difference that makes.
    struct Moment: Hashable {
        var number: Int
        var late = 0
    }

    /// What stands at some moments, in the size of the render and a layout of limited range.
    func pictures(_ moments: [Moment], format: PixelFormat) throws -> [Planes] {
        let frames = try moments.map { try layers(at: frameDuration * Fraction($0.number), $0.late) }
        var wanted: [String: (stream: SourceStream, numbers: Set<Int>)] = [:]
        for shown in frames.joined().map(\.shown) {
            wanted[shown.key, default: (shown.stream, [])].numbers.insert(shown.number)
        }
        let decoded = try wanted.mapValues { stream, numbers in
            try stream.frames(numbers, witness).mapValues { inMatrix($0, of: stream) }
        }
        return frames.map { layers in
            var picture = ReferencePicture(width: cut.width, height: cut.height, format: format)
            for layer in layers.reversed() {
                guard let source = decoded[layer.shown.key]?[layer.shown.number] else { continue }
                picture.draw(
                    ReferencePicture.Drawing(
                        source: source, pixelAspect: layer.shown.stream.pixelAspect, affine: layer.affine,
                        opacity: layer.opacity, crop: layer.crop))
            }
            return picture.canvas
        }
    }

    private func inMatrix(_ frame: Planes, of stream: SourceStream) -> Planes {
        frame.format.isRGB
            ? frame.converted(by: matrix.fromGBR, black: [0, 0, 0])
            : frame.converted(by: matrix.from(stream.matrix), black: [16, 128, 128])
    }

    /// Top-most first.
    private func layers(at time: Fraction, _ late: Int) throws -> [Placed] {
        if cut.instructions.isEmpty {
            // Every track that plays, the first on top, each source upright.
            return try cut.videoTracks.compactMap { track in
                try shown(track, at: time, late).map { Placed(shown: $0, affine: try $0.stream.upright) }
            }
        }
        guard let instruction = cut.instructions.first(where: { $0.range.contains(time) }) else { return [] }
        return try instruction.layers.compactMap { layer in
            guard let track = cut.videoTracks.first(where: { $0.id == layer.track }),
                let shown = try shown(track, at: time, late)
            else { return nil }
            return Placed(
                shown: shown, affine: layer.transform.value(at: time) ?? [1, 0, 0, 1, 0, 0],
                opacity: layer.opacity.value(at: time)?.first ?? 1, crop: layer.crop.value(at: time))
        }
    }

    /// The source frame that a track holds at a time of the composition; nil in a gap.
    private func shown(_ track: Cut.Track, at time: Fraction, _ late: Int) throws -> Shown? {
        guard let segment = track.segments.first(where: { $0.target.contains(time) }),
            let stream = try segment.asset.flatMap({ files[$0] })?.picture(segment.position)
        else { return nil }
        guard let source = segment.source else { return Shown(stream: stream, number: 0) }
        let moment = source.start + (time - segment.target.start) * (source.length / segment.target.length)
        return stream.frame(at: moment).map { Shown(stream: stream, number: stream.clamp($0 + late)) }
    }
}
