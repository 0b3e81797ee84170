import Diagnostics
package import MediaFacts
package import MediaTime
package import SplitreelTimeline

/// A provider of the pictures of a recipe's sources.
package protocol FrameProvider: AnyObject {
    /// The frame of the track that is held at the time, and the asset time that it is presented from; nil where the
    /// track shows nothing yet.
    func frame(for source: SourceFrame) throws -> (picture: Picture, presentation: Rational)?
    /// The whole file of a data asset, which is the one that was planned with.
    func file(for asset: String) throws -> DataFile
}

extension FrameProvider {
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
        var answers: [SourceFrame: SourceFrame?] = [:]
        let resolved = try recipe.resolvedWhereSeen { source in
            var wanted = source
            wanted.track = 0
            if let answer = answers[wanted] { return answer }
            guard let (picture, presentation) = try provider.frame(for: source) else {
                answers[wanted] = .some(nil)
                return nil
            }
            var shown = wanted
            shown.time = presentation
            pictures[shown] = picture
            answers[wanted] = shown
            return shown
        }
        self.recipe = resolved.flattened
        self.pictures = pictures
        files = try PictureNode.group(resolved).files.reduce(into: [:]) { $0[$1] = try provider.file(for: $1) }
    }

    /// A job for a part of another job's recipe, with that job's pictures and files.
    init(_ recipe: PictureGroup, within job: FrameJob) {
        self.recipe = recipe.flattened
        pictures = job.pictures
        files = job.files
    }
}
