import Foundation
import Hashing
import SegmentCache
import TestTools

/// A cache in a folder of its own, and segments that were made elsewhere.
struct CacheFixture {
    let folder: TestFolder
    let place: String

    init() throws {
        folder = try TestFolder("chunks")
        place = try folder.folder("cache")
    }

    func cache(limit: Int = 1 << 30) throws -> SegmentCache { try SegmentCache(in: place, limit: limit, sparing: 0) }

    /// A key that no other number has.
    static func key(_ number: Int) -> ContentKey { ContentKey(of: Array("task \(number)".utf8)) }

    /// The bytes of a segment, which a number decides.
    static func bytes(_ number: Int, _ count: Int) -> Data {
        var numbers = SeededNumbers(seed: UInt64(number))
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) })
    }

    /// The sum of a file as coreutils make it.
    func sum(_ path: String) throws -> String {
        let result = try Tool("/usr/bin/sha256sum", [path], in: folder).finish(seconds: 60)
        return String(result.text.prefix(64))
    }

    /// Writes a segment and its record, as a worker would.
    func segment(_ number: Int, count: Int = 5000, _ name: String? = nil) throws -> SegmentCache.Segment {
        let path = try folder.write(Self.bytes(number, count), to: name ?? "made-\(number).nut")
        _ = try folder.write(Data("{\"record\":\(number)}".utf8), to: (name ?? "made-\(number).nut") + ".json")
        return SegmentCache.Segment(path: path, hash: try sum(path), byteCount: Int64(count))
    }

    /// The path of a file of an entry.
    func file(_ key: ContentKey, _ name: String) -> String {
        "\(place)/chunks/\(key.text.prefix(2))/\(key.text)/\(name)"
    }

    func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
