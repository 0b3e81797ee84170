package import JobStore
package import Logging
import Planning
package import Scheduling

package struct CoordinatorConfiguration: Sendable {
    /// Where to listen: `tcp://HOST:PORT`, `tcp://HOST:*` or `ipc:///PATH`.
    package var endpoint: String
    /// Holds `jobs.sqlite` and the lock that keeps a second coordinator out. Created if missing.
    package var dataDirectory: String
    /// Listen beyond this machine without any protection.
    package var insecure: Bool
    /// Media and films must lie in one of these folders; empty: anywhere that the process may read and write.
    package var roots: [String]
    package var logger: Logger
    package var limits: Limits
    package var uploads = UploadLimits()
    /// What plans, checks and stitches; the media's own by default.
    package var mediaWork: any MediaWork
    /// Slots of another renderer version are refused.
    package var rendererVersion = RenderPlan.currentRendererVersion
    /// Opens or creates the store; other ones are for tests.
    package var openStore: @Sendable (_ path: String) throws -> any JobRecords = { try JobStore(path: $0) }

    /// Called on the thread that is about to touch an output's place, at the start and to publish each; tests let it
    /// hang.
    package var atOutput: @Sendable (_ path: String) -> Void = { _ in }

    package init(
        endpoint: String, dataDirectory: String, insecure: Bool = false, roots: [String] = [], logger: Logger,
        limits: Limits = Limits(), mediaWork: any MediaWork = IsolatedMediaWork()
    ) {
        (self.endpoint, self.dataDirectory, self.insecure) = (endpoint, dataDirectory, insecure)
        (self.roots, self.logger, self.limits, self.mediaWork) = (roots, logger, limits, mediaWork)
    }
}
