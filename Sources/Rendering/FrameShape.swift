import Foundation
import Libav
import MediaFacts
import Pictures

/// The shape of a film's frame beside that of the film's picture, which a composition places.
struct FrameShape {
    /// The most by which shapes differ that count as one: 704 and 720 columns of one aspect are such.
    private static let tolerance = 0.03

    /// The pixels as coded, and the width of a pixel over its height.
    private let width, height, aspect: Double
    /// The picture that is placed, as its track says.
    private let whole: VideoFacts

    /// - Parameter hasOwnAspect: the frame's own pixel aspect counts where it says one.
    init(_ frame: borrowing Frame, hasOwnAspect: Bool, in whole: VideoFacts) {
        (width, height) = (Double(frame.width), Double(frame.height))
        aspect = (hasOwnAspect ? frame.statedPixelAspect : nil) ?? whole.pixelAspect
        isOfOwnAspect = hasOwnAspect
        self.whole = whole
    }

    /// The picture's own shape.
    init(_ whole: VideoFacts) {
        (width, height) = (Double(whole.codedSize.width), Double(whole.codedSize.height))
        (aspect, isOfOwnAspect) = (whole.pixelAspect, false)
        self.whole = whole
    }

    private let isOfOwnAspect: Bool

    private var ratio: Double { width * aspect / height }

    /// Whether the picture would be out of shape in place of the whole one.
    var isAnother: Bool {
        let own = whole.displaySize.width / whole.displaySize.height
        return isOfOwnAspect && abs(ratio / own - 1) > Self.tolerance
    }

    /// The map from the frame's pixels, as wide as the picture's, to the picture's display pixels: fitted into it where
    /// the shape is another one, stretched where the size alone differs; nil where both are the same.
    var map: Affine? {
        let size = whole.displaySize
        guard isAnother else {
            let coded = (width: Double(whole.codedSize.width), height: Double(whole.codedSize.height))
            return coded.width == width && coded.height == height
                ? nil : .scale(coded.width / width, coded.height / height)
        }
        let scale = min(size.width / (width * aspect), size.height / height)
        let (x, y) = ((size.width - scale * width * aspect) / 2, (size.height - scale * height) / 2)
        return Affine(a: scale * aspect / whole.pixelAspect, b: 0, c: 0, d: scale, tx: x, ty: y)
    }

    /// The shape for people, such as `720×576, 1.78:1`.
    var words: String { "\(Int(width))×\(Int(height)), \(String(format: "%.2f", ratio)):1" }
}
