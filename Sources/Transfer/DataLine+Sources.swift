package import DataPlane
package import Threads

// What a slot asks for while it renders: its stop lets go of the bytes, since a render that is cancelled must not wait
// for a coordinator that is away.
extension DataLine {
    /// The bytes of a thing of a job from a place on, exactly `count` of them. Blocks and throws as
    /// `fetch(_:of:at:count:)` does, and throws `.cancelled` soon after the work is stopped.
    package nonisolated func fetch(
        _ subject: DataSubject, of job: String, at place: Int64, count: Int, stop: WorkStop
    ) throws -> [UInt8] {
        guard count > 0 else { return [] }
        return try wait(for: subject, job, StreamGoal(from: place, end: place + Int64(count)), stop: stop)
    }

    /// All bytes of a thing that something else checks. Blocks and throws as `fetch(_:of:at:count:stop:)` does.
    package nonisolated func fetchWhole(_ subject: DataSubject, of job: String, stop: WorkStop) throws -> [UInt8] {
        try wait(for: subject, job, StreamGoal(), stop: stop)
    }

    /// All bytes of a job's object, whose SHA-256 is right. Blocks and throws as `fetch(_:of:at:count:stop:)` does.
    package nonisolated func fetchObject(_ sum: [UInt8], of job: String, stop: WorkStop) throws -> [UInt8] {
        try wait(for: .object(sum: sum), job, StreamGoal(sum: sum), stop: stop)
    }
}
