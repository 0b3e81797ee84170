import Diagnostics
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import SplitreelFiles
import SplitreelProject
import SplitreelTimeline

/// The open sources of one render: a reader per (composition track, asset, track of it), so that two layers of one
/// file do not make each other seek; one for a still, whoever shows it. Confined to the decoding thread.
final class SourcePool: FrameProvider {
    private struct Key: Hashable, Comparable {
        /// The composition's track; 0 for a still.
        var track: Int
        var asset: String
        var assetTrack: Int
        /// The index of the file among the asset's.
        var part: Int
        /// The factor by which a still is reduced; canvases of several sizes may each want another one.
        var reduction: Int

        init(track: Int, asset: String, assetTrack: Int, part: Int, reduction: Int) {
            (self.track, self.asset, self.assetTrack) = (track, asset, assetTrack)
            (self.part, self.reduction) = (part, reduction)
        }

        /// A film's.
        init(_ source: SourceFrame, _ part: AssetPart) {
            self.init(
                track: source.track, asset: source.asset, assetTrack: source.assetTrack, part: part.index, reduction: 1)
        }

        static func < (left: Key, right: Key) -> Bool {
            (left.track, left.asset, left.assetTrack, left.part, left.reduction)
                < (right.track, right.asset, right.assetTrack, right.part, right.reduction)
        }
    }

    private struct Entry {
        var source: any MediaSource
        var reader: VideoReader
        var isStill: Bool
        /// The bytes that the decoder holds, about.
        var bytes: Int
        var last: (picture: Picture, presentation: Rational)?
        var lastUse: Int
        /// The pictures for which the frame in hand and the one before it asked, by the time: effects that look behind
        /// ask again.
        var recent: [Rational: (held: (picture: Picture, presentation: Rational), lastUse: Int)] = [:]
    }

    /// The most bytes of films that the current frame does not use; the longest unused are closed first. Two of
    /// 3840×2160 fit, or one in 10 bits beside the one that is used.
    private static let idleFilmBytes = 200 << 20
    /// The most bytes of stills that the current frame does not use.
    private static let idleStillBytes = 96 << 20

    /// The most readers that are open at once, however many tracks one frame shows.
    private static let mostReaders = 128

    private let assets: [String: AssetFacts]
    /// The film's colour, for sources in R'G'B'.
    private let colour: ColourTriple
    /// The factors by which stills are reduced, by their names in recipes; see `Timeline.stillReductions`.
    private var reductions: [String: Int]
    /// The number of frames that have been asked of readers, which decode what they do not hold.
    private(set) var readCount = 0
    private var entries: [Key: Entry] = [:]
    /// The files of data assets by their names, kept as long as the render lasts.
    private var data: [String: DataFile] = [:]
    private let files: WatchedSources
    /// The times that readers will be asked for and that their sources were not told yet.
    private var expected: [Key: ExpectedTimes] = [:]
    private var clock = 0
    private let together = DecodingTogether()
    /// The errors of readers that decoded beside others, until their pictures are asked for.
    private var failures: [Key: any Error] = [:]
    /// The notices of readers that are closed by now.
    private var notices = NoticeList()
    /// The changes of films' sizes or formats that were told: path, track and change.
    private var remarkedChanges: Set<[String]> = []

    init(
        assets: [String: AssetFacts], colour: ColourTriple, reductions: [String: Int],
        files: WatchedSources = WatchedSources()
    ) {
        self.files = files
        self.reductions = reductions
        self.assets = assets
        self.colour = colour
    }

    /// Takes the notices on the pictures handed out since the last call, of closed sources too.
    func takeNotices() -> NoticeList {
        for entry in entries.sorted(by: { $0.key < $1.key }) { notices.add(entry.value.reader.takeNotices()) }
        defer { (notices, remarkedChanges) = (NoticeList(), []) }
        return notices
    }

    /// The job of one frame, with all that it is made from.
    func job(_ recipe: PictureGroup) throws -> FrameJob { try jobs([(recipe, reductions)])[0] }

    /// The jobs of several canvases' pictures of one frame, each with its stills' reductions; a source's frame that
    /// several of them show is asked of its reader once.
    func jobs(_ recipes: [(recipe: PictureGroup, reductions: [String: Int])]) throws -> [FrameJob] {
        clock += 1
        var seen: [SourceFrame] = []
        for (recipe, _) in recipes {
            _ = recipe.resolvedWhereSeen { source in
                seen.append(source)
                return .source(source)
            }
        }
        try decodeTogether(seen)
        let jobs = try recipes.map { recipe, reductions in
            self.reductions = reductions
            return try FrameJob(recipe, from: self)
        }
        closeUnused()
        return jobs
    }

