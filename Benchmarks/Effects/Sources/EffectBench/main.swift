import Diagnostics
import Effects
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

// One frame of 1080p: thread CPU milliseconds, best and median of so many frames (15, or the first argument), and a sum
// of what came out, which is to stay the same. A second argument names the cases whose names begin so.

let frames = max(1, CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 15)
let wanted = CommandLine.arguments.dropFirst(2).first ?? ""

struct Kind {
    var name: String
    var shift = (x: 1, y: 1)
    var bits = 8
    var alpha = false

    func frame(_ seed: UInt64) -> Frame {
        let frame = Frame(shift, bits: bits, alpha: alpha)
        frame.paint(seed: seed)
        return frame
    }
}

let kinds = [
    Kind(name: "4:2:0"), Kind(name: "4:4:4", shift: (0, 0)), Kind(name: "10 bits", bits: 10),
    Kind(name: "alpha", alpha: true),
]

/// A LUT of 33³ that turns colours a little and bends them.
let cube: DataFile = {
    var text = "LUT_3D_SIZE 33\n"
    for blue in 0..<33 {
        for green in 0..<33 {
            for red in 0..<33 {
                let (r, g, b) = (Double(red) / 32, Double(green) / 32, Double(blue) / 32)
                text += "\(r * r * 0.5 + g * 0.5) \(g * 0.9 + b * b * 0.1) \(b * 0.7 + r * 0.3)\n"
            }
        }
    }
    return DataFile(sum: "cube", bytes: Array(text.utf8))
}()

for one in Case.all where one.name.hasPrefix(wanted) {
    for kind in kinds where kind.name == "4:2:0" || one.inAllKinds {
        let (first, second) = (kind.frame(1), kind.frame(2))
        var output = Frame(kind.shift, bits: kind.bits, alpha: kind.alpha || one.makesAlpha)
        let memory = EffectMemory()
        memory.hold(["cube": cube])
        var inputs = [first.image, second.image]
        if kind.alpha, one.isBlend {
            // Over an opaque picture, as most layers are.
            inputs[0] = Kind(name: "").frame(1).image
            output = Frame(kind.shift, bits: kind.bits, alpha: false)
        }
        guard let kernel = EffectKernels.kernel(id: one.id, version: 1), let call = one.call else {
            print("no", one.name)
            continue
        }
        let times = (0..<frames).map { _ in
            let start = threadMilliseconds()
            kernel.render(call, inputs, into: output.image, memory)
            return threadMilliseconds() - start
        }.sorted()
        let (best, median) = (String(format: "%7.2f", times[0]), String(format: "%7.2f", times[frames / 2]))
        let name = (one.name + (kind.name == "4:2:0" ? "" : ", " + kind.name))
        print(name.padding(toLength: 40, withPad: " ", startingAt: 0), best, median, String(output.sum, radix: 16))
    }
}
measureInterleaving()

/// What a compositor or an effect of a program's own pays for R'G'B'A in and out.
func measureInterleaving() {
    let (source, target) = (Kind(name: "").frame(1), Kind(name: "").frame(2))
    guard "rows of R'G'B'A and back".hasPrefix(wanted) else { return }
    var picture = [Float](repeating: 0, count: 4 * Frame.size.width * Frame.size.height)
    let times = (0..<frames).map { _ in
        let start = threadMilliseconds()
        picture.withUnsafeMutableBufferPointer { picture in
            guard let base = picture.baseAddress else { return }
            let length = 4 * Frame.size.width
            InterleavedRows(source.image).read { y, row in (base + y * length).update(from: row, count: length) }
            InterleavedRows(target.image).write { y, row in row.update(from: base + y * length, count: length) }
        }
        return threadMilliseconds() - start
    }.sorted()
    let (best, median) = (String(format: "%7.2f", times[0]), String(format: "%7.2f", times[frames / 2]))
    print(
        "rows of R'G'B'A and back".padding(toLength: 40, withPad: " ", startingAt: 0), best, median,
        String(target.sum, radix: 16))
}

func threadMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
