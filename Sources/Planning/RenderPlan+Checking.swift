package import Diagnostics
import Drawings
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Pictures
import SplitreelProject

extension RenderPlan {
    /// Throws where a number is one that no plan has. A plan comes from a file: nothing in it is taken on trust.
    package func check() throws(SplitreelError) {
        try demand(frameDuration.isWithin(Self.frameDurations), "frame duration \(frameDuration)")
        try demand(range.start.isWithin(.zero...Self.longest), "range \(range)")
        try demand(range.duration.isWithin(.zero...Self.longest) && range.duration > .zero, "range \(range)")
        try demand(
            (0..<Self.mostOutputs).contains(further?.count ?? 0) && further?.isEmpty != true
                && (further ?? []).allSatisfy { ($0.terms?.count ?? chunks.count) == chunks.count },
            "outputs that no plan has")
        let views = outputs.indices.map(view(ofOutput:))
        for view in views { try view.checkOutput() }
        try demand(
            outputs.reduce(0) { $0 + $1.sounds.count } <= SegmentSet.mostFiles, "more sound tracks than a job makes")
        let sound = views.first { $0.sampleCount > 0 }
        try demand(
            (frameCount > 0 || chunks.isEmpty) && (views.contains { $0.frameCount == frameCount })
                && sampleRate == sound?.sampleRate ?? 0 && sampleCount == sound?.sampleCount ?? 0,
            "frames or samples that none of its outputs has")
        try checkSoundCuts(views)
        try checkFonts()
        try checkCopies()
        try checkCopiedSound()
        for facts in assets.values {
            try checkFiles(of: facts)
            for file in [facts] + (facts.parts ?? []) + (facts.proxy ?? []) { try check(file) }
        }
    }

    /// Throws where a number is one that no output has; for a plan with one output alone.
    private func checkOutput() throws(SplitreelError) {
        try checkLead()
        let length = filmDuration
        try demand((0...OutputRange.mostFrames).contains(frameCount), "\(frameCount) frames")
        try checkFrameTimes(length)
        let frames = output.video == nil ? 0 : timing.frameCount(duration: length)
        // The range was rounded where no time scale holds it.
        try demand(
            abs(frameCount - frames) <= 1 && (output.video == nil) == (frameCount == 0),
            "\(frameCount) frames where there are \(frames)")
        let rate = output.audio?.sampleRate ?? 0
        try demand(sampleRate == rate, "\(sampleRate) samples a second")
        let samples = sampleIndex(of: length, rate: rate)
        try demand(
            sampleCount >= 0 && samples < 1 << 60 && abs(sampleCount - samples) <= 1
                && (output.audio == nil) == (sampleCount == 0), "\(sampleCount) samples where there are \(samples)")
        try checkSettings()
        try checkSpecialities()
        try checkChapters(length)
        try checkChunks()
    }

    private func checkLead() throws(SplitreelError) {
        if let stills {
            try demand(
                !stills.isEmpty && stills.count == frameCount && frameTimes == nil && lead == nil
                    && stills.allSatisfy { $0.isWithin(.zero...Self.longest) }, "moments that no plan has")
        }
        guard let lead else { return }
        try demand(
            OutputEntry.coverFrames.contains(lead.frameCount) && lead.time.isWithin(.zero...Self.longest)
                && frameTimes == nil && frameCount > lead.frameCount && leadDuration <= FilmLead.longest
                && chunks.first?.frameCount ?? lead.frameCount == lead.frameCount,
            "a frame in front that no film has")
    }

    /// Throws where a part of the sound would be empty, at any of the rates at which it is mixed.
    private func checkSoundCuts(_ views: [RenderPlan]) throws(SplitreelError) {
        guard let cuts = soundCuts else { return }
        try demand(
            sampleCount > 0 && (1..<Self.mostSoundParts).contains(cuts.count) && cuts[0] > 0
                && zip(cuts, cuts.dropFirst()).allSatisfy(<)
                && views.allSatisfy {
                    $0.sampleCount == 0 || cuts[cuts.count - 1] <= ($0.sampleCount - 1) / $0.sampleRate
                },
            "parts of the sound that no film has")
    }

    /// Throws where a list is not on the output's clock, or one of its frames is longer than a film's can be.
    private func checkFrameTimes(_ length: Rational) throws(SplitreelError) {
        guard let times = frameTimes else { return }
        let steps = zip(times.offsets, times.offsets.dropFirst())
        try demand(
            output.video != nil && times.start == .zero && times.count == frameCount && times.tick.numerator == 1
                && times.tick.denominator <= Int128(Int32.max)
                && steps.allSatisfy { $1 - $0 < Int64(Int32.max) } && times.time(ofFrame: times.count - 1) < length,
            "frame times that no film has")
    }

