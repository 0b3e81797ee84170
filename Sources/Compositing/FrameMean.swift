package import Pictures

/// The mean of two frames of one film, sample by sample in encoded values: whole numbers, rounded once to the nearest
/// code, halves upwards. Colours count by their alpha.
package struct FrameMean {
    /// The number of parts of a whole in which shares are given.
    package static let parts = 256

    /// The second frame's share, in parts.
    private let share: Int

    /// A mean of which the second frame has `share`, 0…`parts`.
    package init(share: Int) {
        precondition((0...Self.parts).contains(share), "A share is a part of a whole.")
        self.share = share
    }

    /// Makes `picture` the mean of itself and a second picture of the same size, subsampling and depth.
    package func mix(_ second: PlanarImage, into picture: PlanarImage) {
        let encoding = picture.encoding
        let isWide = encoding.bitDepth > 8
        guard let alpha = picture.alpha, let secondAlpha = second.alpha else {
            mix(second.luma, into: picture.luma, isWide: isWide)
            mix(second.cb, into: picture.cb, isWide: isWide)
            mix(second.cr, into: picture.cr, isWide: isWide)
            return
        }
        let weights = AlphaPair(first: alpha, second: secondAlpha, share: share, isWide: isWide)
        mix(second.luma, into: picture.luma, by: weights, 0, 0)
        mix(second.cb, into: picture.cb, by: weights, encoding.chromaShiftX, encoding.chromaShiftY)
        mix(second.cr, into: picture.cr, by: weights, encoding.chromaShiftX, encoding.chromaShiftY)
        mix(secondAlpha, into: alpha, isWide: isWide)
    }

    private func mix(_ second: Plane, into plane: Plane, isWide: Bool) {
        for y in 0..<plane.height {
            let target = plane.base.advanced(by: y * plane.stride)
            let source = second.base.advanced(by: y * second.stride)
            if isWide {
                mixWords(
                    target.assumingMemoryBound(to: UInt16.self), source.assumingMemoryBound(to: UInt16.self),
                    UInt32(share), count: plane.width)
            } else {
                mixBytes(
                    target.assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt8.self),
                    UInt32(share), count: plane.width)
            }
        }
    }

    private func mix(_ second: Plane, into plane: Plane, by weights: AlphaPair, _ shiftX: Int, _ shiftY: Int) {
        let isWide = weights.isWide
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                let (first, other) = weights.parts(x, y, shiftX, shiftY)
                let total = first + other
                let sum = plane.code(x, y, isWide: isWide) * first + second.code(x, y, isWide: isWide) * other
                plane.set(x, y, (sum + total / 2) / total, isWide: isWide)
            }
        }
    }
}

/// The alpha of two pictures, and what their colours weigh by it.
private struct AlphaPair {
    let first, second: Plane
    let share: Int
    let isWide: Bool

    /// The weights of the two colours at a sample, which stands for a block of pixels: the sum of their alpha by the
    /// pictures' shares, or the shares alone where both are clear. One of them is above 0.
    func parts(_ x: Int, _ y: Int, _ shiftX: Int, _ shiftY: Int) -> (first: Int, second: Int) {
        var sumOfFirst = 0
        var sumOfSecond = 0
        for row in (y << shiftY)..<min(first.height, (y + 1) << shiftY) {
            for column in (x << shiftX)..<min(first.width, (x + 1) << shiftX) {
                sumOfFirst += first.code(column, row, isWide: isWide)
                sumOfSecond += second.code(column, row, isWide: isWide)
            }
        }
        let rest = FrameMean.parts - share
        let isClear = sumOfFirst * rest + sumOfSecond * share == 0
        return isClear ? (rest, share) : (sumOfFirst * rest, sumOfSecond * share)
    }
}

extension Plane {
    fileprivate func code(_ x: Int, _ y: Int, isWide: Bool) -> Int {
        let row = base.advanced(by: y * stride)
        return isWide
            ? Int(row.load(fromByteOffset: 2 * x, as: UInt16.self)) : Int(row.load(fromByteOffset: x, as: UInt8.self))
    }

    fileprivate func set(_ x: Int, _ y: Int, _ code: Int, isWide: Bool) {
        let row = base.advanced(by: y * stride)
        if isWide {
            row.storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
        } else {
            row.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
        }
    }
}

private func mixBytes(
    _ first: UnsafeMutablePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ share: UInt32, count: Int
) {
    let rest = 256 &- share
    for i in 0..<count {
        first[i] = UInt8(truncatingIfNeeded: (UInt32(first[i]) &* rest &+ UInt32(second[i]) &* share &+ 128) &>> 8)
    }
}

private func mixWords(
    _ first: UnsafeMutablePointer<UInt16>, _ second: UnsafePointer<UInt16>, _ share: UInt32, count: Int
) {
    let rest = 256 &- share
    for i in 0..<count {
        first[i] = UInt16(truncatingIfNeeded: (UInt32(first[i]) &* rest &+ UInt32(second[i]) &* share &+ 128) &>> 8)
    }
}
