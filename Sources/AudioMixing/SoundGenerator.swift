import ExactMath
package import SplitreelTimeline

/// Samples that are made and not read, the same on any machine: no library's sine or logarithm is asked. Each follows
/// from its position alone.
package struct SoundGenerator {
    private let sound: GeneratedSound
    private let sampleRate: Double
    /// Samples since the sound began.
    private var position: Int

    package init(_ sound: GeneratedSound, sampleRate: Int, skipping: Int) {
        (self.sound, self.sampleRate, position) = (sound, Double(sampleRate), skipping)
    }

    /// The next samples, a plane for each channel.
    package mutating func read(into planes: [UnsafeMutablePointer<Float>], count: Int) {
        switch sound.course {
        case .tone(let frequency):
            let share = share(of: frequency)
            fill(planes, count) { position in
                // The remainder is exact, and the product too for whole numbers of Hz.
                ((Double(position) * frequency).truncatingRemainder(dividingBy: sampleRate) / sampleRate, share)
            }
        case .sweep(let from, let to, let seconds):
            let sweep = Sweep(from: from, to: to, seconds: seconds)
            let isWhole = share(of: max(from, to)) == 1
            fill(planes, count) { position in
                let time = Double(position) / sampleRate
                let cycles = sweep.cycles(after: time)
                return (cycles - cycles.rounded(.down), isWhole ? 1 : share(of: sweep.frequency(after: time)))
            }
        case .noise(let seed):
            for (channel, plane) in planes.enumerated() {
                for index in 0..<count {
                    let value = GeneratedSound.noise(seed: seed, channel: channel, place: position + index)
                    plane[index] = Float(sound.volume * value)
                }
            }
        }
        position += count
    }

    /// 0 from half the rate on, where samples would be those of another frequency; a straight way down to it from a
    /// fiftieth below.
    private func share(of frequency: Double) -> Double {
        let most = sampleRate / 2
        return min(1, max(0, (most - frequency) / (most / 50)))
    }

    /// A sine, alike in all planes. `course`: the part of a cycle, from 0 to 1, and the amplitude, of a position.
    private func fill(
        _ planes: [UnsafeMutablePointer<Float>], _ count: Int, _ course: (Int) -> (cycles: Double, share: Double)
    ) {
        for index in 0..<count {
            let (cycles, share) = course(position + index)
            let value = share == 0 ? 0 : Float(sound.volume * share * sine(ofCycles: cycles))
            for plane in planes { plane[index] = value }
        }
    }
}

/// A frequency that grows or falls by the same factor in equal times.
private struct Sweep {
    let from: Double
    let seconds: Double
    /// Of the last frequency over the first.
    let octaves: Double

    init(from: Double, to: Double, seconds: Double) {
        (self.from, self.seconds, octaves) = (from, seconds, logarithm(to / from))
    }

    /// What it begins and ends with goes on before and after it.
    func frequency(after time: Double) -> Double {
        guard seconds > 0 else { return from }
        return from * power(octaves * min(1, max(0, time / seconds)))
    }

    /// Since its start. The integral of from · 2^(octaves · t / seconds).
    func cycles(after time: Double) -> Double {
        guard seconds > 0, octaves != 0, time > 0 else { return from * time }
        if time > seconds { return cycles(after: seconds) + frequency(after: seconds) * (time - seconds) }
        return from * seconds * powerLessOne(octaves * time / seconds) / (octaves * ln2)
    }
}