    private func checkChapters(_ length: Rational) throws(SplitreelError) {
        let chapters = output.chapters ?? []
        let times = Rational.zero...length
        try demand(
            chapters.count <= Chapter.most
                && chapters.allSatisfy { $0.start.isWithin(times) && $0.end.isWithin(times) && $0.start < $0.end }
                && zip(chapters, chapters.dropFirst()).allSatisfy { $0.end <= $1.start },
            "chapters that no film has")
    }

    private static let longest = Rational(1 << 40)
    private static let aspects = 1...1 << 30
    private static let frameDurations = Rational(1, 100_000)...longest

    func demand(_ holds: Bool, _ what: @autoclosure () -> String) throws(SplitreelError) {
        guard !holds else { return }
        throw SplitreelError(
            .planMismatch, operation: "reading a plan", subject: "the plan", reason: "it says \(what())")
    }

    private func checkFonts() throws(SplitreelError) {
        guard let fonts else { return }
        let areFaces = fonts.faces.allSatisfy {
            (0...0xFFFF).contains($0.index) && isSHA256($0.sum) && !$0.path.isEmpty
        }
        try demand(
            fonts.faces.count <= FontPlan.mostFaces && fonts.names.count <= FontPlan.mostNames && areFaces,
            "fonts that no plan has")
    }

    private func checkSettings() throws(SplitreelError) {
        if let video = output.video {
            let sides = 1...VideoSettings.largestSide
            try demand(sides.contains(video.size.width) && sides.contains(video.size.height), "size \(video.size)")
            try demand(video.crf.map((0...63).contains) ?? true, "another crf than there is")
            try demand((video.bitRate ?? 1) > 0 && video.bitRate ?? 1 <= 2_000_000_000, "another bit rate")
            try demand(video.hdrMetadata?.isPossible ?? true, "HDR metadata that no film has")
            try demand(video.rateLimit?.isPossible ?? true, "another limit of the bit rate")
            try demand((10...90).contains(video.level ?? 10), "another level")
            try checkPasses(video)
            try demand(
                (1...OutputRange.mostFrames).contains(video.keyFrameInterval) && (0...256).contains(video.threads),
                "\(video.keyFrameInterval) frames between key frames, \(video.threads) threads")
        }
        try demand(
            output.sounds.count <= OutputEntry.mostSoundTracks
                && (output.audio != nil || (output.audioTracks == nil && output.furtherAudio == nil))
                && output.sounds.allSatisfy {
                    $0.settings.sampleRate == output.audio?.sampleRate && $0.tracks?.isEmpty != true
                }, "sound tracks that no film has")
        for audio in output.sounds.map(\.settings) {
            try demand(AudioResolver.sampleRates.contains(audio.sampleRate), "\(audio.sampleRate) samples a second")
            try demand(
                audio.layout.map { $0.channels == audio.channels }
                    ?? AudioResolver.channelCounts.contains(audio.channels), "\(audio.channels) channels")
            try demand((audio.bitRate ?? 1) > 0 && audio.bitRate ?? 1 <= 2_000_000_000, "another bit rate")
        }
    }

    /// Throws for covers, images, waveforms, constant rates and raw films that there cannot be.
    private func checkSpecialities() throws(SplitreelError) {
        try demand(
            output.posterFrame.map { (0..<frameCount).contains($0) && output.container.holdsCover } ?? true,
            "a cover that no film has")
        try demand(output.loopCount.map { (1...65_535).contains($0) } ?? true, "another number of loops")
        let waveform = output.waveform
        try demand(
            (output.container.kind == .waveform) == (waveform != nil)
                && waveform.map { WaveformOutput.buckets.contains($0.samplesPerBucket) } ?? true
                && (waveform == nil || output.video == nil && output.sounds.map(\.settings.codec) == [.pcm]),
            "a waveform that no sound has")
        try demand(
            stills == nil || output.video.map { $0.codec == .ffv1 } ?? true || output.container.kind == .images,
            "a film of chosen moments")
        try demand(output.isPassedOn != true || output.container.rawFrames != nil, "a film that cannot be passed on")
        guard let video = output.video, video.isConstantRate == true else { return }
        let room = video.rateLimit.map { Rational($0.buffer) - Rational($0.rate) * Rational(frameDuration) }
        try demand(frameTimes == nil && room.map { $0 > .zero } ?? false, "a constant rate that no film has")
    }

    private func checkPasses(_ video: VideoSettings) throws(SplitreelError) {
        try demand((video.mostBits ?? 1) > 0, "a picture without bits")
        guard let factors = video.analysisFactors else { return }
        try demand(
            (2...VideoSettings.mostAnalysisFactors).contains(factors.count)
                && factors.allSatisfy(Allotment.factors.contains)
                && zip(factors, factors.dropFirst()).allSatisfy(<) && video.bitRate != nil,
            "two passes of another kind")
    }

