package import Diagnostics
import Foundation
import MediaFacts
import MediaReading
package import MediaTime
import Outputs
import Pictures
package import Planning
package import Preparation
package import Rendering
import SplitreelFiles
import SplitreelProject
import Stitching

/// A film held against the composition that it is said to be of: sampled frames beside those that workers would encode,
/// and the sound beside the mix.
package struct FilmAgainst {
    package let film: String
    package let composition: String
    /// The least ratio of signal to noise in decibels: frames that are worse fail.
    package let leastSignalToNoise: Double
    /// The seconds for which a frame is compared; nil for three frames of each chunk.
    package let step: Rational?
    package let range: (start: Rational, duration: Rational)?
    package let chunkSeconds: String?
    package let usesProxies: Bool
    /// The frames in front of the film, and their time; nil for those of its output.
    package let lead: (frameCount: Int, time: String?)?
    package let measuresVMAF: Bool
    /// The name by which the checks call a setting.
    private let name: (Setting) -> String

    package init(
        film: String, composition: String, leastSignalToNoise: Double, step: Rational?,
        range: (start: Rational, duration: Rational)?, chunkSeconds: String?, usesProxies: Bool,
        lead: (frameCount: Int, time: String?)?, measuresVMAF: Bool, calling name: @escaping (Setting) -> String
    ) {
        self.film = film
        self.composition = composition
        self.leastSignalToNoise = leastSignalToNoise
        self.step = step
        self.range = range
        self.chunkSeconds = chunkSeconds
        self.usesProxies = usesProxies
        self.lead = lead
        self.measuresVMAF = measuresVMAF
        self.name = name
    }

    /// The two sides of the comparison: the film, and the plan of the composition.
    package struct Sides {
        package let file: CompositionFile
        let facts: AssetFacts
        package let plan: RenderPlan
        /// The request that the plan was made by, but for the film's rate.
        package let request: OutputRequest

        /// The seconds that the film's sound is to last; nil where the composition has none.
        package var soundDuration: Rational? {
            plan.output.sounds.isEmpty ? nil : Rational(plan.sampleCount, plan.sampleRate)
        }
    }

    /// Reads both and renders nothing. `remarked` is called with the composition, when it is read and before it is
    /// planned.
    package func sides(remarked: (CompositionFile) throws -> Void) throws -> Sides {
        let facts = try probe(path: absoluteName(film))
        let file = try CompositionFile(path: composition)
        try remarked(file)
        do {
            var (plan, request) = try self.plan(for: facts, of: file)
            plan.chunks = try chunksAsRendered(plan, facts, file) ?? plan.chunks
            request.timing.frameRate = nil
            return Sides(file: file, facts: facts, plan: plan, request: request)
        } catch let error as SplitreelError {
            throw file.located(error)
        }
    }

    /// Renders the sampled frames and the mix, and compares them: blocks for as long as that takes. `warned` is called
    /// with what was told of the rendering. What is `made` already is not rendered.
    package func compare(
        _ sides: Sides, made: MadeElsewhere = MadeElsewhere(), cancellation: Cancellation, warned: (Notice) -> Void
    ) throws -> ComparisonDocument {
        let file = sides.file
        let facts = sides.facts
        let plan = sides.plan
        var document = ComparisonDocument(composition: file.path, leastSignalToNoise: leastSignalToNoise)
        // The container is nil where the name does not say it.
        let container = try? Container(forPath: film)
        if plan.output.video != nil, container?.holdsPictures == false {
            document.skips("picture", "\(container?.rawValue ?? "") holds sound alone")
        } else if plan.output.video != nil, let video = facts.firstTrack(of: .video) {
            for notice in try comparePicture(video, plan, facts, made.frames, cancellation, into: &document) {
                warned(notice)
            }
        } else if plan.output.video != nil {
            document.lacks("picture", "it has none")
        } else if facts.firstTrack(of: .video) != nil {
            document.lacks("picture", "the film has one, and the composition none")
        }
        let tracks = facts.tracks.filter { $0.type == .audio }
        switch (plan.output.sounds.count, tracks.count) {
        case let (planned, found) where planned == found:
            for (index, track) in tracks.enumerated() {
                let (sound, number) = (plan.view(ofSound: index), found > 1 ? index + 1 : nil)
                try compareSound(
                    track, sound, facts, number: number, made: made.sound, cancellation, into: &document)
            }
        case (0, _): document.lacks("sound", "the film has some, and the composition none")
        case (_, 0) where container?.holdsSound == false:
            document.skips("sound", "\(container?.rawValue ?? "") holds pictures alone")
        case (_, 0): document.lacks("sound", "the film has none, and the composition has")
        case let (planned, found):
            document.lacks("sound", "the film has \(found) sound tracks, and no output of the composition: \(planned)")
        }
        return document
    }

    /// The plan of a film as large, as fast and as deep as this one. Nothing is encoded by it.
    private func plan(
        for facts: AssetFacts, of file: CompositionFile
    ) throws -> (plan: RenderPlan, request: OutputRequest) {
        var request = OutputRequest(path: try absolutePath("comparison.mkv"))
        request.picture.codec = "ffv1"
        request.sound.codec = "flac"
        request.rendering.chunkSeconds = chunkSeconds
        request.rendering.proxy = usesProxies
        if let range {
            request.timing.rangeStart = range.start.mediaTime.description
            request.timing.rangeDuration = range.duration.mediaTime.description
        }
        let own = file.project.outputs?.first { $0.makes(facts.path) }
        request.canvas.pitch = own?.canvas.pitch
        if let lead {
            request.timing.coverFrames = lead.frameCount
            request.timing.posterTime = lead.time
        } else if let count = own?.coverFrames {
            request.timing.coverFrames = count
            request.timing.posterTime = own?.posterTime?.description
        }
        let video = facts.firstTrack(of: .video)
        if let video = video?.video {
            request.canvas.size = video.codedSize
            request.picture.pixelFormat = Self.format(of: video)
            if video.pixelAspectNumerator != video.pixelAspectDenominator {
                request.picture.pixelAspect = [video.pixelAspectNumerator, video.pixelAspectDenominator]
            }
        }
        if let audio = facts.tracks.first(where: { $0.type == .audio })?.audio {
            request.sound.sampleRate = audio.sampleRate
            let layout = layout(of: audio, asked: own?.audioSettings?.channelLayout)
            request.sound.channelLayout = layout?.rawValue
            if layout == nil { request.sound.channels = audio.channels }
            // FLAC holds no sound field.
            if layout?.isField == true { request.sound.codec = "pcm" }
        }
        request.soundTracks = soundTracks(of: facts, own, in: file.project)
        // This is an output that is to have no sound, or the picture of a stream, whose sound is another film's.
        if own?.audioSettings?.codec?.lowercased() == "none" || own?.isPictureOfStream(facts.path) == true {
            request.sound = SoundRequest()
            request.sound.codec = "none"
            request.soundTracks = nil
        }
        // A film of sound alone says nothing of the canvas, which may have any size.
        if video == nil { request.picture.pixelFormat = WorkingFormat.yuv444p.rawValue }
        let prepared = try preparePlan(project: file.project, request: request).toneMapped(for: video?.video)
        // A film of another rate was made so.
        guard let count = video?.count, count > 0, count != prepared.plan.frameCount else {
            return (prepared.plan, request)
        }
        let stated = video?.video?.nominalFrameRate.map { Rational($0) }
        let whole = prepared.plan.filmDuration
        // All of a film may have a rate that it does not state, whose last frame may outlive it; a part is shorter.
        let excess = (Rational(video?.duration ?? .zero) - whole) * Rational(count)
        let isWhole = excess < whole && excess + excess > Rational(-1) * whole
        let rates = [stated, isWhole ? Rational(count) / whole : nil].compactMap { $0 }
        let others = rates.filter { $0 != Rational(1) / Rational(prepared.plan.frameDuration) }.compactMap { rate in
            request.timing.frameRate = rate.description
            return try? preparePlan(project: file.project, request: request).toneMapped(for: video?.video).plan
        }
        return (others.first { $0.frameCount == count } ?? others.first ?? prepared.plan, request)
    }

    /// The chunks in which a render of the film's own output, or else of its name and codec, makes it: they have the
    /// same numbers there. nil where it would have other frames.
    private func chunksAsRendered(_ plan: RenderPlan, _ facts: AssetFacts, _ file: CompositionFile) throws -> [Chunk]? {
        var request = OutputRequest(path: try absoluteName(film))
        if let own = file.project.outputs?.enumerated().first(where: { $0.element.makes(facts.path) }) {
            request = request.filled(from: own.element, at: own.offset)
        }
        let video = facts.firstTrack(of: .video)
        if request.picture.codec == nil { request.picture.codec = video?.codec }
        request.canvas.size = video?.video?.codedSize
        request.rendering.chunkSeconds = chunkSeconds
        if let lead {
            request.timing.coverFrames = lead.frameCount
            request.timing.posterTime = lead.time
        }
        request.timing.frameRate = (Rational(1) / Rational(plan.frameDuration)).description
        if let range {
            request.timing.rangeStart = range.start.mediaTime.description
            request.timing.rangeDuration = range.duration.mediaTime.description
        }
        // A film of another program may be of a kind that none of ours is.
        let made = try? preparePlan(project: file.project, request: request).plan
        return made.flatMap { $0.frameCount == plan.frameCount ? $0.chunks : nil }
    }

    /// The sound tracks of the film's own output, else of the first one that has as many; nil for one sound.
    private func soundTracks(
        of facts: AssetFacts, _ own: OutputEntry?, in project: Project
    ) -> [SoundRequest]? {
        let sounds = facts.tracks.compactMap(\.audio)
        let entry = own ?? project.outputs?.first { $0.audioTracks?.count == sounds.count }
        return entry?.audioTracks.map { tracks in
            tracks.enumerated().map { index, track in
                var request = SoundRequest()
                request.name = track.name
                // A track that the film lacks is planned, and missed.
                guard sounds.indices.contains(index) else { return request }
                let layout = layout(of: sounds[index], asked: track.channelLayout)
                request.channelLayout = layout?.rawValue
                if layout == nil { request.channels = sounds[index].channels }
                request.codec = layout?.isField == true ? "pcm" : "flac"
                return request
            }
        }
    }

    /// The layout of the film's track, or that of its output where the film cannot tell it: a sound field's in PCM.
    private func layout(of audio: AudioFacts, asked name: String?) -> ChannelLayout? {
        let asked = name.flatMap { ChannelLayout(rawValue: $0.lowercased()) }
        if let asked, asked.isField, asked.channels == audio.channels { return asked }
        return ChannelLayout(rawValue: audio.layout)
    }

    /// The pixel format in which the frames are compared: as finely as the film has its colours.
    private static func format(of video: VideoFacts) -> String {
        let name = video.pixelFormat
        let isDeep = video.bitDepth > 8
        let kind = name.contains("420") || name == "nv12" ? "420" : name.contains("422") ? "422" : "444"
        return "yuv\(kind)p" + (isDeep ? "10le" : "")
    }

    private func comparePicture(
        _ video: TrackFacts, _ plan: RenderPlan, _ facts: AssetFacts, _ composed: ComposedFrames?,
        _ cancellation: Cancellation, into document: inout ComparisonDocument
    ) throws -> [Notice] {
        guard let count = video.count, count == plan.frameCount else {
            let detail: Phrase = """
                \(video.count ?? 0) frames, the composition has \(plan.frameCount) at this rate; of a part of it say \
                \(.range, "START,DURATION")
                """
            document.checks.append(
                .init(name: "picture against the composition", ok: false, detail: detail.words(name)))
            return []
        }
        var frames: [Int] = []
        for chunk in plan.chunks { frames += sampled(chunk, plan) }
        let comparison = try FilmComparison(
            film: facts.path, track: video.id, start: Rational(video.start), plan: plan, measuresVMAF: measuresVMAF,
            hasColourOfCanvas: video.video?.colour == nil && (try? Container(forPath: film))?.rawFrames != nil,
            composed: composed)
        let (found, notices) = try comparison.compare(frames, cancellation: cancellation)
        document.addPicture(found, plan, comparison.vmaf)
        return notices.notices
    }

    /// The frames of a chunk that are compared, evenly spread within it.
    private func sampled(_ chunk: Chunk, _ plan: RenderPlan) -> [Int] {
        let timing = plan.timing
        let seconds = timing.time(ofFrame: chunk.frames.upperBound) - timing.time(ofFrame: chunk.firstFrame)
        let wanted = step.map { max(1, (seconds / $0).rounded()) } ?? 3
        let count = min(wanted, chunk.frameCount)
        return (0..<count).map { chunk.firstFrame + (2 * $0 + 1) * chunk.frameCount / (2 * count) }
    }

    private func compareSound(
        _ audio: TrackFacts, _ plan: RenderPlan, _ facts: AssetFacts, number: Int?, made: SoundStream?,
        _ cancellation: Cancellation, into document: inout ComparisonDocument
    ) throws {
        let mix = try made ?? SoundStream(mixOf: plan)
        let length = Rational(mix.sampleCount + SoundComparison.reach, mix.sampleRate)
        // Both begin with the picture. AAC in Matroska comes late, and the picture with it, to the millisecond.
        let start = facts.firstTrack(of: .video).map { Rational($0.start) } ?? .zero
        var tolerance = SoundTolerance(samples: start == .zero ? 1 : 1 + mix.sampleRate / 1000, decibels: 1)
        tolerance.isExact = audio.isOfLosslessSound
        if !tolerance.isExact {
            // Coders treat sound that is low, high or beside something louder in their own way.
            (tolerance.decibels, tolerance.quiet) = (12, plan.output.audio?.channelLayout.lowFrequencies ?? [])
        }
        let sound = try SoundStream(of: facts, track: audio, start: start, duration: length)
        document.addSound(
            try Rendering.compareSound(of: sound, with: mix, tolerance: tolerance, cancellation: cancellation),
            number: number)
    }
}

