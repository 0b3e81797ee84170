import Pictures
import SplitreelProject

/// Pictures that move in or out, by whole pixels.
struct Move: TransitionKernel {
    enum Kind {
        /// The second picture moves in over the first one.
        case slide
        /// The second picture moves in as it slides, and its edge throws a shadow on the first one.
        case cover
        /// The second picture moves in and pushes the first one out.
        case push
        /// The first picture moves out, off the second one, on which its edge throws a shadow.
        case reveal
    }

    let kind: Kind
    /// The direction in which it goes: one of them -1 or 1, the other one 0.
    let x, y: Int

    func draw(_ transition: Transition) {
        let length = x == 0 ? transition.height : transition.width
        let way = Int((Double(length) * transition.progress).rounded())
        let rest = length - way
        var (from, to) = (transition.from, transition.to)
        if kind == .push || kind == .reveal {
            from = from.moved("move.from", x: x * way, y: y * way, transition.memory)
        }
        if kind != .reveal { to = to.moved("move.to", x: -x * rest, y: -y * rest, transition.memory) }
        // Backwards the second picture lies behind the edge, which is at `rest`.
        let goesBack = x + y < 0
        let edge = goesBack ? rest : way
        let weights = (0..<length).map { Float(($0 < edge) != goesBack ? 1 : 0) }
        let mask = StraightMask(weights, rows: y == 0, changing: max(0, edge - 1)..<min(length, edge + 1))
        transition.mixOnto(from, to).mix(by: mask)
        castShadow(transition, length: length, edge: edge, way: way, goesBack: goesBack)
    }

    /// Draws the shadow, darkest at the edge, and no wider than the picture that throws it.
    private func castShadow(_ transition: Transition, length: Int, edge: Int, way: Int, goesBack: Bool) {
        guard kind == .cover || kind == .reveal else { return }
        let strength = transition.call.number("shadow")
        let scale = x == 0 ? transition.call.scaleY : transition.call.scaleX
        let width = min(
            transition.call.number("shadowWidth") * scale, Double(kind == .cover ? way : length - way))
        guard strength > 0, width > 0 else { return }
        // A covering picture throws it forwards, one that leaves backwards.
        let isBefore = goesBack == (kind == .cover)
        var weights = [Float](repeating: 0, count: length)
        let strip =
            isBefore
            ? max(0, edge - Int(width.rounded(.up)))..<edge : edge..<min(length, edge + Int(width.rounded(.up)))
        for place in strip {
            let far = isBefore ? Double(edge - place) - 0.5 : Double(place - edge) + 0.5
            let share = max(0, 1 - far / width)
            weights[place] = Float(strength * share * share)
        }
        let black = transition.memory.picture("move.black", of: [0, 0, 0, 1], like: transition.output)
        transition.mixOnto(transition.output, black).mix(by: StraightMask(weights, rows: y == 0, changing: strip))
    }
}

extension PlanarImage {
    /// The same picture so many pixels to the right and further down, one of both 0. Samples from outside are not
    /// written, but for one or two beside the edge, which are as the edge. Chroma that would fall between samples is
    /// the mean of two.
    fileprivate func moved(_ name: String, x: Int, y: Int, _ memory: EffectMemory) -> PlanarImage {
        let result = memory.picture(name, like: self, hasAlpha: alpha != nil)
        let isWide = encoding.bitDepth > 8
        luma.move(to: result.luma, x: x, y: y, halfX: false, halfY: false, isWide)
        let (shiftX, shiftY) = (encoding.chromaShiftX, encoding.chromaShiftY)
        for (mine, theirs) in [(cb, result.cb), (cr, result.cr)] {
            mine.move(
                to: theirs, x: x >> shiftX, y: y >> shiftY, halfX: x & shiftX != 0, halfY: y & shiftY != 0, isWide)
        }
        if let alpha, let other = result.alpha {
            alpha.move(to: other, x: x, y: y, halfX: false, halfY: false, isWide)
        }
        return result
    }
}

extension Plane {
    /// Moves the plane by whole samples, and half a one more where that is said.
    fileprivate func move(to other: Plane, x: Int, y: Int, halfX: Bool, halfY: Bool, _ isWide: Bool) {
        for line in max(0, y - 1)..<max(0, y - 1, min(height, height + y + 2)) {
            let first = base + min(max(line - y, 0), height - 1) * stride
            let target = other.base + line * other.stride
            if halfY {
                let second = base + min(max(line - y - 1, 0), height - 1) * stride
                if isWide {
                    meanWords(
                        first.assumingMemoryBound(to: UInt16.self), second.assumingMemoryBound(to: UInt16.self),
                        target.assumingMemoryBound(to: UInt16.self), width)
                } else {
                    meanBytes(
                        first.assumingMemoryBound(to: UInt8.self), second.assumingMemoryBound(to: UInt8.self),
                        target.assumingMemoryBound(to: UInt8.self), width)
                }
            } else if isWide {
                moveWords(
                    first.assumingMemoryBound(to: UInt16.self), target.assumingMemoryBound(to: UInt16.self), x, halfX,
                    width)
            } else {
                moveBytes(
                    first.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self), x, halfX,
                    width)
            }
        }
    }
}

private func meanBytes(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
) {
    for i in 0..<count {
        out[i] = UInt8(truncatingIfNeeded: (UInt16(first[i]) &+ UInt16(second[i]) &+ 1) >> 1)
    }
}

private func meanWords(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, _ out: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    for i in 0..<count {
        out[i] = UInt16(truncatingIfNeeded: (UInt32(first[i]) &+ UInt32(second[i]) &+ 1) >> 1)
    }
}

/// The samples of a moved row whose sources are all in the row.
private func inside(_ x: Int, _ isHalf: Bool, _ count: Int) -> Range<Int> {
    let low = min(max(0, x + (isHalf ? 1 : 0)), count)
    return low..<max(low, min(count, count + x))
}

private func moveBytes(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ x: Int, _ isHalf: Bool, _ count: Int
) {
    let range = inside(x, isHalf, count)
    let (low, high) = (range.lowerBound, range.upperBound)
    if isHalf {
        meanBytes(row + (low - x), row + (low - x - 1), out + low, range.count)
    } else {
        (out + low).update(from: row + (low - x), count: range.count)
    }
    for i in max(0, low - 2)..<low { out[i] = row[0] }
    for i in high..<min(count, high + 2) { out[i] = row[count - 1] }
}

private func moveWords(
    _ row: UnsafePointer<UInt16>, _ out: UnsafeMutablePointer<UInt16>, _ x: Int, _ isHalf: Bool, _ count: Int
) {
    let range = inside(x, isHalf, count)
    let (low, high) = (range.lowerBound, range.upperBound)
    if isHalf {
        meanWords(row + (low - x), row + (low - x - 1), out + low, range.count)
    } else {
        (out + low).update(from: row + (low - x), count: range.count)
    }
    for i in max(0, low - 2)..<low { out[i] = row[0] }
    for i in high..<min(count, high + 2) { out[i] = row[count - 1] }
}
