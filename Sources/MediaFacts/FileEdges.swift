/// By what a file that is not read whole is known again.
package struct FileEdges: Codable, Sendable {
    package var byteCount: Int64
    /// SHA-256 (hex) of its first and its last MiB, of the whole file up to 2 MiB.
    package var hash: String

    package init(byteCount: Int64, hash: String) { (self.byteCount, self.hash) = (byteCount, hash) }
}
