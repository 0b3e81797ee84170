import SplitreelFiles

/// The facts of an object or a file that a server tells: its length, and the marks by which another content is known.
struct ObjectFacts: Sendable {
    let byteCount: Int
    /// The ETag with its quotation marks, and with `W/` where it is a weak one.
    let tag: String?
    /// The time of the last change, as the server writes it.
    let lastModified: String?
    let version: String?

    init(_ head: ResponseHead, byteCount: Int, _ address: RemoteAddress, _ storage: RemoteStorage) throws {
        self.byteCount = byteCount
        // It is sent back, to wherever the server sends on: a control character could end the line there.
        tag = head["etag"].flatMap { $0.isEmpty || $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : $0 }
        lastModified = head["last-modified"].flatMap { $0.isEmpty ? nil : $0 }
        version = head["x-amz-version-id"].flatMap { $0.isEmpty || $0 == "null" ? nil : $0 }
        guard tag != nil || lastModified != nil else {
            throw storage.wrong(address, "it sends neither an ETag nor a Last-Modified, by which a change is seen")
        }
    }

    /// The ETag, if it stands for exactly these bytes.
    var strongTag: String? { tag.flatMap { $0.hasPrefix("\"") ? $0 : nil } }

    /// Whether the answer is of the same content, as far as its head tells. An answer that leaves a mark out that was
    /// there is of another one.
    func areThose(of head: ResponseHead) -> Bool {
        if let tag { return head["etag"] == tag }
        return head["last-modified"] == lastModified
    }

    func identity(of address: RemoteAddress) -> SourceIdentity {
        let marks = [tag ?? lastModified ?? "", "\(byteCount)", version ?? ""].joined(separator: " ")
        let seconds = lastModified.flatMap(secondsSince1970) ?? 0
        return SourceIdentity(
            token: "\(address.text) \(marks)", byteCount: byteCount,
            // A weak mark may stay the same where bytes change, and a time within one second.
            mark: strongTag == nil ? nil : "\(address.text) \(marks)",
            change: seconds &* 1_000_000_000, seconds: seconds)
    }
}

/// The part of a whole that an answer holds: `bytes 0-99/1234`.
struct ContentRange {
    let bytes: Range<Int>
    let total: Int

    /// Reads the header; nil for one that is none, and for a whole of unknown length.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let total = Self.number(halves[1]) else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total
        else { return nil }
        bytes = first..<last + 1
        self.total = total
    }

    /// A number of at most 18 digits, and nothing else.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
