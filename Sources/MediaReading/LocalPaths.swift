internal import Diagnostics
internal import Glibc
package import Libav
package import MediaFacts
package import MediaTime
package import Pictures
internal import SplitreelFiles

// The door for whoever names a file by its path, or what lies elsewhere: each of these opens it as a `MediaSource` and
// does with it what the function or initializer of the same name does. Nothing else in this module knows that there
// are paths. They throw `mediaNotFound` and, where there is no regular file, `mediaCannotOpen`.

/// The facts of a file; its mark is taken before its packets are read, so that a later change has another mark.
package func probe(path: String) throws -> AssetFacts { try probe(openSettledSource(path)) }

package func readTags(path: String) throws -> FileTags { try readTags(openSource(path)) }

/// The format of a file; nil also where it cannot be opened.
package func mediaFormat(path: String) -> String? { (try? openSource(path)).flatMap { mediaFormat($0) } }

package func edgeHash(path: String) throws -> FileEdges { try edgeHash(openSource(path, asking: "open")) }

package func readData(path: String) throws -> DataFile { try readData(openSource(path, asking: "open")) }

package func readSamples(path: String, track: Int) throws -> [TimedSample] {
    try readSamples(openSource(path), track: track)
}

package func readTimedText(path: String, track: Int) throws -> TimedText {
    try readTimedText(openSource(path), track: track)
}

package func attachedFonts(path: String) throws -> (fonts: [ScriptFile.Font], sum: String) {
    try attachedFonts(openSource(path, asking: "open"))
}

package func suppliedFonts(path: String) throws -> [ScriptFile.Font] {
    try suppliedFonts(openSource(path, asking: "open"))
}

package func frameTimes(path: String, track: Int, showsFields: Bool) throws -> FrameTimes {
    try frameTimes(openSource(path), track: track, showsFields: showsFields)
}

package func codedTrack(path: String, track: Int) throws -> CodedTrack {
    try codedTrack(openSource(path), track: track)
}

package func presentationTimes(path: String, track: Int) throws -> [Rational] {
    try presentationTimes(openSource(path), track: track)
}

package func decodeAll(
    path: String, track: Int, _ body: (borrowing Frame, Rational) throws -> Void = { _, _ in }
) throws -> DecodeSummary {
    try decodeAll(openSource(path), track: track, body)
}

package func decodedFrameCount(path: String, track: Int) throws -> Int {
    try decodedFrameCount(openSource(path), track: track)
}

package func isDecodedFromItsStart(path: String, track: Int) throws -> Bool {
    try isDecodedFromItsStart(openSource(path), track: track)
}

package func contentSum(path: String) throws -> String { try contentSum(openSource(path)) }

package func writeIndex(of path: String, to file: String) throws { try writeIndex(of: openSource(path), to: file) }

/// Takes up the index of a file; false also where the file cannot be opened.
package func takeUpIndex(of path: String, sum: String, mark: String, from file: String) -> Bool {
    guard let source = try? openSource(path) else { return false }
    return takeUpIndex(of: source, sum: sum, mark: mark, from: file)
}

package func isIndexBuilt(of path: String) throws -> Bool? { isIndexBuilt(of: try openSource(path)) }

package func indexMemory(of path: String) throws -> Int { try indexMemory(of: openSource(path)) }

/// Inspects a finished film. A file that cannot be opened is told in libavformat's words.
package func inspectFilm(path: String, decoding: Bool = false) throws -> FilmFacts {
    let film =
        try path.isRemoteName
        ? openSource(path)
        : LocalFile(path: path) { fault in
            let number =
                switch fault {
                case .missing(let number), .closed(let number): number
                case .folder: EISDIR
                case .irregular: EINVAL
                }
            return SplitreelError(
                .mediaCannotOpen, operation: "avformat_open_input", subject: path, reason: systemReason(number))
        }
    return try inspectFilm(film, decoding: decoding)
}

extension VideoReader {
    package convenience init(
        path: String, track: Int, deinterlacing: Deinterlacing? = nil, overrides: ColourOverrides? = nil,
        matrixOfUntagged: ColourMatrix? = nil, keepsHighlights: Bool = false, reduction: Int = 1
    ) throws {
        try self.init(
            openSource(path), track: track, deinterlacing: deinterlacing, overrides: overrides,
            matrixOfUntagged: matrixOfUntagged, keepsHighlights: keepsHighlights, reduction: reduction)
    }
}

extension AudioReader {
    package convenience init(
        path: String, track: Int, sampleRate: Int, channels: Int, layout: ChannelLayout? = nil,
        rate: Rational = Rational(1), sourceStart: Rational, sourceDuration: Rational, skipping: Int = 0
    ) throws {
        try self.init(
            openSource(path), track: track, sampleRate: sampleRate, channels: channels, layout: layout,
            rate: rate, sourceStart: sourceStart, sourceDuration: sourceDuration, skipping: skipping)
    }
}

extension StoredPackets {
    package convenience init(path: String, track: Int) throws { try self.init(openSource(path), track: track) }
}
