import Diagnostics
import Dispatch
package import SplitreelFiles
import Synchronization
import Threads

/// An object or a file of the web as a source: it is read by ranges, and each answer is held against the identity that
/// the source had when it was opened. Any thread may read, and several at once; reading blocks.
///
/// Some readers take bytes that they cannot get for missing ones. So a failure stays known: reads go on, but from then
/// on `checkUnchanged` throws it. The next attempt opens a source of its own.
package final class RemoteSource: MediaSource {
    package let address: RemoteAddress
    package let identity: SourceIdentity
    private let facts: ObjectFacts
    private let storage: RemoteStorage
    private let number: Int
    private let failure = Mutex<SplitreelError?>(nil)

    init(_ address: RemoteAddress, _ facts: ObjectFacts, _ storage: RemoteStorage) {
        self.address = address
        self.facts = facts
        self.storage = storage
        identity = facts.identity(of: address)
        number = storage.newSource()
    }

    deinit { storage.windows.letGo(number) }

    package var name: String { address.text }

    /// Reads as `MediaSource` says. Throws `mediaChanged` where an answer is of another content, and else
    /// `objectDenied`, `storageUnreachable`, `storageAnswerWrong` or `addressRefused`.
    package func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard place >= 0, place < byteCount, unsafe !buffer.isEmpty else { return 0 }
        let size = WindowCache.windowBytes
        let bytes: [UInt8]
        do { bytes = try window(place / size) } catch let error as SplitreelError {
            failure.withLock { if $0 == nil { $0 = error } }
            throw error
        }
        let from = place % size
        let count = min(buffer.count, bytes.count - from)
        unsafe buffer.copyBytes(from: bytes[from..<from + count])
        return count
    }

    package func identityNow() throws -> SourceIdentity { try storage.facts(of: address).identity(of: address) }

    package func checkUnchanged() throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        let now: SourceIdentity
        do { now = try identityNow() } catch let error as SplitreelError where error.code == .objectNotFound {
            throw sourceChanged(name, "the object is no longer there")
        }
        guard now == identity else { throw changed(now.changeTime) }
    }

    /// Lets go of the bytes that are held, and of the connections that nobody uses.
    package func rest() {
        storage.windows.letGo(number)
        storage.rest()
    }

    /// The bytes of a window, which are held, awaited or got.
    private func window(_ window: Int) throws -> [UInt8] {
        let key = WindowCache.Key(source: number, window: window)
        let size = WindowCache.windowBytes
        while true {
            switch storage.windows.look(key, of: (byteCount + size - 1) / size) {
            case .held(let bytes): return bytes
            case .coming(let latch): latch.wait()
            case .yours(let count):
                defer { storage.windows.end(key, count: count) }
                return try get(key, count)
            }
        }
    }

    /// Gets so many windows by one request, or by several where connections break; answers the first one's bytes.
    private func get(_ key: WindowCache.Key, _ count: Int) throws -> [UInt8] {
        storage.permits.wait()
        defer { storage.permits.signal() }
        let size = WindowCache.windowBytes
        let wanted = key.window * size..<min((key.window + count) * size, byteCount)
        var first: [UInt8] = []
        let sink = RangeSink(wanted, of: facts, self) { [storage, number] window, bytes in
            if window == key.window { first = bytes }
            storage.windows.hold(bytes, WindowCache.Key(source: number, window: window))
        }
        let answer = try storage.send(to: address, sink: sink) { self.request(sink.missing) }
        guard answer.status == 206 else { throw fault(answer) }
        return first
    }

    private func request(_ range: Range<Int>) -> StorageRequest {
        var headers = [(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        if let tag = facts.strongTag { headers.append((name: "If-Match", value: tag)) }
        return StorageRequest(method: .get, address: address, headers: headers)
    }

    /// The error that an answer without bytes tells.
    private func fault(_ answer: Answer) -> SplitreelError {
        switch answer.status {
        case 412, 416: changed(answer.head["last-modified"].flatMap(secondsSince1970).map(time))
        case 404, 410: sourceChanged(name, "the object is no longer there")
        default: storage.fault(answer, address, "GET")
        }
    }

    private func time(_ seconds: Int) -> String {
        SourceIdentity(token: "", byteCount: 0, mark: nil, change: 0, seconds: seconds).changeTime
    }

    func changed(_ time: String?) -> SplitreelError {
        sourceChanged(name, "the object was changed\(time.map { " at \($0)" } ?? "") while it was read")
    }
}
