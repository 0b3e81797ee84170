import JSONText
import MediaFacts
package import Outputs
package import SplitreelProject
import Validation

extension OutputRequest {
    /// Throws the first tag that no film can have.
    package func refuseWrongTags(for project: Project) throws {
        let (video, audio) = (picture.withoutEncoding, sound.withoutEncoding)
        // Most requests say none, and a validator looks at the whole project before it begins.
        guard tags != TagsRequest() || video != PictureRequest() || audio != SoundRequest() else { return }
        var entry = OutputEntry()
        entry.tags = tags
        entry.videoSettings = video
        entry.audioSettings = audio
        let problems = project.filmProblems(of: entry, at: path)
        if let first = problems.first(where: { $0.severity == .error }) { throw first.asError }
    }
}

/// The words about a film's track that an output says itself.
struct TrackWords {
    /// The language as BCP 47 writes it.
    var language: String?
    var name: String?
    var dispositions: [TrackDisposition]?

    init(_ request: PictureRequest) {
        language = request.language
        name = request.name
        dispositions = request.disposition
    }

    init(_ request: SoundRequest) {
        language = request.language
        name = request.name
        dispositions = request.disposition
    }
}

/// The tags of a project's film. A stream is made of several tracks: it has the first language, the first name and the
/// first dispositions that an enabled track of its type with segments says, unless the output says others.
package func filmTags(of project: Project, _ request: OutputRequest? = nil) -> FilmTags {
    let filter = request?.tags.filter ?? .all
    var items = (project.metadata ?? [:]).filter { filter.passes($0.key) }
    // To libavformat names that differ in case alone are one.
    let own = Set((request?.tags.metadata ?? [:]).keys.map { $0.filmItemName.lowercased() })
    items = items.filter { !own.contains($0.key.filmItemName.lowercased()) }
    items.merge(request?.tags.metadata ?? [:]) { $1 }
    var tags = FilmTags()
    var written: Set<String> = []
    for (key, value) in items.sorted(by: { $0.key < $1.key }) {
        guard let text = value.filmText, !text.isEmpty, text.utf8.count <= longestFilmText,
            faultOfFilmItemName(key) == nil, written.insert(key.filmItemName.lowercased()).inserted
        else { continue }
        tags.items[key.filmItemName] = key.isCreationDate ? CreationDate(text)?.text : text
    }
    let hasTitle = tags.items.keys.contains { $0.lowercased() == "title" }
    if !hasTitle, let name = project.name, !name.isEmpty, filter.passes("title") {
        tags.items["title"] = name
    }
    tags.video = trackTags(.video, project, request.map { TrackWords($0.picture) })
    tags.audio = trackTags(.audio, project, request.map { TrackWords($0.sound) })
    return tags
}

/// The tags of a film's track; nil where nothing is said. `ids` are the composition's tracks that it is made of; nil
/// for all of its type.
func trackTags(
    _ type: MediaType, _ project: Project, _ words: TrackWords?, among ids: [Int]? = nil
) -> FilmTags.Track? {
    let tracks = project.composition.tracks.filter {
        $0.isEnabled && $0.type == type && !$0.segments.isEmpty && ids?.contains($0.id) ?? true
    }
    let language = (words?.language ?? tracks.lazy.compactMap(\.language).first).flatMap(languageCode)
    let name = words?.name ?? tracks.lazy.compactMap(\.name).first { !$0.isEmpty }
    let dispositions = words?.dispositions ?? tracks.lazy.compactMap(\.disposition).first { !$0.isEmpty }
    let isWritten = name.map { !$0.isEmpty && $0.utf8.count <= longestFilmText } ?? false
    let track = FilmTags.Track(
        language: language, name: isWritten ? name : nil,
        dispositions: dispositions?.isEmpty == true ? nil : dispositions)
    return track == FilmTags.Track(language: nil, name: nil) ? nil : track
}
