/// Memory that only grows, so that a warm compositor allocates nothing; 64-byte aligned, zeroed when it grows.
///
/// Owned by one compositor, used on its thread only. A pointer is good until the next call for the same buffer.
/// One buffer keeps one element type for life: stale contents are then finite numbers, never stray bit patterns.
final class Scratch {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0

    deinit { memory?.deallocate() }

    func bytes(_ count: Int) -> UnsafeMutableRawPointer {
        if let memory, count <= capacity { return memory }
        memory?.deallocate()
        let size = (max(count, 64) + 63) & ~63
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        fresh.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        (memory, capacity) = (fresh, size)
        return fresh
    }

    /// Room for that many values and 16 more: kernels that read four values at a time may run past the end.
    func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
        bytes((count + 16) * 4).assumingMemoryBound(to: Float.self)
    }

    func doubles(_ count: Int) -> UnsafeMutablePointer<Double> {
        bytes(count * 8).assumingMemoryBound(to: Double.self)
    }

    func int32s(_ count: Int) -> UnsafeMutablePointer<Int32> {
        bytes(count * 4).assumingMemoryBound(to: Int32.self)
    }
}

/// `Int(value)` for any value, NaN and infinities included (NaN gives the lower limit).
func clampedInt(_ value: Double, _ low: Int, _ high: Int) -> Int {
    guard value > Double(low) else { return low }
    guard value < Double(high) else { return high }
    return Int(value)
}
