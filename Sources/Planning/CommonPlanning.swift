package import SplitreelTimeline

/// The work that plans of one project for one timeline share, so that the second plan need not repeat it: the project's
/// text, and chunks of the same range that are cut alike. Confined to one thread at a time.
package final class CommonPlanning {
    private struct Cut: Hashable {
        var rangeStart: String?
        var rangeDuration: String?
        var chunkSeconds: String?
        var keyFrameInterval: Int
    }

    package let timeline: Timeline
    private var composition: String?
    private var cuts: [Cut: [Chunk]] = [:]

    /// `timeline` is the timeline of all outputs that are planned with this.
    package init(_ timeline: Timeline) { self.timeline = timeline }

    func composition(_ make: () -> String) -> String {
        if let composition { return composition }
        let made = make()
        composition = made
        return made
    }

    func chunks(
        of request: OutputRequest, keyFrameInterval: Int, _ make: () throws -> [Chunk]
    ) rethrows -> [Chunk] {
        let cut = Cut(
            rangeStart: request.timing.rangeStart, rangeDuration: request.timing.rangeDuration,
            chunkSeconds: request.rendering.chunkSeconds, keyFrameInterval: keyFrameInterval)
        if let known = cuts[cut] { return known }
        let made = try make()
        cuts[cut] = made
        return made
    }
}
