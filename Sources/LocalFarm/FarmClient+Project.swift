package import FarmClient
import Foundation
package import Planning
package import SplitreelProject

extension FarmClient {
    /// Hands over the outputs, which are of one job, and answers its id. The job is called like the first one, or like
    /// the command's own output that they are made for, whose path is `madeFor`.
    package func submit(
        _ project: Project, _ outputs: [OutputRequest], priority: Int = 50, madeFor: String? = nil
    ) async throws -> String {
        try await submit(
            composition: String(decoding: project.canonicalBytes(), as: UTF8.self),
            requestJSON: try outputs.requestText(), priority: priority,
            name: ((madeFor ?? outputs.first?.path ?? "") as NSString).lastPathComponent, madeFor: madeFor,
            owner: Submitter.current)
    }
}
