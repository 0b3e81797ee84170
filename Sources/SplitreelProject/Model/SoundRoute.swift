package import JSONText
import MediaFacts

/// The target of a composition track's sound: a sound track of an output, by its place from 1 or by its name.
public enum SoundRoute: ProjectValue, Codable {
    /// The place of a sound track, from 1.
    case number(Int)
    /// The name of a sound track.
    case name(String)

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> SoundRoute? {
        switch json {
        case .integer(let number): return Int(exactly: number).map { .number($0) }
        case .string(let name): return .name(name)
        default: return reader.mismatch(json, "a number or a name", hint: "write 1, or \"Commentary\"")
        }
    }

    package var json: JSONValue {
        switch self {
        case .number(let number): .integer(Int64(number))
        case .name(let name): .string(name)
        }
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["type": .array([.string("integer"), .string("string")])])
    }
}

extension SoundRoute: CustomStringConvertible {
    /// The place or the name, for people.
    public var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .name(let name): "`\(name.prefix(60))`"
        }
    }

    /// The index, from 0, of the sound track that is meant among those of the given names; nil where there is none.
    package func place(among names: [String?]) -> Int? {
        switch self {
        case .number(let number): (1...max(1, names.count)).contains(number) && !names.isEmpty ? number - 1 : nil
        case .name(let name): names.firstIndex(of: name)
        }
    }
}

/// The sound tracks that one track of the composition goes into: one, or a list of them.
public struct SoundRoutes: ProjectValue {
    /// The sound tracks, in order.
    public var routes: [SoundRoute]
    /// Whether it stands as a list in the file.
    private var isList: Bool

    /// Makes routes to several sound tracks.
    public init(_ routes: [SoundRoute]) { (self.routes, isList) = (routes, routes.count != 1) }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> SoundRoutes? {
        guard case .array = json else { return SoundRoute.read(json, &reader).map { SoundRoutes([$0]) } }
        guard var routes = [SoundRoute].read(json, &reader).map({ SoundRoutes($0) }) else { return nil }
        routes.isList = true
        return routes
    }

    package var json: JSONValue { isList || routes.count != 1 ? routes.json : routes[0].json }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let one = SoundRoute.schema(&definitions)
        return .object(["anyOf": .array([one, .object(["type": .string("array"), "items": one])])])
    }
}

extension Project {
    /// The ids of the composition's tracks that go into each of an output's sound tracks, which have the given names:
    /// those whose audio input names it, and into the first one also those that name none. They are in the order of the
    /// file.
    package func soundTracks(routedTo names: [String?]) -> [[Int]] {
        var tracks = [[Int]](repeating: [], count: names.count)
        for (track, routes) in routedTracks {
            let places = Set(routes.compactMap { $0.place(among: names) })
            for place in places { tracks[place].append(track) }
        }
        return tracks
    }

    /// The sound tracks that the tracks which are heard go into, for people; empty where all go into the same.
    package var soundTracksApart: [String] {
        let silent = silencedTracks
        let heard = routedTracks.filter { !silent.contains($0.track) }.map { $0.routes.map(\.description) }
        return Set(heard.map(Set.init)).count > 1 ? Set(heard.joined()).sorted() : []
    }

    /// The audio tracks with the sound tracks that they go into, in the order of the file.
    private var routedTracks: [(track: Int, routes: [SoundRoute])] {
        let inputs = Dictionary((audio?.inputs ?? []).map { ($0.track, $0) }) { first, _ in first }
        return renderedTracks.map(\.track).filter { $0.type == .audio && !$0.segments.isEmpty }
            .map { ($0.id, inputs[$0.id]?.output?.routes ?? [.number(1)]) }
    }
}
