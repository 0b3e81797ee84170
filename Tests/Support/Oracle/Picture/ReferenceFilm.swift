package import TestTools

/// A composition as it must look, worked out from its text, ffprobe's facts and ffmpeg's decoder alone.
package struct ReferenceFilm {
    package let cut: Cut
    package let sources: ReferenceSources
    /// The pictures that are played, in the order of the tracks; those of files.
    package let streams: [SourceStream]
    let encoding: ReferenceEncoding
    /// Pictures are those of the assets' proxies.
    package var usesProxies = false
    /// The aspect of the output's pixels, width by height.
    package var pixelAspect = Fraction(1)

    /// - Parameter isTimed: false is enough for the sources' facts, but not for pictures.
    package init(_ text: String, _ sources: ReferenceSources, isTimed: Bool = true) throws {
        cut = try Cut(text)
        self.sources = sources
        streams = try Self.streams(of: cut, sources, isTimed: isTimed)
        encoding = try Self.encoding(of: cut, sources)
    }

    /// The matrix's word in the file.
    package var matrix: String { encoding.matrix }

    /// The length of a frame in seconds: that which the file says, else that of the fastest source.
    package var frameDuration: Fraction { Self.frameDuration(of: cut, streams) }

    package var frameCount: Int { (cut.duration / frameDuration).ceiling }

    /// When its frames begin: evenly, or as a track has it.
    package var frameTimes: [Fraction] {
        get throws {
            guard let id = cut.timingTrack, let track = cut.videoTracks.first(where: { $0.id == id }) else {
                return (0..<frameCount).map { frameDuration * Fraction($0) }
            }
            return try times(of: track)
        }
    }

    private var output: ReferenceOutput {
        pixelAspect == Fraction(1) ? ReferenceOutput(cut) : ReferenceOutput(cut, pixelAspect: pixelAspect)
    }

    private static func frameDuration(of cut: Cut, _ streams: [SourceStream]) -> Fraction {
        cut.frameDuration ?? Fraction(1) / (streams.compactMap(\.frameRate).max { $0 < $1 } ?? Fraction(30))
    }

    private static func streams(of cut: Cut, _ sources: ReferenceSources, isTimed: Bool) throws -> [SourceStream] {
        try cut.videoTracks.flatMap(\.segments).compactMap { segment in
            guard let name = segment.asset, let asset = cut.assets[name], let url = asset.url, asset.project == nil,
                asset.kind == nil || asset.kind == "media"
            else { return nil }
            let file = try sources.file(url, isTimed: isTimed)
            return file.isAnimated ? nil : try file.picture(segment.position)
        }
    }

    /// The encoding that the file says. The rest is what all films among the sources have, else BT.709.
    static func encoding(of cut: Cut, _ sources: ReferenceSources) throws -> ReferenceEncoding {
        // No film is in linear light: BT.709's transfer stands for it.
        let films = try filmColours(of: cut, sources).map { colour in
            colour.map { $0[1] == "Linear" ? [$0[0], "ITU_R_709_2", $0[2]] : $0 }
        }
        var shared = ["ITU_R_709_2", "ITU_R_709_2", "ITU_R_709_2"]
        if let first = films.first ?? nil {
            let isAlike = films.allSatisfy { $0 == first }
            let isHDR = ReferenceEncoding.isHDR(first[1]) && films.allSatisfy { $0?[1] == first[1] }
            if isAlike || isHDR { shared = first }
        }
        func word(_ key: String, _ index: Int) throws -> String {
            try cut.colour[key].ifPresent { try $0.text } ?? shared[index]
        }
        var encoding = ReferenceEncoding(primaries: try word("primaries", 0))
        (encoding.transfer, encoding.matrix) = (try word("transfer", 1), try word("matrix", 2))
        return encoding
    }

    /// nil for one that is not tagged. Images of any kind have no say; a nested composition is as its own film.
    private static func filmColours(of cut: Cut, _ sources: ReferenceSources) throws -> [[String]?] {
        try cut.videoTracks.flatMap(\.segments).compactMap { segment -> [String]?? in
            guard let name = segment.asset, let asset = cut.assets[name] else { return nil }
            if let project = asset.project {
                // One of nothing but images and generators has no say, unless it says what colour it is.
                let isPlain = try filmColours(of: project, sources).isEmpty
                let says = ["primaries", "transfer", "matrix"].contains { !project.colour[$0].isAbsent }
                if isPlain && !says { return nil }
                let inner = try encoding(of: project, sources)
                return .some([inner.primaries ?? "", inner.transfer, inner.matrix])
            }
            guard var url = asset.url, asset.kind == nil || asset.kind == "media" || asset.kind == "livePhoto" else {
                return nil
            }
            if asset.kind == "livePhoto" {
                guard segment.source != nil else { return nil }
                url = try asset.json["movie"].text
            }
            let file = try sources.file(url)
            if file.isStill || file.isAnimated { return nil }
            let stream = try file.picture(segment.position)
            guard asset.json["color"].isObject else { return .some(stream.tags) }
            func word(_ key: String, _ own: String?) throws -> String? {
                try asset.json["color"][key].ifPresent { try $0.text } ?? own
            }
            return .some(
                ColourTag.whole(
                    try word("primaries", ColourTag.primaries(stream.word("color_primaries"))),
                    try word("transfer", ColourTag.transfer(stream.word("color_transfer"))),
                    try word("matrix", ColourTag.matrix(stream.word("color_space"))),
                    isEBU: stream.word("color_space") == "bt470bg"))
        }
    }

    /// The picture at an output frame, in a layout of limited range. Sources show frames that come `late` frames later,
    /// to see what difference that makes.
    package func picture(_ number: Int, late: Int = 0, format: PixelFormat) throws -> Planes {
        var film = encoding
        film.bits = format.bits
        let stage = ReferenceStage(
            sources: sources, format: format, encoding: film, late: late, usesProxies: usesProxies)
        return try stage.picture(of: cut, at: try frameTimes[number], output: output)
    }
}

extension ReferenceFilm {
    /// How alike frames of a lossless render are to what they must be, plane by plane.
    package func compare(_ file: String, _ numbers: [Int], format: PixelFormat, late: Int = 0) throws -> [[Likeness]] {
        let wanted = numbers.map { "eq(n,\($0))" }.joined(separator: "+")
        let raw = try sources.witness.ffmpeg([
            "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", "select='\(wanted)'", "-f", "rawvideo",
            "-pix_fmt", format.name, "-",
        ]).standardOutput
        let frames = try Planes.split(raw, width: output.width, height: output.height, format: format)
        guard frames.count == numbers.count else { throw ToolFailure("\(frames.count) of \(numbers) in \(file)") }
        return try zip(numbers, frames).map { number, frame in
            let expected = try picture(number, late: late, format: format)
            return (0..<3).map { frame.likeness($0, expected) }
        }
    }
}
