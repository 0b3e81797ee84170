import Foundation
import Testing

@Suite("Modules and their imports")
struct ModuleTests {
    @Test(
        arguments: [
            ("CASS", ["Overlays"]), ("CCommit", ["splitreel"]), ("CConfinement", ["Confinement"]),
            ("CCrypto", ["Hashing"]), ("CCurl", ["ObjectStorage"]),
            ("CFFmpeg", ["Libav", "MediaReading", "MediaWriting"]),
            ("CHeif", ["Libav", "MediaReading"]), ("CPango", ["Overlays"]), ("CVMAF", ["Measuring"]),
            ("CWebP", ["Libav", "MediaReading"]), ("CZeroMQ", ["Transport"]), ("GRDB", ["JobStore"]),
            ("Yams", ["SplitreelSettings"]),
        ])
    func libraryIsSeenByItsHomeAlone(library: String, homes: [String]) {
        let all = SourceTree.sources.flatMap { file in
            file.imports.filter { $0.module == library }.map { (file, $0) }
        }
        expectNone(
            all.filter { !homes.contains($0.0.target) }.map { $0.place($1.index, "import \(library)") },
            "\(library) is imported in \(homes.joined(separator: ", ")) alone")
        #expect(!all.isEmpty, "nothing imports \(library): is this test looking at the right place?")
    }

    /// What media are read and written with knows nothing of plans and of what is made of pictures and sounds.
    @Test func mediaKnowsNoPlan() {
        let banned: Set = [
            "AudioMixing", "Compositing", "Drawings", "Planning", "SplitreelProject", "SplitreelTimeline",
        ]
        let found = SourceTree.sources.filter { ["Libav", "MediaReading", "MediaWriting"].contains($0.target) }
            .flatMap { file in
                file.imports.filter { banned.contains($0.module) }.map { file.place($0.index, $0.module) }
            }
        expectNone(found, "values that media needs lie in MediaFacts and Outputs")
    }

    /// Whoever reads media has a `MediaSource`: it may lie anywhere. That there are local files, and their paths, is
    /// known where one is made of the other, and of the farm's own files: segments, and indexes beside plans.
    @Test func sourcesAreOpenedByOnePartOfOneModule() {
        let opening = /\b(?:O_RDONLY|fopen\(|l?stat\(|FileHandle\(|Data\(contentsOf|avformat_open_input\()/
        let files = SourceTree.sources.filter { $0.target == "MediaReading" }
        expectNone(files.flatMap { $0.places(of: opening) }, "sources are read by way of MediaSource")
        expectNone(
            files.filter { $0.name != "LocalPaths.swift" }.flatMap { $0.places(of: /\bLocalFile\b/) },
            "LocalPaths.swift makes sources of paths")
        let own = ["FileIndex+Cache.swift", "SegmentInput.swift"]
        expectNone(
            files.filter { !own.contains($0.name) }.flatMap { $0.places(of: /\bRegularFile\b/) },
            "a file that is no source is one of the farm's own")
        let demuxers = SourceTree.sources.flatMap { $0.places(of: /\bavformat_open_input\(/) }
        #expect(demuxers.count == 1 && demuxers[0].hasPrefix("Sources/Libav/InputBytes.swift"))
        #expect("let file = open(path, O_RDONLY | O_CLOEXEC)".contains(opening) && "stat(path, &a)".contains(opening))
    }

    @Test func mediaTimeNeedsNoFoundation() {
        let banned: Set<String> = ["Foundation", "FoundationEssentials", "Glibc", "Musl"]
        let found = SourceTree.sources.filter { $0.target == "MediaTime" }.flatMap { file in
            file.imports.filter { banned.contains($0.module) }.map { file.place($0.index, $0.module) }
        }
        expectNone(found, "MediaTime is integers and the standard library only")
    }

    @Test func arrowsPointDownwards() throws {
        let manifest = try #require(SourceTree.all.first { $0.path == "Package.swift" })
        let layers = PackageLayers(manifest: manifest).layers
        #expect(layers["CFFmpeg"] == 0 && layers["MediaTime"] == 1 && layers["MediaReading"] == 2)
        #expect(layers["Rendering"] == 3 && layers["SplitreelCommands"] == 4)
        #expect(layers["TestTools"] == .some(nil))
        var upward: [String] = []
        for file in SourceTree.sources {
            guard let known = layers[file.target] else {
                upward.append("\(file.path): \(file.target) has no layer in Package.swift")
                continue
            }
            guard let own = known else { continue }
            for (index, module) in file.imports {
                guard let other = layers[module] else { continue }
                if other.map({ $0 > own }) ?? true { upward.append(file.place(index, "import \(module)")) }
            }
        }
        expectNone(upward, "a module imports only from its own layer and those below, and nothing from beside")
    }

    /// The library, and the modules of values that it brings along.
    static let library: Set = [
        "Authoring", "Diagnostics", "JSONText", "MediaFacts", "MediaTime", "Outputs", "Pictures", "Splitreel",
        "SplitreelCLI", "SplitreelFiles", "SplitreelProject",
    ]

    @Test func nothingElseIsPublic() {
        expectNone(
            SourceTree.sources.filter { !Self.library.contains($0.target) }.flatMap {
                $0.places(of: /\b(?:public|open) (?:\w+ )*(?:func|var|let|struct|class|enum|actor|init)\b/)
            },
            "between modules it is `package`; `public` is for what outsiders import")
    }

    /// The drawing in docs/internals/architecture.md is what its script makes of Package.swift now.
    @Test func theDrawingIsTrue() throws {
        let script = SourceTree.root.appending(path: "docs/module-graph.sh")
        let drawing = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [script.path()]
        process.standardOutput = drawing
        try process.run()
        let drawn = String(decoding: try drawing.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let worker = try #require(drawn.split(separator: "\n").first { $0.hasPrefix("  Worker ") })
        #expect(worker.contains("Rendering") && !worker.contains("Diagnostics"))
        #expect(drawn.split(separator: "\n").count <= 64, "it fits on a screen")
        let place = SourceTree.root.appending(path: "docs/internals/architecture.md")
        let page = try String(contentsOf: place, encoding: .utf8)
        #expect(
            page.contains("<!-- module graph -->\n\(drawn)<!-- end of the module graph -->"),
            "run docs/module-graph.sh --write")
    }

    /// What docs/internals/decisions says of a feature's files is true only while they are there.
    @Test func notesNameFilesThatAreThere() throws {
        let folder = SourceTree.root.appending(path: "docs/internals/decisions")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".md") }
        #expect(names.count > 5)
        let there = Set(SourceTree.sources.map { $0.path.dropFirst("Sources/".count) })
        var missing: [String] = []
        for name in names {
            let note = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let named = Set(note.matches(of: /`([A-Za-z]+\/[A-Za-z\/+]+\.swift)`/).map(\.1))
            missing += named.subtracting(there).map { "\(name): \($0)" }
            if name != "README.md" { #expect(note.contains("**Reshaping.**"), "\(name) names no reshaping") }
        }
        expectNone(missing.sorted(), "a note names files that are there")
    }
}
