import Diagnostics
import MediaFacts
public import MediaTime
import Preparation
import SplitreelProject
import Threads

/// A composition or a media file, opened: an `ImageGenerator` takes pictures of it and a `Reader` reads it. A value,
/// which any thread may use; no file stays open.
public struct MediaAsset: Sendable {
    let opened: OpenedMedia
    let path: String
    let usesProxies: Bool

    /// The duration of its picture and its sound.
    public let duration: MediaTime
    /// The warnings that a person should know, a line each.
    public let warnings: [String]

    /// Opens a file: a name that ends with `.json` is a composition's, any other media. Reads and checks the
    /// composition and the headers of all its files, on a thread of its own: milliseconds for each of them.
    ///
    /// - Parameters:
    ///   - usingProxies: shows the proxies of assets that have some, with the geometry of the originals.
    /// - Throws: `SplitreelError` for the fault that makes it impossible to render, with its place.
    public init(contentsOf path: String, usingProxies: Bool = false) async throws {
        self = try await onThread("opening") {
            Result { try MediaAsset(blocking: path, usingProxies) }
        }.get()
    }

    private init(blocking path: String, _ usesProxies: Bool) throws {
        opened = try OpenedMedia(path: path, usingProxies: usesProxies)
        (self.path, self.usesProxies) = (path, usesProxies)
        duration = opened.project.exactDuration.mediaTime
        warnings = opened.notices.map(\.message)
    }
}

extension MediaAsset {
    /// The facts of the one file that the asset is. Throws where it is a composition.
    var fileFacts: AssetFacts {
        get throws {
            guard !opened.isComposition, let facts = opened.assets["media"] else {
                throw SplitreelError(
                    .usage, operation: "reading", subject: path,
                    reason: "it is a composition, whose tracks are not stored",
                    hint: "read all of it, or name a media file")
            }
            return facts
        }
    }
}
