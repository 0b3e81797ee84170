import Diagnostics
package import MediaFacts
package import MediaTime
package import SplitreelTimeline

/// Where the pictures of a recipe's sources come from.
package protocol FrameProvider: AnyObject {
    /// The frame of the track that is held at the time, and the asset time that it is presented from; nil where the
    /// track shows nothing yet.
    func frame(for source: SourceFrame) throws -> (picture: Picture, presentation: Rational)?
    /// A data asset, whole; the one that was planned with.
    func file(for asset: String) throws -> DataFile
}

extension FrameProvider {
    package func file(for asset: String) throws -> DataFile {
        throw SplitreelError(
            .internalFault, operation: "rendering", subject: asset, reason: "nobody knows this data asset")
    }
}

/// What the composing thread makes one output frame from.
package struct FrameJob: Sendable {
    /// Its source frames are those that are shown: equal recipes have equal pixels, whatever times were asked for.
    package let recipe: PictureGroup
    /// Of all source frames of the recipe.
    let pictures: [SourceFrame: Picture]
    /// All data assets of the recipe, by name.
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

    /// Of a part of another one's recipe.
    init(_ recipe: PictureGroup, within job: FrameJob) {
        (self.recipe, pictures, files) = (recipe.flattened, job.pictures, job.files)
    }
}
