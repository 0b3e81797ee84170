import Diagnostics
import MediaFacts
import Outputs
package import Planning
package import Preparation
package import RemoteMedia
import SplitreelFiles
package import SplitreelProject

/// Checks all that can be told about several outputs of one composition before the first of them is begun: where they
/// go, that they replace nothing they are made from, that their settings can be. Reads the assets; blocking.
package func checkOutputs(
    _ requests: [OutputRequest], of project: Project, prober: any AssetProber = InProcessProber(),
    remote: RemoteMedia? = nil, authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws {
    for request in requests { try checkPlace(of: request, remote: remote) }
    try refuseSamePlaces(requests)
    let plans = try preparePlans(project: project, requests: requests, prober: prober, authorize: authorize)
    for (request, prepared) in zip(requests, plans) {
        try refuseReplacing(request, inputs: prepared.plan.assets.values.flatMap(\.files).map(\.path))
    }
}

/// Checks all that can be told of one output without reading the composition.
package func checkPlace(of request: OutputRequest, remote: RemoteMedia? = nil) throws {
    try OutputPlace(request, remote).check()
    if let composition = request.compositionPath { try refuseReplacing(request, inputs: [composition]) }
    if try Container(of: request).kind == .waveform, !request.path.isRemoteName {
        try refuseReplacingOthers(request.path, overwrite: request.overwrite)
    }
}

/// Refuses to replace anything but a waveform: a waveform's name is one that compositions and data have, too.
package func refuseReplacingOthers(_ path: String, overwrite: Bool) throws {
    guard overwrite, let file = try? RegularFile(path: path, failure: .outputNotWritable) else { return }
    var start = [UInt8](repeating: 0, count: 16)
    let count = (try? start.withUnsafeMutableBytes { try file.read(into: $0) }) ?? 0
    let heads = [Array(#"{"version":2,"#.utf8), [2, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 1, 0, 0, 0]]
    guard !heads.contains(where: { start[..<count].starts(with: $0) }) else { return }
    throw SplitreelError(
        .outputNotWritable, operation: "checking the output", subject: path,
        reason: "the file that is there is no waveform", hint: "name another file, or remove that one")
}

/// Refuses a place before any work that could not be written after it: `.outputExists`, `.outputNotWritable`, `.usage`.
package func checkOutputPlace(_ path: String, overwrite: Bool) throws {
    try OutputPlace(path: path, overwrite: overwrite).check()
}
