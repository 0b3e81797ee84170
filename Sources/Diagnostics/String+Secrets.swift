extension String {
    /// The text as anybody may see it: an address of the web at its beginning is without a user's name and password,
    /// and without its query, which may let somebody in. What follows the address stays, such as `, track 2`.
    package var withoutSecrets: String {
        guard let scheme = ["https://", "http://"].first(where: { prefix($0.count).lowercased() == $0 }) else {
            return self
        }
        let address = utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: " ") }
        var shown = address.prefix { $0 != UInt8(ascii: "?") }
        let rest = utf8[address.endIndex...]
        let isCut = shown.endIndex < address.endIndex
        let comma = isCut && !rest.isEmpty && address.last == UInt8(ascii: ",") ? "," : ""
        let host = shown.prefix { $0 != UInt8(ascii: "/") }
        if let end = host.lastIndex(of: UInt8(ascii: "@")) { shown = shown[shown.index(after: end)...] }
        return scheme + String(Substring(shown)) + comma + String(Substring(rest))
    }
}
