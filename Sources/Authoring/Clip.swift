public import Diagnostics
public import MediaFacts
public import MediaTime
import SplitreelTimeline

/// A file, or a part of it, on its way into a film that `FilmBuilder` makes.
public struct Clip: Sendable {
    /// The absolute path of the file.
    package var path: String
    /// The file's name as the composition writes it.
    package var shown: String
    /// The file's facts.
    public var facts: AssetFacts
    /// The part of the file that is taken; nil for all of it.
    package private(set) var piece: ClipPiece?

    /// A clip of all of a file, or of a range of a film's own time. A range may end up to a frame after the file does.
    ///
    /// - Parameters:
    ///   - url: the file's name as the project is to write it.
    ///   - range: the range of a film; not of a picture.
    /// - Throws: `SplitreelError` (`.sourceOutsideAsset`) where the range is none of the file's.
    public init(_ url: String, facts: AssetFacts, range: TimeRange? = nil) throws(SplitreelError) {
        self.init(path: url, shown: url, facts: facts)
        guard let range else { return }
        let text = "\(range.start.text)-\(range.end.text)"
        guard let exact = range.exact else { throw Self.refused(url, "\(text) is no range of times") }
        try take(ClipPiece(.range(from: exact.start, to: exact.end), text: text))
    }

    /// A clip of a picture that is shown for a time above 0.
    ///
    /// - Throws: `SplitreelError` (`.sourceOutsideAsset`) where the file is a film, or the time is none.
    public init(picture url: String, facts: AssetFacts, lasting duration: MediaTime) throws(SplitreelError) {
        self.init(path: url, shown: url, facts: facts)
        guard let length = duration.exact, length > .zero else {
            throw Self.refused(url, "\(duration) is no time for which a picture is shown")
        }
        try take(ClipPiece(.length(length), text: duration.text))
    }

    private mutating func take(_ piece: ClipPiece) throws(SplitreelError) {
        do {
            self = try cut(to: piece)
        } catch {
            throw Self.refused(shown, error.reason)
        }
    }

    private static func refused(_ url: String, _ reason: String) -> SplitreelError {
        SplitreelError(.sourceOutsideAsset, operation: "cutting a clip", subject: url, reason: reason)
    }

    package init(path: String, shown: String, facts: AssetFacts) {
        self.path = path
        self.shown = shown
        self.facts = facts
    }

    package var video: TrackFacts? { facts.firstTrack(of: .video) }
    package var audio: TrackFacts? { facts.firstTrack(of: .audio) }

    /// The words about which of several sound tracks is taken; nil where there is no choice.
    package var soundChoice: String? {
        let all = facts.tracks.filter { $0.type == .audio && !$0.isCoverPicture }
        guard all.count > 1, let taken = audio else { return nil }
        let isMarked = all.contains { $0.isDefault != true } && taken.isDefault == true
        let language = taken.language.map { ", \($0)" } ?? ""
        let others = all.filter { $0.id != taken.id }.map { String($0.id) }.joined(separator: ", ")
        return "\(shown) has \(all.count) sound tracks: track \(taken.id)\(language) is taken, "
            + (isMarked ? "which the file marks as the one to play" : "the first")
            + "; \"track\" in its segments of sound takes another (\(others))"
    }

    /// The clip's length in seconds; five for a picture of which nothing is said.
    package var duration: Rational {
        if case .length(let length)? = piece?.extent { return length }
        return facts.kind == .image ? Rational(5) : end - beginning
    }

    /// The seconds of asset time at which the clip begins: those of its first picture, or its piece's own. Sound that
    /// begins up to a second earlier, as encoders of sound make it, would shift every picture off the film's frames.
    package var beginning: Rational {
        guard case .range(let from?, _)? = piece?.extent else { return firstPicture }
        return max(from, firstPicture)
    }

    private var end: Rational {
        guard case .range(_, let to?)? = piece?.extent else { return Rational(facts.duration) }
        return min(to, Rational(facts.duration))
    }

    private var firstPicture: Rational {
        guard facts.kind == .media, let start = video.map({ Rational($0.start) }) else { return .zero }
        return start > .zero && start <= Rational(1) && start < Rational(facts.duration) ? start : .zero
    }

    /// The clip with a part of its file alone. A part may end up to a frame after the file does: people read rounded
    /// times.
    package func cut(to piece: ClipPiece) throws(ClipPiece.Fault) -> Clip {
        var clip = self
        clip.piece = piece
        guard case .range(let from, let to) = piece.extent else {
            guard facts.kind != .media else {
                throw ClipPiece.Fault(reason: "it is a film, of which @0s-\(piece.text) are the first seconds")
            }
            return clip
        }
        guard facts.kind == .media else {
            throw ClipPiece.Fault(reason: "it is a picture, which has seconds to be shown and no other times")
        }
        let lasts = "it lasts \(Rational(facts.duration).shortSeconds) s"
        let frame = video?.video?.usualFrameRate.map { Rational(1) / $0 } ?? .zero
        if let from, from >= Rational(facts.duration) {
            throw ClipPiece.Fault(reason: "\(lasts), and the piece begins at \(from.shortSeconds) s")
        }
        if let to, to > Rational(facts.duration) + frame {
            throw ClipPiece.Fault(reason: "\(lasts), and the piece ends at \(to.shortSeconds) s")
        }
        guard clip.duration > .zero else {
            throw ClipPiece.Fault(reason: "its first picture comes at \(firstPicture.shortSeconds) s")
        }
        return clip
    }

    /// The upright picture's size in display pixels.
    package var uprightSize: (width: Double, height: Double)? {
        guard let video = video?.video else { return nil }
        let size = video.displaySize
        return video.rotation % 180 == 0 ? size : (size.height, size.width)
    }
}
