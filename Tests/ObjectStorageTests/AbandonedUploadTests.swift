import Diagnostics
import Foundation
import ObjectStorage
import RemoteMedia
import SplitreelFiles
import TestTools
import Testing

/// What processes that were killed have left, as the next one with their cache folder finds it.
@Suite("Abandoned uploads")
struct AbandonedUploadTests {
    private let folder: TestFolder
    private let bucket = StubBucket()

    init() throws { folder = try TestFolder() }

    private func media(_ server: StubServer) throws -> RemoteMedia {
        let credentials = CredentialSource(Credentials(accessKey: "key", secret: "secret"))
        return try RemoteMedia(
            settings: .quick(server, credentials), folder: folder.file("cache"), roots: nil, cacheBytes: 1 << 26)
    }

    /// Leaves the record of an upload as a process does that is killed: nobody holds its lock.
    private func leaveRecord(_ media: RemoteMedia) throws {
        let sent = try folder.write(Data(madeBytes(10, seed: 3)), to: "film.mp4")
        let (cache, kept) = (folder.file("cache/uploads"), folder.file("kept"))
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        try media.publish(sent, as: film, overwrite: true) {
            for name in try FileManager.default.contentsOfDirectory(atPath: cache) {
                try? FileManager.default.removeItem(atPath: "\(kept)/\(name)")
                try FileManager.default.copyItem(atPath: "\(cache)/\(name)", toPath: "\(kept)/\(name)")
            }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: kept) {
            try FileManager.default.moveItem(atPath: "\(kept)/\(name)", toPath: "\(cache)/\(name)")
        }
    }

    private var records: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file("cache/uploads")) }
    }

    /// Another server knows nothing of the upload, and says so: that is no reason to forget it.
    @Test func areEndedOnTheirOwnServerAlone() throws {
        let server = try StubServer { [bucket] in bucket.serve($0, $1) }
        let other = try StubServer { $1.answer(404) }
        let media = try media(server)
        try leaveRecord(media)
        try #require(try records.count == 1)
        try self.media(other).endAbandonedUploads()
        #expect(try records.count == 1 && other.requests.isEmpty)
        let before = server.requests.count
        media.endAbandonedUploads()
        #expect(server.requests.dropFirst(before).map(\.method) == ["DELETE"])
        #expect(try records.isEmpty)
    }

    /// A key of 1024 bytes is longer than a file's name.
    @Test func aLongKeyHasAPlaceForItsFilm() throws {
        let server = try StubServer { $1.answer(404) }
        let media = try media(server)
        let long = String(repeating: "é", count: 500) + ".mp4"
        let place = media.placeOfMaking("s3://bucket/" + long)
        #expect(fileName(of: place).utf8.count <= 160 && place.hasSuffix("é.mp4"))
        #expect(place != media.placeOfMaking("s3://bucket/a/" + long))
    }
}
