internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaTime

/// A finder that is asked for pictures backwards too: going back, it decodes a stretch forwards and keeps it, so that a
/// group of pictures is decoded a few times and not once for each of its pictures. Confined to one thread at a time.
final class BackwardFinder: PictureFinder {
    private final class Kept {
        let frame: Frame
        let shown: FrameFinder.Shown

        init(_ frame: consuming Frame, _ shown: FrameFinder.Shown) {
            self.frame = frame
            self.shown = shown
        }
    }

    let held: Frame
    private let source: any PictureFinder
    private var kept: [Int: Kept] = [:]
    private var last: Int?
    private var wentBack = false

    /// The most bytes of pictures that are kept; `most` is the most pictures.
    private static let mostBytes = 96 << 20
    private static let most = 64

    init(_ source: any PictureFinder) throws {
        self.source = source
        held = try Frame()
    }

    var timeBase: Rational { source.timeBase }

    func find(_ place: Int) throws -> FrameFinder.Shown? {
        let isBack = last.map { place < $0 && $0 - place <= Self.most } ?? false
        let isForward = last.map { place > $0 } ?? true
        defer { (last, wentBack) = (place, isBack || (wentBack && !isForward)) }
        if let known = kept[place] {
            held.take(from: try known.frame.reference())
            return known.shown
        }
        kept = [:]
        guard isBack, wentBack else { return try show(place) }
        let first = max(0, place + 1 - room)
        for earlier in first..<max(first, place) {
            guard let shown = try source.find(earlier) else { continue }
            kept[earlier] = Kept(try source.held.reference(), shown)
        }
        let shown = try show(place)
        if let shown { kept[place] = Kept(try held.reference(), shown) }
        return shown
    }

    private func show(_ place: Int) throws -> FrameFinder.Shown? {
        guard let shown = try source.find(place) else { return nil }
        held.take(from: try source.held.reference())
        return shown
    }

    /// The number of pictures that may be kept, 1 to `most`, by the size of the held one.
    private var room: Int {
        let fields = held.fields
        let size = av_image_get_buffer_size(
            AVPixelFormat(fields.format), fields.width, fields.height, 1)
        return min(max(Self.mostBytes / max(1, Int(size)), 1), Self.most)
    }
}
