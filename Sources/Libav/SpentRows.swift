internal import CFFmpeg
internal import Glibc

/// Gives the memory of a picture's rows back to the system before the picture goes: they read as zero from then on.
@safe
package struct SpentRows {
    private var end: UnsafeMutableRawPointer?

    private static let pageBytes = Int(getpagesize())
    /// The fewest bytes that are worth a call.
    private static let leastBytes = 4 << 20

    package init() {}

    /// Gives back all rows above row `y`. The caller is the picture's only owner; pictures of several planes are left
    /// alone.
    package mutating func rows(before y: Int, of frame: borrowing Frame) {
        let (planes, lines) = unsafe (frame.fields.data, frame.fields.linesize)
        guard let first = unsafe planes.0, unsafe planes.1 == nil, lines.0 > 0 else { return }
        let start = unsafe Self.nextPage(end ?? UnsafeMutableRawPointer(first))
        let bytes = unsafe UnsafeMutableRawPointer(first) + y * Int(lines.0) - start
        guard bytes >= Self.leastBytes else { return }
        let whole = bytes / Self.pageBytes * Self.pageBytes
        _ = unsafe madvise(start, whole, MADV_DONTNEED)
        unsafe end = start + whole
    }

    private static func nextPage(_ place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        unsafe place + (pageBytes - Int(bitPattern: place) % pageBytes) % pageBytes
    }
}
