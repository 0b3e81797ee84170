package import Diagnostics
package import MediaFacts
package import MediaTime
package import Pictures
package import SplitreelProject

/// A valid project together with its files' facts: the defaults that come from the sources.
package struct SourceLookup {
    package let project: Project
    package let facts: [String: AssetFacts]
    /// The prefix of assets' names in recipes.
    var prefix = ""
    /// The nested compositions by their names in recipes.
    var nested: [String: Timeline] = [:]

    package init(project: Project, facts: [String: AssetFacts], prefix: String = "", nested: [String: Timeline] = [:]) {
        self.project = project
        self.facts = facts
        self.prefix = prefix
        self.nested = nested
    }

    /// Throws where an enabled track plays, or a layer of the animation shows, a file without facts.
    package func checkComplete() throws(SplitreelError) {
        let played = project.renderedTracks.flatMap { $0.track.segments.compactMap(\.asset) }
        for name in played + project.animatedAssets.sorted() + project.tapAssets.sorted()
        where facts[name] == nil && !project.kind(of: name, facts: facts).isGenerator {
            throw SplitreelError(
                .mediaNotFound, operation: "resolving the composition", subject: "asset \(name)",
                reason: "nothing is known of its file")
        }
    }

    /// The enabled video tracks that have segments, in file order.
    package func videoTracks(canvas: PixelSize) -> [VideoTrackPlan] {
        let joins = Dictionary(grouping: project.segmentJoins, by: \.place.track)
        return project.renderedTracks.compactMap { index, track in
            guard track.type == .video, !track.segments.isEmpty else { return nil }
            var plan = VideoTrackPlan(
                id: track.id,
                segments: track.segments.compactMap { self.segment($0, in: track, canvas: canvas) })
            plan.joins = (joins[index] ?? []).compactMap { self.join($0, in: track, canvas: canvas) }
            return plan
        }
    }

    private func segment(_ segment: TrackSegment, in track: Track, canvas: PixelSize) -> VideoTrackPlan.Segment? {
        segment.target.exact.map { target in
            VideoTrackPlan.Segment(
                targetStart: target.start, targetEnd: target.end,
                media: media(of: segment, in: track, target: target, canvas: canvas))
        }
    }

    private func join(_ join: SegmentJoin, in track: Track, canvas: PixelSize) -> VideoTrackPlan.Join? {
        let incoming = track.segments[join.place.segment]
        // Transitions look at no other frames.
        guard let choice = incoming.transition?.choice,
            let effect = EffectPlan(
                choice, at: "composition.tracks[\(join.place.track)].segments[\(join.place.segment)].transition",
                range: (join.start, join.end), media: { self.media(named: $0, canvas: canvas) },
                prefix: prefix, frame: .zero),
            effect.description.kind == .transition, var to = segment(incoming, in: track, canvas: canvas)
        else { return nil }
        to.targetStart = min(to.targetStart, join.start)
        var from: VideoTrackPlan?
        var other: Int?
        var toTrack = track.id
        switch join.origin {
        case .nothing: break
        case .cut:
            guard var outgoing = segment(track.segments[join.place.segment - 1], in: track, canvas: canvas) else {
                return nil
            }
            outgoing.targetEnd = max(outgoing.targetEnd, join.end)
            from = VideoTrackPlan(id: track.id, segments: [outgoing])
            // Two places of one file are read apart.
            if outgoing.media?.asset == to.media?.asset { toTrack = -track.id }
        case .overlap(let place):
            let leaving = project.composition.tracks[place.track]
            guard let outgoing = segment(leaving.segments[place.segment], in: leaving, canvas: canvas) else {
                return nil
            }
            from = VideoTrackPlan(id: leaving.id, segments: [outgoing])
            other = leaving.id
        }
        return VideoTrackPlan.Join(
            effect: effect, from: from, to: VideoTrackPlan(id: toTrack, segments: [to]), otherTrack: other)
    }

    private func media(
        of segment: TrackSegment, in track: Track, target: (start: Rational, end: Rational), canvas: PixelSize
    ) -> VideoTrackPlan.Media? {
        guard let name = segment.asset else { return nil }
        switch project.kind(of: name, facts: facts) {
        case .image: return .still(name: prefix + name, facts: facts[name], track: track, segment: segment)
        case .livePhoto where segment.source == nil:
            return .still(name: prefix + name, facts: facts[name], track: track, segment: segment)
        case .color:
            guard case .color(let colour?, let size)? = project.assets[name]?.content else { return nil }
            return .generator(name: name, colour, size: size ?? canvas, track: track)
        case .gradient, .bars, .checker, .noise:
            guard let content = project.assets[name]?.content else { return nil }
            return .pattern(name: name, content, canvas: canvas, track: track, end: target.end - target.start)
        case .composition:
            guard let known = facts[name], let timeline = nested[prefix + name] else { return nil }
            var media = VideoTrackPlan.Media.file(segment, name: name, facts: known, track: track, target: target)
            media?.nested = Boxed(timeline)
            media?.nestedTimes = known.track(1)?.video?.frameTimes
            return media
        default:
            return facts[name].flatMap { .file(segment, name: prefix + name, facts: $0, track: track, target: target) }
        }
    }

    /// The names that recipes have for the fonts among the assets; nil for all else.
    var fontName: @Sendable (_ asset: String) -> String? {
        { [project, prefix] name in project.assets[name]?.kind == .font ? prefix + name : nil }
    }

    /// The pictures that an effect shows of an asset: all of it, from its beginning.
    func media(named name: String, canvas: PixelSize) -> VideoTrackPlan.Media? {
        let end = facts[name]?.duration.exact ?? .zero
        let length = end > .zero ? end : Rational(1)
        var segment = TrackSegment()
        segment.asset = name
        segment.target = TimeRange(start: .zero, duration: length.mediaTime)
        if facts[name]?.kind == .media { segment.source = segment.target }
        return media(of: segment, in: Track(), target: (.zero, length), canvas: canvas)
    }

    func audioTracks() -> [AudioTrackRecipe] {
        let inputs = Dictionary((project.audio?.inputs ?? []).map { ($0.track, $0) }) { first, _ in first }
        let silent = project.silencedTracks
        return project.renderedTracks.compactMap { index, track in
            guard track.type == .audio, !track.segments.isEmpty else { return nil }
            let input = inputs[track.id]
            // A track that is not heard is not read; the film has sound all the same.
            let isHeard = !silent.contains(track.id)
            var recipe = AudioTrackRecipe(
                track: track.id,
                segments: sounds(of: track, index) {
                    isHeard ? audioSegment($0, in: track)?.played(as: $0, on: input) : nil
                },
                gains: KeyTrack(input?.volume))
            guard isHeard else { return recipe }
            recipe.pans = KeyTrack(input?.pan)
            recipe.balances = KeyTrack(input?.balance)
            recipe.isDeclicked = input?.declick ?? false
            recipe.taps = (input?.allTaps ?? []).compactMap { TapRecipe($0.tap, prefix: prefix) }
            recipe.loudness = SoundLoudness(input?.loudness)
            return recipe
        }
    }

    private func audioSegment(_ segment: TrackSegment, in track: Track) -> AudioSegmentRecipe? {
        if let generated = generatedSegment(segment, in: track) { return generated }
        guard let name = segment.asset, let source = segment.source?.exact, let target = segment.target.exact,
            let fileTrack = facts[name].flatMap({ $0.track(segment.track ?? $0.firstTrack(of: .audio)?.id ?? 0) })
        else { return nil }
        var recipe = AudioSegmentRecipe(
            asset: prefix + name, assetTrack: fileTrack.id, sourceStart: source.start,
            sourceDuration: source.end - source.start, targetStart: target.start,
            targetDuration: target.end - target.start, volume: (segment.volume ?? 1) * (track.preferredVolume ?? 1))
        recipe.isMono = fileTrack.audio?.channels == 1
        return recipe
    }

    private func generatedSegment(_ segment: TrackSegment, in track: Track) -> AudioSegmentRecipe? {
        guard let name = segment.asset, let asset = project.assets[name], let target = segment.target.exact,
            let generated = GeneratedSound(asset.content, length: target.end - target.start)
        else { return nil }
        return AudioSegmentRecipe(
            asset: name, assetTrack: 0, sourceStart: .zero, sourceDuration: target.end - target.start,
            targetStart: target.start, targetDuration: target.end - target.start,
            volume: (segment.volume ?? 1) * (track.preferredVolume ?? 1), generated: generated)
    }

    /// The file's video tracks behind all segments of enabled video tracks, in track order, stills included; a live
    /// photo that shows its still is one.
    package var videoSources: [(asset: String, kind: Asset.Kind, track: TrackFacts)] {
        project.renderedTracks.filter { $0.track.type == .video }.flatMap { _, track in
            track.segments.compactMap { segment in
                guard let name = segment.asset, let known = facts[name],
                    let fileTrack = known.videoTrack(of: segment),
                    fileTrack.video != nil
                else { return nil }
                let kind = project.kind(of: name, facts: facts)
                return (name, kind == .livePhoto && segment.source == nil ? .image : kind, fileTrack)
            }
        }
    }
}

