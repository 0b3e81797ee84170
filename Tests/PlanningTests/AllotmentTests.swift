import Diagnostics
import Foundation
import Outputs
import Pictures
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

@Suite struct AllotmentTests {
    /// 20 s at 30 frames a second, in chunks of a second.
    private static func plan(_ bitRate: Int) throws -> RenderPlan {
        try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil, sound: false).plan {
            ($0.picture.bitRate, $0.picture.passes, $0.rendering.chunkSeconds) = (bitRate, 2, "1")
        }
    }

    /// Bits that halve with every `halving` steps of the factor.
    private static func bits(_ factor: Double, _ atTwenty: Double, _ halving: Double) -> Int {
        Int((atTwenty * pow(0.5, (factor - 20) / halving)).rounded())
    }

    private static func analyses(_ plan: RenderPlan, _ chunk: (Int) -> (Double, Double)) -> [ChunkAnalysis] {
        plan.chunks.map { part in
            let (level, halving) = chunk(part.index)
            return ChunkAnalysis(
                bits: (plan.output.video?.analysisFactors ?? []).map { bits($0, level, halving) })
        }
    }

    @Test func allChunksHaveOneFactorAndTogetherTheBitRate() throws {
        let plan = try Self.plan(500_000)
        #expect(plan.chunks.count == 20)
        // Still, usual and noisy chunks.
        func kind(_ index: Int) -> (Double, Double) { [(20_000, 9), (400_000, 6), (3_000_000, 4.5)][index % 3] }
        let allotment = try Allotment(plan: plan, planHash: "p", analyses: Self.analyses(plan, kind))
        let total = allotment.shares.reduce(0) { $0 + $1.bits }
        #expect(abs(Double(total) / (500_000 * 20) - 1) < 0.003)
        for (index, share) in allotment.shares.enumerated() {
            let (level, halving) = kind(index)
            let exact = Double(Self.bits(allotment.rateFactor, level, halving))
            #expect(abs(Double(share.bits) / exact - 1) < 0.001, "chunk \(index)")
            #expect(Double(share.slack) <= 0.01 * exact + 0.004 * 500_000)
        }
    }

    /// The chunks are tasks 0 to 19; there is no sound, and the analyses follow.
    @Test func anAnalysisIsOneSmallFile() throws {
        let plan = try Self.plan(500_000)
        #expect(plan.mostBytes(ofTask: 20) == [65_536] && plan.mostBytes(ofTask: 40).isEmpty)
    }

    /// Every share may be off by its slack, and the film keeps within its 2 %.
    @Test func slackIsLessThanTheFilmMayBeOff() throws {
        let plan = try Self.plan(2_000_000)
        let allotment = try Allotment(
            plan: plan, planHash: "p", analyses: Self.analyses(plan) { ($0 == 7 ? 40_000_000 : 5000, 6) })
        let slack = allotment.shares.reduce(0) { $0 + $1.slack }
        #expect(Double(slack) < 0.015 * 2_000_000 * 20)
    }

    @Test func theSameAnalysesGiveTheSameBytes() throws {
        let plan = try Self.plan(800_000)
        let analyses = Self.analyses(plan) { (100_000 + 1000 * Double($0), 6) }
        let first = try Allotment(plan: plan, planHash: "p", analyses: analyses).bytes()
        #expect(try Allotment(plan: plan, planHash: "p", analyses: analyses).bytes() == first)
        let read = try JSONDecoder().decode(Allotment.self, from: first)
        #expect(read.isPossible && read.shares.count == 20)
        #expect(throws: SplitreelError.self) {
            try Allotment(plan: plan, planHash: "p", analyses: Array(analyses.dropLast()))
        }
    }

    /// What no factor can reach ends at the best or the smallest one.
    @Test func factorsStayWithinWhatEncodersTake() throws {
        let plan = try Self.plan(1_000_000)
        let still = try Allotment(plan: plan, planHash: "p", analyses: Self.analyses(plan) { _ in (100, 6) })
        #expect(still.rateFactor == 1)
        let noise = try Allotment(plan: plan, planHash: "p", analyses: Self.analyses(plan) { _ in (1e12, 6) })
        #expect(noise.rateFactor == 51)
        // What they are measured for is more, and what they may take is the rate's.
        let shares = noise.shares.reduce(0) { $0 + $1.bits }
        #expect((19_900_000...20_000_000).contains(shares), "\(shares)")
    }

    /// The real encoder differs from what was measured at four factors: a cliff between two of them.
    @Test func aChunkFindsItsShare() throws {
        func real(_ factor: Double) -> Int {
            Int(3_000_000 * pow(0.5, (factor - 20) / 6) * (factor < 27.3 ? 1 : 0.35))
        }
        let measured = [14.0, 20, 26, 32].map { RatePoint(factor: $0, bits: real($0)) }
        for wanted in [900_000, 1_200_000, 2_000_000, 250_000] {
            let share = ChunkShare(bits: wanted, slack: wanted / 100, measured: measured)
            var search = RateSearch(share, from: 27)
            var taken: [Int] = []
            while let factor = search.factor {
                taken.append(real(factor))
                search.take(bits: real(factor))
            }
            let best = try #require(search.best)
            #expect(taken.count <= 11)
            #expect(abs(taken[best] - wanted) == taken.map { abs($0 - wanted) }.min())
            // Between both sides of the cliff there is nothing to be found.
            let isReachable = wanted > real(27.2) || wanted < real(27.4)
            if isReachable { #expect(abs(taken[best] - wanted) <= wanted / 100, "\(wanted): \(taken)") }
            #expect(search.isFar != isReachable)
        }
    }

    /// In a file with a limit no share is exceeded as long as any factor keeps to it, and all shares keep to the limit.
    @Test func sharesOfALimitAreKept() throws {
        func real(_ factor: Double) -> Int { Int(4_000_000 * pow(0.5, (factor - 20) / 6) * (factor < 44 ? 1.5 : 0.5)) }
        let measured = [20.0, 26].map { RatePoint(factor: $0, bits: 2_000_000) }
        for most in [400_000, 130_000, 60_000] {
            var search = RateSearch(
                ChunkShare(bits: most * 98 / 100, slack: most / 100, measured: measured, most: most), from: 23)
            var taken: [Int] = []
            while let factor = search.factor {
                taken.append(real(factor))
                search.take(bits: real(factor))
            }
            let best = try #require(search.best)
            #expect(taken.count <= RateSearch.mostTriesInAll && taken[best] <= most, "\(taken)")
        }
        let plan = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil, sound: false).plan {
            ($0.picture.bitRate, $0.picture.passes, $0.rendering.chunkSeconds, $0.delivery.fileLengthLimit) = (
                5_000_000, 2, "1", 1_000_000
            )
        }
        let analyses = Self.analyses(plan) { (Double(100_000 * (1 + $0 % 5)), 6) }
        let shares = try Allotment(plan: plan, planHash: "p", analyses: analyses).shares
        let most = shares.reduce(0) { $0 + ($1.most ?? .max / 32) }
        #expect(most / 8 < 1_000_000 && most / 8 > 950_000)
        #expect(shares.allSatisfy { $0.bits + $0.slack <= $0.most ?? 0 })
    }

    /// Noise: nothing is gained over three factors, and then most is lost within two. Measured of 12 frames by x264.
    @Test(arguments: [15_300, 15_000, 14_000, 12_000]) func shelvesAreNotLost(bytes: Int) throws {
        let curve: [(Double, Int)] = [
            (20, 60_000), (36, 19_543), (37, 17_559), (38, 16_264), (38.25, 15_885), (39, 15_587), (39.5, 15_791),
            (40, 15_586), (40.5, 15_400), (41, 15_010), (42, 11_662), (43, 6238), (44, 3818), (51, 1500),
        ]
        func real(_ factor: Double) -> Int {
            let after = curve.firstIndex { $0.0 >= factor } ?? curve.count - 1
            let (left, right) = (curve[max(1, after) - 1], curve[max(1, after)])
            return 8 * (left.1 + Int(Double(right.1 - left.1) * (factor - left.0) / (right.0 - left.0)))
        }
        let measured = [30.0, 36].map { RatePoint(factor: $0, bits: real($0)) }
        var search = RateSearch(
            ChunkShare(bits: 8 * bytes * 98 / 100, slack: 8 * bytes / 100, measured: measured, most: 8 * bytes),
            from: 38)
        var taken: [Int] = []
        while let factor = search.factor {
            taken.append(real(factor))
            search.take(bits: real(factor))
        }
        let best = taken[try #require(search.best)]
        #expect(
            best <= 8 * bytes && best > 8 * bytes * 9 / 10 && taken.count <= RateSearch.mostTriesInAll,
            "\(taken.map { $0 / 8 })")
    }

    /// A cliff that is a quarter of a factor wide is climbed.
    @Test func steepCurvesAreFollowed() throws {
        func real(_ factor: Double) -> Int {
            factor < 40 ? 1_300_000 - Int(factor * 1000) : Int(1_200_000 * exp2(-12 * min(0.25, factor - 40)))
        }
        let measured = [32.0, 38, 44, 50].map { RatePoint(factor: $0, bits: real($0)) }
        for wanted in stride(from: 200_000, through: 1_100_000, by: 100_000) {
            var search = RateSearch(ChunkShare(bits: wanted, slack: wanted / 70, measured: measured), from: 41)
            var taken: [Int] = []
            while let factor = search.factor {
                taken.append(real(factor))
                search.take(bits: real(factor))
            }
            let best = try #require(search.best)
            #expect(abs(Double(taken[best]) / Double(wanted) - 1) < 0.03 && taken.count <= 11, "\(wanted): \(taken)")
        }
    }

    @Test func oneTryDoesWhereTheForecastWasRight() throws {
        let share = ChunkShare(bits: 100_000, slack: 1000, measured: [RatePoint(factor: 20, bits: 200_000)])
        var search = RateSearch(share, from: 26)
        search.take(bits: 100_900)
        #expect(search.factor == nil && search.best == 0)
    }

    @Test func anotherMachinesAnalysisIsReadWithCare() throws {
        let plan = try Self.plan(500_000)
        let whole = ChunkAnalysis(bits: [4, 3, 2, 1])
        func read(_ analysis: ChunkAnalysis) throws -> ChunkAnalysis {
            try .read(analysis.bytes(), path: "/a", plan: plan)
        }
        #expect(try read(whole) == whole)
        for change: (inout ChunkAnalysis) -> Void in [
            { $0.bits = [1, 2, 3] }, { $0.bits[0] = 0 }, { $0.bits[1] = -5 }, { $0.bits[2] = .max },
        ] {
            var other = whole
            change(&other)
            #expect(throws: SplitreelError.self) { try read(other) }
        }
        #expect(throws: SplitreelError.self) {
            try ChunkAnalysis.read(Data("[]".utf8), path: "/a", plan: plan)
        }
    }

    /// What other machines say may be anything that can be read: no number of theirs ends the coordinator.
    @Test func hostileCurvesAreAllottedWithoutHarm() throws {
        let (most, film) = (1 << 50, try Self.plan(1_000_000))
        let still = try PlanFixture(frameDuration: "1/30", duration: "1s", instructions: nil, sound: false).plan {
            ($0.picture.bitRate, $0.picture.passes, $0.rendering.chunkSeconds) = (10_000, 2, "0.03")
        }
        #expect(still.chunks.allSatisfy { $0.frameCount == 1 })
        let curves = [
            [2_121_776, 1_076_688, 1, most], [most, most, most, most], [most, 1, 1, 1], [1, 1, 1, most],
            [1, most, 1, most], [0, 0, 0, 0], [1, 1, 1, 1], [most, most, most, most - 1], [8, 16, 8, 16],
        ]
        let limited = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil, sound: false).plan {
            ($0.picture.bitRate, $0.picture.passes, $0.rendering.chunkSeconds, $0.delivery.fileLengthLimit) = (
                5_000_000, 2, "1", 1_000_000
            )
        }
        for plan in [film, still, limited] {
            for (number, curve) in curves.enumerated() {
                let analyses = plan.chunks.map {
                    ChunkAnalysis(bits: $0.index % 2 == 0 ? curve : curves[number / 2])
                }
                let allotment = try Allotment(plan: plan, planHash: "p", analyses: analyses)
                #expect(allotment.shares.allSatisfy { (0...most).contains($0.bits) && (0...most).contains($0.slack) })
                for index in allotment.shares.indices {
                    var search = try #require(allotment.search(ofChunk: index))
                    while let factor = search.factor {
                        #expect((1.0...51.0).contains(factor))
                        search.take(bits: most - index)
                    }
                }
            }
        }
    }

    /// Quantised more coarsely nothing grows, but for a few bytes where there is next to nothing.
    @Test func analysesThatRiseWithTheFactorAreRefused() throws {
        let plan = try Self.plan(500_000)
        func isTaken(_ bits: [Int]) -> Bool {
            let analysis = ChunkAnalysis(bits: bits)
            guard let bytes = try? analysis.bytes() else { return false }
            return (try? ChunkAnalysis.read(bytes, path: "/a", plan: plan)) == analysis
        }
        for bits in [
            [1, 1, 1, 1], [1 << 50, 1 << 50, 1 << 50, 1 << 50], [8000, 4000, 2000, 1000], [312, 328, 320, 336],
            [5_000_000, 5_100_000, 4_900_000, 2_000_000], [9000, 8, 20_000, 8],
        ] { #expect(isTaken(bits), "\(bits)") }
        for bits in [
            [2_121_776, 1_076_688, 1, 1 << 50], [1, 1, 1, 1_000_000], [1_000_000, 2_000_000, 500_000, 1000],
            [1 << 50, 1, 1, 1 << 40], [0, 0, 0, 0],
        ] { #expect(!isTaken(bits), "\(bits)") }
    }

    /// Whatever is asked for, a plan that is made is one that workers take.
    @Test(arguments: ["h264", "hevc"]) func everyPlanOfTwoPassesHolds(codec: String) throws {
        for (width, height) in [(64, 36), (1920, 1080), (7680, 4320)] {
            let size = PixelSize(width: width, height: height)
            for rate in [10_000, 100_000, 800_000, 3_000_000, 20_000_000, 150_000_000, 1_000_000_000] {
                for frame in ["1/8", "1/30", "1/120"] {
                    var fixture = try PlanFixture(
                        frameDuration: frame, duration: "2s", instructions: nil, sound: false)
                    fixture.timeline = try Timeline(
                        valid: fixture.project, assets: fixture.assets, size: size)
                    let plan = try fixture.plan {
                        ($0.picture.codec, $0.picture.bitRate, $0.picture.passes) = (codec, rate, 2)
                    }
                    #expect(plan.output.video?.size == size)
                    try plan.check()
                    let factors = try #require(plan.output.video?.analysisFactors)
                    #expect(factors.count == 4 && factors.allSatisfy { (1.0...51.0).contains($0) })
                    #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 < $1 }, "\(codec) \(size) \(rate)")
                }
            }
        }
    }

    @Test func tasksOfTwoPasses() throws {
        let plan = try PlanFixture(frameDuration: "1/30", duration: "3s", instructions: nil).plan {
            ($0.picture.bitRate, $0.picture.passes, $0.rendering.chunkSeconds) = (500_000, 2, "1")
        }
        #expect(
            (0..<8).map { plan.part(ofTask: $0) } == [
                .chunk(0), .chunk(1), .chunk(2), .audio, .analysis(0), .analysis(1), .analysis(2), nil,
            ])
        let factors = try #require(plan.output.video?.analysisFactors)
        #expect(zip(factors, factors.dropFirst()).allSatisfy { $1 - $0 == 6 })
        let once = try PlanFixture(frameDuration: "1/30", duration: "3s", instructions: nil).plan {
            $0.picture.bitRate = 500_000
        }
        #expect(once.part(ofTask: 4) == nil && once.output.video?.isTwoPass == false)
    }

    @Test func whatCannotHaveTwoPassesIsRefused() throws {
        func code(_ change: @escaping (inout OutputRequest) -> Void) throws -> ErrorCode? {
            do {
                _ = try PlanFixture(frameDuration: "1/30", duration: "3s", instructions: nil).plan(change)
                return nil
            } catch { return (error as? SplitreelError)?.code }
        }
        #expect(try code { $0.picture.passes = 2 } == .settingsImpossible)
        #expect(try code { ($0.picture.passes, $0.picture.crf) = (2, 20) } == .settingsImpossible)
        #expect(try code { ($0.picture.passes, $0.picture.bitRate) = (3, 1_000_000) } == .settingsImpossible)
        #expect(
            try code { ($0.picture.passes, $0.picture.bitRate, $0.picture.codec) = (2, 1_000_000, "vp9") }
                == .settingsImpossible)
        #expect(try code { ($0.picture.passes, $0.picture.bitRate, $0.picture.codec) = (2, 1_000_000, "hevc") } == nil)
        #expect(try code { $0.picture.passes = 1 } == nil)
    }

    /// A search goes to another process as it is, and goes on there alike.
    @Test func aSearchTravels() throws {
        let measured = [RatePoint(factor: 20.1, bits: 2_000_000), RatePoint(factor: 30.3, bits: 500_000)]
        var here = RateSearch(ChunkShare(bits: 1_000_000, slack: 1000, measured: measured), from: 27)
        here.take(bits: 1_300_000)
        var there = try JSONDecoder().decode(RateSearch.self, from: JSONEncoder().encode(here))
        #expect(there == here)
        here.take(bits: 900_000)
        there.take(bits: 900_000)
        #expect(there == here && there.factor != nil)
    }
}
