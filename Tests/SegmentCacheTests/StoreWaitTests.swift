import SegmentCache
import Testing

/// The time that is lost by waiting for several answers at a time, reckoned by hand.
@Suite struct StoreWaitTests {
    private static let start = ContinuousClock.now

    private static func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// Answers that come one after another lose what each takes longer than a second and a second for each MiB.
    @Test func answersOneAfterAnotherLoseTheirOwnTime() {
        var wait = StoreWait()
        let first = wait.begin(0, at: Self.at(0))
        #expect(wait.due(after: .seconds(20)) == Self.at(20))
        wait.end(first, isWhole: true, at: Self.at(3))
        #expect(wait.lost == .seconds(2))
        let second = wait.begin(4 << 20, at: Self.at(10))
        #expect(wait.due(after: .seconds(20)) == Self.at(34))
        wait.end(second, isWhole: true, at: Self.at(16))
        #expect(wait.lost == .seconds(3))
        let third = wait.begin(4 << 20, at: Self.at(16))
        wait.end(third, isWhole: true, at: Self.at(20))
        #expect(wait.lost == .seconds(3))
        wait.forget()
        #expect(wait.lost == .zero)
    }

    /// Eight answers that take three seconds cost those who wait for them three, and not twenty-four.
    @Test func answersAtATimeLoseTheirTimeOnce() {
        var wait = StoreWait()
        let numbers = (0..<8).map { _ in wait.begin(0, at: Self.at(0)) }
        for number in numbers { wait.end(number, isWhole: true, at: Self.at(3)) }
        #expect(wait.lost == .seconds(2))
    }

    /// Eight of 4 MiB that share 4 MiB a second all end after eight seconds: as fast as one after another.
    @Test func answersThatShareALinkAreNotSlow() {
        var wait = StoreWait()
        let numbers = (0..<8).map { _ in wait.begin(4 << 20, at: Self.at(0)) }
        #expect(wait.due(after: .seconds(20)) == Self.at(52))
        for number in numbers { wait.end(number, isWhole: true, at: Self.at(8)) }
        #expect(wait.lost == .zero)
    }

    /// Bytes that came soon leave no time to later answers, and one that does not come is given up when the others
    /// have long come.
    @Test func oneThatStandsStillIsGivenUp() {
        var wait = StoreWait()
        let still = wait.begin(1 << 20, at: Self.at(0))
        for number in 0..<600 {
            let other = wait.begin(16 << 20, at: Self.at(Double(number) / 100))
            wait.end(other, isWhole: true, at: Self.at(Double(number + 1) / 100))
        }
        #expect(wait.lost == .zero)
        #expect(wait.due(after: .seconds(20)) == Self.at(27))
        // One that failed leaves its time to nobody, and counts none.
        wait.end(still, isWhole: false, at: Self.at(27))
        #expect(wait.lost == .zero)
        _ = wait.begin(0, at: Self.at(30))
        #expect(wait.due(after: .seconds(20)) == Self.at(50))
    }

    /// A store may tell any length of an object.
    @Test func noLengthIsWaitedForMoreThanAnHour() {
        var wait = StoreWait()
        _ = wait.begin(400 << 30, at: Self.start)
        #expect(wait.due(after: .seconds(20)) == Self.at(3620))
    }
}
