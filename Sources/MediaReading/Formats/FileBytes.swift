internal import Diagnostics
internal import Libav
internal import SplitreelFiles

/// A whole source in memory, for libraries that keep pointers into it.
@safe
final class FileBytes {
    /// The source's bytes, good as long as this object lives.
    let bytes: UnsafeMutableRawBufferPointer
    let count: Int

    /// Reads the source, which rests afterwards. Throws `mediaOverLimits` where it is larger than a packet may be.
    init(_ source: any MediaSource) throws {
        let size = source.byteCount
        guard size <= ReadLimits.packetBytes else {
            throw SplitreelError(
                .mediaOverLimits, operation: "reading", subject: source.name,
                reason: "a picture file of \(size) bytes is larger than the \(ReadLimits.packetBytes) that are read",
                hint: "make it smaller first")
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        do {
            guard try unsafe source.read(at: 0, filling: memory) == size else { throw gotShorter(source) }
        } catch {
            unsafe memory.deallocate()
            throw error
        }
        unsafe (bytes, count) = (memory, size)
        source.rest()
    }

    deinit { unsafe bytes.deallocate() }

    /// The little-endian number of `length` bytes at a place; 0 past the end.
    func number(_ place: Int, _ length: Int) -> Int {
        guard place >= 0, place + length <= count else { return 0 }
        return (0..<length).reduce(0) { unsafe $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}