    /// The facts of a source's file; throws a fault of the program where the plan lacks them.
    private func facts(of source: SourceFrame) throws -> AssetFacts {
        if let facts = assets[source.asset] { return facts }
        throw SplitreelError(
            .internalFault, operation: "rendering", subject: source.asset, reason: "the plan lacks this asset")
    }

    func span(for source: SourceFrame) throws -> FrameSpan? {
        let facts = try facts(of: source)
        if let span = facts.spanInSequence(at: source.time) { return span }
        let part = facts.part(ofTrack: source.assetTrack, at: source.time)
        guard part.file.kind != .image else { return nil }
        let opened = try entry(for: source, part, facts)
        entries[opened.key] = opened.entry
        return opened.entry.reader.span(at: part.time)
    }

    /// The reader of a source's part, opened where it is not, and used by the frame in hand.
    private func entry(
        for source: SourceFrame, _ part: AssetPart, _ facts: AssetFacts
    ) throws -> (key: Key, entry: Entry) {
        let isStill = part.file.kind == .image
        let reduction = isStill && !part.isProxy ? reductions[source.asset] ?? 1 : 1
        let key = Key(
            track: isStill ? 0 : source.track, asset: source.asset, assetTrack: source.assetTrack, part: part.index,
            reduction: reduction)
        if entries[key] == nil, entries.count >= Self.mostReaders { closeOldest() }
        // A sequence's files are as its first one.
        let own = facts.track(source.assetTrack)?.video
        var entry = try entries[key] ?? open(part, part.file.track(part.track)?.video ?? own, of: own, reduction)
        entry.lastUse = clock
        if let times = expected.removeValue(forKey: key) {
            entry.source.expect(times.spans.flatMap { entry.reader.packetPlaces(from: $0.first, through: $0.last) })
        }
        return (key, entry)
    }

    /// Lets the readers of several films decode at a time what the frame in hand shows of them. Films that are not
    /// open, or shown at several times, wait until they are asked.
    private func decodeTogether(_ sources: [SourceFrame]) throws {
        failures = [:]
        var places: [Key: SourceFrame] = [:]
        var several: Set<Key> = []
        for source in sources where source.blending == nil {
            guard let facts = assets[source.asset],
                case let part = facts.part(ofTrack: source.assetTrack, at: source.time), part.file.kind != .image,
                case let key = Key(source, part), let entry = entries[key], entry.recent[part.time] == nil
            else { continue }
            if let known = places.updateValue(source, forKey: key), known.time != source.time { several.insert(key) }
        }
        places = places.filter { !several.contains($0.key) }
        guard places.count > 1 else { return }
        let readers = try places.sorted { $0.key < $1.key }.map { key, source in
            let facts = try facts(of: source)
            let part = facts.part(ofTrack: source.assetTrack, at: source.time)
            let opened = try entry(for: source, part, facts)
            entries[key] = opened.entry
            return (key: key, work: DecodingTogether.Work(reader: opened.entry.reader, time: part.time))
        }
        let errors = together.run(readers.map(\.work), matrixForRGB: colour.matrix)
        for (place, error) in errors { failures[readers[place].key] = error }
    }

    func frame(for source: SourceFrame) throws -> (picture: Picture, presentation: Rational)? {
        let facts = try facts(of: source)
        let part = facts.part(ofTrack: source.assetTrack, at: source.time)
        let opened = try entry(for: source, part, facts)
        let key = opened.key
        if let failure = failures[key] { throw failure }
        let reduction = key.reduction
        var entry = opened.entry
        let own = facts.track(source.assetTrack)?.video
        let video = part.file.track(part.track)?.video ?? own
        if let known = entry.recent[part.time] {
            entry.recent[part.time] = (known.held, clock)
            entries[key] = entry
            return (known.held.picture, part.presentation ?? known.held.presentation)
        }
        readCount += 1
        let held = try entry.reader.withFrame(at: part.time, matrixForRGB: colour.matrix) { frame, presentation in
            let shown = part.presentation ?? presentation
            if let last = entry.last, last.presentation == shown { return last }
            if part.presentation != nil { try checkSize(frame, part.file, video) }
            let picture = Picture(
                try frame.reference(), pixelAspect: video?.pixelAspect ?? 1,
                standsIn: reduction > 1
                    ? .scale(Double(reduction), Double(reduction))
                    : standIn(for: own, frame, part.file, video, hasOwnAspect: entry.reader.framesTellAspect),
                peak: (video?.hdrMetadata ?? own?.hdrMetadata)?.peak, profile: entry.reader.profile,
                reduction: reduction, original: reduction > 1 ? video?.codedSize : nil)
            return (picture: picture, presentation: shown)
        }
        if let held, held.presentation != entry.last?.presentation {
            if !entry.reader.framesTellAspect || !remarkAspect(held, part.file, part.track) {
                remarkSize(held, part.file, part.track)
            }
            remarkFormat(held, after: entry.last?.picture, part.file, part.track)
        }
        entry.last = held ?? entry.last
        if let held { entry.recent[part.time] = (held, clock) }
        entries[key] = entry
        return held
    }

