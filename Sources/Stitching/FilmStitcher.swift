internal import Diagnostics
internal import Glibc
internal import Libav
internal import MediaReading
internal import MediaTime
package import MediaWriting
package import Outputs
internal import Pictures
package import Planning

/// Joins a film's segments, and copied packets of its sources, in order, into one file or images; only for a GIF
/// anything is decoded and encoded.
///
/// Confined to one thread at a time. One segment and those of the sound are open at once; no packet but the ones in
/// hand is in memory. The file at `path` is unfinished until `finish` returns; it is never renamed here.
package final class FilmStitcher {
    private enum State { case open, finished, abandoned }

    private let plan: RenderPlan
    private let path: String
    private let stored: [StoredTrack]
    private let going: () throws -> Void
    private var state = State.open
    private var sounds: [(path: String, record: SegmentRecord)] = []
    private var writer: (any FilmSink)?
    /// The segments that were appended, for films that want their packets twice.
    private var parts: [(path: String, record: SegmentRecord)] = []
    /// The parameter sets of the first chunk that is rendered: every other must have the same.
    private var extradata: [UInt8]?
    private var sets: FilmSets?
    /// The sources that copied chunks came from lately.
    private var copied: [CopiedSource: [Int: CopiedPackets]] = [:]
    private static let mostCopied = 8
    private var nextChunk = 0
    private var poster: [UInt8]?
    /// The measured light of all chunks so far.
    private var light = MeasuredLight()

    /// Creates nothing yet: the file begins with the first chunk, or at `finish` where there is no picture. `stored`
    /// are tracks beside those of the plan, which go in as they are. `going` is called before each packet, and ends the
    /// work by throwing.
    package init(
        plan: RenderPlan, path: String, stored: [StoredTrack] = [], going: @escaping () throws -> Void = {}
    ) throws {
        self.plan = plan
        self.path = path
        (self.stored, self.going) = (stored, going)
        guard plan.output.video != nil || plan.output.audio != nil || !stored.isEmpty else {
            throw fault("the plan has neither picture nor sound")
        }
        guard plan.chunks.reduce(0, { $0 + $1.frameCount }) == plan.frameCount else {
            throw fault("the plan's chunks do not cover its frames")
        }
    }

    /// Takes a sound's segment, before the first chunk, once for each sound stream of the plan, in their order.
    package func setAudio(path: String, record: SegmentRecord) throws {
        guard sounds.count < plan.output.sounds.count, writer == nil, state == .open else {
            throw fault("each sound comes once, before the first chunk")
        }
        try SegmentCheck(path: path, record: record).promise(plan: plan, task: nil, reference: nil)
        sounds.append((path, record))
    }

    /// Appends a chunk's segment; chunks come in order, each once. Throws `.segmentInvalid` where the segment is not
    /// what the plan asks for, does not fit the first, or its bytes, hashed as they go in, are not the record's; the
    /// film is of no use then.
    package func append(path: String, record: SegmentRecord, chunk: Int) throws {
        guard state == .open, chunk == nextChunk, plan.output.video != nil else {
            throw fault("chunk \(chunk) came, chunk \(nextChunk) was due")
        }
        let check = SegmentCheck(path: path, record: record)
        try check.require(plan.chunks[chunk].copied == nil, "chunk \(chunk) is copied, and has no segment")
        try check.promise(plan: plan, task: chunk, reference: nil)
        try feed(path, record, from: plan.chunks[chunk].firstFrame)
        if let own = record.light { light.join(own) }
        if let own = record.poster { poster = [UInt8](own) }
        nextChunk += 1
        if writer.map({ $0.passCount > 1 }) == true { parts.append((path, record)) }
    }

    /// Appends a chunk that is copied: its packets as the source has them. Throws `.mediaChanged` where these are
    /// others than the plan was made with; the film is of no use then.
    package func appendCopied(_ source: CopiedSource, chunk: Int) throws {
        guard state == .open, chunk == nextChunk, let settings = plan.output.video,
            let span = plan.chunks[chunk].copied
        else { throw fault("copied chunk \(chunk) came, chunk \(nextChunk) was due") }
        let packets = try packets(of: source, track: span.track)
        let frames = plan.chunks[chunk].frames
        let numbers = span.firstPacket..<span.firstPacket + frames.count
        let ranks = try packets.ranks(of: numbers)
        let depth = zip(ranks.indices, ranks).map { $0 - $1 }.max() ?? 0
        guard depth <= settings.reorderDepth else {
            throw fault("copied frames are reordered by \(depth), and the plan says \(settings.reorderDepth)")
        }
        let (writer, sets) = try openWriter(own: nil)
        for (number, rank) in zip(numbers, ranks) {
            try going()
            let frame = frames.lowerBound + rank
            let packet = try packets.packet(number, shownAt: plan.timing.time(ofFrame: frame))
            guard packet.isKey || (number > numbers.lowerBound && !settings.codec.isIntraOnly) else {
                throw fault("copied packet \(number) of \(source.path) is no key frame")
            }
            try writer.appendVideo(try sets.copied(packet, of: span.sets, path: source.path), frame: frame)
        }
        try packets.checkUnchanged()
        nextChunk += 1
    }

    /// A source's packets. A file stays open for the chunks that come; a way to what lies elsewhere ends with the call.
    private func packets(of source: CopiedSource, track: Int) throws -> CopiedPackets {
        if let known = copied[source]?[track] { return known }
        let packets = try CopiedPackets(source, track: track)
        guard !source.path.isRemoteName else { return packets }
        if copied.count >= Self.mostCopied { copied = [:] }
        copied[source, default: [:]][track] = packets
        return packets
    }

    /// Hands on a segment's packets, whose first frame is `first` in the film.
    private func feed(_ segment: String, _ record: SegmentRecord, from first: Int) throws {
        guard let settings = plan.output.video else { return }
        let check = SegmentCheck(path: segment, record: record)
        let reader = try SegmentReader(path: segment, byteCount: record.byteCount, frameDuration: plan.frameDuration)
        try check.require(reader.media == .video, "it holds no picture")
        try check.requirePictureFormat(reader, settings)
        try check.require(
            reader.extradata == extradata ?? reader.extradata,
            "its parameter sets differ from the first chunk's: the encoders or their settings differ")
        let (writer, sets) = try openWriter(own: reader.extradata)
        var order = PresentationOrder(count: record.count, path: segment, settings: settings)
        while let packet = try reader.next() {
            try going()
            let index = try order.take(packet)
            // This waits in a process that is there for this film alone and ends with its parent: nothing else waits.
            while plan.output.isPassedOn == true, PassedOnFilm.isFull(path) { usleep(20_000) }
            try writer.appendVideo(try sets.rendered(packet), frame: first + index)
        }
        try order.finish()
        try reader.requireBytes(of: record)
    }

    /// Completes the file and waits until the disk has it.
    package func finish() throws {
        guard state == .open, nextChunk == plan.chunks.count || plan.output.video == nil else {
            throw fault("\(nextChunk) of \(plan.chunks.count) chunks were appended")
        }
        let isMeasured = plan.output.video?.measuresLight == true
        let (writer, _) = try openWriter(own: [])
        for _ in 1..<writer.passCount {
            try writer.endPass()
            for (part, chunk) in zip(parts, plan.chunks) { try feed(part.path, part.record, from: chunk.firstFrame) }
        }
        if let poster { try writer.setPoster(poster) }
        try writer.finish(light: isMeasured ? light.contentLight : nil)
        self.writer = nil
        state = .finished
    }

    /// Closes the file and removes it; does nothing after `finish`.
    package func abandon() {
        guard state == .open else { return }
        state = .abandoned
        writer?.remove()
        writer = nil
    }

    /// The film's writer, and the form of its packets. `own` are the parameter sets of the first rendered chunk; nil
    /// where a copied one comes before it: an encoder is asked for them then, where there is one.
    private func openWriter(own: [UInt8]?) throws -> (any FilmSink, FilmSets) {
        if let writer, let sets { return (writer, sets) }
        let own = try own ?? ownSets()
        extradata = own
        let sets = try FilmSets(plan, own: own)
        self.sets = sets
        let video = plan.output.video.map {
            FilmVideoTrack(
                settings: $0, timing: plan.timing, frameCount: plan.frameCount, extradata: sets.header)
        }
        guard sounds.count == plan.output.sounds.count else {
            throw fault("the sound must be set before the first chunk")
        }
        let audio = zip(plan.output.sounds, sounds).map { program, sound in
            FilmAudioTrack(
                settings: program.settings, segmentPath: sound.path, record: sound.record, tags: program.tags)
        }
        let made = try filmSink(
            path: path, output: plan.output, video: video, audio: audio, stored: stored, going: going)
        writer = made
        return (made, sets)
    }

    /// The parameter sets that the film's encoder will make; nil where nothing is rendered.
    private func ownSets() throws -> [UInt8]? {
        guard let settings = plan.output.video, let first = plan.firstRenderedChunk else { return nil }
        return try parameterSets(of: settings, frameDuration: plan.frameDuration, rate: first.rate)
    }

    private func fault(_ reason: String) -> SplitreelError {
        SplitreelError(.internalFault, operation: "stitching", subject: path, reason: reason)
    }
}
