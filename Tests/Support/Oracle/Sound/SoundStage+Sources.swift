import Foundation
import TestTools

extension SoundStage {
    /// The sound of a segment's source, channel by channel, in samples of the mix; nil for silence.
    func heard(_ segment: SoundSegment, _ samples: Range<Int>) throws -> [[Double]]? {
        let asset = assets[segment.asset] ?? JSON(nil)
        let row = (segment.rowStart - start).sample(rate)
        switch try asset["kind"].ifPresent({ try $0.text }) {
        case "silence": return nil
        case "tone":
            let hertz = try asset["frequency"].ifPresent { try $0.number } ?? 1000
            let volume = try asset["volume"].ifPresent { try $0.number } ?? 0.1
            let first = (segment.target.start - start).sample(rate)
            let wave = samples.map { volume * sin(2 * Double.pi * hertz * Double($0 - first) / Double(rate)) }
            return Array(repeating: wave, count: channels)
        case "sweep":
            let (from, to) = (try hertz(asset, "frequency") ?? 20, try hertz(asset, "endFrequency") ?? 20_000)
            let volume = try asset["volume"].ifPresent { try $0.number } ?? 0.1
            let first = (segment.target.start - start).sample(rate)
            let rise = log(to / from) / segment.target.length.value
            let wave = samples.map { sample in
                let time = Double(sample - first) / Double(rate)
                let cycles = abs(rise) < 1e-12 ? from * time : from / rise * (exp(rise * time) - 1)
                return volume * sin(2 * Double.pi * cycles)
            }
            return Array(repeating: wave, count: channels)
        case "noise":
            let seed = try asset["seed"].ifPresent { Int(try $0.number) } ?? 0
            let volume = try asset["volume"].ifPresent { try $0.number } ?? 0.1
            let first = (segment.target.start - start).sample(rate)
            return (0..<channels).map { channel in
                let key = whirled(UInt64(bitPattern: Int64(seed)) ^ UInt64(channel) << 56)
                return samples.map { sample in
                    let word = whirled(key &+ UInt64(bitPattern: Int64(sample - first)))
                    return volume * (Double(word >> 11) / 4_503_599_627_370_496 - 1)
                }
            }
        default: return try played(segment, asset, samples.lowerBound - row..<samples.upperBound - row)
        }
    }

    private func hertz(_ asset: JSON, _ key: String) throws -> Double? {
        try asset[key].ifPresent { try $0.number }
    }

    /// SplitMix64, as its paper has it.
    private func whirled(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9e37_79b9_7f4a_7c15
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Samples of a row, counted from its start, at its speed and in its direction.
    private func played(_ segment: SoundSegment, _ asset: JSON, _ samples: Range<Int>) throws -> [[Double]] {
        guard let source = segment.rowSource else { throw ToolFailure("\(segment.asset) has no source") }
        let length = source.length.sample(rate)
        // Places of the row's source at the mix's rate, from the source's start.
        var places: [Double]
        if let speed = segment.speed {
            places = try SoundCurve(speed, absent: nil, start: Fraction(0), rate: rate).ways(samples)
        } else {
            let ratio = (segment.rate ?? Fraction(1)).value
            places = samples.map { Double($0) * ratio }
        }
        if segment.isReversed { places = places.map { Double(length - 1) - $0 } }
        if try asset["kind"].ifPresent({ try $0.text }) == "composition" {
            return try nested(asset, source.start, places)
        }
        let wave = try files.wave(try asset["url"].text, channels: channels)
        let (first, step) = (source.start.sample(wave.rate), Double(wave.rate) / Double(rate))
        return wave.samples(at: places.map { Double(first) + $0 * step })
    }

    /// A composition's own mix is a sound at this one's rate whose sample 0 is at the source's start.
    private func nested(_ asset: JSON, _ start: Fraction, _ places: [Double]) throws -> [[Double]] {
        let whole = Int((places.min() ?? 0).rounded(.down))..<Int((places.max() ?? 0).rounded(.up)) + 1
        let stage = try SoundStage(asset["project"], rate: rate, channels: channels, start: start, files)
        let wave = ReferenceWave(rate: rate, planes: try stage.mix(whole))
        return wave.samples(at: places.map { $0 - Double(whole.lowerBound) })
    }
}
