/// A client's standing question about one job.
struct Watcher {
    let identity: [UInt8]
    let request: UInt64
    let job: String
}
