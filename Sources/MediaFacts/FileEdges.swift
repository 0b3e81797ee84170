/// The facts by which a file that is not read whole is known again.
public struct FileEdges: Codable, Sendable {
    public var byteCount: Int64
    /// The SHA-256 (hex) of the file's first and last MiB; of the whole file where it has up to 2 MiB.
    public var hash: String

    public init(byteCount: Int64, hash: String) { (self.byteCount, self.hash) = (byteCount, hash) }
}
