import AudioMixing
import Foundation
import SplitreelTimeline
import Testing

@Suite("Generated sound") struct SoundGeneratorTests {
    private static let rate = 44_100

    private func samples(
        _ course: GeneratedSound.Course, skipping: Int = 0, channels: Int = 1, blocks: [Int]
    ) -> [[Float]] {
        var source = SoundGenerator(
            GeneratedSound(course, volume: 0.5), sampleRate: Self.rate, skipping: skipping)
        var result = [[Float]](repeating: [], count: channels)
        for count in blocks {
            let planes = (0..<channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: count) }
            defer { for plane in planes { plane.deallocate() } }
            source.read(into: planes, count: count)
            for (channel, plane) in planes.enumerated() { result[channel] += (0..<count).map { plane[$0] } }
        }
        return result
    }

    @Test(arguments: [440.0, 997.3, 12_345]) func aToneIsASine(frequency: Double) {
        for (index, sample) in samples(.tone(frequency: frequency), blocks: [5000])[0].enumerated() {
            let expected = 0.5 * sin(2 * .pi * frequency * Double(index) / Double(Self.rate))
            #expect(abs(Double(sample) - expected) < 1e-7)
        }
    }

    /// Up, down, and on the spot. The phase is the integral of from · (to / from)^(t / T).
    @Test(arguments: [
        (20.0, 20_000.0, 10.0), (8000, 50, 2.5), (1000, 1000, 3), (440, 880, 36_000), (0.001, 20_000, 5),
        (10_000, 10_000.000_05, 3600),
    ])
    func aSweepMultipliesItsFrequency(from: Double, to: Double, seconds: Double) {
        let course = GeneratedSound.Course.sweep(from: from, to: to, seconds: seconds)
        let rise = log1p((to - from) / from) / seconds
        for start in [0, Int(seconds * 0.7 * Double(Self.rate))] {
            for (index, sample) in samples(course, skipping: start, blocks: [3000])[0].enumerated() {
                let time = Double(start + index) / Double(Self.rate)
                let cycles = rise == 0 ? from * time : from / rise * expm1(rise * time)
                let whole = cycles.rounded(.down)
                #expect(abs(Double(sample) - 0.5 * sin(2 * .pi * (cycles - whole))) < 1e-5, "\(start + index)")
            }
        }
    }

    /// As strong as evenly spread samples are, without a mean, unlike their neighbours and the other channel.
    @Test func noiseIsWhite() {
        let planes = samples(.noise(seed: 7), channels: 2, blocks: [48_000])
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        let (left, right) = (planes[0].map(Double.init), planes[1].map(Double.init))
        for plane in [left, right] {
            #expect(abs(mean(plane)) < 0.005 && (plane.map(abs).max() ?? 1) <= 0.5)
            #expect(abs(mean(plane.map { $0 * $0 }) - 0.25 / 3) < 0.002)
            for lag in 1...4 { #expect(abs(mean(zip(plane, plane.dropFirst(lag)).map { $0 * $1 })) < 0.002) }
        }
        #expect(abs(mean(zip(left, right).map { $0 * $1 })) < 0.002)
        #expect(samples(.noise(seed: 8), blocks: [100])[0] != Array(planes[0][..<100]))
    }

    /// However it is read, and after ten hours.
    @Test(arguments: [
        GeneratedSound.Course.tone(frequency: 440), .sweep(from: 20, to: 20_000, seconds: 40_000), .noise(seed: 3),
    ])
    func isAFunctionOfThePosition(course: GeneratedSound.Course) {
        let whole = samples(course, channels: 2, blocks: [3000])
        #expect(samples(course, channels: 2, blocks: [1, 999, 2000]) == whole)
        #expect(samples(course, skipping: 1000, channels: 2, blocks: [2000]) == whole.map { Array($0[1000...]) })
        let late = samples(course, skipping: 36_000 * Self.rate, blocks: [3000])[0]
        #expect(samples(course, skipping: 36_000 * Self.rate + 7, blocks: [2000])[0] == Array(late[7..<2007]))
        if case .tone = course { #expect(late == whole[0]) }
    }
}
