package import FarmProtocol

/// The sums of what a coordinator keeps of uploads, and of films that wait.
package struct StoreReport: Sendable, Hashable, Encodable {
    /// The contents that were uploaded, and their bytes.
    package var files: Int
    package var bytes: Int
    /// The uploads that are not whole, and their bytes as they will be.
    package var parts: Int
    package var partBytes: Int
    /// The films that wait, and their bytes.
    package var films: Int
    package var filmBytes: Int
    /// The bytes that may be held.
    package var limit: Int
    /// The seconds for which a film waits, and unused content is kept; 0 where the coordinator did not say.
    package var keepsSeconds: Int
    /// The bytes that this prune removed.
    package var removedBytes: Int

    package init(_ message: Splitreel_Farm_StoreReport) {
        files = Int(clamping: message.files)
        bytes = Int(clamping: message.bytes)
        parts = Int(clamping: message.parts)
        partBytes = Int(clamping: message.partBytes)
        films = Int(clamping: message.films)
        filmBytes = Int(clamping: message.filmBytes)
        limit = Int(clamping: message.limit)
        keepsSeconds = Int(clamping: message.keepsSeconds)
        removedBytes = Int(clamping: message.removedBytes)
    }
}
