package import Composition
import Diagnostics
import Planning

/// What is wrong with the file's own `outputs` beside their form: a container or codec that cannot be, a size or range
/// that a codec does not take. The project must be valid, with its URLs absolute.
package func outputProblems(of project: Project, assets: [String: AssetFacts]) -> [Problem] {
    let canvases = PlannedCanvases(project, assets)
    return (project.outputs ?? []).enumerated().compactMap { index, entry in
        guard let url = entry.url else { return nil }
        let asked = OutputRequest(path: url).filled(from: entry, at: index)
        do {
            try tellingKeys(of: asked, in: project) {
                let tracks = project.composition.tracks.filter(\.isEnabled)
                let requests = try asked.streamed(
                    hasPicture: tracks.contains { $0.type == .video }, hasSound: tracks.contains { $0.type == .audio })
                for request in requests {
                    let canvas = try canvases.canvas(of: request)
                    let output = try resolve(request, timeline: canvas.timeline, assets: assets)
                    _ = try makePlan(
                        project: project, timeline: canvas.timeline, assets: assets, request: request, output: output,
                        with: canvas)
                }
            }
            return nil
        } catch let error as SplitreelError {
            // The key where it is about one.
            let isPlaced = error.subject.hasPrefix("outputs[\(index)].")
            return .error(
                error.code, isPlaced ? error.subject : "outputs[\(index)]",
                "\(error.code.title): \(isPlaced ? "" : error.subject + ": ")\(error.reason)", hint: error.hint)
        } catch {
            return nil
        }
    }
}
