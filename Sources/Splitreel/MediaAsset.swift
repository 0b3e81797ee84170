import Diagnostics
import MediaTime
import Preparation
import SplitreelProject
import Threads

/// A composition or a media file, opened: what an `ImageGenerator` takes pictures of and a `Reader` reads. A value,
/// which any thread may use; no file stays open.
public struct MediaAsset: Sendable {
    let opened: OpenedMedia
    let path: String
    let usesProxies: Bool

    /// How long its picture and its sound last.
    public let duration: CompositionTime
    /// What a person should know of it, a line each.
    public let warnings: [String]

    /// Opens a file: a name that ends with `.json` is a composition's, all else media. Reads and checks the composition
    /// and the headers of all its files, on a thread of its own: milliseconds for each of them.
    ///
    /// - Parameters:
    ///   - usingProxies: shows the proxies of assets that have some, with the geometry of the originals.
    /// - Throws: `RenderError`: what makes it impossible to render, with its place.
    public init(contentsOf path: String, usingProxies: Bool = false) async throws {
        self = try await onThread("opening") {
            Result { try RenderError.turning { try MediaAsset(blocking: path, usingProxies) } }
        }.get()
    }

    private init(blocking path: String, _ usesProxies: Bool) throws {
        opened = try OpenedMedia(path: path, usingProxies: usesProxies)
        (self.path, self.usesProxies) = (path, usesProxies)
        duration = CompositionTime(opened.project.exactDuration)
        warnings = opened.notices.map(\.message)
    }
}