    /// Throws where chunks are not in order, without gaps, over all frames; a report for `verify` has none.
    private func checkChunks() throws(SplitreelError) {
        var next = 0
        for (index, chunk) in chunks.enumerated() {
            try demand(
                chunk.index == index && chunk.firstFrame == next && chunk.frameCount > 0
                    && chunk.frameCount <= frameCount - next && (0...1e12).contains(chunk.cost)
                    && (0...1e12).contains(chunk.leadCost ?? 0),
                "chunk \(index) of frames that it cannot have")
            let keys = chunk.keyFrames ?? []
            try demand(
                keys.allSatisfy { (1..<chunk.frameCount).contains($0) } && zip(keys, keys.dropFirst()).allSatisfy(<)
                    && chunk.rate?.isPossible ?? true, "key frames or a rate that chunk \(index) cannot have")
            try demand((1...16).contains(chunk.encoderThreads ?? 1), "threads that chunk \(index) cannot have")
            let needs = chunk.needs ?? []
            try demand(
                needs.allSatisfy { (0..<(effects?.count ?? 0)).contains($0) }
                    && zip(needs, needs.dropFirst()).allSatisfy(<), "effects that chunk \(index) cannot need")
            next += chunk.frameCount
        }
        let needs = soundNeeds ?? []
        try demand(
            needs.allSatisfy { (0..<(effects?.count ?? 0)).contains($0) }
                && zip(needs, needs.dropFirst()).allSatisfy(<),
            "effects that its sound cannot need")
        try demand(chunks.isEmpty || next == frameCount, "chunks that leave frames out")
    }

    /// Throws where an asset has other files than its kind has: several, one or none.
    private func checkFiles(of facts: AssetFacts) throws(SplitreelError) {
        let (parts, proxies) = (facts.parts, facts.proxy)
        let fits =
            switch facts.kind {
            case .imageSequence: (1...AssetFacts.mostParts).contains(parts?.count ?? 0)
            case .livePhoto: parts?.count == 2
            case .media, .image, .animatedImage: parts == nil
            case .data: parts == nil && proxies == nil && !facts.path.isEmpty && isSHA256(facts.contentSum ?? "")
            case .color, .composition: parts == nil && proxies == nil && facts.path.isEmpty
            }
        let files: Set<AssetFacts.Kind> = [.media, .image, .animatedImage]
        let areFiles = ((parts ?? []) + (proxies ?? [])).allSatisfy {
            files.contains($0.kind) && $0.parts == nil && $0.proxy == nil
        }
        try demand(
            fits && areFiles && proxies?.count ?? 1 == 1, "that \(facts.path) is of files that its kind does not have")
    }

    private func check(_ facts: AssetFacts) throws(SplitreelError) {
        let times = -Self.longest...Self.longest
        var isSound = facts.byteCount >= 0 && facts.duration.isWithin(times) && facts.plays ?? 0 >= 0
        for track in facts.tracks {
            isSound = isSound && track.start.isWithin(times) && track.duration.isWithin(times)
            guard let video = track.video else { continue }
            isSound =
                isSound && Self.aspects.contains(video.pixelAspectNumerator)
                && Self.aspects.contains(video.pixelAspectDenominator)
                && video.codedSize.width >= 0 && video.codedSize.height >= 0
                && video.codedSize.width <= 1 << 20 && video.codedSize.height <= 1 << 20
                && (video.nominalFrameRate.map { $0.isWithin(times) && $0 > .zero } ?? true)
                && (video.filmRate.map { $0.isWithin(times) && $0 > .zero } ?? true)
                && video.hdrMetadata?.isPossible ?? true && video.keyFrames.allSatisfy { $0.isWithin(times) }
                && (video.frameTimes.map { $0.isSound && facts.kind == .composition } ?? true)
        }
        try demand(isSound, "things of \(facts.path) that no file has")
    }
}

extension RateLimit {
    /// Whether the rate and the buffer are within what the encoders' numbers hold.
    fileprivate var isPossible: Bool { (1...2_000_000_000).contains(rate) && (1...2_000_000_000).contains(buffer) }
}

extension FrameTimes {
    /// Whether the times are those of a nested composition.
    fileprivate var isSound: Bool {
        start == .zero && tick <= Rational(1 << 20) && tick.denominator <= Int128(Int32.max)
    }
}

extension MediaTime {
    fileprivate func isWithin(_ range: ClosedRange<Rational>) -> Bool { isNumeric && range.contains(Rational(self)) }
}
