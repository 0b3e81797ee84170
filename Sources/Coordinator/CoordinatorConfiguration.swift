package import DataPlane
package import JobStore
package import Logging
import Planning
package import RemoteMedia
package import Scheduling
package import SegmentCache

package struct CoordinatorConfiguration: Sendable {
    /// The endpoint to listen on: `tcp://HOST:PORT`, `tcp://HOST:*` or `ipc:///PATH`.
    package var endpoint: String
    /// The folder that holds `jobs.sqlite` and the lock that keeps a second coordinator out. Created if missing.
    package var dataDirectory: String
    /// Whether to listen beyond this machine without any protection.
    package var insecure: Bool
    /// The farm's keys, which then hold on every endpoint; nil for none.
    package var gate: KeyGate?
    /// The share of chunks, in percent, that workers of two keys render, so that their bytes can be compared; on a farm
    /// without keys nothing is.
    package var auditPercent = 0
    /// The folders in one of which media and films must lie; empty for anywhere that the process may read and write.
    package var roots: [String]
    /// The way to media and outputs of object stores and of the web, with its own roots; nil where none is opened.
    package var remote: RemoteMedia?
    /// The cache of segments; nil for none.
    package var chunkCache: SegmentCache?
    package var logger: Logger
    package var limits: Limits
    package var uploads = UploadLimits()
    /// The bounds of the store of uploads and of films that wait.
    package var store = StoreLimits()
    /// The work on media: plans, checks and stitches; isolated processes by default.
    package var mediaWork: any MediaWork
    /// The memory in bytes that all slots together may take, where all are of this machine; nil where it is not known.
    package var memoryBytes: Int?
    /// The renderer version of the farm: slots of another one are refused.
    package var rendererVersion = RenderPlan.currentRendererVersion
    /// Opens or creates the store; other ones are for tests.
    package var openStore: @Sendable (_ path: String) throws -> any JobRecords = { try JobStore(path: $0) }

    /// A call on the thread that is about to touch an output's place, at the start and to publish each; tests let it
    /// hang.
    package var atOutput: @Sendable (_ path: String) -> Void = { _ in }

    package init(
        endpoint: String, dataDirectory: String, insecure: Bool = false, roots: [String] = [], logger: Logger,
        limits: Limits = Limits(), mediaWork: any MediaWork = IsolatedMediaWork()
    ) {
        self.endpoint = endpoint
        self.dataDirectory = dataDirectory
        self.insecure = insecure
        self.roots = roots
        self.logger = logger
        self.limits = limits
        self.mediaWork = mediaWork
    }
}
