import Coordinator
import Diagnostics
import Isolation
package import Planning
package import Preparation
package import RemoteMedia
package import SplitreelProject

extension LocalFarm {
    /// A reader of the facts of media: in processes of their own, or in this one.
    package static func prober(_ place: Place, remote: RemoteMedia?) -> any AssetProber {
        switch place {
        case .processes: IsolatedProber(MediaChildren(door: remote))
        case .threads: InProcessProber()
        }
    }

    /// Checks all that can be told about outputs of several jobs before the first of them is begun. Reads the media.
    /// Blocks.
    package static func check(
        _ requests: [OutputRequest], of project: Project, _ place: Place, remote: RemoteMedia?
    ) throws {
        try checkOutputs(requests, of: project, prober: prober(place, remote: remote), remote: remote)
    }

    /// Refuses places here to which no output could come. Those at addresses are looked at where they are made. Blocks.
    package static func checkPlaces(of requests: [OutputRequest]) throws {
        for request in requests where !request.path.isRemoteName { try checkPlace(of: request) }
    }
}
