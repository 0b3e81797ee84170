/// The sources of random films in a folder, made once.
package struct RandomSources {
    let sources: [RandomSource]
    let folder: TestFolder

    package init(in folder: TestFolder, _ witness: Witness) throws {
        self.folder = folder
        for source in RandomSource.all { try source.make(in: folder, witness) }
        let made = RandomSource.all + (try Self.derived(in: folder, witness)) + (try Self.others(in: folder, witness))
        sources = try made.map { source in
            var source = source
            guard let proxy = RandomSource.proxies[source.name] else { return source }
            source.proxy = folder.file(proxy.file)
            let scaled = ["-i", folder.file(source.file), "-vf", proxy.filter]
            try witness.ffmpeg(scaled + proxy.coding + ["-threads", "1", folder.file(proxy.file)])
            return source
        }
    }

    func path(_ source: RandomSource) -> String { folder.file(source.file) }

    /// For the reference, with what ffmpeg itself does not make of them.
    package func reference(_ witness: Witness) -> ReferenceSources {
        func pairs(_ other: KeyPath<RandomSource, String?>) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: sources.compactMap { source in
                    source[keyPath: other].map { (path(source), folder.file($0)) }
                })
        }
        return ReferenceSources(witness, twins: pairs(\.twin), films: pairs(\.film))
    }

    private static func others(in folder: TestFolder, _ witness: Witness) throws -> [RandomSource] {
        [
            try RandomSource.webp(in: folder, witness), try RandomSource.heic(in: folder, witness),
            try RandomSource.telecined(in: folder, witness), try RandomSource.folder(in: folder, witness),
        ]
    }

    /// Files made of others: turned by a display matrix, cut by an edit list, late behind their sound; a still with a
    /// film.
    private static func derived(in folder: TestFolder, _ witness: Witness) throws -> [RandomSource] {
        let plain = ["-i", folder.file("ntsc.mp4")]
        try witness.ffmpeg(plain + ["-c", "copy", "-metadata:s:v:0", "rotate=90", folder.file("turned.mp4")])
        try witness.ffmpeg(["-ss", "0.25"] + plain + ["-c", "copy", folder.file("edited.mp4")])
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "sine=d=1", "-itsoffset", "0.24", "-i", folder.file("plain.mkv"), "-map", "0",
            "-map", "1", "-c:v", "copy", "-c:a", "pcm_s16le", folder.file("late.mkv"),
        ])
        func source(_ name: String, _ feature: String, _ file: String) -> RandomSource {
            RandomSource(name: name, features: [feature], file: file, graph: "", coding: [])
        }
        var late = source("late", "late track", "late.mkv")
        late.keys = ["track": 2]
        var edited = source("edited", "edit list", "edited.mp4")
        edited.length = Fraction(7, 10)
        var live = source("live", "live photo", "photo.jpg")
        (live.kind, live.size) = ("livePhoto", (62, 46))
        live.keys = ["movie": folder.file("plain.mkv")]
        return [source("turned", "turned film", "turned.mp4"), edited, late, live]
    }
}
