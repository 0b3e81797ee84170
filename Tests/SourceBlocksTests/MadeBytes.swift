import Diagnostics
import Foundation
import SourceBlocks
import SplitreelFiles
import Synchronization
import TestTools
import Threads

/// Bytes without a pattern that a seed decides.
func madeBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var numbers = SeededNumbers(seed: seed)
    let words = (0..<(count + 7) / 8).map { _ -> UInt64 in numbers.next() }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
}

/// A source in a file of a folder, its bytes and its map.
struct MadeSource {
    let path: String
    let bytes: [UInt8]
    let map: BlockMap

    init(_ count: Int, seed: UInt64, in folder: TestFolder, _ name: String = "source.bin") throws {
        bytes = madeBytes(count, seed: seed)
        path = try folder.write(Data(bytes), to: name)
        map = try BlockMap(of: LocalFile(path: path))
    }
}

/// A far end that has a source's bytes, counts what it is asked for, and fails as it is told.
final class FakeFetcher: BlockFetcher {
    struct State {
        var bytes: [UInt8]
        var ranges: [Range<Int>] = []
        /// The answers to the next calls; nil for the bytes.
        var faults: [Fault?] = []
        /// Whether calls wait until `letGo`.
        var isSlow = false
    }
    enum Fault {
        case throwing(ErrorCode)
        case damaged
        case short
    }

    let state: Mutex<State>
    private let gate = Latch()

    init(_ bytes: [UInt8], faults: [Fault?] = [], isSlow: Bool = false) {
        state = Mutex(State(bytes: bytes, faults: faults, isSlow: isSlow))
    }

    var ranges: [Range<Int>] { state.withLock { $0.ranges } }
    var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    func letGo() { gate.open() }

    func fetch(_ range: Range<Int>, stop: WorkStop) throws -> [UInt8] {
        let (fault, part, isSlow) = state.withLock { state -> (Fault?, [UInt8], Bool) in
            state.ranges.append(range)
            let fault: Fault? = state.faults.isEmpty ? nil : state.faults.removeFirst()
            return (fault, Array(state.bytes[range]), state.isSlow)
        }
        while isSlow, !gate.isOpen(within: .milliseconds(10)) { try stop.check("the far end") }
        switch fault {
        case nil: return part
        case .throwing(let code)?:
            throw SplitreelError(code, operation: "fetching", subject: "source.bin", reason: "the dice said so")
        case .damaged?:
            var wrong = part
            wrong[wrong.count / 2] ^= 0x10
            return wrong
        case .short?: return Array(part.dropLast())
        }
    }
}

/// The error that a body throws; nil where it throws none of ours.
func failure(_ body: () throws -> Void) -> SplitreelError? {
    do {
        try body()
        return nil
    } catch {
        return error as? SplitreelError
    }
}
