package import Diagnostics
import Foundation
import Glibc
import Hashing
import SplitreelFiles

/// An object as a listing names it.
package struct ListedObject: Sendable, Hashable {
    /// The rest of its key behind that of the place that was listed.
    package let name: String
    package let byteCount: Int
    /// The time of its last change in seconds since 1970, by the store's clock; 0 where the store does not tell it.
    package let modified: Double

    package init(name: String, byteCount: Int, modified: Double) {
        (self.name, self.byteCount, self.modified) = (name, byteCount, modified)
    }
}

/// The error of an object that has more bytes than the caller wants: the one that a list named may be another by now.
package struct ObjectIsLonger: Error, Equatable {}

// Objects that are read and written as a whole, such as entries of a cache. All calls block.
extension RemoteStorage {
    /// The most bytes of a file that one request sends; more goes in parts.
    private static let mostAtOnce = 64 << 20
    /// The most bytes of a page of a listing: 1,000 keys, each of 1 KiB at most.
    private static let mostListBytes = 2 << 20
    /// The most bytes of an object that is listed, 32 TiB: sums of all lengths in a list stay numbers.
    private static let mostObjectBytes = 1 << 45

    /// The objects below a place of s3, which ends at a slash: `most` of them at most, by their keys. Throws as `open`
    /// does, and `cancelled` soon after `isCancelled` answers true.
    package func list(
        below place: RemoteAddress, most: Int, isCancelled: @escaping () -> Bool = { false }
    ) throws -> [ListedObject] {
        var objects: [ListedObject] = []
        var token: String?
        repeat {
            var query = [("list-type", "2"), ("max-keys", "1000")]
            if !place.path.isEmpty { query.append(("prefix", place.path)) }
            if let token { query.append(("continuation-token", token)) }
            let sink = BytesSink(most: Self.mostListBytes)
            let answer = try send(to: place, sink: sink, isCancelled: isCancelled) { [query] in
                StorageRequest(method: .get, address: place, query: query, isOfBucket: true)
            }
            guard answer.status == 200 else { throw fault(answer, place, "listing objects") }
            let page = StorageXML(sink.bytes)
            let (keys, sizes, times) = (page.all("Key"), page.all("Size"), page.all("LastModified"))
            guard keys.count == sizes.count, keys.count == times.count else {
                throw wrong(place, "its list does not tell each object's length and time")
            }
            for ((key, size), time) in zip(zip(keys, sizes), times) where key.hasPrefix(place.path) {
                guard let count = Int(size), (0...Self.mostObjectBytes).contains(count) else { continue }
                objects.append(
                    ListedObject(
                        name: String(key.dropFirst(place.path.count)), byteCount: count,
                        modified: moment(time)?.timeIntervalSince1970 ?? 0))
            }
            let next = page.first("IsTruncated") == "true" ? page.first("NextContinuationToken") : nil
            // A store that answers the same page for ever ends here.
            token = next == token || keys.isEmpty ? nil : next
        } while token != nil && objects.count < most
        return Array(objects.prefix(most))
    }

    /// Sends a file to an address of s3, in the place of what may be there: it shows in one step. Throws
    /// `uploadFailed`, `mediaChanged` where the file changes meanwhile, and as `open` does.
    package func put(file path: String, at address: RemoteAddress) throws {
        let file = try LocalFile(path: path)
        guard file.byteCount <= Self.mostAtOnce else {
            return try upload(file: path, to: address).complete()
        }
        let range = 0..<file.byteCount
        let sum = try sum(of: range, file)
        let answer = try send(to: address) {
            StorageRequest(
                method: .put, address: address, headers: [("Content-Type", "application/octet-stream")],
                body: .file(file, range), bodySum: sum)
        }
        guard answer.status == 200 else { throw fault(answer, address, "PUT") }
        try file.checkUnchanged()
    }

