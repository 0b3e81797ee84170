import Diagnostics

/// The sink for a range of a source: it takes the range's bytes window by window, over as many answers as they take.
final class RangeSink: BodySink {
    private let facts: ObjectFacts
    private unowned let source: RemoteSource
    private let isWhole: (_ window: Int, _ bytes: [UInt8]) -> Void
    /// The bytes that are still to come.
    private(set) var missing: Range<Int>
    private var window: [UInt8] = []

    /// Takes a range that begins with a window; `isWhole` gets each window that is complete.
    init(
        _ range: Range<Int>, of facts: ObjectFacts, _ source: RemoteSource,
        isWhole: @escaping (_ window: Int, _ bytes: [UInt8]) -> Void
    ) {
        missing = range
        self.facts = facts
        self.source = source
        self.isWhole = isWhole
    }

    var isDone: Bool { missing.isEmpty }

    func begin(_ head: ResponseHead) throws -> Bool {
        guard head.status != 200 else {
            // A server may answer the whole of a file that is not the one that was asked for.
            guard facts.areThose(of: head) else { throw source.changed(nil) }
            throw AnswerFault(reason: "it answered the whole file where a part was asked: it does not serve ranges")
        }
        guard head.status == 206 else { return false }
        guard facts.areThose(of: head) else { throw source.changed(nil) }
        guard let range = ContentRange(head["content-range"] ?? "") else {
            throw AnswerFault(reason: "it does not tell which part of the file it answered")
        }
        guard range.total == facts.byteCount else { throw source.changed(nil) }
        guard range.bytes == missing else {
            throw AnswerFault(reason: "it answered another part of the file than was asked")
        }
        return true
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= missing.count else { throw AnswerFault(reason: "it answered more bytes than were asked") }
        var place = 0
        while place < bytes.count {
            let size = WindowCache.windowBytes
            let number = missing.lowerBound / size
            let end = min((number + 1) * size, facts.byteCount)
            if window.isEmpty { window.reserveCapacity(end - missing.lowerBound) }
            let count = min(bytes.count - place, end - missing.lowerBound)
            unsafe window.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
            place += count
            missing = missing.lowerBound + count..<missing.upperBound
            guard missing.lowerBound == end else { continue }
            isWhole(number, window)
            window = []
        }
    }
}
