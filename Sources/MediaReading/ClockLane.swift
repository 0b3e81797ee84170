internal import Libav

/// One track on its way along a `ClockLine`.
struct ClockLane {
    let isVideo: Bool
    private let packets: PacketEntries
    /// The numbers of the packets at which the file states a time.
    private let stated: [Int32]
    /// The place in `stated` of the next packet.
    private var head = 0
    private let second: Int64
    private let round: Int64
    /// The ticks by which times may go back within a part: tracks without decode times go back by a few pictures.
    let slack: Int64
    /// Whether some time does not follow from the one before it.
    let isSuspect: Bool

    /// The last packet's number, its time, and its place on the line.
    private var last = 0
    private(set) var clock: Int64 = 0
    private(set) var line: Int64 = 0
    private(set) var hasBegun = false
    /// The number of steps that the track has made.
    private(set) var taken = 0
    /// The numbers of the packets that begin a part.
    private(set) var starts: [Int] = []
    /// The ticks from a time to the line, from a packet on.
    private var moves: [(number: Int, by: Int64)] = []
    /// The end of the latest picture, on the line.
    private var end = Int64.min
    /// The ticks from the part's first packet's time to its first picture.
    private var delay: Int64 = 0

    /// A packet that begins a part: its place in `stated`, its time, and the time at which it would go on.
    struct Turn {
        var place: Int
        var time: Int64
        var due: Int64
    }

    init(_ packets: PacketEntries, isVideo: Bool, second: Int64, round: Int64, partsBeginAtZero: Bool) {
        (self.packets, self.isVideo, self.second, self.round) = (packets, isVideo, second, round)
        stated = packets.indices.filter { packets[$0].position >= 0 && packets[$0].clock != nil }.map { Int32($0) }
        let times = stated.lazy.map { packets[Int($0)].clock ?? 0 }
        let steps = zip(times, times.dropFirst()).map { $1 &- $0 }
        if partsBeginAtZero {
            slack = second
            let goesOn = steps.allSatisfy { $0 <= second }
            isSuspect = goesOn && zip(times.dropFirst(), steps).contains { $0 < second && $1 < -second }
            return
        }
        let small = steps.count { $0 < 0 && $0 > -second / 2 }
        slack = small * 20 > steps.count ? second / 2 : second / 10
        let least = -slack
        isSuspect = steps.contains { $0 < least || $0 > 10 * second }
    }

    var isAtEnd: Bool { head == stated.count }
    /// The number of the next packet.
    var next: Int { Int(stated[head]) }
    /// The next packet's place in the file.
    var place: Int64 { packets[next].position }

    func time(_ number: Int) -> Int64 { packets[number].clock ?? 0 }

    func wrapped(_ ticks: Int64) -> Int64 { shorterWay(ticks, round: round) }

    func line(of number: Int) -> Int64 { line &+ wrapped(time(number) &- clock) }

    /// The time at which a packet is due if the track goes on as it went.
    func due(at number: Int) -> Int64 { line &+ length(last..<max(last, number)) }

    private func length(_ numbers: Range<Int>) -> Int64 { numbers.reduce(0) { $0 &+ packets[$1].duration } }

    // MARK: On the way

    mutating func begin(at line: Int64, taken: Int) {
        (hasBegun, self.taken) = (true, taken)
        (clock, self.line, last) = (time(next), line, next)
        delay = earliest(from: Turn(place: head, time: line, due: line)) &- line
        accept(at: line)
    }

    /// The next packet begins a part.
    mutating func startPart(taken: Int) {
        self.taken = taken
        starts.append(next)
        let time = line(of: next)
        delay = earliest(from: Turn(place: head, time: time, due: time)) &- time
    }

    /// The next packet stands there on the line.
    mutating func accept(at line: Int64) {
        let number = next
        let move = line &- time(number)
        if move != moves.last?.by ?? 0 { moves.append((number, move)) }
        (clock, self.line, last) = (time(number), line, number)
        end = max(end, shown(number, at: line) &+ packets[number].duration)
        head += 1
    }

    /// Leaves the next packet's time as it is: what follows it goes on as if it had been right.
    mutating func passOver(due: Int64) {
        clock &+= due &- line
        (line, last) = (due, next)
        head += 1
    }

    private func shown(_ number: Int, at line: Int64) -> Int64 {
        packets[number].flags.contains(.noTime) ? line : line &+ wrapped(packets[number].pts &- time(number))
    }

    // MARK: Looking ahead

    /// The ticks by which the next packet is moved to go on where the track is; nil where the packets after it go on
    /// without it, so that only its own time is wrong, or where none comes soon.
    func ownStep(_ time: Int64, _ due: Int64) -> Int64? {
        let own = due &- time
        let after = stated[(head + 1)...].prefix(4).map { number in
            let expected = due &+ length(next..<Int(number))
            return (time: time &+ wrapped(self.time(Int(number)) &- self.time(next)), due: expected)
        }
        guard let first = after.first, distance(first.time, time) < 5 * second else { return nil }
        let following = after.count { distance($0.time &+ own, $0.due) < distance($0.time, $0.due) }
        return following * 2 > after.count ? own : nil
    }

    /// The packet, of those that come soon, that fits better where the clock is moved by `own`; nil where none does.
    /// `pending` is the move of parts that the track has not come to.
    func turn(_ own: Int64, pending: Int64) -> Turn? {
        var due = line
        var number = last
        for place in head..<min(stated.count, head + 256) {
            let next = Int(stated[place])
            due &+= length(number..<max(number, next))
            number = next
            let time = line(of: next) &+ pending
            if distance(time &+ own, due) < distance(time, due) { return Turn(place: place, time: time, due: due) }
        }
        return nil
    }

    /// The earliest presentation time of the part that begins there.
    func earliest(from turn: Turn) -> Int64 {
        let first = time(Int(stated[turn.place]))
        return stated[turn.place...].prefix(32).map { number in
            shown(Int(number), at: turn.time &+ wrapped(time(Int(number)) &- first))
        }.min() ?? turn.time
    }

    /// The end of the pictures before that packet.
    func shownEnd(at turn: Turn) -> Int64 {
        var end = end
        for place in head..<turn.place {
            let number = Int(stated[place])
            end = max(end, shown(number, at: line(of: number)) &+ packets[number].duration)
        }
        let number = Int(stated[turn.place])
        // The file states no time of some of the last pictures: their lengths tell.
        let isStated = (max(0, number - 16)..<number).allSatisfy { packets[$0].position >= 0 }
        return isStated ? end : max(end, turn.due &+ delay)
    }

    // MARK: The outcome

    /// The packets with their times on the line; nil where all are there already.
    func corrected() -> PacketEntries? {
        guard !moves.isEmpty else { return nil }
        var result = packets
        for (place, move) in moves.enumerated() where move.by != 0 {
            let end = place + 1 < moves.count ? moves[place + 1].number : packets.count
            for number in move.number..<end {
                var entry = packets[number]
                guard let clock = entry.clock else { continue }
                let line = clock &+ move.by
                if !entry.flags.contains(.noTime) { entry.pts = line &+ wrapped(entry.pts &- clock) }
                if ticks(entry.dts) != nil { entry.dts = line }
                entry.flags.insert(.mendedTime)
                result[number] = entry
            }
        }
        return result
    }
}

extension PacketEntry {
    /// The time, in ticks, that goes on from packet to packet: the decode time, or else the presentation time; nil
    /// without either.
    fileprivate var clock: Int64? { ticks(dts) ?? (flags.contains(.noTime) ? nil : pts) }
}