    /// Writes an object into a new file, whole or its first bytes alone; answers false where there is no such object.
    /// No more than the bytes of a packet are held. `most` are the most bytes of the object where it is wanted whole.
    /// `came` is called on this thread when bytes of it came, up to thousands of times a second.
    /// Nothing is left of the file where it throws: `ObjectIsLonger`, `storageAnswerWrong` where more than the first
    /// bytes came, `outputNotWritable`, `diskFull`, and as `list` does.
    package func get(
        _ address: RemoteAddress, into path: String, most: Int, firstBytes: Int? = nil,
        came: @escaping () -> Void = {}, isCancelled: @escaping () -> Bool = { false }
    ) throws -> Bool {
        let sink = try FileSink(path, most: firstBytes ?? most, isForWhole: firstBytes == nil, came)
        do {
            let headers = firstBytes.map { [("Range", "bytes=0-\($0 - 1)")] } ?? []
            let answer = try send(to: address, sink: sink, isCancelled: isCancelled) {
                StorageRequest(method: .get, address: address, headers: headers)
            }
            switch answer.status {
            case 200, 206: return true
            case 404, 410:
                unsafe unlink(path)
                return false
            default: throw fault(answer, address, "GET")
            }
        } catch {
            unsafe unlink(path)
            throw error
        }
    }

    /// Makes an object's time of last change the present one, by a copy onto itself in the store. Throws as `list`
    /// does.
    package func touch(_ address: RemoteAddress, isCancelled: @escaping () -> Bool = { false }) throws {
        let source = "/\(address.host)/\(percentEncoded(address.path, isPath: true))"
        let answer = try send(to: address, isCancelled: isCancelled) {
            StorageRequest(
                method: .put, address: address,
                headers: [("x-amz-copy-source", source), ("x-amz-metadata-directive", "REPLACE")])
        }
        guard answer.status == 200 else { throw fault(answer, address, "touching an object") }
    }
}

extension RemoteAddress {
    /// The address of a name below this place, with a slash between them. Throws as `parse` does.
    package func child(_ name: String) throws(SplitreelError) -> RemoteAddress {
        try RemoteAddress.parse(below(name))
    }

    /// The place of a name below this one, which ends at a slash. Throws as `parseRoot` does.
    package func folder(_ name: String) throws(SplitreelError) -> RemoteAddress {
        try RemoteAddress.parseRoot(below(name) + "/")
    }

    private func below(_ name: String) -> String { text + (text.hasSuffix("/") ? "" : "/") + name }
}

/// The sink for a body that is held whole, up to a limit.
private final class BytesSink: BodySink {
    private let most: Int
    private(set) var bytes: [UInt8] = []

    init(most: Int) { self.most = most }

    var isDone: Bool { true }

    func begin(_ head: ResponseHead) throws -> Bool {
        bytes = []
        return head.status == 200
    }

    func take(_ more: UnsafeRawBufferPointer) throws {
        guard bytes.count + more.count <= most else { throw AnswerFault(reason: "its list is too long") }
        unsafe bytes.append(contentsOf: more)
    }
}

/// The sink for a body that goes into a new file. Where a connection breaks the next answer begins it again.
private final class FileSink: BodySink {
    private let descriptor: Int32
    private let path: String
    private let most: Int
    private let isForWhole: Bool
    private let came: () -> Void
    private var count = 0
    private var whole: Int?

    init(_ path: String, most: Int, isForWhole: Bool, _ came: @escaping () -> Void) throws {
        let opened = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw writingFailure("open", path, errno: errno) }
        (descriptor, self.path, self.most, self.isForWhole) = (opened, path, most, isForWhole)
        self.came = came
    }

    deinit { close(descriptor) }

    var isDone: Bool { count == whole }

    func begin(_ head: ResponseHead) throws -> Bool {
        guard head.status == 200 || head.status == 206 else { return false }
        // Without its length nobody knows whether the whole came.
        guard let length = head["content-length"].flatMap({ Int($0) }) else {
            throw AnswerFault(reason: "it does not tell the length")
        }
        if length > most, isForWhole { throw ObjectIsLonger() }
        guard length <= most else { throw AnswerFault(reason: "its object is longer than it is to be") }
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw writingFailure("ftruncate", path, errno: errno)
        }
        (count, whole) = (0, length)
        return true
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        guard count + bytes.count <= most else { throw AnswerFault(reason: "it answered more than its length") }
        unsafe try writeWhole(bytes, to: descriptor, path: path)
        count += bytes.count
        came()
    }
}
