import MediaFacts
package import SplitreelProject

extension OutputRequest {
    /// The requests of what the project makes of this one: itself, or the films of its stream, see
    /// `streamed(hasPicture:hasSound:)`.
    package func streamed(of project: Project) throws -> [OutputRequest] {
        let tracks = project.composition.tracks.filter(\.isEnabled)
        return try streamed(
            hasPicture: tracks.contains { $0.type == .video }, hasSound: tracks.contains { $0.type == .audio })
    }
}
