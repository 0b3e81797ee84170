/// A thing of a job that a peer may ask for.
package enum DataSubject: Sendable, Hashable {
    /// A file that the job's plan reads, by the path that the plan has for it.
    case source(path: String)
    /// The sums of the blocks of such a file, by the file's path.
    case blockMap(path: String)
    /// The plan, an index, a font, a table or an allotment, by its SHA-256, 32 bytes.
    case object(sum: [UInt8])
    /// A file of the segment set of a task that is done; `file` is its place in the set, from 0.
    case segment(task: Int, epoch: Int, file: Int, isRecord: Bool)
}
