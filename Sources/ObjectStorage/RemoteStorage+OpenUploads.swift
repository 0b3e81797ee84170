import Foundation

/// An upload that was neither completed nor aborted, as the store lists it.
private struct OpenUpload {
    var id: String
    /// The moment of its beginning, by the store's clock; nil where the store does not tell it.
    var begun: Date?
}

extension RemoteStorage {
    /// The ids of the uploads to an address that were neither completed nor aborted, whoever began them: 100 at most.
    /// Throws as `open` does.
    package func openUploads(to address: RemoteAddress) throws -> [String] {
        try listedUploads(to: address, attempts: settings.attempts).map(\.id)
    }

    /// Aborts the uploads that tries before the last one may have begun, whose answers were lost: nobody else knows
    /// them. Those are the address's uploads that were begun at most `time` before the upload `id`, and not after it.
    /// An upload that cannot be listed or aborted stays: the film is worth more.
    func endLostUploads(to address: RemoteAddress, besides id: String, within time: Duration) {
        guard let all = try? listedUploads(to: address, attempts: min(3, settings.attempts)),
            let last = all.first(where: { $0.id == id })?.begun,
            abs(last.timeIntervalSinceNow) <= Self.mostSkew
        else { return }
        // Both moments are of the store's clock, which need not be right.
        let earliest = last - Double(time.components.seconds) - Self.margin
        for upload in all where upload.id != id {
            guard let begun = upload.begun, begun >= earliest, begun <= last + Self.margin else { continue }
            tryToAbort(upload.id, at: address)
        }
    }

    /// The seconds by which moments of a store may be off: they are whole ones.
    private static let margin = 2.0

    /// The most seconds between the clocks: S3 takes no request beyond. A store that tells other moments makes them up.
    private static let mostSkew = 900.0

    private func listedUploads(to address: RemoteAddress, attempts: Int) throws -> [OpenUpload] {
        let query = [("prefix", address.path), ("uploads", ""), ("max-uploads", "100")]
        let answer = try send(to: address, attempts: attempts) {
            StorageRequest(method: .get, address: address, query: query, isOfBucket: true)
        }
        guard answer.status == 200 else { throw fault(answer, address, "listing uploads") }
        let xml = StorageXML(answer.body)
        let keys = xml.all("Key")
        let moments = xml.all("Initiated")
        return zip(keys, xml.all("UploadId")).enumerated().compactMap { number, upload in
            guard upload.0 == address.path else { return nil }
            // Without one for each they cannot be told apart.
            return OpenUpload(id: upload.1, begun: moments.count == keys.count ? moment(moments[number]) : nil)
        }
    }
}

/// The moment of a text such as `2026-02-28T23:59:07.000Z`, to the second; nil where it is none.
func moment(_ text: String) -> Date? {
    guard text.hasSuffix("Z") else { return nil }
    return try? Date(text.prefix(19) + "Z", strategy: .iso8601)
}