extension FilmAgainst {
    /// The moments of the composition whose frames a comparison may look at, in order; empty where it looks at none.
    package func moments(of sides: Sides) -> [Rational] {
        let plan = sides.plan
        guard plan.output.video != nil, (try? Container(forPath: film))?.holdsPictures != false,
            sides.facts.firstTrack(of: .video)?.count == plan.frameCount
        else { return [] }
        var moments: Set<Rational> = []
        for frame in plan.chunks.flatMap({ sampled($0, plan) }) {
            // Those beside it tell whether it is out of place.
            for near in (frame - 1)...(frame + 1) where (0..<plan.frameCount).contains(near) {
                moments.insert(plan.compositionTime(ofFrame: near))
            }
        }
        return moments.sorted()
    }

    /// The number of sounds that a comparison listens to.
    package func soundCount(of sides: Sides) -> Int {
        let planned = sides.plan.output.sounds.count
        return sides.facts.tracks.count { $0.type == .audio } == planned ? planned : 0
    }
}

extension PreparedPlan {
    /// The plan for an SDR film, with frames in HDR tone mapped as a preset does it; unchanged for other films.
    fileprivate func toneMapped(for film: VideoFacts?) -> PreparedPlan {
        guard let film, film.colour?.transfer.isHDR != true, let own = plan.output.video, own.colour.transfer.isHDR
        else { return self }
        var prepared = self
        prepared.plan.output.video?.composedIn = CanvasPixels(colour: own.colour, format: own.format.deep)
        prepared.plan.output.video?.colour = film.colour ?? .bt709
        return prepared
    }
}

