import Scheduling

/// One stream at its receiver. Places: put away ≤ came ≤ granted.
struct ReceivingFlow: Sendable {
    let goal: StreamGoal
    /// The name of its peer's key; nil on a farm without keys.
    let keyName: String?
    /// All bytes before this one are put away.
    var taken: Int64
    /// All bytes before this one have come.
    private(set) var next: Int64
    /// Bytes before this one may be sent.
    var granted: Int64
    private(set) var end: Int64?
    /// The number of times that it was asked for anew.
    private(set) var round: UInt32
    private(set) var window: FlowWindow
    /// Whether the other end was asked in this round.
    private(set) var isBegun = false
    var isSumming = false
    /// The number of times that the content was, or is being, fetched whole.
    private(set) var wholes: Int
    /// The time at which a refused stream is asked for again; nil for one that was not refused.
    var dueAt: Instant?
    var gapAt: Instant?
    private var askedAt: Instant
    private var heardAt: Instant
    private var isAnswered = false
    private var told: (next: Int64, granted: Int64)?
    private let firstStall: Duration
    private var stall: Duration

    init(
        _ goal: StreamGoal, _ window: FlowWindow, _ stall: Duration, round: UInt32, keyName: String?, _ now: Instant
    ) {
        self.goal = goal
        self.keyName = keyName
        self.window = window
        self.round = round
        end = goal.end
        taken = goal.taken
        wholes = goal.wholes
        next = goal.from
        granted = goal.from
        askedAt = now
        heardAt = now
        firstStall = stall
        self.stall = stall
    }

    var isMoving: Bool { !isSumming }
    /// The bytes that may come, or wait to be put away.
    var outstanding: Int64 { granted - taken }

    /// The bytes of credit that it is to get next: a piece, less at the end, none where it has enough.
    func step(_ piece: Int64) -> Int64 {
        let wish = min(taken + window.bytes, end ?? Int64.max)
        guard granted < wish else { return 0 }
        let step = min(piece, (end ?? Int64.max) - granted)
        // A short step before the end would make a short piece.
        return granted + step <= wish ? step : 0
    }

    /// Whether the other end is to be told how far the stream has come, or how far it may go.
    func hasNews(_ piece: Int64) -> Bool {
        guard let told, isBegun else { return granted > next }
        return granted > told.granted || next - told.next >= piece
    }

    /// Whether the other end has not been told how far the stream has come.
    var isBehind: Bool { told.map { $0.next < next } ?? true }

    mutating func tell(_ now: Instant) {
        if !isBegun {
            askedAt = now
            isAnswered = false
        }
        isBegun = true
        told = (next, granted)
    }

    /// Notes a piece, of whatever place: only new bytes keep a stream alive.
    mutating func answered(_ now: Instant, end: Int64) {
        self.end = end
        granted = min(granted, end)
        if !isAnswered, isBegun {
            isAnswered = true
            window.answered(after: now - askedAt)
        }
    }

    mutating func came(_ count: Int64, _ now: Instant) {
        heardAt = now
        stall = firstStall
        next += count
        gapAt = nil
        window.add(count, now)
    }

    /// Takes all credit back that nothing has come of: what still comes of it is late.
    mutating func withdraw() {
        granted = next
        round += 1
        isBegun = false
        told = nil
        gapAt = nil
    }

    mutating func startOver() {
        wholes += 1
        isSumming = false
        taken = 0
        next = 0
        granted = 0
        withdraw()
    }

    /// Whether it was begun, or asked for anew, so short a time ago.
    func wasAsked(within time: Duration, _ now: Instant) -> Bool { isBegun && now - askedAt < time }

    func isStalled(_ now: Instant) -> Bool { isBegun && granted > next && now - max(askedAt, heardAt) >= stall }

    func hasGap(_ now: Instant, _ limits: DataLimits) -> Bool {
        guard let gapAt else { return false }
        return now - gapAt >= max(limits.gap, (window.delay ?? .zero) * 2)
    }

    /// Asks for less and less often, since nothing comes.
    mutating func slowDown(_ longest: Duration) {
        window.shrink()
        stall = min(stall * 2, longest)
    }
}
