import Confinement
import Diagnostics
import Drawings
import Glibc
import Outputs
import Planning
import SplitreelFiles
import SplitreelProject

extension MediaRequest {
    /// The files that are opened here for the process that is asked.
    var files: [(path: String, purpose: HandedFile.Purpose)] {
        switch self {
        case .probe(let path), .times(let path, _, _), .coded(let path, _), .text(let path, _),
            .sound(let path, _), .samples(let path, _), .edges(let path), .data(let path, _), .inspect(let path, _):
            [(path, .source)]
        case .index(let path, let file): [(path, .source), (file, .made)]
        case .appendCopied(let source, _): [(source.path, .source)]
        case .verify(let path, _, _, _): [(path, .ownFile)]
        // Fonts in films that lie elsewhere; all others are opened by their paths, see `ownSandbox`.
        case .fonts(let texts, _):
            Set(texts.flatMap { $0.suppliers ?? [] }).filter(\.isRemoteName).sorted().map { ($0, .source) }
        case .parameterSets, .beginFilm, .setSound, .appendChunk, .finishFilm, .abandonFilm: []
        }
    }

    /// The rules of a process that is there for this request alone; nil where one is enough that reads only what it is
    /// handed. Fontconfig opens font files by their paths, and a sequence has many images.
    var ownSandbox: Sandbox? {
        switch self {
        case .fonts(let texts, let assets):
            Sandbox(
                readable: Set(texts.flatMap { $0.suppliers ?? [] }).union(assets.values).filter(\.isAbsolutePath)
                    .sorted())
        case .data(let path, .font): Sandbox(readable: [path])
        case .inspect(let film, let plan) where plan.output.container.kind == .images: Sandbox(readable: [film])
        default: nil
        }
    }

    /// Whether the request needs the fonts of the machine.
    var isOfFonts: Bool { if case .fonts = self { true } else { false } }
}

extension MediaRequest {
    /// The error of a process that cannot look around, with the hint of one that can.
    func withHint(_ error: SplitreelError) -> SplitreelError {
        guard error.code == .mediaNotFound else { return error }
        let paths = files.map(\.path) + (ownSandbox?.readable ?? [])
        guard let missing = paths.first(where: { error.subject == Phrase($0) }) else { return error }
        var told = error
        told.hint = Phrase(LocalFile.hint(forMissing: missing))
        return told
    }
}

/// The files that are open for one request: as long as this object lives.
final class OpenedFiles: Sendable {
    private let files: [(path: String, file: HandedFile)]
    private let remote: [HandedSource]

    /// Opens the files, and what lies elsewhere by the door. Throws where that cannot be opened: whoever is asked has
    /// no way to say why. Blocks.
    init(for request: MediaRequest, door: (any SourceDoor)? = nil) throws {
        var files: [(path: String, file: HandedFile)] = []
        var remote: [HandedSource] = []
        for (path, purpose) in request.files {
            if path.isRemoteName {
                remote.append(try HandedSource(path, by: door))
            } else if let file = HandedFile(path, for: purpose) {
                files.append((path, file))
            }
        }
        self.files = files
        self.remote = remote
    }

    deinit { for file in files { if let descriptor = file.file.descriptor { close(descriptor) } } }

    /// The descriptors of the files, and behind them the lines to what lies elsewhere.
    var descriptors: [Int32] { files.compactMap(\.file.descriptor) + remote.map(\.descriptor) }

    /// The files as the order names them.
    var names: [MediaOrder.File] { files.map { MediaOrder.File(path: $0.path, refusal: $0.file.refusal) } }

    /// The sources that lie elsewhere, as the order names them.
    var remoteNames: [MediaOrder.Remote] { remote.map { MediaOrder.Remote(name: $0.name, mark: $0.mark) } }
}

extension MediaOrder {
    /// The files by their paths, and the lines to what lies elsewhere, of the descriptors that came with the order.
    func handed(_ descriptors: [Int32]) -> (files: [String: HandedFile], lines: [(Remote, descriptor: Int32)]) {
        var handed: [String: HandedFile] = [:]
        var rest = descriptors[...]
        for file in files {
            if let number = file.refusal {
                handed[file.path] = .refused(errno: number)
            } else if let descriptor = rest.popFirst() {
                handed[file.path] = .open(descriptor)
            }
        }
        var lines: [(Remote, descriptor: Int32)] = []
        for source in remote ?? [] {
            if let descriptor = rest.popFirst() { lines.append((source, descriptor)) }
        }
        for descriptor in rest { close(descriptor) }
        return (handed, lines)
    }
}
