package import Diagnostics

/// The room on a disk that a part of the farm may take. It refuses before a file is begun, never in its middle.
package struct DiskBudget: Sendable, Hashable {
    /// The most bytes that may be held.
    package var mostBytes: Int64
    /// The bytes that stay free for others.
    package var spareBytes: Int64

    package init(mostBytes: Int64, spareBytes: Int64) {
        self.mostBytes = mostBytes
        self.spareBytes = spareBytes
    }

    /// The reason why so many bytes more cannot be held; nil where they can.
    ///
    /// - Parameters:
    ///   - bytes: that are to come.
    ///   - held: that are held, or promised, already.
    ///   - free: on the disk, without those that were promised and have not come; nil where nobody knows.
    ///   - place: names the disk for a person.
    package func refusal(of bytes: Int64, held: Int64, free: Int64?, place: String) -> SplitreelError? {
        if held + bytes > mostBytes {
            return SplitreelError(
                .diskFull, operation: "keeping a segment", subject: place,
                reason: "\(held) bytes are held there, \(bytes) more are to come, and \(mostBytes) may be held",
                hint: "it is tried again when some are gone")
        }
        guard let free, free - bytes < spareBytes else { return nil }
        return SplitreelError(
            .diskFull, operation: "keeping a segment", subject: place,
            reason: "\(free) bytes are free there, \(bytes) are to come, and \(spareBytes) must stay free",
            hint: "make room on that disk")
    }
}
