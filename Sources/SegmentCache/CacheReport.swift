/// The document of `cache stat`: chunks, and beside them blocks of sources, each with a limit of its own.
package struct CacheReport: Encodable {
    /// The blocks of sources beside the chunks.
    package struct Blocks: Encodable {
        package var entries = 0
        package var bytes = 0
        package var limit = 0

        package init(entries: Int, bytes: Int, limit: Int) {
            (self.entries, self.bytes, self.limit) = (entries, bytes, limit)
        }
    }

    /// The folder that a person named, or the address of chunks that others share.
    package var folder: String
    package var entries = 0
    package var bytes = 0
    package var limit: Int
    package var hits = 0
    package var misses = 0
    package var spoiled = 0
    package var blocks = Blocks(entries: 0, bytes: 0, limit: 0)

    package init(folder: String, limit: Int) { (self.folder, self.limit) = (folder, limit) }
}
