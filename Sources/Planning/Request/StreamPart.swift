package import Outputs

/// An output's part in a stream, which is made of several; see `OutputRequest.streamed`.
package struct StreamPart: Hashable, Codable, Sendable {
    package enum Content: Hashable, Codable, Sendable {
        /// A film; with the number of its rendition, from 1, where some are asked for.
        case film(rendition: Int?)
        case document(StreamDocument)
    }

    /// The path of the document by which players begin.
    package var path: String
    package var content: Content

    package init(of path: String, _ content: Content) {
        self.path = path
        self.content = content
    }
}

extension OutputRequest {
    /// The path of the document of the stream that this output is a part of; nil where it is a part of none.
    package var streamPath: String? { streamPart?.path }

    /// The stream document that this output is; nil where it is a film.
    package var stream: StreamDocument? {
        if case .document(let document)? = streamPart?.content { document } else { nil }
    }

    /// The number of the stream's rendition that this is, from 1; nil where none are asked for.
    package var rendition: Int? {
        if case .film(let rendition)? = streamPart?.content { rendition } else { nil }
    }
}
