package import DataPlane
import SplitreelFiles
package import Threads
import Transport

// Things that are fetched whole, and what a slot asks for while it renders. Its stop lets go of the bytes, since a
// render that is cancelled must not wait for a coordinator that is away.
extension DataLine {
    /// Fetches an object whole into a file of that path, which appears when its SHA-256 is right. Its disk is not
    /// waited for: after a crash it is fetched again. Blocks and throws as `fetch` does. The stop of the work ends it
    /// with `.cancelled`. An object of more than `most` bytes ends it with `.malformedMessage` before they come.
    package nonisolated func fetchObject(
        _ sum: [UInt8], of job: String, into path: String, most: Int64 = DataLine.mostObjectBytes,
        stop: WorkStop = WorkStop()
    ) throws {
        let file = ArrivingFile(path: path, lasting: false)
        _ = try wait(for: .object(sum: sum), job, StreamGoal(sum: sum), most: most, into: file, stop: stop)
    }

    /// Throws `.diskFull` where a segment of so many bytes, about, has no room beside those that wait to be sent, or on
    /// their disk. To be asked before it is begun. Blocks; not from a loop's thread.
    package nonisolated func requireRoom(for bytes: Int64) throws {
        guard let folder else { return }
        let free = freeBytes(in: folder.path)
        let refusal = try loop.onLoop { [self] in
            assumeIsolated { $0.outbox.refusal(of: bytes, free: free, place: folder.path) }
        }
        if let refusal { throw refusal }
    }

    /// The bytes of an object at most: of a plan.
    package static let mostObjectBytes: Int64 = 1 << 30

    /// Fetches a file of at most so many bytes, which something else checks, as a record beside a segment does. Blocks,
    /// is stopped and throws as `fetchObject` does.
    package nonisolated func fetchFile(
        _ subject: DataSubject, of job: String, into path: String, most: Int64, stop: WorkStop
    ) throws {
        let file = ArrivingFile(path: path, lasting: false)
        _ = try wait(for: subject, job, StreamGoal(), most: most, into: file, stop: stop)
    }

    /// The bytes of a thing of a job from a place on, exactly `count` of them. Blocks and throws as
    /// `fetch(_:of:at:count:)` does, and throws `.cancelled` soon after the work is stopped.
    package nonisolated func fetch(
        _ subject: DataSubject, of job: String, at place: Int64, count: Int, stop: WorkStop
    ) throws -> [UInt8] {
        guard count > 0 else { return [] }
        let end = place + Int64(count)
        return try wait(for: subject, job, StreamGoal(from: place, end: end), most: end, stop: stop)
    }

    /// All bytes of a thing that something else checks. Blocks and throws as `fetch(_:of:at:count:stop:)` does, and
    /// throws `.malformedMessage` for more than `most` bytes before they come.
    package nonisolated func fetchWhole(
        _ subject: DataSubject, of job: String, most: Int64, stop: WorkStop
    ) throws -> [UInt8] {
        try wait(for: subject, job, StreamGoal(), most: most, stop: stop)
    }

    /// All bytes of a job's object, whose SHA-256 is right. Blocks and throws as `fetchWhole` does.
    package nonisolated func fetchObject(
        _ sum: [UInt8], of job: String, most: Int64, stop: WorkStop
    ) throws -> [UInt8] {
        try wait(for: .object(sum: sum), job, StreamGoal(sum: sum), most: most, stop: stop)
    }
}
