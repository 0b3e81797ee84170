import MediaFacts

/// The source of a copied chunk, for whoever makes the film and has nothing else of the composition.
package struct CopiedSource: Hashable, Codable, Sendable {
    /// The path, or the name of a source elsewhere.
    package var path: String
    /// The mark of the file that the plan was made with; nil where its content could have changed unseen.
    package var mark: String?
    /// The SHA-256, in hex, of the index that the plan was made with.
    package var sum: String?
    /// The path of a file with that index; nil for none: the source is read through then.
    package var index: String?
}

extension RenderPlan {
    /// The source of a chunk, whose index may lie in the folder `indexes`; nil for a chunk that is not copied.
    package func copiedSource(ofChunk chunk: Int, indexes: String?) -> CopiedSource? {
        guard chunks.indices.contains(chunk), let span = chunks[chunk].copied, let facts = assets[span.asset] else {
            return nil
        }
        let index = facts.indexName.flatMap { name in indexes.map { $0 + "/" + name } }
        return CopiedSource(path: facts.path, mark: facts.mark, sum: facts.contentSum, index: index)
    }

    /// The chunks that are tasks, in film order: those that are not copied.
    package var renderedChunks: [Int] { chunks.indices.filter { chunks[$0].copied == nil } }

    /// The number of chunks that are copied.
    package var copiedChunkCount: Int { chunks.count { $0.copied != nil } }

    /// Whether a task is a chunk that is copied when the film is made, and no work.
    package func isCopied(_ task: Int) -> Bool { chunks.indices.contains(task) && chunks[task].copied != nil }

    /// The first chunk that is rendered, whose parameter sets are those of all others; nil for none.
    package var firstRenderedChunk: Chunk? { chunks.first { $0.copied == nil } }
}
