import DataPlane
import Scheduling
import Testing

@Suite("The rate of a link") struct LinkMeterTests {
    private static let piece = 262_144

    private func instant(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }

    @Test func piecesInARowAreMeasured() {
        var meter = LinkMeter()
        // A piece every 50 ms, the first of which starts the clock.
        for number in 0..<10 { meter.add(Self.piece, instant(number * 50)) }
        #expect(meter.rate == nil)
        meter.add(Self.piece, instant(500))
        // Ten pieces in half a second.
        #expect(meter.rate == 5_242_880)
    }

    @Test func pausesDoNotCount() {
        var meter = LinkMeter()
        for number in 0..<20 { meter.add(Self.piece, instant(number * 1000)) }
        #expect(meter.rate == nil)
        for number in 0...10 { meter.add(Self.piece, instant(60_000 + number * 50)) }
        #expect(meter.rate == 5_242_880)
    }

    @Test func aSlowerStretchLeavesAPartOfTheRate() {
        var meter = LinkMeter()
        for number in 0...10 { meter.add(Self.piece, instant(number * 50)) }
        for number in 1...2 { meter.add(1, instant(500 + number * 250)) }
        #expect(meter.rate == 3_932_160)
    }
}
