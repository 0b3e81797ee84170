package import MediaFacts
package import SplitreelFiles

/// The source's length with a SHA-256 of its first and last MiB, or of all of it up to 2 MiB. Throws
/// `mediaCannotOpen`, or as reading does.
package func edgeHash(_ source: any MediaSource) throws -> FileEdges {
    FileEdges(byteCount: Int64(source.byteCount), hash: try source.edgeSum())
}
