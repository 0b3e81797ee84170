internal import CFFmpeg
internal import Libav

/// The line of time for a track of text or data in a file whose clock begins anew, steps or wraps midway: where
/// `ClockLine` put the pictures or the sound among which its packets lie.
///
/// A packet goes by the neighbour in the file whose time is nearer to its own: at a joint the other one is of another
/// part.
struct NeighbourClock {
    /// A packet of pictures or sound: its time in the file, and on the line, in ticks.
    private struct Neighbour {
        var clock: Int64
        var line: Int64
    }

    /// The stream of the neighbours, which is to be read beside the track's own.
    let stream: Int
    private let packets: PacketEntries
    private let round: Int64
    /// The number of the stream's packets so far.
    private var count = 0
    private var last: Neighbour?
    /// The times of the track's packets, and the place of the first that waits for its next neighbour.
    private var times: [Int64] = []
    private var settled = 0

    /// nil where the clock goes on through the whole file, and for tracks of another clock. `track` counts from 0.
    init?(_ demuxer: Demuxer, _ index: FileIndex, track: Int) {
        guard demuxer.mayChangeClock, demuxer.streamCount == index.tracks.count else { return nil }
        let base = demuxer.stream(track).time_base
        let program = demuxer.programs.first { $0.contains(track) } ?? []
        let media = program.filter { stream in
            let own = demuxer.stream(stream).time_base
            return [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(demuxer.type(stream))
                && !index.tracks[stream].entries.isEmpty && own.num == base.num && own.den == base.den
        }
        let pictures = media.first { demuxer.type($0) == AVMEDIA_TYPE_VIDEO }
        guard let stream = pictures ?? media.first else { return nil }
        let round = demuxer.roundOfClock
        let packets = index.tracks[stream].entries
        guard packets.contains(where: { $0.flags.contains(.part) || $0.pts >= round }) else { return nil }
        self.stream = stream
        self.packets = packets
        self.round = round
    }

    /// Takes the next packet of `stream`.
    mutating func pass(_ packet: borrowing Packet) {
        let number = count
        count += 1
        guard number < packets.count, let clock = packet.pts, packet.fields.pos >= 0,
            !packets[number].flags.contains(.noTime)
        else { return }
        settle(last, Neighbour(clock: clock, line: packets[number].pts))
        last = Neighbour(clock: clock, line: packets[number].pts)
    }

    /// Takes the time of the track's next packet.
    mutating func add(_ time: Int64) { times.append(time) }

    /// The times on the line of all packets that were added, in their order.
    mutating func finish() -> [Int64] {
        settle(last, nil)
        return times
    }

    /// Puts the packets that wait on the line by the nearer one of their neighbours.
    private mutating func settle(_ before: Neighbour?, _ after: Neighbour?) {
        for place in settled..<times.count {
            let ways = [before, after].compactMap { neighbour in
                neighbour.map { (ticks: shorterWay(times[place] &- $0.clock, round: round), line: $0.line) }
            }
            guard let way = ways.min(by: { $0.ticks.magnitude < $1.ticks.magnitude }) else { continue }
            times[place] = way.line &+ way.ticks
        }
        settled = times.count
    }
}
