import MediaFacts
import MediaTime

/// The places of a track's samples in its packets, all of which have one length, as the mix reads them.
struct SoundGrid {
    /// The samples of a packet.
    let frame: Int
    let sampleRate: Int
    /// The packets' presentation times, in ticks of so many seconds, and the zero of asset time among them.
    let ticks: [Int64]
    let tick: Rational
    let origin: Rational
    /// The samples that a decoder leaves out at the track's start.
    let skipped: Int
    /// The first packets of which no sample is heard.
    let dropped: Int
    /// The samples that the last packet has too many; nil where further packets are not heard as they are.
    let cut: Int?

    /// The longest silence, in seconds, by which a film's sound may outlast the last packet that it has.
    private static let longestRest = 1

    /// The place of a time of the track, in ticks, in samples from asset time 0.
    private func place(_ ticks: Rational) -> Int { sampleIndex(of: ticks * tick - origin, rate: sampleRate) }

    /// The packets that may come before the one with the first sample where they have to be all that there are.
    private static let mostFromStart = 4

    /// Finds the packets of a run, with `lead` of them in front of the one with its first sample; `.max`: with all.
    func packets(of run: SoundRun, lead: Int, header: [UInt8]) -> SoundFinding {
        // The first packet that is heard, and the samples that it lacks at its start.
        let (heard, rest) = skipped.quotientAndRemainder(dividingBy: frame)
        guard heard < ticks.count, dropped <= heard + (rest > 0 ? 1 : 0) else {
            return .unfit("its file cuts off its first packets")
        }
        let missing = (Rational(rest, sampleRate) / tick).rounded()
        let start = place(Rational(Int(ticks[heard]) + missing))
        let zero = start - skipped
        let end = min(run.first + run.count, zero + ticks.count * frame - (cut ?? 0))
        guard run.first >= start, end > run.first else { return .unfit("its sound begins later than it is shown") }
        let (shown, last) = ((run.first - zero) / frame, (end - 1 - zero) / frame)
        guard isEven(heard...last, zero: zero) else { return .unfit("its packets do not follow one another evenly") }
        let silence = run.first + run.count + run.rest - end
        guard silence == 0 || cut != nil && last == ticks.count - 1 && silence <= Self.longestRest * sampleRate else {
            return .unfit("it is not heard to the film's end")
        }
        guard lead < .max || shown <= Self.mostFromStart else {
            return .unfit("its samples follow from all before them, and it is not shown from its start")
        }
        let first = max(0, shown - min(lead, shown))
        return .packets(
            SoundPackets(
                firstPacket: first, count: last - first + 1, priming: run.first - zero - first * frame, header: header))
    }

    /// Whether each packet begins where the one before it ends, as exactly as the ticks can say it.
    private func isEven(_ packets: ClosedRange<Int>, zero: Int) -> Bool {
        let samples = tick * Rational(sampleRate)
        let isExact = samples.denominator == 1 || samples.numerator == 1
        let slack = isExact && samples <= Rational(1) ? 0 : samples.ceil()
        return packets.allSatisfy { number in
            abs(place(Rational(Int(ticks[number]))) - zero - number * frame) <= slack
        }
    }
}
