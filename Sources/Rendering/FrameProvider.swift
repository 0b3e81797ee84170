import Diagnostics
package import MediaFacts
package import MediaTime
package import SplitreelTimeline

/// A provider of the pictures of a recipe's sources.
package protocol FrameProvider: AnyObject {
    /// The frame of the track that is held at the time, and the asset time that it is presented from; nil where the
    /// track shows nothing yet.
    func frame(for source: SourceFrame) throws -> (picture: Picture, presentation: Rational)?
    /// The times of that frame and of those beside it; nil where the track shows nothing yet, or a still.
    func span(for source: SourceFrame) throws -> FrameSpan?
    /// The whole file of a data asset, which is the one that was planned with.
    func file(for asset: String) throws -> DataFile
}

extension FrameProvider {
    package func span(for source: SourceFrame) throws -> FrameSpan? { nil }

    package func file(for asset: String) throws -> DataFile {
        throw SplitreelError(
            .internalFault, operation: "rendering", subject: asset, reason: "nobody knows this data asset")
    }
}

/// The recipe, pictures and files from which the composing thread makes one output frame.
package struct FrameJob: Sendable {
    /// The recipe with the source frames that are shown: equal recipes have equal pixels, whatever times were asked
    /// for.
    package let recipe: PictureGroup
    /// The pictures of all source frames of the recipe.
    let pictures: [SourceFrame: Picture]
    /// The files of all data assets of the recipe, by name.
    let files: [String: DataFile]

    /// Asks for every source frame once, however often it is shown, and for none that is hidden whole.
    package init(_ recipe: PictureGroup, from provider: some FrameProvider) throws {
        var pictures: [SourceFrame: Picture] = [:]
        var answers: [SourceFrame: PictureNode?] = [:]
        let resolved = try recipe.resolvedWhereSeen { source in
            var wanted = source
            wanted.track = 0
            if let answer = answers[wanted] { return answer }
            let node = try Self.node(for: source, from: provider, &pictures)
            answers.updateValue(node, forKey: wanted)
            return node
        }
        self.recipe = resolved.flattened
        self.pictures = pictures
        files = try PictureNode.group(resolved).files.reduce(into: [:]) { $0[$1] = try provider.file(for: $1) }
    }

    /// The picture that is shown for a source: the frame that is held, or the mean of it and one beside it. Every frame
    /// is asked for by the time at which it begins where the provider knows that, so that the next output frame finds
    /// it.
    private static func node(
        for source: SourceFrame, from provider: some FrameProvider, _ pictures: inout [SourceFrame: Picture]
    ) throws -> PictureNode? {
        guard let blending = source.blending, let span = try provider.span(for: source) else {
            return try frame(source, from: provider, &pictures).map { .source($0) }
        }
        var held = source
        held.time = span.start
        guard let mean = blending.other(at: source.time, heldIn: span) else {
            return try frame(held, from: provider, &pictures).map { .source($0) }
        }
        var other = source
        other.time = mean.time
        guard mean.share < FrameBlending.parts else {
            return try frame(other, from: provider, &pictures).map { .source($0) }
        }
        guard let first = try frame(held, from: provider, &pictures) else { return nil }
        guard let second = try frame(other, from: provider, &pictures), first != second, let picture = pictures[first],
            pictures[second]?.isLike(picture) == true
        else { return .source(first) }
        return .blend(BlendedFrames(held: first, otherTime: second.time, share: mean.share))
    }

    /// Asks for a source's frame and notes its picture.
    private static func frame(
        _ source: SourceFrame, from provider: some FrameProvider, _ pictures: inout [SourceFrame: Picture]
    ) throws -> SourceFrame? {
        guard let (picture, presentation) = try provider.frame(for: source) else { return nil }
        let shown = SourceFrame(track: 0, asset: source.asset, assetTrack: source.assetTrack, time: presentation)
        pictures[shown] = picture
        return shown
    }

    /// A job for a part of another job's recipe, with that job's pictures and files.
    init(_ recipe: PictureGroup, within job: FrameJob) {
        self.recipe = recipe.flattened
        pictures = job.pictures
        files = job.files
    }
}