    /// Takes in which frames will be asked for, so that a source from afar has their bytes in time.
    func expect(_ frames: [SourceFrame]) {
        expected = [:]
        for frame in frames {
            guard let facts = assets[frame.asset] else { continue }
            let part = facts.part(ofTrack: frame.assetTrack, at: frame.time)
            guard part.file.kind != .image else { continue }
            expected[Key(frame, part), default: ExpectedTimes()].add(part.time)
        }
    }

    func file(for asset: String) throws -> DataFile {
        if let known = data[asset] { return known }
        guard let facts = assets[asset], facts.kind == .data else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: asset, reason: "the plan lacks this data asset")
        }
        let file = try files.read(facts)
        guard data.values.reduce(file.bytes.count, { $0 + $1.bytes.count }) <= DataFile.mostBytesOfAll else {
            throw SplitreelError(
                .mediaOverLimits, operation: "reading", subject: facts.path,
                reason: "the LUTs and other data of the film have more than \(DataFile.mostBytesOfAll >> 20) MiB")
        }
        data[asset] = file
        return file
    }

    /// The map from the frame's display pixels to those of the picture that the composition places: of the original
    /// where a proxy is shown, and of the film's first frame where its size or its shape changes midway. nil where they
    /// are the same.
    private func standIn(
        for original: VideoFacts?, _ frame: borrowing Frame, _ file: AssetFacts, _ video: VideoFacts?,
        hasOwnAspect: Bool
    ) -> Affine? {
        let proxy = original.flatMap { video?.map(to: $0) }
        guard file.kind == .media, let video, video.codedSize.width > 0, video.codedSize.height > 0, frame.width > 0,
            frame.height > 0
        else { return proxy }
        let changed = FrameShape(frame, hasOwnAspect: hasOwnAspect, in: video).map
        return changed.map { changed in proxy.map { changed.then($0) } ?? changed } ?? proxy
    }

    /// Tells that a film's pixel aspect changes midway, and with it the picture's shape; false where it does not.
    private func remarkAspect(
        _ held: (picture: Picture, presentation: Rational), _ facts: AssetFacts, _ track: Int
    ) -> Bool {
        guard facts.kind == .media, let video = facts.track(track)?.video else { return false }
        let shape = FrameShape(held.picture.frame, hasOwnAspect: true, in: video)
        guard shape.isAnother else { return false }
        let (now, first) = (shape.words, FrameShape(video).words)
        guard remarkedChanges.insert([facts.path, "\(track)", now]).inserted else { return true }
        notices.add(
            Notice(
                .sourceRemark, subject: "\(facts.path), track \(track)",
                reason: "the picture's shape changes to \(now); it is fitted into the first one, \(first)",
                firstSeconds: held.presentation.double))
        return true
    }

    /// Tells that a film's size changes midway.
    private func remarkSize(
        _ held: (picture: Picture, presentation: Rational), _ facts: AssetFacts, _ track: Int
    ) {
        guard facts.kind == .media, let first = facts.track(track)?.video?.codedSize else { return }
        let size = PixelSize(width: held.picture.frame.width, height: held.picture.frame.height)
        guard size != first, remarkedChanges.insert([facts.path, "\(track)", "\(size)"]).inserted else { return }
        notices.add(
            Notice(
                .sourceRemark, subject: "\(facts.path), track \(track)",
                reason: "the picture's size changes to \(size.width)×\(size.height); it is scaled to the first one, "
                    + "\(first.width)×\(first.height)", firstSeconds: held.presentation.double))
    }

    /// Tells that the samples' layout or depth changes midway: each frame is converted by its own.
    private func remarkFormat(
        _ held: (picture: Picture, presentation: Rational), after last: Picture?, _ facts: AssetFacts, _ track: Int
    ) {
        guard facts.kind == .media, let before = last?.frame.pixelFormatName else { return }
        let format = held.picture.frame.pixelFormatName
        let key = [facts.path, "\(track)", [before, format].sorted().joined(separator: " ")]
        guard format != before, remarkedChanges.insert(key).inserted else { return }
        notices.add(
            Notice(
                .sourceRemark, subject: "\(facts.path), track \(track)",
                reason: "the samples' format changes from \(before) to \(format); each frame is shown by its own",
                firstSeconds: held.presentation.double))
    }

    /// Opens a part; `own` is the asset's picture, whatever file stands for it.
    private func open(
        _ part: AssetPart, _ video: VideoFacts?, of own: VideoFacts?, _ reduction: Int
    ) throws -> Entry {
        let source = try files.open(part.file, for: .pictures)
        if part.file.kind == .image { source.expect([0..<source.byteCount]) }
        let deinterlacing = part.file.track(part.track).flatMap { part.file.deinterlacing(of: $0) }
        let reader = try VideoReader(
            source, track: part.track, deinterlacing: deinterlacing,
            overrides: part.isProxy ? video?.overrides : own?.overrides,
            matrixOfUntagged: part.isProxy ? own?.matrixForProxy : nil,
            keepsHighlights: colour.transfer.isHDR, reduction: reduction)
        let isStill = part.file.kind == .image
        let isFilm = deinterlacing?.order == .pulldown
        let bytes =
            isStill
            ? video.map { $0.pictureBytes / (reduction * reduction) } : video?.decoderBytes(removesPulldown: isFilm)
        return Entry(source: source, reader: reader, isStill: isStill, bytes: bytes ?? 0, last: nil, lastUse: clock)
    }

    private func checkSize(_ frame: borrowing Frame, _ file: AssetFacts, _ video: VideoFacts?) throws {
        guard let size = video?.codedSize, size.width != frame.width || size.height != frame.height else { return }
        throw SplitreelError(
            .mediaUnsupported, operation: "reading a sequence", subject: file.path,
            reason: "its picture has \(frame.width)×\(frame.height) pixels, the sequence's first one "
                + "\(size.width)×\(size.height)", hint: "make all of one size")
    }

    /// Closes large stills, also those of the last frame, before something else needs memory.
    func closeLargeStills() {
        for (key, entry) in entries where entry.bytes > Self.idleStillBytes && entry.isStill { close(key) }
    }

    /// Closes the longest unused reader. Its picture stays with the job that shows it.
    private func closeOldest() {
        if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) { close(oldest.key) }
    }

    private func closeUnused() {
        for key in entries.keys {
            let used = entries[key]?.recent.filter { $0.value.lastUse == clock } ?? [:]
            entries[key]?.recent = used
        }
        let idle = entries.filter { $0.value.lastUse < clock }.sorted { $0.value.lastUse > $1.value.lastUse }
        var (filmBytes, stillBytes) = (0, 0)
        for (key, entry) in idle {
            if entry.isStill { stillBytes += entry.bytes } else { filmBytes += entry.bytes }
            if entry.isStill ? stillBytes > Self.idleStillBytes : filmBytes > Self.idleFilmBytes { close(key) }
        }
    }

    private func close(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { notices.add(entry.reader.takeNotices()) }
    }
}

extension VideoFacts {
    /// The map from a stand-in's display pixels to those of the picture that it stands for, each upright by its own
    /// rotation; nil where they are the same.
    fileprivate func map(to other: VideoFacts) -> Affine? {
        let (mine, theirs) = (upright, other.upright)
        guard
            codedSize != other.codedSize || preferredTransform != other.preferredTransform
                || pixelAspect != other.pixelAspect,
            mine.width > 0, mine.height > 0, let back = other.preferredTransform.inverse
        else { return nil }
        return preferredTransform.then(.scale(theirs.width / mine.width, theirs.height / mine.height)).then(back)
    }

    private var upright: DisplaySize {
        rotation % 180 == 0 ? displaySize : (displaySize.height, displaySize.width)
    }

    /// The width of a pixel over its height.
    var pixelAspect: Double { Double(pixelAspectNumerator) / Double(pixelAspectDenominator) }
}
