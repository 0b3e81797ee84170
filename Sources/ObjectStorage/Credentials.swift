/// The key with which requests to S3 are signed. Its texts never show it.
package struct Credentials: Hashable, Sendable {
    package let accessKey: String
    package let secret: String
    /// The token of a session, for keys that last for some hours.
    package let sessionToken: String?

    package init(accessKey: String, secret: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "credentials of S3" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
