import Diagnostics
import Foundation
import Glibc
import Hashing
package import ObjectStorage
import SplitreelFiles
import Synchronization
import Threads

/// Segments under a prefix of an object store that several coordinators share. Whoever else can write there cannot make
/// an entry that is taken: each is sealed by a key that these coordinators have. From any thread; calls block.
///
/// Each entry is one object, so that it shows in one step, and is got by one request. A job's first look lists the
/// prefix: what is not there is not asked for. Several entries are got at a time, as many as `mostAtOnce` says and
/// `mostBytesAtOnce` allows. A store that fails, or is slow, costs the entries and no film: it is left alone for a
/// minute then.
///
///     s3://bucket/prefix/chunks/7c0e…/0a4f…      an entry of the key that is named 7c0e…
package final class SharedSegments: Sendable {
    private struct State {
        var entries: [String: ListedObject] = [:]
        var listed: ContinuousClock.Instant?
        /// The bytes that were put since the last look at the bytes of all.
        var put = 0
        var rests: [Way: ContinuousClock.Instant] = [:]
        /// The time that renders have lost since the store was last left alone for its slowness.
        var wait = StoreWait()
        /// The bytes of the entries that are being got.
        var held = 0
        var fault: SplitreelError?
        var remarks: [String] = []

        func mayAsk(_ way: Way) -> Bool { rests[way].map { $0 <= .now } ?? true }

        mutating func leaveAlone(_ way: Way, _ error: any Error) {
            rests[way] = .now + SharedSegments.rest
            fault = error as? SplitreelError
        }
    }

    /// The ways of asking; rights may allow one of them alone.
    private enum Way { case reading, writing }

    /// The address that a person named.
    package let address: String
    /// The most bytes of all entries of the key.
    package let limit: Int
    let key: CacheKey
    let storage: RemoteStorage
    let place: RemoteAddress
    /// The longest that a render waits for one answer, beside the time for its bytes, and in all before the store is
    /// left alone.
    private let patience: Duration
    private let state = Mutex(State())
    /// The lock of who lists: others wait for that list.
    private let listing = Mutex(())
    /// The bytes of the entries that may still be got at a time.
    private let room = Places(SharedSegments.mostBytesAtOnce)

    /// The most entries that are looked through.
    static let mostEntries = 100_000
    /// The time for which a list counts, and below it that for which a store that failed is left alone.
    private static let listCounts = Duration.seconds(30)
    private static let rest = Duration.seconds(60)
    /// The most entries that are got at a time, and below it the most bytes of them: they lie on the disk of the cache
    /// until they were checked. One that is longer is got alone.
    package static let mostAtOnce = 8
    package static let mostBytesAtOnce = 256 << 20
    /// The seconds after which an entry's use is noted again: the time of its last change is that of its use.
    private static let useCounts = 86_400.0
    private static let mostRemarks = 16

    /// Takes an address `s3://bucket/prefix`; nobody is asked. `secret` is the text whose key seals entries; `roots`
    /// are the places below which others may read and write. `patience` is the longest that a render waits for one
    /// answer, beside a second for each MiB of it.
    ///
    /// Throws `usage` for another kind of address, for want of a secret, and for entries below a root;
    /// `remoteAddressInvalid`; and as making a `RemoteStorage` does.
    package init(
        _ address: String, secret: String?, limit: Int, settings: RemoteSettings, roots: [String] = [],
        patience: Duration = .seconds(20)
    ) throws {
        let root = try RemoteAddress.parseRoot(address)
        func refused(_ reason: Phrase, _ hint: Phrase) -> SplitreelError {
            SplitreelError(
                .usage, operation: "opening the cache", subject: Phrase(root.text), reason: reason, hint: hint)
        }
        guard root.isWritable else {
            throw refused("chunks are kept at s3:// alone", "name a folder, or s3://BUCKET/PREFIX")
        }
        guard let secret else {
            throw refused(
                "no key seals its chunks: whoever can write there could put pictures into films",
                """
                name the file of a key by \(.cacheKey), which all that share the cache have: openssl rand -hex 32 \
                makes one; a coordinator whose farm has keys needs none
                """)
        }
        let key = CacheKey(secret: secret)
        place = try root.folder("chunks/\(key.name)")
        // A root below the address may hold the entries as well.
        for other in roots {
            guard let other = try? RemoteAddress.parseRoot(other), place.lies(under: other) else { continue }
            throw refused(
                "its chunks lie below the root \(other.text), where those who submit read and write",
                "name another bucket, or a prefix beside the root")
        }
        self.address = root.text
        (self.key, self.limit, self.patience) = (key, limit, patience)
        var settings = settings
        // A render waits for it.
        settings.attempts = min(settings.attempts, 2)
        settings.connectTimeout = min(settings.connectTimeout, .seconds(5))
        settings.stallTimeout = min(settings.stallTimeout, .seconds(10))
        storage = try RemoteStorage(settings)
    }

    /// The last fault of the store; nil where the last request had an answer.
    var fault: SplitreelError? { state.withLock { $0.fault } }

    /// Hands out what was found to be wrong with entries since the last call, for whoever tells a person.
    func takeRemarks() -> [String] {
        state.withLock { state in
            defer { state.remarks = [] }
            return state.remarks
        }
    }

    // MARK: - Taking

    /// Puts the files of an entry at these paths, as `SegmentCache.take` does. `part` is the path of a file that may be
    /// made; `hasRoom` says whether so many bytes may be written. `goesOn` is called as `SegmentCache.take` calls it.
    func take(
        _ key: ContentKey, to paths: [String], by part: String, stop: WorkStop?, goesOn: @escaping () -> Void,
        hasRoom: (Int) -> Bool
    ) -> SegmentCache.Answer {
        guard let listed = asking(.reading, { try look(key, stop) }) ?? nil, listed.byteCount <= limit else {
            return .miss
        }
        // The bytes of an entry that no list names are not known.
        let weight = max(
            listed.isKnown ? listed.byteCount : Self.mostBytesAtOnce, Self.mostBytesAtOnce / Self.mostAtOnce)
        guard (try? room.take(places: weight, stop, place.text)) != nil else { return .miss }
        goesOn()
        let answer = asking(.reading) {
            defer { room.free(places: weight) }
            return try take(listed, of: key, to: paths, by: part, stop, goesOn: goesOn, hasRoom: hasRoom)
        }
        if case .hit = answer { noteUse(listed, stop) }
        return answer ?? .miss
    }

    private func take(
        _ listed: ListedObject, of key: ContentKey, to paths: [String], by part: String, _ stop: WorkStop?,
        goesOn: @escaping () -> Void, hasRoom: (Int) -> Bool
    ) throws -> SegmentCache.Answer {
        let held = state.withLock { state in
            state.held += listed.byteCount
            return state.held
        }
        defer {
            state.withLock { $0.held -= listed.byteCount }
            unlink(part)
        }
        // Each lies there once as it came, and once unpacked.
        guard hasRoom(2 * held) else { return .miss }
        let address = try place.child(key.text)
        let most = listed.isKnown ? listed.byteCount + EntryDocument.usualBytes : limit
        let isThere = try inTime(.reading, for: listed.byteCount, stop) {
            do {
                return try storage.get(address, into: part, most: min(limit, most), came: goesOn, isCancelled: $0)
            } catch is ObjectIsLonger {
                return false
            }
        }
        guard isThere else {
            // Another machine has removed it, or put one in its place that room was not left for: it may be kept anew.
            state.withLock { _ = $0.entries.removeValue(forKey: key.text) }
            return .miss
        }
        do {
            let entry = try SharedEntry(at: part, of: key, sealedBy: self.key)
            try entry.unpack(to: paths)
            return .hit(worker: entry.document.worker)
        } catch let fault {
            for path in paths { for file in [path, path + ".json"] { unlink(file) } }
            guard let fault = fault as? SharedEntry.Spoiled else { throw fault }
            spoil(key, fault.reason)
            return .spoiled
        }
    }

    /// Whether there is an entry that may be taken, by the list.
    func lists(_ key: ContentKey, _ stop: WorkStop?) -> Bool {
        (asking(.reading) { try look(key, stop) } ?? nil).map { $0.byteCount <= limit } ?? false
    }

    /// The list's word on an entry; nil where it has none. Where the list ends before it, there may be one.
    private func look(_ key: ContentKey, _ stop: WorkStop?) throws -> ListedObject? {
        // One asks for all. Whoever waited for a list that did not come asks for none either.
        try listing.withLock { _ in
            let isDue = state.withLock { state in
                let isFresh = state.listed.map { ContinuousClock.now - $0 < Self.listCounts } ?? false
                return !isFresh && state.mayAsk(.reading)
            }
            if isDue { _ = try inTime(.reading, stop) { try survey(isCancelled: $0) } }
        }
        return state.withLock { state in
            if let known = state.entries[key.text] { return known }
            guard state.entries.count >= Self.mostEntries else { return nil }
            return ListedObject(name: key.text, byteCount: 0, modified: .infinity)
        }
    }

    /// Lists the entries anew.
    @discardableResult
    func survey(isCancelled: @escaping () -> Bool = { false }) throws -> [ListedObject] {
        // Whatever else lies there is not ours.
        let found = try storage.list(below: place, most: Self.mostEntries, isCancelled: isCancelled)
            .filter { isSHA256($0.name) }
        state.withLock { state in
            state.entries = Dictionary(found.map { ($0.name, $0) }) { $1 }
            state.listed = .now
        }
        return found
    }

    private func noteUse(_ entry: ListedObject, _ stop: WorkStop?) {
        let now = Date().timeIntervalSince1970
        guard now - entry.modified > Self.useCounts else { return }
        _ = asking(.writing) {
            let address = try place.child(entry.name)
            try inTime(.writing, stop) { try storage.touch(address, isCancelled: $0) }
            let used = ListedObject(name: entry.name, byteCount: entry.byteCount, modified: now)
            state.withLock { $0.entries[entry.name] = used }
        }
    }

    private func spoil(_ key: ContentKey, _ reason: String) {
        state.withLock { state in
            if state.remarks.count < Self.mostRemarks { state.remarks.append("\(place.text)\(key.text): \(reason)") }
        }
        remove(key.text)
    }

    /// Removes an entry, as far as the store lets it.
    func remove(_ name: String) {
        state.withLock { _ = $0.entries.removeValue(forKey: name) }
        _ = asking(.writing) { try storage.delete(place.child(name)) }
    }

    // MARK: - Keeping

    /// Makes an entry where there is none; answers whether there is one now. `part` is the path of a file that may be
    /// made.
    func keep(_ key: ContentKey, _ segments: [SegmentCache.Segment], madeBy worker: String, by part: String) -> Bool {
        if state.withLock({ $0.entries[key.text] != nil }) { return true }
        defer { unlink(part) }
        let kept = asking(.writing) { () -> Bool in
            let count = try SharedEntry.pack(key, segments, madeBy: worker, sealedBy: self.key, into: part)
            guard count <= limit else { return false }
            try storage.put(file: part, at: place.child(key.text))
            let now = Date().timeIntervalSince1970
            let isDue = state.withLock { state in
                state.entries[key.text] = ListedObject(name: key.text, byteCount: count, modified: now)
                defer { state.put += count }
                // The first time, and then after each sixteenth of the limit.
                return state.put == 0 || (state.put + count) / max(1, limit / 16) > state.put / max(1, limit / 16)
            }
            if isDue { try makeRoom(beside: key.text) }
            return true
        }
        return kept ?? false
    }

    /// Removes what was not used for longest, where there is more than the limit, until an eighth of it is free. The
    /// newest entry stays: stores tell times by the second.
    private func makeRoom(beside newest: String) throws {
        let entries = try survey().sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }
        var total = entries.reduce(0) { $0 + $1.byteCount }
        guard total > limit else { return }
        for entry in entries where total > limit - limit / 8 && entry.name != newest {
            try storage.delete(place.child(entry.name))
            state.withLock { _ = $0.entries.removeValue(forKey: entry.name) }
            total -= entry.byteCount
        }
    }

    // MARK: - Faults

    /// Asks the store, unless it failed in the last minute; nil where it fails, which is remembered, and where the work
    /// is not wanted any more.
    private func asking<R>(_ way: Way, _ body: () throws -> R) -> R? {
        guard state.withLock({ $0.mayAsk(way) }) else { return nil }
        do {
            let result = try body()
            state.withLock { state in
                // Another answer may have failed meanwhile.
                if state.mayAsk(way) { state.fault = nil }
                guard state.wait.lost > patience else { return }
                // It answers, and each answer takes its time.
                state.leaveAlone(.reading, tooSlow("renders have lost \(state.wait.lost) by waiting for it"))
                state.wait.forget()
            }
            return result
        } catch {
            if (error as? SplitreelError)?.code != .cancelled { state.withLock { $0.leaveAlone(way, error) } }
            return nil
        }
    }

    /// Waits for an answer of so many bytes, as long as a render is to wait for it: `body` asks what it is handed
    /// whether that is over. Throws `storageUnreachable` then, and `cancelled` where the work is stopped.
    private func inTime<R>(
        _ way: Way, for byteCount: Int = 0, _ stop: WorkStop?, _ body: (@escaping () -> Bool) throws -> R
    ) throws -> R {
        let number = state.withLock { $0.wait.begin(byteCount, at: .now) }
        do {
            let result = try body { [self] in
                stop?.isStopped == true || state.withLock { $0.wait.due(after: patience) } <= .now
            }
            state.withLock { $0.wait.end(number, isWhole: true, at: .now) }
            return result
        } catch {
            var fault = error
            if (error as? SplitreelError)?.code == .cancelled, stop?.isStopped != true {
                fault = tooSlow("no answer came in full within \(patience) and a second for each MiB")
            }
            state.withLock { [fault] state in
                // Before this one ends: another one could still be begun.
                if (fault as? SplitreelError)?.code != .cancelled { state.leaveAlone(way, fault) }
                state.wait.end(number, isWhole: false, at: .now)
            }
            throw fault
        }
    }

    private func tooSlow(_ reason: Phrase) -> SplitreelError {
        SplitreelError(
            .storageUnreachable, operation: "asking for a chunk", subject: Phrase(place.text), reason: reason,
            hint: "look at the network between this machine and the store; or do without its chunks")
    }
}

extension ListedObject {
    /// Whether a list has named it.
    fileprivate var isKnown: Bool { modified != .infinity }
}
