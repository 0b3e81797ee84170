import Diagnostics
import Glibc
package import Libav
package import MediaTime
import MediaWriting
package import Pictures
import SplitreelFiles

/// The form of a track that is written into a film as it is stored elsewhere.
package struct DraftedPackets: Sendable {
    package var format: StoredFormat
    /// The map by which players turn the picture; nil for the one that the format states.
    package var transform: Affine?

    package init(format: StoredFormat, transform: Affine?) { (self.format, self.transform) = (format, transform) }
}

/// A packet on its way into a film, its times in seconds from the film's start.
package struct DraftedPacket: Sendable {
    package var data: [UInt8]
    package var presentation: Rational?
    package var decode: Rational?
    /// The length; zero for an unknown one.
    package var duration: Rational
    package var isKey: Bool
    /// The samples that decoders are to cut from its end.
    package var endTrim: Int

    package init(
        data: [UInt8], presentation: Rational?, decode: Rational?, duration: Rational, isKey: Bool, endTrim: Int
    ) {
        (self.data, self.presentation, self.decode) = (data, presentation, decode)
        (self.duration, self.isKey, self.endTrim) = (duration, isKey, endTrim)
    }
}

/// One track of stored packets of a film that is being written. Their bytes go to a file, some 48 bytes of each stay in
/// memory. Confined to one thread at a time.
package final class StoredDraft {
    private let shape: DraftedPackets
    private let path: String
    private let descriptor: Int32
    private var isOpen = true
    private var entries: [StoredEntry] = []
    /// The ticks in a second in which all times so far are whole, where there is such a number.
    private var clock: Int128
    private var byteCount: Int64 = 0
    /// Whether a packet came without a decode time.
    private var lacksDecodeTimes = false

    /// The most ticks in a second: MP4 counts the time from one packet to the next in 31 bits of them.
    private static let mostTicks: Int128 = 50_000_000
    /// The largest length of a packet, and the most packets.
    private static let mostBytes = 1 << 30
    private static let mostPackets = 1 << 28
    /// The largest time in seconds: 136 years.
    private static let longest = Rational(1 << 32)

    init(_ shape: DraftedPackets, path: String) throws {
        (self.shape, self.path) = (shape, path)
        clock = max(1, min(Self.mostTicks, Int128(shape.format.timescale)))
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
    }

    deinit { if isOpen { close(descriptor) } }

    var isPicture: Bool { shape.format.isPicture }

    /// Takes the next packet in decoding order.
    ///
    /// - Throws: `.usage` for a packet that cannot follow those before it; `.diskFull`.
    package func append(_ packet: DraftedPacket) throws {
        // Sound is decoded in the order in which it is heard.
        guard let start = packet.presentation ?? (isPicture ? nil : packet.decode) else {
            throw refused(
                "its file does not tell when it is shown", hint: "put the track into an mp4 or mkv by another program")
        }
        let decode = isPicture ? packet.decode : start
        guard !entries.isEmpty || packet.isKey else {
            throw refused("it is the first one, and no key frame", hint: "begin with a key frame: seek to one")
        }
        guard packet.data.count <= Self.mostBytes, entries.count < Self.mostPackets else {
            throw refused("it is larger, or there are more, than a film takes")
        }
        let told = [start, decode ?? start, packet.duration]
        guard told.allSatisfy({ $0.magnitude <= Self.longest }) else { throw refused("no film has times so large") }
        told.forEach(fit)
        let times = (start: ticks(start), decode: decode.map(ticks))
        if let decode = times.decode, !lacksDecodeTimes {
            if let last = entries.last, decode <= last.decode {
                throw refused(
                    "it is decoded at \(seconds(decode)) s, the packet before it at \(seconds(last.decode)) s",
                    hint: "append packets in the order in which they are decoded, each later than the one before it")
            }
            guard decode <= times.start else {
                throw refused("it is decoded at \(seconds(decode)) s, after it is shown at \(seconds(times.start)) s")
            }
        }
        lacksDecodeTimes = lacksDecodeTimes || times.decode == nil
        try packet.data.withUnsafeBytes { try writeWhole($0, to: descriptor, path: path) }
        entries.append(
            StoredEntry(
                place: byteCount, byteCount: Int32(packet.data.count), presentation: times.start,
                decode: times.decode ?? times.start, duration: max(0, ticks(packet.duration)),
                endTrim: Int32(clamping: packet.endTrim), isKey: packet.isKey))
        byteCount += Int64(packet.data.count)
    }

    /// Completes the track; nil where no packet came.
    func finish() throws -> StoredTrack? {
        guard !entries.isEmpty else { return nil }
        isOpen = false
        // Some file systems tell only now that there was no room.
        guard close(descriptor) == 0 || errno == EINTR else { throw writingFailure("close", path, errno: errno) }
        if lacksDecodeTimes { try makeDecodeTimes() }
        makeDurations()
        return StoredTrack(
            format: shape.format, transform: shape.transform, path: path, clock: Int32(clamping: clock),
            entries: entries)
    }

    /// Gives each packet the decode time of its place: the presentation times in their order, all so much earlier that
    /// no packet is decoded after it is shown. Matroska, for one, stores no decode times.
    private func makeDecodeTimes() throws {
        let sorted = entries.map(\.presentation).sorted()
        guard zip(sorted, sorted.dropFirst()).allSatisfy(<) else {
            throw refused("two packets are shown at one time, and no decode times tell them apart")
        }
        let delay = zip(sorted, entries).map { $0 - $1.presentation }.max() ?? 0
        for place in entries.indices { entries[place].decode = sorted[place] - delay }
    }

    /// Lets a packet of unknown length last until the next one is shown, the last one as long as the one before it.
    private func makeDurations() {
        guard entries.contains(where: { $0.duration == 0 }) else { return }
        let order = entries.indices.sorted { entries[$0].presentation < entries[$1].presentation }
        var length: Int64 = 0
        for (place, next) in zip(order, order.dropFirst() + [order[order.count - 1]]) {
            if place != next { length = entries[next].presentation - entries[place].presentation }
            if entries[place].duration == 0 { entries[place].duration = length }
        }
    }

    /// Makes the clock finer, where there is one of so many ticks, so that the time is whole on it.
    private func fit(_ time: Rational) {
        let common = Rational(numerator: clock, denominator: time.denominator).numerator * time.denominator
        guard common != clock, common <= Self.mostTicks else { return }
        let factor = Int64(common / clock)
        for place in entries.indices {
            entries[place].presentation *= factor
            entries[place].decode *= factor
            entries[place].duration *= factor
        }
        clock = common
    }

    private func ticks(_ time: Rational) -> Int64 {
        Int64((time * Rational(numerator: clock, denominator: 1)).rounded())
    }

    private func seconds(_ ticks: Int64) -> String {
        Rational(numerator: Int128(ticks), denominator: clock).shortSeconds
    }

    private func refused(_ reason: String, hint: String = "") -> SplitreelError {
        SplitreelError(
            .usage, operation: "writing packets", subject: "packet \(entries.count)", reason: "\(reason)",
            hint: "\(hint)")
    }
}
