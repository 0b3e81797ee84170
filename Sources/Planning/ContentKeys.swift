import Foundation
package import Hashing
import JSONText
import MediaFacts
import MediaTime
import Outputs
import SplitreelTimeline

/// The content keys of all tasks of a plan, in the order of `RenderPlan.part(ofTask:)`. Each is a SHA-256 over all that
/// decides the bytes of the task's segments: the versions of the renderer and of the libraries, the settings, and the
/// recipe of the frames or of the sound, in which what is known of a source's content stands for its name.
///
/// A frame's place in the film is in no key of its own, so that a chunk that only moves keeps its key. The sound, the
/// parts of it and the chunks of a film of two passes follow from all of the film, and so do their keys.
///
/// - Parameters:
///   - canvases: the planning of each of the plan's outputs, in their order; those of one timeline share it.
///   - checkWanted: called before each frame; what it throws ends the work.
///
/// Cost: one recipe for each frame, and for each canvas where outputs have several.
package func contentKeys(
    of plan: RenderPlan, canvases: [CommonPlanning], checkWanted: () throws -> Void = {}
) throws -> [ContentKey] {
    try taskContents(of: plan, canvases: canvases, checkWanted: checkWanted).keys
}

/// The content keys of all tasks of a plan, see `contentKeys`, with the files that the keys stand for by facts of them
/// alone.
package func taskContents(
    of plan: RenderPlan, canvases: [CommonPlanning], checkWanted: () throws -> Void = {}
) throws -> TaskContents {
    let views = plan.outputs.indices.map(plan.view(ofOutput:))
    precondition(canvases.count == views.count, "Each output has its timeline.")
    var pictures: [Int: PictureKeys] = [:]
    for (index, view) in views.enumerated() where view.frameCount > 0 && pictures[index] == nil {
        let alike = views.indices.filter { views[$0].frameCount > 0 && canvases[$0] === canvases[index] }
        let keys = try pictureKeys(
            of: alike.map { views[$0] }, timeline: canvases[index].timeline, checkWanted: checkWanted)
        for (output, keys) in zip(alike, keys) { pictures[output] = keys }
    }
    let outputs = pictures.sorted { $0.key < $1.key }.map(\.value)
    var keys = plan.chunks.indices.map { chunk in ContentKey.set(outputs.map { $0.chunks[chunk] }) }
    let ofChunks = plan.chunks.indices.map { chunk in
        outputs.reduce(into: Set<String>()) { $0.formUnion($1.files[chunk]) }
    }
    let isTwoPass = plan.output.video?.isTwoPass == true
    // How many bits a chunk of two passes has follows from all chunks.
    let ofAll = ofChunks.reduce(into: Set<String>()) { $0.formUnion($1) }
    var files = isTwoPass ? ofChunks.map { _ in ofAll } : ofChunks
    if plan.sampleCount > 0 {
        // The plan's composition is the first picture's.
        let leading = canvases[views.firstIndex { $0.frameCount > 0 } ?? 0]
        let sound = try SoundKeys(plan, views, leading.timeline)
        keys.append(sound.whole)
        keys += (0..<plan.soundPartCount).map(sound.part)
        files += Array(repeating: sound.files, count: 1 + plan.soundPartCount)
    }
    if isTwoPass {
        keys += outputs.first?.analyses ?? []
        files += ofChunks
    }
    return TaskContents(keys: keys, files: files)
}

/// The content keys of one output's chunks, and of their analyses where it has two passes.
struct PictureKeys {
    var chunks: [ContentKey] = []
    var analyses: [ContentKey] = []
    /// The files that each chunk's frames are of.
    var files: [Set<String>] = []
}

/// The keys of plans of one output each that show the same frames in the same chunks, in other settings: each recipe is
/// made once.
func pictureKeys(
    of plans: [RenderPlan], timeline: Timeline, checkWanted: () throws -> Void = {}
) throws -> [PictureKeys] {
    guard let first = plans.first else { return [] }
    var writers = try plans.map(PictureKeyWriter.init)
    let sources = KeySources(first, reductions: timeline.stillReductions)
    let timing = first.timing
    var files: [Set<String>] = []
    var bytes = KeyBytes()
    for (place, chunk) in first.chunks.enumerated() {
        bytes.removeAll()
        bytes.append(ifAny: timing.clock(of: chunk.frames)) { bytes, clock in
            bytes.append(clock.timescale)
            bytes.append(clock.pace)
            bytes.append(each: clock.ticks) { $0.append($1) }
        }
        bytes.append(chunk.frames.count)
        bytes.append(ifAny: chunk.copied) { bytes, span in
            let source = SourceFrame(track: 0, asset: span.asset, assetTrack: span.track, time: .zero)
            bytes.append(.source(source), sources)
            bytes.append(span.firstPacket)
            bytes.append(first.copiedSets?[span.sets].hash ?? "")
        }
        // A chunk may be the whole film: its bytes are summed frame by frame.
        var sum = SHA256Sum()
        for frame in chunk.copied == nil ? chunk.frames : 0..<0 {
            try checkWanted()
            bytes.append(timeline.recipe(at: first.compositionTime(ofFrame: frame)), sources)
            sum.update(bytes.bytes)
            bytes.removeAll()
        }
        files.append(bytes.takeFiles())
        var frames = KeyBytes()
        frames.append(ContentKey(of: sum).text)
        for index in writers.indices { try writers[index].add(frames, chunk: place) }
    }
    return writers.map { writer in
        var keys = writer.keys
        keys.files = files
        return keys
    }
}

/// Makes the keys of one output's chunks, of the bytes of their frames.
private struct PictureKeyWriter {
    private let plan: RenderPlan
    private let video: VideoSettings?
    private let settings: Data
    /// The settings with which the first of two passes encodes; nil for one pass.
    private let measured: Data?
    private var own: [ContentKey] = []
    private var analyses: [ContentKey] = []

