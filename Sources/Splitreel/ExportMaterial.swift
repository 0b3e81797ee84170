import Diagnostics
import Preparation
import SplitreelFiles
import SplitreelProject
import Threads

/// The composition that an export makes its films of.
struct ExportMaterial: Sendable {
    /// The composition with all that it shows, its URLs absolute.
    var project: Project
    /// The composition's file; nil where it is in memory, or a media file.
    let file: CompositionFile?
    /// Whether the proxies of assets are shown.
    let usesProxies: Bool

    /// Runs `body`; an error of it about the composition tells its place in the file.
    func locating<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as SplitreelError { throw located(error) }
    }

    func located(_ error: SplitreelError) -> SplitreelError { file?.located(error) ?? error }
}

extension MediaAsset {
    /// The asset as a composition for a farm, which reads the media itself: a composition's media are not read here,
    /// those of a media file are. Throws `refused` where any of them lies outside of the roots.
    func material(below roots: ReadingRoots) async throws -> ExportMaterial {
        let material = try await unchecked(roots)
        return try await onThread("roots") {
            Result {
                try material.locating { try roots.check(material.project) }
                return material
            }
        }.get()
    }

    private func unchecked(_ roots: ReadingRoots) async throws -> ExportMaterial {
        switch try origin.get() {
        case .media(let path):
            try await onThread("roots") { Result { try roots.check(path) } }.get()
            return ExportMaterial(project: try await opened().project, file: nil, usesProxies: usesProxies)
        case .composition(let path):
            return try await onThread("reading") { [usesProxies] in
                Result {
                    let file = try CompositionFile(path: path, checking: roots.check)
                    return ExportMaterial(project: file.project, file: file, usesProxies: usesProxies)
                }
            }.get()
        case .project(let project):
            return try await onThread("reading") { [usesProxies] in
                Result {
                    let nested = try CompositionFile.nestedFiles(
                        of: project, path: absolutePath("project.json"), checking: roots.check)
                    if let problem = nested.problems.first(where: { $0.severity == .error }) { throw problem.asError }
                    return ExportMaterial(project: nested.project, file: nil, usesProxies: usesProxies)
                }
            }.get()
        }
    }
}
