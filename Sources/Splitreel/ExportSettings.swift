import Diagnostics
import JSONText
import LocalFarm
import MediaTime
import Outputs
import Planning
import Preparation
import SplitreelFiles
import SplitreelProject

/// The settings of a session, as they stand when it begins.
struct ExportSettings: Sendable {
    var outputs = [OutputEntry()]
    var preset: String?
    var fileType: Container?
    var timeRange: TimeRange?
    var maxDuration: MediaTime?
    var fileLengthLimit: Int?
    var passthrough = ExportSession.Passthrough.auto
    var metadata: [String: JSONValue]?
    var overwrites = false
    var roots: [String] = []
    var farm = ExportSession.Farm.local()
    var code = OwnCode()

    /// Whether threads of this process render.
    var rendersByThreads: Bool {
        switch farm {
        case .local: !FarmChild.isPossible
        case .threads: true
        case .connect: !FarmChild.isPossible
        }
    }

    /// The requests for all outputs, each with its films; `material` gets the outputs, by whose places errors tell
    /// settings. The first output goes to `path`, where there is one, the others to their own `url`.
    func requests(for material: inout ExportMaterial, to path: String?) throws -> [OutputRequest] {
        guard !outputs.isEmpty else {
            throw SplitreelError(
                .usage, operation: "exporting", subject: "`outputs`", reason: "it is empty",
                hint: "give the session an output")
        }
        if let maxDuration, !maxDuration.isNumeric || maxDuration <= .zero {
            throw SplitreelError(
                .usage, operation: "exporting", subject: "`maxDuration`", reason: "it is no time above 0",
                hint: "leave it out for the whole composition")
        }
        var named = outputs
        for index in named.indices {
            let url = index == 0 ? path ?? named[index].url : named[index].url
            guard let url else {
                throw SplitreelError(
                    .usage, operation: "exporting", subject: "`outputs[\(index)]`", reason: "it has no `url`",
                    hint: index == 0 ? "name the film: `export(to: \"film.mp4\")`" : "say where it goes")
            }
            named[index].url = try absoluteName(url)
        }
        material.project.outputs = named
        let project = material.project
        let asked = named.map { request(for: $0, of: material) }
        var requests: [OutputRequest] = []
        for filled in asked.sharedOut(fill: { $1.filled(from: named[$0], at: $0) }) {
            let limited = limiting(filled)
            do {
                requests += try limited.streamed(of: project)
            } catch let error as SplitreelError {
                throw error.inKeys(of: limited, in: project)
            }
        }
        try refuseSamePlaces(requests)
        let made = requests
        try material.locating { for request in made { try refuseImpossible(project, request: request) } }
        return requests
    }

    /// The request of what the session says for all outputs.
    private func request(for output: OutputEntry, of material: ExportMaterial) -> OutputRequest {
        var request = OutputRequest(path: output.url ?? "")
        request.compositionPath = material.file?.path
        request.rendering.proxy = material.usesProxies
        request.rendering.passthrough = Passthrough(passthrough)
        request.delivery.preset = preset
        request.delivery.fileType = fileType?.rawValue
        request.delivery.fileLengthLimit = fileLengthLimit
        if let metadata {
            request.tags.metadata = (output.tags.metadata ?? [:]).merging(metadata) { _, own in own }
        }
        request.overwrite = overwrites
        if let timeRange {
            request.timing.rangeStart = timeRange.start.asWritten
            request.timing.rangeDuration = timeRange.duration.asWritten
        }
        return request
    }

    /// The request of a film that ends after `maxDuration`; images of single times have no length.
    private func limiting(_ request: OutputRequest) -> OutputRequest {
        guard let maxDuration, request.stills.times == nil else { return request }
        var request = request
        let own = request.timing.rangeDuration.flatMap { MediaTime(text: $0) }
        if let own, own.isNumeric, own <= maxDuration { return request }
        request.timing.rangeDuration = maxDuration.asWritten
        return request
    }
}

extension OutputRequest {
    /// The length of the part of a composition that it shows.
    func shownDuration(of project: Project) -> MediaTime {
        let whole = project.exactDuration
        let start = timing.rangeStart.flatMap { MediaTime(text: $0)?.exact } ?? .zero
        guard let length = timing.rangeDuration.flatMap({ MediaTime(text: $0)?.exact }) else {
            return (whole - max(start, .zero)).mediaTime
        }
        return (min(whole, start + length) - max(start, .zero)).mediaTime
    }
}

extension TimeRange {
    /// Whether it has a start and no end.
    var isEndless: Bool { duration.isPositiveInfinity }
}

extension MediaTime {
    /// The time as people write it; one that is no number, such as an endless duration, as it is.
    var asWritten: String { isNumeric ? Rational(self).plainTime.text : text }
}

extension Setting {
    /// The name by which a program says the setting: a property of `ExportSession`, or of one of its outputs, or a
    /// parameter of `serve`.
    var property: String {
        switch self {
        case .range: "timeRange"
        case .overwrite: "overwrites"
        case .format: "fileType"
        case .connect, .token, .insecure: rawValue
        case .dataFolder: "data"
        case .noSandbox: "sandbox: false"
        default: key ?? rawValue
        }
    }
}
