import FarmProtocol
import Foundation
import Synchronization
import TestTools
import Testing

extension EndToEndAlone {
    /// Connections that never come to a message, by the thousand: others are answered meanwhile. The long form is
    /// `make attack`.
    @Suite struct ConnectionFloodTests {
        private static let count = AttackScale.isFull ? 10_000 : 300
        /// Resident memory of a coordinator at most, in MiB.
        private static let memory = 400.0

        private let folder: TestFolder
        private let farm: Farm

        init() throws {
            folder = try TestFolder("flood")
            farm = try Farm(in: folder, try Splitreel(in: folder), workers: [])
            // Each connection has a descriptor in this process too.
            let raise = ["--pid", "\(ProcessInfo.processInfo.processIdentifier)", "--nofile=20000:"]
            _ = try Tool("/usr/bin/prlimit", raise, in: folder).finish(seconds: 10)
        }

        @Test("connections without a handshake are closed, and keep nobody waiting")
        func halfOpen() throws {
            let asker = try Asker(farm.endpoint)
            var silent: [RawPeer] = []
            for _ in 0..<Self.count { silent.append(try RawPeer(farm.endpoint, greeting: .none)) }
            let answers = try asker.ask { $0 >= 100 }
            let areClosed = eventually(seconds: 60) {
                silent = silent.filter { peer in
                    peer.drain()
                    return !peer.isBroken
                }
                return silent.isEmpty
            }
            #expect(areClosed, "\(silent.count) of \(Self.count) are still open")
            expectSound("\(Self.count) silent connections", answers)
        }

        @Test("connections that come and go, a thousand a second and more, keep nobody waiting")
        func comingAndGoing() throws {
            let asker = try Asker(farm.endpoint)
            let knocks = Knocks(farm.endpoint, count: Self.count)
            let answers = try asker.ask { $0 >= 100 && knocks.isOver }
            #expect(knocks.fault == nil)
            expectSound("\(Self.count) connections in \(knocks.seconds) s", answers)
        }

        /// Answers came in time, in the long form within 100 ms; the coordinator lives and is small.
        private func expectSound(_ attack: String, _ answers: [Double]) {
            let slowest = answers.sorted()[answers.count * 99 / 100]
            let used = ProcessTable.peakMemory(of: farm.coordinator.identifier)
            print("\(attack): \(answers.count) answers, p99 \(slowest * 1000) ms; \(Int(used)) MiB at most")
            #expect(!AttackScale.isFull || slowest < 0.1)
            #expect(farm.coordinator.isRunning && used > 5 && used < Self.memory)
        }
    }
}

/// A client that asks one question after the other.
private struct Asker {
    private let peer: RawPeer

    /// It has spoken when the others come: of those that never did some are ended where there are too many.
    init(_ endpoint: String) throws {
        peer = try RawPeer(endpoint, keepsAnswers: true)
        _ = try ask { $0 >= 1 }
    }

    /// Asks until it is enough, told the number of answers; the seconds that each took.
    func ask(until isEnough: (Int) -> Bool) throws -> [Double] {
        var took: [Double] = []
        while !isEnough(took.count), took.count < 20_000 {
            let asked = ContinuousClock.now
            peer.add([try Splitreel_Farm_Envelope(.countersQuery(.init()), request: 1).frame()])
            guard peer.flush(), peer.hasAnswers(1, within: 30) else {
                throw ToolFailure("question \(took.count + 1) was not answered")
            }
            let seconds: Double = (ContinuousClock.now - asked) / Duration.seconds(1)
            took.append(seconds)
            peer.forgetAnswers()
        }
        return took
    }
}

/// Connections that are made and closed at once, one after the other, from a thread of their own.
private final class Knocks: Sendable {
    private struct State {
        var fault: String?
        var seconds: Double?
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.seconds != nil } }
    var fault: String? { state.withLock { $0.fault } }
    var seconds: Double { state.withLock { $0.seconds ?? 0 } }

    init(_ endpoint: String, count: Int) {
        Thread.detachNewThread { [self] in
            let began = ContinuousClock.now
            var fault: String?
            for _ in 0..<count where fault == nil {
                do {
                    _ = try RawPeer(endpoint, greeting: .none)
                } catch {
                    fault = "\(error)"
                }
            }
            let took: Double = (ContinuousClock.now - began) / Duration.seconds(1)
            let told = fault
            state.withLock { state in
                state.fault = told
                state.seconds = took
            }
        }
    }
}
