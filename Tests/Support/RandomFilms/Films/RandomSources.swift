package import TestTools

/// The sources of random films in a folder, made once.
package struct RandomSources {
    let sources: [RandomSource]
    let folder: TestFolder
    /// How long films are.
    let seconds: Int

    /// - Parameter seconds: how long films are.
    package init(in folder: TestFolder, _ witness: Witness, seconds: Int = 1) throws {
        (self.folder, self.seconds) = (folder, seconds)
        let all = RandomSource.all.map { $0.lasting(seconds) }
        for source in all { try source.make(in: folder, witness) }
        let derived = try DerivedSources(folder: folder, witness: witness, seconds: seconds).all()
        let others = try Self.others(in: folder, witness, seconds: seconds)
        sources = try (all + derived + others).map { source in
            var source = source
            guard let proxy = RandomSource.proxies[source.name] else { return source }
            source.proxy = folder.file(proxy.file)
            let scaled = ["-i", folder.file(source.file), "-vf", proxy.filter]
            try witness.ffmpeg(scaled + proxy.coding + ["-threads", "1", folder.file(proxy.file)])
            return source
        }
    }

    func path(_ source: RandomSource) -> String { folder.file(source.file) }

    /// Files whose pictures ffmpeg reads, for those that it does not read itself.
    package var twins: [String: String] { pairs(\.twin) }
    /// The films that videos were made of by pull-down.
    package var films: [String: String] { pairs(\.film) }
    /// Files that have a film's frames one after the other, where ffmpeg alone would scale some.
    package var parts: [String: [String]] {
        let parts = sources.filter { !$0.parts.isEmpty }.map { (path($0), $0.parts.map { folder.file($0) }) }
        return Dictionary(uniqueKeysWithValues: parts)
    }

    private func pairs(_ other: KeyPath<RandomSource, String?>) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: sources.compactMap { source in
                source[keyPath: other].map { (path(source), folder.file($0)) }
            })
    }

    private static func others(in folder: TestFolder, _ witness: Witness, seconds: Int) throws -> [RandomSource] {
        [
            try RandomSource.webp(in: folder, witness), try RandomSource.heic(in: folder, witness),
            try RandomSource.telecined(in: folder, witness, seconds: seconds),
            try RandomSource.folder(in: folder, witness),
        ]
    }
}
