import Confinement
import Foundation
import Glibc
import Threads

/// Messages over a stream socket: four bytes of length, lowest first, then as many bytes. Open files go with them.
struct MessageLine {
    enum Failure: Error {
        /// The other end is closed.
        case ended
        /// The other end stood still for too long.
        case tooLate
        /// A message of more bytes than were allowed.
        case tooLong
        case stopped
    }

    let descriptor: Int32
    /// The time for which the other end may stand still, and how it is told that it does; nil waits for ever.
    var patience: (limit: Duration, work: () -> ProcessWork?)?
    var isStopped: (() -> Bool)?
    /// Whether the other end waits for somebody else, which is no standing still.
    var isPaused: (() -> Bool)?
    /// Whether descriptors that come with messages are taken; they are dropped else.
    private let takesDescriptors: Bool
    private var descriptors: [Int32] = []
    private var lastWork: ProcessWork?
    private var stoodFor: Duration = .zero

    init(
        descriptor: Int32, patience: (limit: Duration, work: () -> ProcessWork?)? = nil, isStopped: (() -> Bool)? = nil,
        isPaused: (() -> Bool)? = nil, takesDescriptors: Bool = false
    ) {
        self.descriptor = descriptor
        self.takesDescriptors = takesDescriptors
        self.patience = patience
        self.isStopped = isStopped
        self.isPaused = isPaused
    }

    /// Sends a message, and copies of descriptors with it: `mostSentDescriptors` at most.
    mutating func send(_ message: Data, with descriptors: [Int32] = []) throws(Failure) {
        guard let count = UInt32(exactly: message.count) else { throw .tooLong }
        try push(withUnsafeBytes(of: count.littleEndian) { Data($0) }, with: descriptors)
        try push(message)
    }

    mutating func receive(limit: Int) throws(Failure) -> Data {
        let head = try take(4)
        let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= limit else { throw .tooLong }
        return try take(count)
    }

    /// The descriptors that came with the messages so far, which are the caller's to close.
    mutating func takeDescriptors() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    private mutating func push(_ bytes: Data, with descriptors: [Int32] = []) throws(Failure) {
        var done = 0
        while done < bytes.count {
            try wait(for: Int16(POLLOUT))
            let count = bytes.withUnsafeBytes { all in
                sendBytes(
                    UnsafeRawBufferPointer(rebasing: all[done...]), with: done == 0 ? descriptors : [], to: descriptor)
            }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { throw .ended }
            done += count
        }
    }

    private mutating func take(_ wanted: Int) throws(Failure) -> Data {
        var bytes = Data()
        var block = [UInt8](repeating: 0, count: min(wanted, 1 << 16))
        while bytes.count < wanted {
            try wait(for: Int16(POLLIN))
            let most = min(block.count, wanted - bytes.count)
            let count = takeSome(&block, most)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { throw .ended }
            bytes.append(contentsOf: block[..<count])
        }
        return bytes
    }

    /// Takes bytes that are there, `most` at most; answers as recv(2) does.
    private mutating func takeSome(_ block: inout [UInt8], _ most: Int) -> Int {
        guard takesDescriptors else { return recv(descriptor, &block, most, Int32(MSG_DONTWAIT)) }
        let taken = block.withUnsafeMutableBytes { room in
            receiveBytes(into: UnsafeMutableRawBufferPointer(rebasing: room[..<most]), from: descriptor)
        }
        descriptors += taken.descriptors
        return taken.count
    }

    /// Waits for the socket in short steps: a stop must be seen even where the other end hangs in the system and cannot
    /// be ended.
    private mutating func wait(for events: Int16) throws(Failure) {
        while true {
            if isStopped?() == true { throw .stopped }
            let milliseconds: Int32 = isStopped == nil && patience == nil ? -1 : 200
            let began = ContinuousClock.now
            var waited = pollfd(fd: descriptor, events: events, revents: 0)
            if poll(&waited, 1, milliseconds) > 0 { return }
            try look(since: began)
        }
    }

    /// Counts the time in which the other end stood still.
    private mutating func look(since began: ContinuousClock.Instant) throws(Failure) {
        guard let patience else { return }
        let work = patience.work()
        if work != lastWork || isPaused?() == true {
            lastWork = work
            stoodFor = .zero
        } else {
            // A step that took longer is one in which this process itself stood still.
            stoodFor += min(.now - began, .milliseconds(400))
            if stoodFor >= patience.limit { throw .tooLate }
        }
    }
}
