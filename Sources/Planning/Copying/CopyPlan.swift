import MediaFacts
import MediaTime
import Outputs

/// The copies of a film, chosen so that all of it and what is rendered beside it can stand in one film.
struct CopyPlan {
    var spans: [CopyFinder.Span] = []
    /// The runs that the spans lie in.
    var runs: [CopyFinder.Run] = []
    var sets: [CopiedSets] = []
    /// The sets of each span's source, as a place in `sets`.
    var setsByPlace: [CodedTracks.Place: Int] = [:]
    /// The number of the encoder's own sets; nil for its usual one.
    var ownNumber: Int?
    var reorderDepth = 0
    /// The reasons why sources are rendered that could be copied, but for what else is in the film; clauses about them.
    var refusals: [CodedTracks.Place: String] = [:]

    /// The sources with groups of pictures that are not copied for their frames' times.
    private var unfit: [CodedTracks.Place: CodedTrack] = [:]

    /// Chooses among the spans: all of them, where each family of sets can have numbers of its own in one header.
    init(_ finder: CopyFinder, frameCount: Int) {
        runs = finder.runs(frameCount: frameCount)
        unfit = finder.terms.tracks.byPlace.filter { !$1.unfitGroups.isEmpty }
        let found = finder.spans(of: runs)
        guard !found.isEmpty, found.count < ChunkLimits.mostChunks / 4 else { return }
        let terms = finder.terms
        let allotment = SetAllotment(SetFamily.list(of: found, terms.tracks), terms)
        for place in Set(found.map(\.place)) {
            refusals[place] = terms.tracks.byPlace[place].flatMap { allotment.refusals[$0.header] }
        }
        spans = found.filter { refusals[$0.place] == nil }
        let copied = spans.reduce(0) { $0 + $1.frames.count }
        if copied < frameCount, !terms.needsNoSets {
            guard let free = allotment.own else {
                for span in spans { refusals[span.place] = "its header is not the one of frames that are rendered" }
                spans = []
                return
            }
            ownNumber = free == 0 ? nil : free
        }
        for span in spans where setsByPlace[span.place] == nil {
            guard let track = terms.tracks.byPlace[span.place] else { continue }
            let header = terms.needsNoSets ? [] : track.header
            let place = sets.firstIndex { $0.header == header }
            if place == nil { sets.append(CopiedSets(header: header, numbers: allotment.numbers[header])) }
            setsByPlace[span.place] = place ?? sets.count - 1
            reorderDepth = max(reorderDepth, track.reorderDepth)
        }
    }

    /// The place of the first run that does not end before the range. Runs are in film order, and share no frame.
    private func firstRun(in frames: Range<Int>) -> Int {
        runs.partitionPoint { $0.frames.upperBound <= frames.lowerBound }
    }

    /// The reason why some frames of a range are not copied though no cut is it, with the source's name; nil for none.
    func unfitReason(in frames: Range<Int>) -> String? {
        for run in runs[firstRun(in: frames)...] {
            guard run.firstFrame < frames.upperBound else { break }
            let (shown, shift) = (run.frames.clamped(to: frames), run.firstOfSource - run.firstFrame)
            let group = unfit[run.place]?.unfitGroup(
                in: run.frames.moved(by: shift), sharing: shown.moved(by: shift))
            if let group { return "\(run.place.asset): \(group.reason)" }
        }
        return nil
    }

    /// Whether all frames of a range are frames of sources that are copied in part, and cuts are the reason why these
    /// are not.
    func isRest(_ frames: Range<Int>) -> Bool {
        guard unfitReason(in: frames) == nil else { return false }
        var next = frames.lowerBound
        for run in runs[firstRun(in: frames)...] {
            guard run.firstFrame <= next, setsByPlace[run.place] != nil else { return false }
            next = run.frames.upperBound
            if next >= frames.upperBound { return true }
        }
        return false
    }
}

extension Range<Int> {
    fileprivate func moved(by shift: Int) -> Range<Int> { lowerBound + shift..<upperBound + shift }
}

extension CopyPlan {
    /// The chunks of a film with these copies; `cut` cuts frames between them, which it is given, into chunks whose
    /// indexes do not count.
    func chunks(frameCount: Int, cut: (_ gap: Range<Int>) throws -> [Chunk]) rethrows -> [Chunk] {
        var chunks: [Chunk] = []
        var next = 0
        func fill(to end: Int) throws {
            guard next < end else { return }
            for var chunk in try cut(next..<end) {
                if chunk.kind == .source, isRest(chunk.frames) {
                    chunk.kind = .cut
                    chunk.why += ": what cuts left of groups of pictures"
                }
                chunks.append(chunk)
            }
        }
        for span in spans {
            try fill(to: span.frames.lowerBound)
            var chunk = Chunk(
                index: 0, kind: .passthrough, firstFrame: span.frames.lowerBound, frameCount: span.frames.count,
                cost: ChunkProfiler.leastCost, why: "packets of \(span.place.asset), which nothing touches")
            chunk.copied = CopiedSpan(
                asset: span.place.asset, track: span.place.track, firstPacket: span.firstPacket,
                sets: setsByPlace[span.place] ?? 0)
            chunks.append(chunk)
            next = span.frames.upperBound
        }
        try fill(to: frameCount)
        for index in chunks.indices { chunks[index].index = index }
        return chunks
    }
}
