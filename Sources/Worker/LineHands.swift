import DataPlane
import Diagnostics
import Hashing
import Scheduling
package import SourceBlocks
import Synchronization
package import Threads
import Transfer

/// A slot's hands for the sources of the job that it renders, over its line to the coordinator. Whoever renders holds
/// them before there is a slot; they get its line when it is there. From any thread.
///
/// There is no limit of time: a link that breaks and a coordinator that restarts are waited for, until the slot gives
/// its lease up and stops the work.
package final class LineHands: SourceHands {
    private struct State {
        var line: DataLine?
        /// The job that is rendered, or was last.
        var job = ""
    }

    private let state = Mutex(State())
    /// The most bytes of an object in memory: of an index of millions of packets.
    private static let mostObjectBytes: Int64 = 256 << 20
    /// The bytes that the job needed and that came.
    package let count: TransferCount

    package init(count: TransferCount = TransferCount()) { self.count = count }

    /// The job that is rendered, or was last; empty before the first.
    var job: String { state.withLock { $0.job } }

    /// Takes the slot's line.
    func use(_ line: DataLine) { state.withLock { $0.line = line } }

    /// Begins a render for a job. What another job needed counts no longer.
    func begin(_ job: String) {
        let isOther = state.withLock { state in
            defer { state.job = job }
            return state.job != job
        }
        if isOther { count.forget() }
    }

    /// The bytes since this was last asked, of the job that was begun last.
    func takeBytes() -> SourceBytes {
        let parts = count.take()
        let pictures = parts[.block]
        let sound = parts[.extent]
        return SourceBytes(
            needed: pictures?.needed ?? 0, fetched: pictures?.fetched ?? 0, soundNeeded: sound?.needed ?? 0,
            soundFetched: sound?.fetched ?? 0)
    }

    package func map(ofFile path: String, stop: WorkStop) throws -> [UInt8] {
        try ask(path) { line, job in
            try line.fetchWhole(.blockMap(path: path), of: job, most: Int64(BlockMap.mostLength), stop: stop)
        }
    }

    package func object(_ sum: String, stop: WorkStop) throws -> [UInt8]? {
        guard let digest = bytes(ofSHA256: sum) else { return nil }
        do {
            return try ask("object \(sum)") { line, job in
                try line.fetchObject(digest, of: job, most: Self.mostObjectBytes, stop: stop)
            }
        } catch let error as SplitreelError where [.refused, .mediaNotFound].contains(error.code) {
            return nil
        }
    }

    package func fetch(_ range: Range<Int>, ofFile path: String, stop: WorkStop) throws -> [UInt8] {
        try ask(path) { line, job in
            try line.fetch(.source(path: path), of: job, at: Int64(range.lowerBound), count: range.count, stop: stop)
        }
    }

    /// Asks over the line. The line knows streams: an error of it gets the file's name.
    private func ask(_ subject: String, _ body: (DataLine, _ job: String) throws -> [UInt8]) throws -> [UInt8] {
        let now = state.withLock { $0 }
        guard let line = now.line else { throw notDelivered(subject, "the slot has no line to the coordinator") }
        do {
            return try body(line, now.job)
        } catch let error as SplitreelError {
            throw SplitreelError(
                error.code, operation: error.operation, subject: Phrase(subject), reason: error.reason,
                hint: error.hint)
        }
    }
}
