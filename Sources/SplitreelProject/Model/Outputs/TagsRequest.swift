package import JSONText

/// The tags that an output gives its film in place of the project's. Those of its tracks are a `PictureRequest`'s and a
/// `SoundRequest`'s.
package struct TagsRequest: Hashable, Codable, Sendable {
    /// The items under the project file's names; they go before the project's metadata and past the filter.
    package var metadata: [String: JSONValue]?
    /// The filter of the project's metadata; nil lets all of it pass.
    package var filter: MetadataFilter?
    package var chapters: ChapterList?

    package init() {}
}
