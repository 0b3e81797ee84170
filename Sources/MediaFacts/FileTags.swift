public import MediaTime

/// The words that a media file says about itself, and its chapters: nothing of it changes a picture or a sample.
public struct FileTags: Hashable, Codable, Sendable {
    /// The tags of the file, such as `title`, `artist` or `creation_time`: names as libavformat has them.
    public var file: [String: String]
    /// The tags of its tracks, such as `language` or `handler_name`, by the track's id; without tracks that have none.
    public var tracks: [Int: [String: String]]
    /// The chapters in the file's order.
    public var chapters: [FileChapter]

    public init(file: [String: String] = [:], tracks: [Int: [String: String]] = [:], chapters: [FileChapter] = []) {
        self.file = file
        self.tracks = tracks
        self.chapters = chapters
    }
}

/// A part of a media file that has a name, such as a player offers to jump to.
public struct FileChapter: Hashable, Codable, Sendable {
    /// The name; nil where the file gives none.
    public var title: String?
    /// The range of asset time: a chapter of a file whose first picture comes late may begin below 0. Its end is the
    /// next chapter's start in most files.
    public var range: TimeRange
    /// All tags of the chapter, its `title` among them.
    public var tags: [String: String]

    public init(title: String?, range: TimeRange, tags: [String: String] = [:]) {
        self.title = title
        self.range = range
        self.tags = tags
    }
}
