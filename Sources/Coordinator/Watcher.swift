/// A client's standing question.
struct Watcher {
    enum Subject: Hashable {
        case job(String)
        case allJobs
    }

    let identity: [UInt8]
    let request: UInt64
    let subject: Subject

    func isOf(_ identity: [UInt8], _ request: UInt64) -> Bool { self.identity == identity && self.request == request }
}
