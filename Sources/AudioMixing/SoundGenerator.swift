import ExactMath
package import SplitreelTimeline

/// A maker of samples that are not read, the same on any machine: no library's sine or logarithm is asked. Each sample
/// follows from its position alone.
package struct SoundGenerator {
    private let sound: GeneratedSound
    private let sampleRate: Double
    /// The number of samples since the sound began.
    private var position: Int

    package init(_ sound: GeneratedSound, sampleRate: Int, skipping: Int) {
        self.sound = sound
        self.sampleRate = Double(sampleRate)
        position = skipping
    }

    /// Makes the next samples, a plane for each channel.
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

    /// The share of the volume at a frequency in Hz: 0 from half the rate on, where samples would be those of another
    /// frequency, and a straight way down to it from a fiftieth below.
    private func share(of frequency: Double) -> Double {
        let most = sampleRate / 2
        return min(1, max(0, (most - frequency) / (most / 50)))
    }

    /// Makes a sine, alike in all planes. `course` gives for a position the part of a cycle, from 0 to 1, and the
    /// amplitude.
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
    /// The octaves from the first frequency to the last.
    let octaves: Double

    init(from: Double, to: Double, seconds: Double) {
        self.from = from
        self.seconds = seconds
        octaves = logarithm(to / from)
    }

    /// The frequency in Hz after some seconds; the first one holds before the sweep and the last one after it.
    func frequency(after time: Double) -> Double {
        guard seconds > 0 else { return from }
        return from * power(octaves * min(1, max(0, time / seconds)))
    }

    /// The cycles since the sweep's start: the integral of from · 2^(octaves · t / seconds).
    func cycles(after time: Double) -> Double {
        guard seconds > 0, octaves != 0, time > 0 else { return from * time }
        if time > seconds { return cycles(after: seconds) + frequency(after: seconds) * (time - seconds) }
        return from * seconds * powerLessOne(octaves * time / seconds) / (octaves * ln2)
    }
}
