internal import Diagnostics
internal import Libav
internal import MediaReading
internal import MediaTime
internal import Planning
internal import SplitreelFiles

/// The packets of a source that go into a film as they are, each held against the index that the plan was made with.
/// Confined to one thread at a time.
final class CopiedPackets {
    private let source: CopiedSource
    private let packets: IndexedPackets

    /// Opens a track by its position in the file, from 1. Throws `.mediaChanged` where the source has other packets
    /// than the plan.
    init(_ source: CopiedSource, track: Int) throws {
        self.source = source
        let opened = try openSource(source.path, asking: "open", finding: "open")
        if let sum = source.sum, let mark = source.mark, let index = source.index {
            // Without its index the source is read through.
            _ = takeUpIndex(of: opened, sum: sum, mark: mark, from: index)
        }
        packets = try IndexedPackets(opened, track: track)
        guard packets.sum == source.sum ?? packets.sum else {
            throw changed("the file's content is not what was planned")
        }
    }

    /// The places of packets among them by presentation time: packet k of the span shows its frame `ranks[k]`.
    func ranks(of span: Range<Int>) throws -> [Int] {
        guard let times = packets.times(of: span) else {
            throw fault("packets \(span) of its track cannot be copied")
        }
        var ranks = Array(repeating: 0, count: times.count)
        let order = times.indices.sorted { times[$0] < times[$1] }
        for (rank, place) in order.enumerated() { ranks[place] = rank }
        guard zip(order, order.dropFirst()).allSatisfy({ times[$0] < times[$1] }) else {
            throw fault("two of the packets \(span) of its track show one moment")
        }
        return ranks
    }

    /// The packet of that number. `time` is when the film shows it, in seconds, for the error about another packet.
    func packet(_ number: Int, shownAt time: @autoclosure () -> Rational) throws -> Packet {
        if let packet = try packets.packet(number) { return packet }
        let (seconds, rest) = (time() * Rational(1000)).rounded().quotientAndRemainder(dividingBy: 1000)
        let fraction = String(1000 + rest).dropFirst()
        throw changed("packet \(number), which the film shows at \(seconds).\(fraction) s, is not the planned one")
    }

    /// Throws `.mediaChanged` where the source was changed since it was opened; to be called after the last packet of a
    /// span. Lets go of what lies elsewhere.
    func checkUnchanged() throws { try packets.source.checkUnchanged() }

    private func changed(_ reason: String) -> SplitreelError {
        SplitreelError(
            .mediaChanged, operation: "copying", subject: source.path, reason: "\(reason)",
            hint: "render it again, and leave the file alone meanwhile")
    }

    private func fault(_ reason: String) -> SplitreelError {
        SplitreelError(.internalFault, operation: "copying", subject: source.path, reason: "\(reason)")
    }
}
