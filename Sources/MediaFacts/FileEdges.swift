/// The facts by which a file that is not read whole is known again.
package struct FileEdges: Codable, Sendable {
    package var byteCount: Int64
    /// The SHA-256 (hex) of the file's first and last MiB; of the whole file where it has up to 2 MiB.
    package var hash: String

    package init(byteCount: Int64, hash: String) { (self.byteCount, self.hash) = (byteCount, hash) }
}
