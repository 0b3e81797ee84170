import FarmClient
import Foundation
import Synchronization

/// The screen of a watch: draws the news, once a second, and when the window changes. From any thread.
final class ProgressDisplay: Sendable {
    private let screen: Mutex<any ProgressScreen>
    private let ticks = Mutex<Task<Void, Never>?>(nil)
    /// The display that is on the screen: whoever ends the process at once can leave a clean line.
    private static let current = Mutex<ProgressDisplay?>(nil)

    init(coordinator: String) {
        screen = Mutex(Console.progressScreen(coordinator: coordinator))
        // Unstructured: it ends with the display, not with a scope.
        let task = Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil, let self { self.redraw() }
        }
        ticks.withLock { $0 = task }
        Self.current.withLock { $0 = self }
        Interruption.onWindowChange { [weak self] in self?.redraw() }
    }

    deinit { ticks.withLock { $0?.cancel() } }

    func show(_ news: JobNews) { write { $0.take(news, now: Self.now, size: Console.windowSize) } }

    func say(_ line: String) { write { $0.say(line, now: Self.now, size: Console.windowSize) } }

    /// Removes the bars, so that later text stands on a clean line; nothing is drawn after that.
    func end() {
        ticks.withLock { $0?.cancel() }
        write { $0.end() }
        Self.current.withLock { if $0 === self { $0 = nil } }
    }

    /// Leaves a clean line for whoever ends the process at once; nothing is written where a reader of progress keeps
    /// another writer waiting.
    static func endCurrent() {
        guard let display = current.withLockIfAvailable({ $0 }) ?? nil else { return }
        _ = display.screen.withLockIfAvailable { screen in
            let text = screen.end()
            if !text.isEmpty { Console.writeProgress(text) }
        }
    }

    private func redraw() { write { $0.tick(now: Self.now, size: Console.windowSize) } }

    /// Writes under the lock, so that no two writers mix.
    private func write(_ body: (inout any ProgressScreen) -> String) {
        screen.withLock { screen in
            let text = body(&screen)
            if !text.isEmpty { Console.writeProgress(text) }
        }
    }

    private static var now: Double { Date().timeIntervalSince1970 }
}
