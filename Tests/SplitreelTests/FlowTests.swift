import Diagnostics
import Foundation
import Rendering
import Splitreel
import Synchronization
import Testing

/// How requests follow each other in a chunk, and how they end.
@Suite("The flow of requests", .timeLimit(.minutes(2))) final class FlowTests {
    private let folder = NSTemporaryDirectory() + "flow-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Lets the first go on only when as many wait as may be under way.
    final class Gate: Sendable {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
        private let isOpen = Mutex(false)

        func pass(after count: Int) async {
            if isOpen.withLock({ $0 }) { return }
            await withCheckedContinuation { continuation in
                let ready = waiting.withLock { waiting -> [CheckedContinuation<Void, Never>] in
                    waiting.append(continuation)
                    guard waiting.count >= count else { return [] }
                    defer { waiting = [] }
                    return waiting
                }
                if ready.isEmpty { return }
                isOpen.withLock { $0 = true }
                for continuation in ready.reversed() { continuation.resume() }
            }
        }
    }

    @Test func threeAreUnderWayAndComeOutInOrder() async throws {
        let gate = Gate()
        let own = RecordingCompositor { request in
            // Would hang for ever if fewer than three were begun before the first is waited for.
            await gate.pass(after: 3)
            return request.context.makeFrame()
        }.registered(as: "test.flow")
        let project = try CompositorFixture.project("{\"id\":\"test.flow\"}")
        try await CompositorFixture.render(project, in: folder)
        let state = own.state.withLock { ($0.requests.map(\.time.seconds), $0.mostUnderWay, $0.underWay) }
        #expect(Set(state.0) == Set((0..<50).map { Double($0) / 25 }) && state.0.count == 50)
        #expect(state.1 == 3 && state.2 == 0)
        let hints = own.state.withLock { ($0.prerolled, $0.anticipated) }
        #expect(hints.0.map { [$0.range.start.seconds, $0.range.end.seconds] } == [[0, 2]])
        #expect(hints.1.map(\.range.start.seconds) == (0..<50).map { Double($0) / 25 })
        #expect(hints.1.last?.range.end.seconds == 2 && hints.1.first?.range.end.seconds == 0.12)
    }

    private struct Fault: Error, CustomStringConvertible {
        let description = "its lamp is broken"
    }

    @Test func anErrorNamesCompositorAndTimeAndDrains() async throws {
        let own = RecordingCompositor { request in
            if request.time.seconds == 0.2 { throw Fault() }
            return request.context.makeFrame()
        }.registered(as: "test.fault")
        let project = try CompositorFixture.project("{\"id\":\"test.fault\"}")
        let error = try await #require(throws: SplitreelError.self) {
            try await CompositorFixture.render(project, in: folder)
        }
        #expect(error.code == .compositorFailed && error.reason == "its lamp is broken")
        #expect(error.subject == "test.fault, version 1, at 0.2 s, in video.instructions[0]")
        #expect(own.state.withLock { $0.underWay } == 0)
    }

    @Test func cancellingCancelsAndDrains() async throws {
        let cancellation = Cancellation()
        let own = RecordingCompositor { request in
            if request.time.seconds < 0.4 { return request.context.makeFrame() }
            // Ends by being cancelled alone.
            cancellation.cancel()
            try await Task.sleep(for: .seconds(3600))
            return request.context.makeFrame()
        }.registered(as: "test.cancel")
        let project = try CompositorFixture.project("{\"id\":\"test.cancel\"}")
        let error = try await #require(throws: SplitreelError.self) {
            try await CompositorFixture.render(project, in: folder, cancellation: cancellation)
        }
        #expect(error.code == .cancelled)
        #expect(own.state.withLock { $0.underWay } == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    /// Outputs of one canvas are made of the same 50 frames of a compositor; another canvas has its own.
    @Test(arguments: [
        (["yuv420p"], 1), (["yuv420p", "yuv420p", "yuv420p"], 1), (["yuv420p", "yuv444p", "yuv420p"], 2),
    ])
    func outputsOfOneCanvasAreComposedOnce(formats: [String], canvases: Int) async throws {
        let name = "test.once.\(formats.joined())"
        let own = RecordingCompositor().registered(as: name)
        let project = try CompositorFixture.project("{\"id\":\"\(name)\"}")
        try await CompositorFixture.render(project, pixelFormats: formats, in: folder)
        #expect(own.state.withLock { $0.requests.count } == 50 * canvases)
    }

    @Test func ofItsOwnAccordItMayNotCancel() async throws {
        let own = RecordingCompositor { _ in throw CancellationError() }.registered(as: "test.quits")
        let project = try CompositorFixture.project("{\"id\":\"test.quits\"}")
        let error = try await #require(throws: SplitreelError.self) {
            try await CompositorFixture.render(project, in: folder)
        }
        #expect(error.code == .compositorFailed && error.reason == "it cancelled the request")
        #expect(own.state.withLock { $0.underWay } == 0)
    }
}
