import Pictures
import SplitreelProject

/// The mean of a rectangle about each pixel: `radius` pixels to each side, parts of pixels counted as such.
struct BoxBlur: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let radius = call.number("radius")
        let (x, y) = (radius * call.scaleX, radius * call.scaleY)
        guard max(x, y) > 0.01 else { return output.copy(inputs[0]) }
        filterPicture(inputs[0], into: output, memory) { plane, read in
            let box = BoxPlane(
                plane, across: Self.reach(x, plane.shiftX), down: Self.reach(y, plane.shiftY), memory, read)
            return { box.row($0, into: $1) }
        }
    }

    /// The reach in samples of a plane that has one for 2^shift pixels, as wide in pixels as a sample of luma with its
    /// reach.
    static func reach(_ radius: Double, _ shift: Int) -> Double {
        max(0, ((2 * radius + 1) / Double(1 << shift) - 1) / 2)
    }
}

/// A plane under a box, row by row from the first on. Sums are whole numbers of 1/32 code: exactly as much is taken
/// away as was added.
private final class BoxPlane {
    private struct Reach {
        let whole: Int
        let part: Float
        let factor: Float

        init(_ reach: Double, _ length: Int) {
            let held = min(reach, Double(length))
            whole = Int(held)
            part = Float(held - Double(whole))
            factor = Float(1 / (2 * held + 1))
        }
    }

    private let width, height: Int
    private let down: Reach
    private let outside: OutsideOfPicture
    /// The rows filtered across, in 1/32 codes.
    private let rows: UnsafeMutablePointer<Int32>
    private let sums: UnsafeMutablePointer<Int32>
    private var next = 0
    private static let unit: Float = 32

    init(_ plane: FilteredPlane, across: Double, down: Double, _ memory: EffectMemory, _ read: RowReader) {
        width = plane.width
        height = plane.height
        outside = plane.outside
        let reach = Reach(across, plane.width)
        self.down = Reach(down, plane.height)
        func integers(_ name: String, _ count: Int) -> UnsafeMutablePointer<Int32> {
            UnsafeMutableRawPointer(memory.floats(plane.name + name, count)).assumingMemoryBound(to: Int32.self)
        }
        rows = integers(".box", width * height)
        sums = integers(".sums", width)
        let margin = reach.whole + 2
        let row = memory.floats(plane.name + ".row", width + 2 * margin) + margin
        let running = integers(".running", width + 2 * margin + 1) + margin
        for y in 0..<height {
            read(y, row)
            extendRow(row, width, margin, outside)
            boxAcross(row, running, reach.whole, reach.part, reach.factor, into: rows + y * width, width)
        }
    }

    /// Makes a filtered row. Rows are asked for in their order, some of them again.
    func row(_ y: Int, into out: UnsafeMutablePointer<Float>) {
        if y == 0 || y < next - 1 { begin() }
        while next <= y {
            if next > 0 {
                add(next + down.whole, 1)
                add(next - 1 - down.whole, -1)
            }
            next += 1
        }
        let (above, below) = (line(y - down.whole - 1), line(y + down.whole + 1))
        let scale = down.factor / Self.unit
        for x in 0..<width { out[x] = Float(sums[x]) * scale }
        guard down.part > 0 else { return }
        let share = down.part * scale
        for end in [above, below] {
            guard let end else { continue }
            for x in 0..<width { out[x] += Float(end[x]) * share }
        }
    }

    private func begin() {
        sums.update(repeating: 0, count: width)
        for y in -down.whole...down.whole { add(y, 1) }
        next = 0
    }

    /// A row filtered across; nil for one outside that is empty.
    private func line(_ y: Int) -> UnsafeMutablePointer<Int32>? {
        if outside == .clear, y < 0 || y >= height { return nil }
        return rows + min(max(y, 0), height - 1) * width
    }

    private func add(_ y: Int, _ sign: Int32) {
        guard let line = line(y) else { return }
        for x in 0..<width { sums[x] &+= line[x] &* sign }
    }
}

/// Filters a row across. `row` has `reach` and two more columns on each side; `running` is scratch of as many.
private func boxAcross(
    _ row: UnsafePointer<Float>, _ running: UnsafeMutablePointer<Int32>, _ reach: Int, _ part: Float, _ factor: Float,
    into out: UnsafeMutablePointer<Int32>, _ count: Int
) {
    // The sums of all before each place, in 1/32 codes.
    var sum: Int32 = 0
    for x in -reach - 1..<count + reach + 1 {
        running[x] = sum
        sum &+= Int32(row[x] * 32 + 0.5)
    }
    running[count + reach + 1] = sum
    for x in 0..<count {
        let inside = Float(running[x + reach + 1] &- running[x - reach])
        let ends = (row[x - reach - 1] + row[x + reach + 1]) * (part * 32)
        out[x] = Int32((inside + ends) * factor + 0.5)
    }
}
