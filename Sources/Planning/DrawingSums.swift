import Drawings
import Hashing
import SplitreelProject

/// The sums of drawings in content keys: a SHA-256 of all that decides a drawing's pixels, fonts' files among it. Sums
/// are kept for the next frames, of which most show the same.
final class DrawingSums {
    private var known: [DrawingPicture: String] = [:]
    private let fonts: FontPlan?

    /// The sums that are kept at most: a moving drawing is another one with each frame.
    private static let mostKept = 64

    init(_ fonts: FontPlan?) { self.fonts = fonts }

    func sum(of picture: DrawingPicture) -> String {
        if let sum = known[picture] { return sum }
        var bytes = KeyBytes()
        bytes.append(picture)
        if case .text = picture.drawing { bytes.append(ifAny: fonts) { $0.append($1) } }
        var hash = SHA256Sum()
        hash.update(bytes.bytes)
        let sum = hash.text
        if known.count >= Self.mostKept { known.removeAll() }
        known[picture] = sum
        return sum
    }
}
