import Glibc
import Threads

/// The person on whose behalf this process submits jobs.
package enum Submitter {
    /// The person as `USER@HOST`, and a user who has no name as a number. Says who it was among colleagues, and proves
    /// nothing. Asks the system's list of users, which may be on a network.
    package static let current = "\(userName)@\(MachineName.current)"

    private static var userName: String {
        let user = getuid()
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { texts in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let room = texts.baseAddress,
                getpwuid_r(user, &entry, room, texts.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return "\(user)" }
            return String(cString: name)
        }
    }
}
