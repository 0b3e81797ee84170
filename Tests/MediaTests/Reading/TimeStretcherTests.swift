import Foundation
import MediaReading
import Testing

/// Where sound that was stretched is heard.
@Suite("Stretched sound stays in its place") struct TimeStretcherTests {
    /// Short tones in the source, one each two seconds; when each begins in what comes out, in seconds.
    private func onsets(seconds: Int, heard: @escaping (_ place: Double) -> Double) throws -> [Double] {
        let rate = 48_000
        let stretcher = try TimeStretcher(sampleRate: rate, channels: 1, subject: "test", heard: heard)
        var place = stretcher.first
        let count = Int(heard(Double(seconds * rate)))
        var (found, block): ([Double], [Float]) = ([], [Float](repeating: 0, count: 4096))
        var (done, silent) = (0, rate)
        while done < count {
            try block.withUnsafeMutableBufferPointer { block in
                guard let base = block.baseAddress else { return }
                try stretcher.read(into: [base], count: 4096) { planes, wanted in
                    for index in 0..<wanted {
                        let phase = (place + index + 4 * rate) % (2 * rate)
                        planes[0][index] = phase < 960 ? Float(0.5 * sin(Double(phase) * 0.26)) : 0
                    }
                    place += wanted
                }
            }
            for (index, sample) in block.enumerated() {
                if abs(sample) > 0.2 {
                    if silent > rate / 4 { found.append(Double(done + index) / Double(rate)) }
                    silent = 0
                } else {
                    silent += 1
                }
            }
            done += 4096
        }
        // One may begin in the last block.
        return found.filter { $0 < heard(Double((seconds - 1) * rate)) / Double(rate) }
    }

    /// Rates whose products have no end in binary.
    @Test(arguments: [10.0 / 9, 24.0 / 25, 0.8, 2, 1 / 0.93]) func aConstantRateDoesNotDrift(length: Double) throws {
        let found = try onsets(seconds: 90) { $0 * length }
        #expect(found.count == 45, "\(found.count)")
        for (number, time) in found.enumerated() {
            #expect(abs(time - Double(2 * number) * length) < 0.012, "tone \(number) at \(time)")
        }
        // What the engine's windows move is the same for all.
        let apart = found.enumerated().map { $1 - Double(2 * $0) * length }
        let (early, late) = (apart[1...5].reduce(0, +) / 5, apart[39...43].reduce(0, +) / 5)
        #expect(abs(late - early) < 0.003, "\(early) and \(late)")
    }

    /// From 0.8 to 1.25 of the length over the whole.
    @Test func aRateThatChangesDoesNotDrift() throws {
        let end = 90.0 * 48_000
        func heard(_ place: Double) -> Double { place * 0.8 + place * place * 0.225 / end }
        let found = try onsets(seconds: 90, heard: heard)
        #expect(found.count == 45, "\(found.count)")
        for (number, time) in found.enumerated() {
            #expect(abs(time - heard(Double(2 * number) * 48_000) / 48_000) < 0.015, "tone \(number) at \(time)")
        }
    }
}
