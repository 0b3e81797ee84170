import Compositing
import Composition
import Diagnostics
import Media
import MediaTime
import Planning

/// The open sources of one render: a reader per (composition track, asset, track of it), so that two layers of one
/// file do not make each other seek; one for a still, whoever shows it. Confined to the decoding thread.
final class SourcePool {
    private struct Key: Hashable, Comparable {
        /// 0 for a still.
        var track: Int
        var asset: String
        var assetTrack: Int

        static func < (left: Key, right: Key) -> Bool {
            (left.track, left.asset, left.assetTrack) < (right.track, right.asset, right.assetTrack)
        }
    }

    private struct Entry {
        var reader: VideoReader
        /// About what the decoder holds.
        var bytes: Int
        var last: SourcePicture?
        var lastUse: Int
    }

    /// What readers that the current frame does not use may hold, in bytes; the longest unused are closed first.
    private static let idleBytes = 96 << 20

    /// Readers that are open at once, however many tracks one frame shows.
    private static let mostReaders = 128

    /// What shows the same picture, whichever track asks.
    private struct Shown: Hashable {
        var asset: String
        var assetTrack: Int
        var sourceTime: Rational
    }

    private let assets: [String: AssetFacts]
    private let settings: VideoSettings
    private let timeline: Timeline
    private var entries: [Key: Entry] = [:]
    private var generators: [String: SourcePicture] = [:]
    private let files: WatchedSources
    private var clock = 0
    /// Of readers that are closed by now.
    private var notices = NoticeList()

    init(
        assets: [String: AssetFacts], settings: VideoSettings, timeline: Timeline,
        files: WatchedSources = WatchedSources()
    ) {
        self.files = files
        self.assets = assets
        self.settings = settings
        self.timeline = timeline
    }

    /// What a person should know of the pictures handed out since the last call, of closed sources too.
    func takeNotices() -> NoticeList {
        for entry in entries.sorted(by: { $0.key < $1.key }) { notices.add(entry.value.reader.takeNotices()) }
        defer { notices = NoticeList() }
        return notices
    }

    /// The pictures of one frame, bottom first; a layer whose source shows nothing yet is left out.
    func job(index: Int, recipe: FrameRecipe) throws -> FrameJob {
        clock += 1
        var layers: [(recipe: LayerRecipe, picture: SourcePicture)] = []
        layers.reserveCapacity(recipe.layers.count)
        var shown: [Shown: SourcePicture?] = [:]
        for layer in recipe.layers {
            let key = Shown(asset: layer.asset, assetTrack: layer.assetTrack, sourceTime: layer.sourceTime)
            let picture = try shown[key] ?? picture(for: layer)
            shown[key] = .some(picture)
            guard let picture else { continue }
            layers.append((layer, picture))
        }
        closeUnused()
        return FrameJob(index: index, background: recipe.background, layers: layers, clip: recipe.clip)
    }

    private func picture(for layer: LayerRecipe) throws -> SourcePicture? {
        guard let facts = assets[layer.asset] else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: layer.asset, reason: "the plan lacks this asset")
        }
        if facts.kind == .color { return try generator(layer.asset) }
        let key = Key(
            track: facts.kind == .image ? 0 : layer.track, asset: layer.asset, assetTrack: layer.assetTrack)
        if entries[key] == nil, entries.count >= Self.mostReaders { closeOldest() }
        var entry = try entries[key] ?? open(facts, track: layer.assetTrack)
        entry.lastUse = clock
        let picture = try held(by: entry, layer: layer, facts: facts)
        entry.last = picture ?? entry.last
        entries[key] = entry
        return picture
    }

    private func held(by entry: Entry, layer: LayerRecipe, facts: AssetFacts) throws -> SourcePicture? {
        let matrix = settings.colour.matrix
        let pixelAspect = facts.track(layer.assetTrack)?.video.map(\.pixelAspect) ?? 1
        let result: SourcePicture?? = try entry.reader.withFrame(at: layer.sourceTime, matrixForRGB: matrix) {
            frame, presentation in
            let identity = SourcePicture.Identity(
                asset: layer.asset, assetTrack: layer.assetTrack, presentation: presentation)
            if let last = entry.last, last.identity == identity { return last }
            return SourcePicture(frame: try frame.reference(), identity: identity, pixelAspect: pixelAspect)
        }
        return result ?? nil
    }

    private func open(_ facts: AssetFacts, track: Int) throws -> Entry {
        try files.open(facts)
        let reader = try VideoReader(path: facts.path, track: track)
        let video = facts.track(track)?.video
        let bytes = facts.kind == .image ? video?.pictureBytes : video?.decoderBytes
        return Entry(reader: reader, bytes: bytes ?? 0, last: nil, lastUse: clock)
    }

    /// A colour generator is an opaque frame in the output's own format; its alpha is in the layer's opacity.
    private func generator(_ asset: String) throws -> SourcePicture {
        if let made = generators[asset] { return made }
        guard let colour = timeline.colourOfGenerator(asset), let size = timeline.sizeOfGenerator(asset) else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: asset, reason: "a generator without a colour")
        }
        let frame = try Frame.make(format: settings.format.opaque, size: size, colour: settings.colour)
        var compositor = Compositor(size: size, encoding: settings.canvasEncoding, hasAlpha: false)
        frame.withImage { image in compositor.compose(background: colour, layers: [], into: image) }
        let identity = SourcePicture.Identity(asset: asset, assetTrack: 1, presentation: .zero)
        let picture = SourcePicture(frame: frame, identity: identity, pixelAspect: 1)
        generators[asset] = picture
        return picture
    }

    /// Before something else needs memory: large stills go, also those of the last frame.
    func closeLargeStills() {
        for (key, entry) in entries where entry.bytes > Self.idleBytes && assets[key.asset]?.kind == .image {
            close(key)
        }
    }

    /// Its picture stays with the job that shows it.
    private func closeOldest() {
        if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) { close(oldest.key) }
    }

    private func closeUnused() {
        let idle = entries.filter { $0.value.lastUse < clock }.sorted { $0.value.lastUse > $1.value.lastUse }
        var bytes = 0
        for (key, entry) in idle {
            bytes += entry.bytes
            if bytes > Self.idleBytes { close(key) }
        }
    }

    private func close(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { notices.add(entry.reader.takeNotices()) }
    }
}

extension VideoFacts {
    /// A decoder keeps reference frames and frames that wait for their turn: some twelve, of 4:2:0 as a rule.
    fileprivate var decoderBytes: Int { 12 * codedSize.width * codedSize.height * 3 / 2 * (bitDepth > 8 ? 2 : 1) }

    /// At most: four planes, as alpha has.
    fileprivate var pictureBytes: Int { 4 * codedSize.width * codedSize.height * (bitDepth > 8 ? 2 : 1) }

    fileprivate var pixelAspect: Double { Double(pixelAspectNumerator) / Double(pixelAspectDenominator) }
}
