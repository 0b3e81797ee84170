package import FarmClient
import Foundation
package import Planning
package import SplitreelProject

extension FarmClient {
    /// Hands over the outputs, which are of one job, and answers its id. The job is called like the first one, or
    /// `name`.
    package func submit(
        _ project: Project, _ outputs: [OutputRequest], priority: Int = 50, name: String? = nil
    ) async throws -> String {
        try await submit(
            composition: String(decoding: project.canonicalBytes(), as: UTF8.self),
            requestJSON: try outputs.requestText(), priority: priority,
            name: name ?? ((outputs.first?.path ?? "") as NSString).lastPathComponent)
    }
}