extension AudioSegmentRecipe {
    /// The sound with what its segment and its track's input say of how it is played.
    fileprivate func played(as segment: TrackSegment, on input: AudioInput?) -> AudioSegmentRecipe {
        var recipe = self
        recipe.pitch = segment.pitch ?? input?.pitch ?? .spectral
        recipe.isReversed = segment.reverse == true && generated == nil
        recipe.speed = generated == nil ? segment.speed.flatMap { KeyedSpeed($0) } : nil
        recipe.fadeIn = SoundFade(segment.fadeIn)
        recipe.fadeOut = SoundFade(segment.fadeOut)
        return recipe
    }
}

extension SourceLookup {
    /// The canvas's size in pixels before renderScale: the file's, or else naturalSize, or else the largest width and
    /// height that a source has upright, each made even upwards. 0×0 where nothing tells.
    package var canvasSize: PixelSize {
        if let size = project.video?.renderSize { return size }
        if let size = project.composition.naturalSize { return size }
        var size = PixelSize(width: 0, height: 0)
        for video in videoSources.compactMap(\.track.video) {
            let upright = video.uprightSize
            size = PixelSize(width: max(size.width, upright.width), height: max(size.height, upright.height))
        }
        for name in project.shownAssets {
            guard let asset = project.assets[name], asset.kind?.isPictureGenerator == true,
                let own = asset.content.pictureSize
            else { continue }
            size = PixelSize(width: max(size.width, own.width), height: max(size.height, own.height))
        }
        return size.madeEven
    }

