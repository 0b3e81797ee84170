import ExactMath

extension Surface {
    /// Blurs coverage as a Gaussian does, by three means one after the other each way; pixels outside count as clear.
    /// Deviations are in pixels.
    func blur(deviationX: Double, deviationY: Double) throws {
        precondition(kind == .coverage, "colours are not blurred")
        let (width, height) = (width, height)
        try unsafe withRows { base, stride in
            let bytes = unsafe base.assumingMemoryBound(to: UInt8.self)
            let line = UnsafeMutablePointer<UInt8>.allocate(capacity: max(width, height))
            defer { unsafe line.deallocate() }
            let (boxX, boxY) = (meanWidth(deviationX), meanWidth(deviationY))
            if boxX > 1 {
                for y in 0..<height {
                    for turn in 0..<3 { unsafe mean(bytes + y * stride, 1, width, boxX, turn, line) }
                }
            }
            if boxY > 1 {
                for x in 0..<width {
                    for turn in 0..<3 { unsafe mean(bytes + x, stride, height, boxY, turn, line) }
                }
            }
        }
    }
}

/// The width in pixels of each of three means in a row that are about a Gaussian: d = ⌊σ · 3√(2π)/4 + ½⌋.
private func meanWidth(_ deviation: Double) -> Int {
    // The bound is more pixels than a drawing has each way.
    Int((deviation.held(in: 0...65536) * 1.879_971_205_598_425_3 + 0.5).rounded(.down))
}

/// The reach in pixels of three means of that deviation.
func blurReach(_ deviation: Double) -> Int { 3 * (meanWidth(deviation) + 1) / 2 + 1 }

/// Replaces each value by the mean around it. An even width is half a place aside: the first mean to the left, the
/// second to the right, and the third is one wider.
private func mean(
    _ values: UnsafeMutablePointer<UInt8>, _ step: Int, _ count: Int, _ box: Int, _ turn: Int,
    _ line: UnsafeMutablePointer<UInt8>
) {
    let width = box % 2 == 0 && turn == 2 ? box + 1 : box
    let after = box % 2 == 0 && turn == 1 ? width / 2 - 1 : width / 2
    let before = width - 1 - after
    for index in 0..<count { unsafe line[index] = unsafe values[index * step] }
    var sum = 0
    for index in 0..<min(after, count) { sum += unsafe Int(line[index]) }
    for index in 0..<count {
        if index + after < count { sum += unsafe Int(line[index + after]) }
        if index - before - 1 >= 0 { sum -= unsafe Int(line[index - before - 1]) }
        unsafe values[index * step] = UInt8((2 * sum + width) / (2 * width))
    }
}
