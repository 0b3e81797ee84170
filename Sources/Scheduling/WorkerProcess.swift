/// The process that started a slot, a `splitreel worker`, as the slot tells of it.
package struct WorkerProcess: Sendable, Hashable {
    /// The machine's name; empty where the slot did not say.
    package var host: String
    /// The process's number on that machine; nil where the slot did not say.
    package var pid: Int64?
    /// splitreel's version.
    package var release: String

    package init(host: String = "", pid: Int64? = nil, release: String = "") {
        self.host = host
        self.pid = pid
        self.release = release
    }
}
