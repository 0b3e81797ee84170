import Diagnostics
import Foundation
package import LocalFarm
import Synchronization

/// The words on files that travel, with the rate of the last ten seconds and the time left. A value: `now` is in
/// seconds since 1970.
package struct TransferWords: Sendable {
    private let verb: String
    private var samples: [(at: Double, bytes: Int64)] = []
    private static let window = 10.0

    /// `verb` is what happens to the files: `uploading`.
    package init(_ verb: String) { self.verb = verb }

    /// The line after so many bytes: `uploading a.mov: 120 MiB of 1.2 GiB, 40.0 MiB/s, 0:27 left`.
    package mutating func line(_ state: TransferState, now: Double) -> String {
        samples.append((now, state.bytes))
        samples.removeAll { $0.at < now - Self.window }
        let name = (state.file as NSString).lastPathComponent.printable
        let text = "\(verb) \(name): \(memoryText(Int(state.bytes))) of \(memoryText(Int(state.total)))"
        guard let rate else { return text }
        let left = Double(max(0, state.total - state.bytes)) / rate
        return text + String(format: ", %.1f MiB/s, ", rate / 1_048_576) + "\(ForPeople.clock(left)) left"
    }

    /// The bytes a second; nil before a second has passed, and where nothing comes.
    private var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.at - first.at >= 1, last.bytes > first.bytes
        else { return nil }
        return Double(last.bytes - first.bytes) / (last.at - first.at)
    }
}

/// The telling of files that travel: on a terminal a line that is drawn again, elsewhere a line every two seconds at
/// most. From any thread.
final class TransferDisplay: Sendable {
    private struct State {
        var words: TransferWords
        var block = RedrawnBlock()
        var lastAt = 0.0
    }

    private let state: Mutex<State>
    private let isRedrawn = Console.redrawsProgress

    init(_ verb: String) { state = Mutex(State(words: TransferWords(verb))) }

    func show(_ transfer: TransferState) {
        let now = Date().timeIntervalSince1970
        state.withLock { state in
            let line = state.words.line(transfer, now: now)
            guard now - state.lastAt >= (isRedrawn ? 0.1 : 2) else { return }
            state.lastAt = now
            if isRedrawn { Console.writeProgress(state.block.draw([line])) } else { Console.note(line) }
        }
    }

    /// Leaves a clean line for later text.
    func end() {
        let text = state.withLock { $0.block.clear() }
        if !text.isEmpty { Console.writeProgress(text) }
    }
}
