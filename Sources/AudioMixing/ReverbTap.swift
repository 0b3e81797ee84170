import ExactMath
package import SplitreelTimeline

/// The sound of a room: convolution with the room's answer to one impulse, by blocks of its spectrum.
///
/// Memory: about 130 bytes for each sample of the impulse and channel.
package final class ReverbTap: SoundTap {
    package let memory: TapMemory
    package let latency: Int
    private var numbers: TapNumbers
    private let grid: BlockGrid
    private var rooms: [Room]
    private var (dry, wet) = (1.0, 0.0)

    /// The samples of one block.
    private static let block = 4096

    /// - Parameter impulse: the samples of each of its channels; a channel of the sound beyond them takes them over
    ///   again.
    package init(_ recipe: TapRecipe, _ context: TapContext, impulse: [[Float]]) {
        latency = Self.block
        let transform = FourierTransform(size: 2 * Self.block)
        let parts = max(1, (impulse.map(\.count).max() ?? 0) + Self.block - 1) / Self.block
        memory = .samples((max(1, parts) + 2) * Self.block)
        numbers = TapNumbers(["mix", "gain"], of: recipe, context)
        grid = BlockGrid(size: Self.block, channels: context.channels, origin: context.origin)
        rooms = (0..<context.channels).map { channel in
            Room(impulse.isEmpty ? [] : impulse[channel % impulse.count], transform, block: Self.block)
        }
    }

    package func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        grid.run(planes, first: first, count: count) { block, first in
            for (room, plane) in zip(rooms, block) { room.add(plane) }
            numbers.run(first: first, count: Self.block) {
                (dry, wet) = (1 - $0[0], $0[0] * amplitude(ofDecibels: $0[1]))
            } work: { samples in
                for (room, plane) in zip(rooms, block) {
                    for sample in samples {
                        plane[sample] = Float(Double(plane[sample]) * dry + room.answer[sample] * wet)
                    }
                }
            }
        }
    }
}

/// The convolution of one channel: of the last two blocks' spectrum with the impulse's, part by part.
private final class Room {
    private let transform: FourierTransform
    private let block: Int
    private let parts: Int
    /// The spectra of the impulse's parts, `block` + 1 numbers each, and of the last blocks, in a ring.
    private let impulse: ComplexPlane
    private let heard: ComplexPlane
    private let work: ComplexPlane
    private let sum: ComplexPlane
    private var last: [Double]
    private var place = 0
    /// The samples of the last block's answer.
    private(set) var answer: [Double]

    init(_ samples: [Float], _ transform: FourierTransform, block: Int) {
        (self.transform, self.block) = (transform, block)
        parts = max(1, (samples.count + block - 1) / block)
        let width = block + 1
        impulse = ComplexPlane(parts * width)
        heard = ComplexPlane(parts * width)
        work = ComplexPlane(2 * block)
        sum = ComplexPlane(2 * block)
        last = Array(repeating: 0, count: block)
        answer = Array(repeating: 0, count: block)
        for part in 0..<parts {
            work.clear(2 * block)
            for index in 0..<min(block, samples.count - part * block) {
                let sample = samples[part * block + index]
                work.real[index] = sample.isFinite ? Double(sample) : 0
            }
            transform.transform(work.real, work.imaginary)
            impulse.copy(work, count: width, to: part * width)
        }
    }

    /// Takes the next block, and makes its `answer`.
    func add(_ samples: UnsafeMutablePointer<Float>) {
        let width = block + 1
        work.clear(2 * block)
        for index in 0..<block {
            let sample = Double(samples[index])
            work.real[index] = last[index]
            work.real[block + index] = sample
            last[index] = sample
        }
        transform.transform(work.real, work.imaginary)
        heard.copy(work, count: width, to: place * width)
        sum.clear(2 * block)
        for part in 0..<parts {
            let age = (place - part + parts) % parts * width
            let (re, im) = (heard.real + age, heard.imaginary + age)
            let (hre, him) = (impulse.real + part * width, impulse.imaginary + part * width)
            for bin in 0..<width {
                sum.real[bin] += re[bin] * hre[bin] - im[bin] * him[bin]
                sum.imaginary[bin] += re[bin] * him[bin] + im[bin] * hre[bin]
            }
        }
        for bin in 1..<block {
            sum.real[2 * block - bin] = sum.real[bin]
            sum.imaginary[2 * block - bin] = -sum.imaginary[bin]
        }
        transform.transform(sum.imaginary, sum.real)
        for index in 0..<block { answer[index] = sum.real[block + index] / Double(2 * block) }
        place = place + 1 == parts ? 0 : place + 1
    }
}

/// Complex numbers, their parts apart; zero at first.
private final class ComplexPlane {
    let real: UnsafeMutablePointer<Double>
    let imaginary: UnsafeMutablePointer<Double>

    init(_ count: Int) {
        real = .allocate(capacity: count)
        imaginary = .allocate(capacity: count)
        real.initialize(repeating: 0, count: count)
        imaginary.initialize(repeating: 0, count: count)
    }

    deinit {
        real.deallocate()
        imaginary.deallocate()
    }

    func clear(_ count: Int) {
        real.update(repeating: 0, count: count)
        imaginary.update(repeating: 0, count: count)
    }

    func copy(_ other: ComplexPlane, count: Int, to place: Int) {
        (real + place).update(from: other.real, count: count)
        (imaginary + place).update(from: other.imaginary, count: count)
    }
}
