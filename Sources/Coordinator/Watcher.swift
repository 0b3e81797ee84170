import FarmKeys

/// A client's standing question.
struct Watcher {
    enum Subject: Hashable {
        case job(String)
        case allJobs
        /// The jobs that were submitted under the name of a key.
        case jobsOfKey(String)

        /// Whether it is a list of jobs that holds one of that key; nil where it is no list.
        func holds(jobOf keyName: String?) -> Bool? {
            switch self {
            case .job: nil
            case .allJobs: true
            case .jobsOfKey(let name): name == keyName
            }
        }
    }

    let identity: [UInt8]
    let request: UInt64
    let subject: Subject
    /// The key under which it was asked; nil on a farm without keys.
    let key: PublicKey?

    func isOf(_ identity: [UInt8], _ request: UInt64) -> Bool { self.identity == identity && self.request == request }
}
