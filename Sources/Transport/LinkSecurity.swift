package import Diagnostics
package import FarmKeys

/// The keys under which all sockets of a loop speak: CURVE (RFC 26), which encrypts and proves both ends.
package enum LinkSecurity: Sendable {
    /// The bytes are as they are, and anybody may be at the other end.
    case open
    /// Dealers that prove a pair of their own, and speak with the owner of that public key alone.
    case client(KeyPair, server: PublicKey)
    /// Routers that prove a pair of their own; the doorkeeper says who gets in, and without one nobody does.
    case server(KeyPair, Doorkeeper?)

    /// The bytes that encryption adds to each frame: a command's name, a nonce, a sum and flags (RFC 26, MESSAGE).
    var bytesPerFrame: Int {
        switch self {
        case .open: 0
        case .client, .server: 33
        }
    }
}

/// A word on each key that knocks; asked on the loop's thread.
package struct Doorkeeper: Sendable {
    let admits: @Sendable (PublicKey) -> Bool

    package init(admits: @escaping @Sendable (PublicKey) -> Bool) { self.admits = admits }
}

/// The reason why the other end of a link does not speak with us.
package enum LinkFault: Hashable, Sendable {
    /// It does not let our key in.
    case keyRefused
    /// One end has keys and the other has none.
    case keysAtOneEnd
}

extension FarmToken {
    /// The token as a client's sockets take it. Throws `.keyFileUnusable` where its two keys are no pair, which
    /// otherwise would look like silence.
    package func security() throws -> LinkSecurity {
        guard pair.isPair else {
            throw SplitreelError(
                .keyFileUnusable, operation: "reading the token", subject: "the token of \(name)",
                reason: "its public and its secret key are no pair", hint: "`splitreel keys` writes tokens")
        }
        return .client(pair, server: farm)
    }
}

extension LinkFault {
    /// The error for whoever connected to an endpoint, with a token or without one.
    package func error(connecting endpoint: String, hasToken: Bool) -> SplitreelError {
        switch self {
        case .keyRefused:
            SplitreelError(
                .keyRefused, operation: "connecting", subject: "\(endpoint)",
                reason: "the coordinator does not know the token's key, or the key was revoked",
                hint: "beside the coordinator `splitreel keys list` shows its keys, and `splitreel keys add` adds one")
        case .keysAtOneEnd where hasToken:
            SplitreelError(
                .tokenNeeded, operation: "connecting", subject: "\(endpoint)",
                reason: "the coordinator there has no keys", hint: "leave \(.token) and SPLITREEL_TOKEN out")
        case .keysAtOneEnd:
            SplitreelError(
                .tokenNeeded, operation: "connecting", subject: "\(endpoint)",
                reason: "the coordinator there has keys",
                hint: "name a token of its farm with \(.token); beside the coordinator `splitreel keys add` makes one")
        }
    }
}
