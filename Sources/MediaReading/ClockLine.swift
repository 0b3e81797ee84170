/// One line of times for the tracks of a program whose clock begins again, steps or wraps midway: parts that were put
/// together byte by byte, recorders and stations that began anew, clocks of 33 bits.
///
/// All tracks of a program go by one clock. A part follows the one before it so that the picture goes on without a
/// hole. Within a part every time keeps its distance to every other, so that sound and picture stay together. A track
/// comes to the next part at its own packet, since tracks lie side by side in the file. Only packets at which the file
/// states a time are asked: libavformat guesses the times of the others from them.
struct ClockLine {
    /// The ticks of a second, and of a round of the clock (a power of two).
    let second: Int64
    let round: Int64
    private let partsBeginAtZero: Bool
    private var lanes: [ClockLane]
    /// The ticks by which each part is moved against the one before it.
    private var steps: [Int64] = []
    /// The latest time so far, and the time at which the last part begins.
    private var latest = Int64.min
    private var lastStart = Int64.min
    /// The latest packet's time and its place on the line, for tracks that begin later; nil before the first packet.
    private var reference: (clock: Int64, line: Int64)?

    /// The ticks of a second go for all tracks. Where parts begin at 0, only a step back to there begins one, and only
    /// in a file all of whose tracks have one.
    init(
        _ tracks: [(packets: PacketEntries, isVideo: Bool)], second: Int64, round: Int64, partsBeginAtZero: Bool
    ) {
        (self.second, self.round) = (second, round)
        self.partsBeginAtZero = partsBeginAtZero
        lanes = tracks.map {
            ClockLane(
                $0.packets, isVideo: $0.isVideo, second: second, round: round, partsBeginAtZero: partsBeginAtZero)
        }
        // Nearly all files have one clock that goes on.
        let moving = lanes.filter { !$0.isAtEnd }
        let isSuspect =
            partsBeginAtZero ? moving.allSatisfy(\.isSuspect) : moving.contains(where: \.isSuspect)
        guard isSuspect else { return }
        while let next = lanes.indices.filter({ !lanes[$0].isAtEnd }).min(by: { lanes[$0].place < lanes[$1].place }) {
            take(next)
        }
    }

    /// The number of places at which another clock begins.
    var stepCount: Int { steps.count }

    /// The packets of a track with their times on the line; nil where all are there already.
    func packets(_ track: Int) -> PacketEntries? { lanes[track].corrected() }

    /// The numbers of the packets of a track that begin a part.
    func starts(_ track: Int) -> [Int] { lanes[track].starts }

    private func step(since taken: Int) -> Int64 { steps[taken...].reduce(0, &+) }

    /// Puts the next packet of a track on the line.
    private mutating func take(_ number: Int) {
        var lane = lanes[number]
        defer { lanes[number] = lane }
        guard lane.hasBegun else {
            let time = lane.time(lane.next)
            let line = reference.map { $0.line &+ lane.wrapped(time &- $0.clock) } ?? time
            lane.begin(at: line, taken: steps.count)
            return keep(lane)
        }
        let due = lane.due(at: lane.next)
        var time = lane.line(of: lane.next)
        let isFirst = takeUp(&time, due, lane)
        if isFirst { lane.startPart(taken: steps.count) }
        if isStep(time, due, lane) {
            guard var own = lane.ownStep(time, due) else { return lane.passOver(due: due) }
            // Sound before the 0 of a clock without rounds is what a decoder needs to begin, and is not heard.
            if round > 1 << 40 { own &+= min(0, max(lane.time(lane.next), -second / 10)) }
            steps.append(step(own, for: number))
            time &+= steps[steps.count - 1]
            lastStart = time
            lane.startPart(taken: steps.count)
        }
        lane.accept(at: time)
        keep(lane)
    }

    /// Moves the time into the last part where it fits there better; true where it does.
    private func takeUp(_ time: inout Int64, _ due: Int64, _ lane: ClockLane) -> Bool {
        guard lane.taken < steps.count else { return false }
        let moved = time &+ step(since: lane.taken)
        guard moved != time else { return false }
        let isLeftBehind = latest > lastStart &+ 3 * second && !isStep(moved, due, lane)
        guard isLeftBehind || distance(moved, due) < distance(time, due) else { return false }
        time = moved
        return true
    }

    private mutating func keep(_ lane: ClockLane) {
        latest = max(latest, lane.line)
        reference = (lane.clock, lane.line)
    }

    /// Whether a time cannot follow its track's times so far: it lies before them, or far after all tracks' times.
    private func isStep(_ time: Int64, _ due: Int64, _ lane: ClockLane) -> Bool {
        if partsBeginAtZero { return time < lane.line &- lane.slack && lane.time(lane.next) < second }
        return time < lane.line &- lane.slack || time > max(due, latest) &+ 10 * second
    }

    /// The ticks by which the part that begins at a track's next packet is moved: so that the picture goes on, unless
    /// much sound would be lost. `own` would make that track go on.
    private func step(_ own: Int64, for number: Int) -> Int64 {
        guard let picture = lanes.first(where: { $0.isVideo && $0.hasBegun }),
            let turn = picture.turn(own, pending: step(since: picture.taken))
        else { return own }
        let moved = picture.shownEnd(at: turn) &- picture.earliest(from: turn)
        guard distance(moved, own) < 10 * second else { return own }
        let lost = lanes.filter { !$0.isVideo && $0.hasBegun }.compactMap { lane in
            lane.turn(own, pending: step(since: lane.taken)).map { $0.due &- ($0.time &+ moved) }
        }
        let most = lost.max() ?? 0
        return most > second / 2 && most < 10 * second ? moved &+ most : moved
    }
}

/// The shorter way round a clock of so many ticks, a power of two.
func shorterWay(_ ticks: Int64, round: Int64) -> Int64 { ((ticks &+ round / 2) & (round &- 1)) &- round / 2 }

/// The ticks from one time to another.
func distance(_ one: Int64, _ other: Int64) -> Int64 { abs(one &- other) }
