internal import Diagnostics
internal import MediaFacts
internal import Outputs

// The checks of a plan's copied chunks.
extension RenderPlan {
    private static let mostHeaderBytes = 1 << 20
    /// The most packets of a track, as its index has them.
    private static let mostPackets = 1 << 31
    /// The most frames by which a decoder of any codec may have to wait.
    private static let reorderDepths = 0...16

    /// Throws where a copied chunk cannot be, or the plan is of a kind that copies nothing.
    func checkCopies() throws(SplitreelError) {
        try demand(
            chunks.allSatisfy { ($0.kind == .passthrough) == ($0.copied != nil) }, "a copied chunk without a source")
        let spans = chunks.filter { $0.copied != nil }
        // A report for `verify` has no chunks.
        if !chunks.isEmpty { try demand((copiedSets != nil) == !spans.isEmpty, "parameter sets of nothing") }
        if let video = output.video {
            try demand(
                video.parameterSetID.map { SetAllotment.numbers(of: video.codec).dropFirst().contains($0) } ?? true
                    && Self.reorderDepths.contains(video.copiedReorderDepth ?? 0), "parameter sets of another number")
            try demand(
                chunks.isEmpty || copiedSets != nil
                    || video.parameterSetID == nil && video.copiedReorderDepth == nil, "a copy's settings without one")
        }
        guard let copiedSets else { return }
        try demand(
            (1...SetAllotment.mostFamilies).contains(copiedSets.count)
                && copiedSets.allSatisfy { $0.header.count <= Self.mostHeaderBytes && $0.isWhole },
            "parameter sets of another hash")
        let numbers = copiedSets.compactMap(\.numbers)
        let known = output.video.map { SetAllotment.numbers(of: $0.codec) } ?? 0..<0
        try demand(
            numbers.allSatisfy { $0.values.allSatisfy(known.contains) }
                && Set(numbers.flatMap(\.values)).count == numbers.reduce(0) { $0 + $1.count },
            "parameter sets of one number")
        try demand(mayCopy, "copied chunks of a film that cannot have them")
        for chunk in spans {
            guard let span = chunk.copied else { continue }
            let video = assets[span.asset].flatMap { $0.kind == .media ? $0.track(span.track)?.video : nil }
            try demand(
                video != nil && copiedSets.indices.contains(span.sets)
                    && (0..<Self.mostPackets).contains(span.firstPacket), "packets that chunk \(chunk.index) cannot be")
        }
    }

    /// Whether a film of these settings can have copied chunks: one output with an even rate, whose picture asks for
    /// nothing that is worked out of all of its frames.
    private var mayCopy: Bool {
        guard let video = output.video, further == nil, frameTimes == nil, lead == nil, stills == nil else {
            return false
        }
        return output.container.holdsCopies && output.posterFrame == nil && output.stream == nil
            && output.mostBytes == nil && output.isPassedOn != true && video.measuresLight != true && !video.isTwoPass
            && video.rateLimit == nil && video.bitRate == nil
    }
}
