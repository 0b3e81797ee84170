import Foundation
package import MediaTime

extension Project {
    /// Closes gaps and overlaps of less than `tolerance` between instructions, moves a first start that is less than
    /// that after 0 to 0, and a last end that is less than that before the composition's end to it. Ends decide:
    /// each later start moves to the previous end. Larger faults, and ranges that are not valid, stay as they are.
    ///
    /// `tolerance` is the frame duration unless given (1/30 s where the file has none). The result is the number of
    /// ranges that changed.
    @discardableResult
    package mutating func snapInstructions(tolerance: MediaTime? = nil) -> Int {
        guard var instructions = video?.instructions, !instructions.isEmpty else { return 0 }
        let limit = (tolerance ?? video?.frameDuration)?.exact ?? Rational(1, 30)
        let duration = exactDuration
        var changes = 0
        var previousEnd = Rational.zero
        for index in instructions.indices {
            guard let range = instructions[index].range.exact, range.end > range.start else { return 0 }
            var (start, end) = range
            let isFirst = index == 0
            if start != previousEnd, !(isFirst && start < .zero), (start - previousEnd).magnitude < limit {
                start = previousEnd
            }
            if index == instructions.count - 1, end < duration, duration - end < limit { end = duration }
            if (start, end) != range, end > start {
                instructions[index].range = TimeRange(start: start.plainTime, duration: (end - start).plainTime)
                changes += 1
            }
            previousEnd = instructions[index].range.exact?.end ?? end
        }
        video?.instructions = instructions
        return changes
    }

    /// The project with every file's URL made absolute, so that it means the same wherever it is read.
    ///
    /// `folder` is the absolute path of the folder that holds the project file. A `file://` URL becomes a path.
    package func resolvingURLs(against folder: String) -> Project {
        var copy = self
        for (name, asset) in assets {
            var keys = asset.keys
            keys.url = keys.url.map { absolutePath($0, folder) }
            keys.proxy = keys.proxy.map { absolutePath($0, folder) }
            keys.movie = keys.movie.map { absolutePath($0, folder) }
            keys.project = keys.project?.resolvingURLs(against: folder)
            copy.assets[name] = Asset(keys)
        }
        copy.outputs = outputs?.map { output in
            var output = output
            output.url = output.url.map { absolutePath($0, folder) }
            return output
        }
        return copy
    }
}

private func absolutePath(_ url: String, _ folder: String) -> String {
    if url.hasPrefix("file://") {
        let path = url.dropFirst(7)
        let local = path.hasPrefix("localhost/") ? path.dropFirst(9) : path
        return local.removingPercentEncoding ?? String(local)
    }
    if url.isEmpty || url.hasPrefix("/") || url.contains("://") { return url }
    return folder.hasSuffix("/") ? folder + url : folder + "/" + url
}
