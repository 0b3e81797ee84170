package import JSONText
package import MediaFacts
package import Outputs
package import SplitreelProject
import Validation

/// The tags that an output gives its film in place of the project's.
package struct FilmTagRequest: Hashable, Codable, Sendable {
    /// The items under the project file's names; they go before the project's metadata and past the filter.
    package var metadata: [String: JSONValue]?
    /// The filter of the project's metadata; nil lets all of it pass.
    package var filter: MetadataFilter?
    package var chapters: ChapterList?
    package var video: TrackRequest?
    package var audio: TrackRequest?

    package struct TrackRequest: Hashable, Codable, Sendable {
        /// The language as BCP 47 writes it.
        package var language: String?
        package var name: String?
        package var dispositions: [TrackDisposition]?

        /// The request for a track's tags; nil where nothing is said.
        package init?(language: String?, name: String?, dispositions: [TrackDisposition]?) {
            if language == nil && name == nil && dispositions == nil { return nil }
            self.language = language
            self.name = name
            self.dispositions = dispositions
        }
    }

    package init() {}

    /// Throws the first tag that no film can have.
    package func refuseWrong(for project: Project, path: String) throws {
        var entry = OutputEntry()
        (entry.metadata, entry.chapters) = (metadata, chapters)
        var (picture, sound) = (VideoOutputSettings(), AudioOutputSettings())
        (picture.language, picture.name) = (video?.language, video?.name)
        (sound.language, sound.name) = (audio?.language, audio?.name)
        (entry.videoSettings, entry.audioSettings) = (picture, sound)
        let problems = project.filmProblems(of: entry, at: path)
        if let first = problems.first(where: { $0.severity == .error }) { throw first.asError }
    }
}

/// The tags of a project's film. A stream is made of several tracks: it has the first language, the first name and the
/// first dispositions that an enabled track of its type with segments says, unless the output says others.
package func filmTags(of project: Project, _ request: FilmTagRequest? = nil) -> FilmTags {
    let filter = request?.filter ?? .all
    var items = (project.metadata ?? [:]).filter { filter.passes($0.key) }
    // To libavformat names that differ in case alone are one.
    let own = Set((request?.metadata ?? [:]).keys.map { $0.filmItemName.lowercased() })
    items = items.filter { !own.contains($0.key.filmItemName.lowercased()) }
    items.merge(request?.metadata ?? [:]) { $1 }
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
    tags.video = trackTags(.video, project, request?.video)
    tags.audio = trackTags(.audio, project, request?.audio)
    return tags
}

/// The tags of a film's track; nil where nothing is said. `ids` are the composition's tracks that it is made of; nil
/// for all of its type.
func trackTags(
    _ type: MediaType, _ project: Project, _ request: FilmTagRequest.TrackRequest?, among ids: [Int]? = nil
) -> FilmTags.Track? {
    let tracks = project.composition.tracks.filter {
        $0.isEnabled && $0.type == type && !$0.segments.isEmpty && ids?.contains($0.id) ?? true
    }
    let language = (request?.language ?? tracks.lazy.compactMap(\.language).first).flatMap(languageCode)
    let name = request?.name ?? tracks.lazy.compactMap(\.name).first { !$0.isEmpty }
    let dispositions = request?.dispositions ?? tracks.lazy.compactMap(\.disposition).first { !$0.isEmpty }
    let isWritten = name.map { !$0.isEmpty && $0.utf8.count <= longestFilmText } ?? false
    let track = FilmTags.Track(
        language: language, name: isWritten ? name : nil,
        dispositions: dispositions?.isEmpty == true ? nil : dispositions)
    return track == FilmTags.Track(language: nil, name: nil) ? nil : track
}
