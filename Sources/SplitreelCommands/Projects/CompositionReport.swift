import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

/// A composition in the words of `probe`: the content of the file, without a look at its media.
struct CompositionReport: Encodable {
    struct Track: Encodable {
        var id: Int
        var type: String
        var name: String?
        var language: String?
        var enabled: Bool
        /// The number of segments; gaps do not count.
        var segments: Int
    }
    struct Asset: Encodable {
        /// The asset's kind; absent where its content decides.
        var kind: String?
        var url: String?
    }

    var file: String
    var kind = "composition"
    var duration: String
    var seconds: Double
    /// The render size in pixels; absent where the sources decide.
    var size: [Int]?
    var rate: String?
    var tracks: [Track]
    var assets: [String: Asset]

    init(_ project: Project, file: String) {
        self.file = file
        let length = project.exactDuration
        duration = length.mediaTime.description
        seconds = length.double
        let size = project.video?.renderSize ?? project.composition.naturalSize
        self.size = size.map { [$0.width, $0.height] }
        rate =
            project.video?.frameDuration.flatMap { $0 > .zero ? (Rational(1) / Rational($0)).mediaTime : nil }?
            .description
        tracks = project.composition.tracks.map { track in
            Track(
                id: track.id, type: track.type.rawValue, name: track.name, language: track.language,
                enabled: track.enabled ?? true, segments: track.segments.count { !$0.isEmpty })
        }
        assets = project.assets.mapValues { Asset(kind: $0.kind?.rawValue, url: $0.keys.url) }
    }

    /// The lines for people, the first of which is about the whole composition.
    func lines(of project: Project) -> [String] {
        var head = ["composition", ForPeople.time(project.exactDuration.mediaTime)]
        if let size { head.append("\(size[0])×\(size[1])") }
        if let frame = project.video?.frameDuration, frame > .zero {
            head.append(ForPeople.rate(Rational(1) / Rational(frame)))
        }
        head.append(counted(assets.count, "asset"))
        return [head.joined(separator: ", ")]
            + tracks.map { track in
                var parts = [track.type, counted(track.segments, "segment")]
                if let name = track.name { parts.append(name) }
                if let language = track.language { parts.append(language) }
                if !track.enabled { parts.append("not enabled") }
                return "\(track.id)  " + parts.joined(separator: ", ")
            }
    }
}