extension OutputEntry {
    /// Whether the file at that absolute path is the output, or a film of the stream that it is.
    fileprivate func makes(_ path: String) -> Bool {
        guard let own = try? absoluteName(url ?? "") else { return false }
        return own == path || isPictureOfStream(path) || path == stem + "-sound.m4a" && isStream
    }

    /// Whether the file is a picture of the output's stream, as `OutputRequest.streamed` names them.
    fileprivate func isPictureOfStream(_ path: String) -> Bool {
        guard isStream, path.hasPrefix(stem + "-"), path.hasSuffix(".mp4") else { return false }
        return Int(path.dropFirst(stem.count + 1).dropLast(4)) != nil
    }

    private var isStream: Bool { ["m3u8", "mpd"].contains((url ?? "").split(separator: ".").last?.lowercased()) }

    /// The output's absolute path without the ending.
    private var stem: String { ((try? absoluteName(url ?? "")) ?? "").withoutEnding }
}

extension String {
    fileprivate var withoutEnding: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? self }
}

extension TrackFacts {
    fileprivate var isOfLosslessSound: Bool { codec == "flac" || codec == "alac" || codec.hasPrefix("pcm_s") }
}

extension ChannelLayout {
    /// The positions of the channels that are for the lowest frequencies alone.
    fileprivate var lowFrequencies: Set<Int> { Set(speakers.indices.filter { speakers[$0] == .lowFrequency }) }
}
