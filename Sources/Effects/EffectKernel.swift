package import MediaFacts
package import Pictures
package import SplitreelProject

/// A maker of one effect's pictures. A kernel remembers nothing of frames: the picture follows from its call and its
/// inputs alone.
package protocol EffectKernel: Sendable {
    /// Writes every sample of `output`.
    ///
    /// - Parameters:
    ///   - inputs: of the output's size, subsampling, depth and encoding (limited range, the film's colour; left siting
    ///     where chroma is subsampled); each has an alpha plane or none. Alpha is straight and of full range. Their
    ///     planes are read only, and may be shared by other threads.
    ///   - output: its planes overlap none of the inputs'. It has alpha where the node says so.
    ///   - memory: kept between calls of one composing thread.
    ///
    /// Cost and memory are bounded by the picture's size whatever the parameters are. Runs on the composing thread.
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory)
}

/// A maker of the pictures of an effect, or a transition, of a program's own: it may wait, and fail.
package protocol OwnEffectKernel: Sendable {
    /// Writes every sample of `output`; see `EffectKernel.render` for both kinds of pictures, which are good as long as
    /// they are kept. Runs in a task, of which a few may be under way at once; one that is cancelled is to end soon.
    func render(
        _ call: EffectCall, _ inputs: [any SharedPicture], into output: any SharedPicture
    ) async throws
}

/// Memory and tables that kernels keep between frames. Owned by one composer, used on its thread only.
package final class EffectMemory {
    private var buffers: [String: Buffer] = [:]
    private var tables: [AnyHashable: Any] = [:]
    private var order: [AnyHashable] = []
    /// The data assets of the frame in hand, by name.
    private var files: [String: DataFile] = [:]

    /// The most tables that are kept; the longest unused goes first.
    private static let mostTables = 64

    private final class Buffer {
        let pointer: UnsafeMutableRawPointer
        let capacity: Int

        init(_ capacity: Int) {
            self.capacity = capacity
            pointer = .allocate(byteCount: capacity, alignment: 64)
            pointer.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
        }

        deinit { pointer.deallocate() }
    }

    package init() {}

    /// Takes the files that parameters of kind `file` name, before kernels of a frame are called.
    package func hold(_ files: [String: DataFile]) { self.files = files }

    /// The file that a parameter of kind `file` names; nil where the call has none.
    package func file(_ name: String, of call: EffectCall) -> DataFile? {
        call.file(name).flatMap { files[$0] }
    }

    /// Room for that many values and 16 more, 64-byte aligned, which still holds the values that were there before,
    /// zeros at first. Good until the next call with the same name asks for more.
    package func floats(_ name: String, _ count: Int) -> UnsafeMutablePointer<Float> {
        bytes("f." + name, (count + 16) * 4).assumingMemoryBound(to: Float.self)
    }

    package func words(_ name: String, _ count: Int) -> UnsafeMutablePointer<UInt16> {
        bytes("w." + name, (count + 32) * 2).assumingMemoryBound(to: UInt16.self)
    }

    private func bytes(_ name: String, _ count: Int) -> UnsafeMutableRawPointer {
        if let known = buffers[name], known.capacity >= count { return known.pointer }
        let fresh = Buffer((count + 63) & ~63)
        buffers[name] = fresh
        return fresh.pointer
    }

    /// The table that was made for an equal key before, or is made now; for look-up tables and filter taps.
    package func table<Key: Hashable, Value>(_ key: Key, _ make: () -> Value) -> Value {
        let name = AnyHashable(key)
        if let place = order.lastIndex(of: name), let known = tables[name], let value = known as? Value {
            order.append(order.remove(at: place))
            return value
        }
        let value = make()
        if order.count >= Self.mostTables { tables[order.removeFirst()] = nil }
        tables.updateValue(value, forKey: name)
        order.append(name)
        return value
    }
}
