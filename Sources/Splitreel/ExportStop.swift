import Synchronization

/// The wish that an export, or the writing of a film, stops, and the way in which its present step does. From any
/// thread.
final class ExportStop: Sendable {
    private struct State {
        var isStopped = false
        var act: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Stops the export; returns at once.
    func stop() {
        let act = state.withLock { state in
            state.isStopped = true
            return state.act
        }
        act?()
    }

    /// Names the way in which the step that begins now is stopped, nil for one that is waited for; taken at once where
    /// the export is stopped already.
    func means(_ act: (@Sendable () -> Void)?) {
        let isStopped = state.withLock { state in
            state.act = act
            return state.isStopped
        }
        if isStopped { act?() }
    }

    /// Throws where the export is stopped.
    func check() throws { if isStopped { throw CancellationError() } }
}