    init(_ plan: RenderPlan) throws {
        self.plan = plan
        var video = plan.output.video
        // It says when packets are decoded. Of the ones that are encoded it may only say that they have no B-frames.
        var alone = video
        alone?.copiedReorderDepth = nil
        if alone?.bFrames == video?.bFrames { video = alone }
        self.video = video
        settings = try canonicalJSON(video)
        measured = try plan.output.video.flatMap { video in
            try video.analysisFactors.map { try canonicalJSON($0.map(video.constant)) }
        }
    }

    /// Takes the sum of the next chunk's frames, with their clock.
    mutating func add(_ frames: KeyBytes, chunk place: Int) throws {
        let chunk = plan.chunks[place]
        let settings =
            try chunk.encoderThreads == nil ? settings : canonicalJSON(video?.having(threads: chunk.encoderThreads))
        func key(_ tag: KeyBytes.Tag, _ settings: Data, poster: Int?) -> ContentKey {
            var head = KeyBytes(tag, plan)
            head.append(raw: settings)
            head.append(plan.frameDuration)
            head.append(ifAny: chunk.keyFrames) { bytes, frames in bytes.append(each: frames) { $0.append($1) } }
            head.append(ifAny: chunk.rate) { bytes, limit in
                bytes.append(limit.rate)
                bytes.append(limit.buffer)
            }
            head.append(ifAny: poster) { $0.append($1) }
            return head.key(followedBy: frames)
        }
        let poster = plan.output.posterFrame.flatMap { chunk.frames.contains($0) ? $0 - chunk.firstFrame : nil }
        own.append(key(.chunk, settings, poster: poster))
        if let measured { analyses.append(key(.analysis, measured, poster: nil)) }
    }

    var keys: PictureKeys {
        guard plan.output.video?.isTwoPass == true else { return PictureKeys(chunks: own) }
        // How many bits a chunk has follows from the analyses of all of them and from the film's length.
        var film = KeyBytes()
        film.append(each: analyses) { $0.append($1.text) }
        film.append(plan.filmDuration)
        let chunks = own.enumerated().map { place, key in
            var head = KeyBytes(.allottedChunk, plan)
            head.append(key.text)
            head.append(place)
            return head.key(followedBy: film)
        }
        return PictureKeys(chunks: chunks, analyses: analyses)
    }
}

/// Makes the keys of a plan's sound and of its parts.
private struct SoundKeys {
    private let plan: RenderPlan
    private let recipe: KeyBytes
    /// The files that the sound is of.
    let files: Set<String>

    init(_ plan: RenderPlan, _ views: [RenderPlan], _ timeline: Timeline) throws {
        self.plan = plan
        let streams = try views.flatMap { view in
            try view.output.sounds.map { sound in
                (settings: try canonicalJSON(sound.settings), tracks: sound.tracks, sampleCount: view.sampleCount)
            }
        }
        var recipe = KeyBytes()
        recipe.append(each: streams) { bytes, stream in
            bytes.append(raw: stream.settings)
            bytes.append(ifAny: stream.tracks) { bytes, tracks in bytes.append(each: tracks) { $0.append($1) } }
            bytes.append(stream.sampleCount)
        }
        recipe.append(plan.range.start)
        recipe.append(plan.leadDuration)
        recipe.append(soundOf: timeline, KeySources(plan, reductions: [:]))
        files = recipe.takeFiles()
        self.recipe = recipe
    }

    /// The key of the whole sound. Parts begin where all rates meet; where they hardly ever do, the cuts show in the
    /// samples, and so they count.
    var whole: ContentKey {
        if let copied = plan.copiedSound {
            var head = KeyBytes(.copiedSound, plan)
            for number in [copied.track, copied.packets.firstPacket, copied.packets.count, copied.packets.priming] {
                head.append(number)
            }
            head.append(raw: copied.packets.header)
            return head.key(followedBy: recipe)
        }
        var head = KeyBytes(.sound, plan)
        head.append(each: plan.soundCuts ?? []) { $0.append($1) }
        return head.key(followedBy: recipe)
    }

    func part(_ index: Int) -> ContentKey {
        let cuts = plan.soundCuts ?? []
        var head = KeyBytes(.soundPart, plan)
        head.append(index > 0 ? cuts[index - 1] : 0)
        head.append(ifAny: index < cuts.count ? cuts[index] : nil) { $0.append($1) }
        return head.key(followedBy: recipe)
    }
}

extension KeyBytes {
    /// The number of the form that keys' bytes have; another form makes other keys.
    private static let form = 2

    /// The beginning of the bytes of a task's key: its kind, and the versions of all that makes its segments.
    fileprivate init(_ task: Tag, _ plan: RenderPlan) {
        append("splitreel task \(Self.form)")
        append(tag: task)
        append(plan.rendererVersion)
        append(ifAny: plan.versions) { bytes, versions in bytes.append(each: versions) { $0.append($1) } }
    }

    fileprivate func key(followedBy rest: KeyBytes) -> ContentKey {
        var sum = SHA256Sum()
        sum.update(bytes)
        sum.update(rest.bytes)
        return ContentKey(of: sum)
    }
}

extension ContentKey {
    /// The key of a task that makes a file for each of these, in their order; of one file it is the file's own.
    fileprivate static func set(_ keys: [ContentKey]) -> ContentKey {
        if keys.count == 1 { return keys[0] }
        var bytes = KeyBytes()
        bytes.append(tag: .segmentSet)
        bytes.append(each: keys) { $0.append($1.text) }
        return ContentKey(of: bytes.bytes)
    }
}
