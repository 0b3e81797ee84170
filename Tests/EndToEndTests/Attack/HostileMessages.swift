import FarmProtocol
import Foundation
import SwiftProtobuf

/// Messages of every kind with what no honest peer would say in them, whole or broken.
///
/// None of them takes part in the farm's work: names are made up, and no slot registers with a version that would be
/// given leases.
struct HostileMessages {
    typealias Envelope = Splitreel_Farm_Envelope
    typealias Body = Envelope.OneOf_Body

    private var chance: Chance

    init(seed: UInt64) { chance = Chance(seed: seed) }

    /// One frame's bytes.
    mutating func next() -> [UInt8] {
        if chance.once(in: 12) { return chance.bytes(chance.below(200)) }
        var envelope = Envelope()
        envelope.major = chance.once(in: 20) ? UInt32(truncatingIfNeeded: chance.next()) : FarmVersion.major
        envelope.minor = UInt32(truncatingIfNeeded: chance.next())
        envelope.request = chance.next()
        if !chance.once(in: 30) { envelope.body = body() }
        guard let bytes = try? envelope.serializedBytes() as [UInt8] else { return [] }
        return chance.once(in: 3) ? bytes : chance.mutated(bytes)
    }

    /// The bytes of a message in which a slot tells of leases that it never had.
    mutating func slotMessage() -> [UInt8] {
        let body: Body
        switch chance.below(6) {
        case 0: body = .started(fill { $0.holding = $1.holding() })
        case 1: body = .progress(progress())
        case 2: body = .finished(finished())
        case 3: body = .failed(failed())
        case 4: body = .released(fill { $0.holding = $1.holding() })
        default: body = .heartbeat(heartbeat())
        }
        var envelope = Envelope()
        (envelope.major, envelope.body) = (FarmVersion.major, body)
        return (try? envelope.serializedBytes() as [UInt8]) ?? []
    }

    private mutating func body() -> Body {
        switch chance.below(26) {
        case 0, 1: .register(register())
        case 2: .started(fill { $0.holding = $1.holding() })
        case 3, 4: .progress(progress())
        case 5, 6: .finished(finished())
        case 7, 8: .failed(failed())
        case 9: .released(fill { $0.holding = $1.holding() })
        case 10: .leaving(fill { $0.slot = $1.text() })
        case 11: .slotEnded(fill { ($0.slot, $0.reason) = ($1.text(), $1.text()) })
        case 12: .welcome(fill { ($0.heartbeatEndpoint, $0.leaseMilliseconds) = ($1.text(), $1.number()) })
        case 13: .refused(fill { $0.problem = $1.problem() })
        case 14: .lease(fill { ($0.holding, $0.planPath, $0.segment) = ($1.holding(), $1.text(), $1.text()) })
        case 15: .acknowledged(fill { $0.holding = $1.holding() })
        case 16: .heartbeat(heartbeat())
        case 17: chance.once(in: 40) ? .submit(submit()) : .jobsQuery(.init())
        case 18, 19:
            .jobQuery(
                fill { ($0.job, $0.watch, $0.withChunks, $0.firstChunk) = ($1.text(), true, true, $1.number()) })
        case 20: .workersQuery(.init())
        case 21: .cancelJob(fill { $0.job = $1.text() })
        case 22: .problem(problem())
        case 23: .jobReport(fill { ($0.job, $0.frames, $0.progress) = ($1.text(), .max, .nan) })
        case 24: .drainRequest(.init())
        default: .submitted(fill { $0.job = $1.text() })
        }
    }

    private mutating func fill<Content: Message>(_ change: (inout Content, inout Self) -> Void) -> Content {
        var message = Content()
        change(&message, &self)
        return message
    }

    private mutating func register() -> Splitreel_Farm_Register {
        fill { message, me in
            (message.worker, message.slot, message.release) = (me.text(), me.text(), me.text())
            // No renderer has so large a version, also with a bit flipped.
            message.rendererVersion = 0xf0f0_0000 | UInt32(me.chance.below(1 << 16))
            message.pid = Int64(truncatingIfNeeded: me.chance.next())
            message.encoders = (0..<me.chance.below(5)).map { _ in me.text() }
            message.effects = (0..<me.chance.below(5)).map { _ in me.text() }
            message.holding = me.holding()
        }
    }

    private mutating func progress() -> Splitreel_Farm_Progress {
        fill { ($0.holding, $0.unitsDone, $0.unitsTotal) = ($1.holding(), $1.number(), $1.number()) }
    }

    private mutating func finished() -> Splitreel_Farm_Finished {
        fill { message, me in
            (message.holding, message.segment) = (me.holding(), me.text())
            message.segmentHash = Data(me.chance.bytes(me.chance.pick([0, 1, 32, 33, 4096])))
            message.seconds = me.chance.pick([0, -1, .nan, .infinity, 1e308])
        }
    }

    private mutating func failed() -> Splitreel_Farm_Failed {
        fill { ($0.holding, $0.problem, $0.unitsDone) = ($1.holding(), $1.problem(), $1.number()) }
    }

    private mutating func heartbeat() -> Splitreel_Farm_Heartbeat {
        fill { ($0.slot, $0.holding) = ($1.text(), $1.holding()) }
    }

    private mutating func submit() -> Splitreel_Farm_Submit {
        fill { message, me in
            message.composition = me.chance.pick(["", "{}", "[", "{\"format\":\"splitreel/1\"}", me.text()])
            message.requestJson = me.chance.pick([
                "", "{}", "null", "{\"path\":\"/etc/x.mp4\",\"overwrite\":true}", "[",
            ])
            message.priority = Int32(truncatingIfNeeded: me.chance.next())
            message.name = me.text()
        }
    }

    private mutating func problem() -> Splitreel_Farm_Problem {
        fill { message, me in
            (message.code, message.operation, message.subject) = (me.number(), me.text(), me.text())
            (message.reason, message.hint) = (me.text(), me.text())
        }
    }

    private mutating func holding() -> Splitreel_Farm_Holding {
        fill { message, me in
            (message.job, message.task, message.epoch) = (me.text(), me.number(), me.number())
            message.lease = Data(me.chance.bytes(me.chance.pick([0, 15, 16, 16, 16, 17, 1000])))
        }
    }

    private mutating func number() -> UInt32 {
        chance.pick([0, 1, 2, .max, .max - 1, 1 << 31, UInt32(truncatingIfNeeded: chance.next())])
    }

    private mutating func text() -> String {
        if chance.once(in: 400) { return String(repeating: "x", count: 100_000) }
        return chance.pick([
            "", "a", "nobody/1-\(chance.below(50))", "../../etc/passwd", "\u{1b}[2J\u{7}", "\u{0}", "💥é\u{202e}",
            String(repeating: "n", count: 300), "job-\(chance.below(9))", "/dev/zero",
        ])
    }
}