    /// The duration of a frame: the file's, or else that of the fastest source (a variable rate counts as the nearest
    /// usual one), or else 1/30 s.
    package var frameDuration: MediaTime {
        if let duration = project.video?.frameDuration { return duration }
        return .frameDuration(of: videoSources.filter { $0.kind != .image }.compactMap(\.track.video))
    }
}

extension SourceLookup {
    /// Whether the file or a film says how fast it runs.
    package var hasRateOfItsOwn: Bool {
        project.video?.frameDuration != nil
            || videoSources.contains { $0.kind != .image && $0.track.video?.usualFrameRate != nil }
    }
}

extension MediaTime {
    /// The duration of one frame of the fastest of these sources; 1/30 s where none has a rate.
    package static func frameDuration(of sources: [VideoFacts]) -> MediaTime {
        guard let fastest = sources.compactMap(\.usualFrameRate).max() else {
            return MediaTime(value: 1, timescale: 30)
        }
        return (Rational(1) / fastest).mediaTime
    }
}

extension VideoFacts {
    /// The frame rate in frames a second; a variable rate counts as the nearest usual one. nil where there is none.
    package var usualFrameRate: Rational? {
        guard let rate = nominalFrameRate?.exact, rate > .zero else { return nil }
        guard isVariableFrameRate else { return rate }
        let usual = Rational.standardFrameRates.filter { $0 <= Rational(60) }
        return usual.min { ($0 - rate).magnitude < ($1 - rate).magnitude } ?? rate
    }
}

extension VideoFacts {
    /// The display size, rounded up to whole pixels, turned as a player turns it.
    fileprivate var uprightSize: PixelSize {
        let aspect = max(1, pixelAspectDenominator)
        let (product, overflow) = codedSize.width.multipliedReportingOverflow(by: pixelAspectNumerator)
        let width = overflow ? codedSize.width : (product + aspect - 1) / aspect
        return rotation % 180 == 0
            ? PixelSize(width: width, height: codedSize.height) : PixelSize(width: codedSize.height, height: width)
    }
}
