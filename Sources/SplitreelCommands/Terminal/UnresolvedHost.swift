import Diagnostics
import Glibc
import Transport

extension SplitreelError {
    /// The error; of a coordinator that does not answer, with the reason where its host has no address. Asks the
    /// resolver, which may take seconds.
    var namingHost: SplitreelError {
        guard code == .coordinatorUnreachable, let endpoint = try? Endpoint(subject.description),
            case .tcp(let host, _) = endpoint.place, !host.hasPrefix("["), let reason = reasonOfNoAddress(host)
        else { return self }
        var error = self
        error.reason = Phrase("the name `\(host)` cannot be resolved: \(reason)")
        error.hint = "check the host's name, or write its address: \(.connect, "tcp://ADDRESS:PORT")"
        return error
    }
}

/// The resolver's words for why a host has no address; nil where it has one.
private func reasonOfNoAddress(_ host: String) -> String? {
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, nil, &found)
    if let found { freeaddrinfo(found) }
    return code == 0 ? nil : String(cString: gai_strerror(code))
}
