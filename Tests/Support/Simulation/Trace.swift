import Diagnostics
import Scheduling

/// The last things that happened, or all of them; put into words only when somebody asks.
struct Trace {
    private enum Entry {
        case text(String)
        case event(Event)
        case action(Action)
        case slot(Int, SlotEvent)

        var words: String {
            switch self {
            case .text(let text): text
            case .event(let event): "coordinator hears " + Words.of(event)
            case .action(let action): "coordinator does " + Words.of(action)
            case .slot(let index, let event): "slot \(index) hears " + Words.of(event)
            }
        }
    }

    let seed: UInt64
    let isWhole: Bool
    private var entries: [(time: Instant, entry: Entry)] = []
    private var next = 0
    private static let length = 60

    init(seed: UInt64, isWhole: Bool) { (self.seed, self.isWhole) = (seed, isWhole) }

    mutating func note(_ time: Instant, _ text: () -> String) { add(time, .text(text())) }

    mutating func note(_ time: Instant, _ event: Event) {
        switch event {
        case .tick, .heartbeat, .workBegan: return
        default: add(time, .event(event))
        }
    }

    mutating func note(_ time: Instant, _ action: Action) {
        if case .replyToHeartbeat = action { return }
        add(time, .action(action))
    }

    mutating func note(_ time: Instant, _ index: Int, _ event: SlotEvent) {
        switch event {
        case .tick, .heartbeatReply, .progress: return
        default: add(time, .slot(index, event))
        }
    }

    private mutating func add(_ time: Instant, _ entry: Entry) {
        if isWhole || entries.count < Self.length { return entries.append((time, entry)) }
        entries[next] = (time, entry)
        next = (next + 1) % Self.length
    }

    var lines: [String] {
        (entries[next...] + entries[..<next]).map { time, entry in
            let milliseconds = String(time.nanoseconds / 1_000_000 % 1000)
            let padding = String(repeating: "0", count: 3 - milliseconds.count)
            return "\(time.nanoseconds / 1_000_000_000).\(padding)\(milliseconds) s  \(entry.words)"
        }
    }
}

/// Short words for events and actions: the case's name and what tells it from others.
enum Words {
    static func of(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, let child = mirror.children.first else { return "\(value)" }
        let words = tell(child.value)
        return (child.label ?? "") + (words.isEmpty ? "" : " " + words)
    }

    private static func tell(_ value: Any) -> String {
        switch value {
        case let holding as Holding: return "\(holding.job)/\(holding.task)@\(holding.epoch)"
        case let order as LeaseOrder: return tell(order.holding)
        case let order as AssetOrder: return order.job
        case let error as SplitreelError: return "error \(error.code.number) (\(error.reason))"
        case let spec as SlotSpec: return spec.slot
        case let segment as ReportedSegment: return segment.name
        case let submission as JobSubmission: return submission.id
        case let recovered as RecoveredJob: return recovered.submission.id
        case let plan as JobPlan: return "\(plan.tasks.count) tasks"
        case is WallClock, is Peer, is NoticeList: return ""
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .tuple, .optional:
            return mirror.children.map { tell($0.value) }.filter { !$0.isEmpty }.joined(separator: " ")
        case .enum: return of(value)
        default: return "\(value)"
        }
    }
}

/// A breach of what must always hold, with the seed that shows it again, and what came before.
package struct Violation: Error, CustomStringConvertible {
    package let seed: UInt64
    package let text: String
    package let trace: [String]

    init(trace: Trace, time: Instant, text: String) {
        seed = trace.seed
        self.text = text
        self.trace = trace.lines
    }

    package var description: String { "seed \(seed): \(text)\n" + trace.joined(separator: "\n") }
}
