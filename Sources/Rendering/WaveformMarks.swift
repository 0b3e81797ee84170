import Compositing
import ExactMath
import Libav
package import MediaTime
import Outputs
import Overlays
package import Pictures

/// The marks by which sounds in two pictures can be compared: a scale of time below the bands, and in each band lines
/// at some levels.
package struct WaveformMarks: Hashable, Sendable {
    /// A stroke of the scale.
    package struct Moment: Hashable, Sendable {
        package let column: Int
        /// The stroke's time as contact sheets have it; nil where it has no room.
        package let label: String?
    }

    /// The levels that have lines, in decibels of full scale, the highest first.
    static let levels: [Double] = [0, -6, -12, -24]

    /// The size of the letters in pixels.
    private let letters: Double
    /// The rows of the scale.
    package let scaleHeight: Int
    /// The most columns of a label with the room before and behind it.
    private let labelWidth: Int
    package let moments: [Moment]

    /// The marks of a picture of that size; nil where it is too small for them.
    ///
    /// - Parameters:
    ///   - start: the time of the picture's left edge, in seconds.
    ///   - length: the seconds of all of its width.
    package init?(on size: PixelSize, bands: Int, from start: Rational, lasting length: Rational) {
        letters = max(8, min(24, Double(size.height) / 20)).rounded()
        scaleHeight = Int((1.5 * letters).rounded(.up))
        guard length > .zero, size.height >= 4 * scaleHeight, size.height - scaleHeight >= bands * scaleHeight else {
            return nil
        }
        let end = start + length
        labelWidth = Int(((0.61 * Double(end.clockTextRoundedUp.count) + 1) * letters).rounded(.up))
        let step = Self.step(atLeast: length * Rational(labelWidth, size.width))
        var moments: [Moment] = []
        var time = Rational((start / step).ceil()) * step
        while time < end {
            let column = ((time - start) * Rational(size.width) / length).floor()
            let hasRoom = column + labelWidth <= size.width
            moments.append(Moment(column: column, label: hasRoom ? time.clockTextRoundedUp : nil))
            time += step
        }
        self.moments = moments
    }

    /// The steps of scales in milliseconds, up to a day.
    private static let steps = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
        900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
    ]

    /// The shortest step in seconds that is no shorter than `least`; beyond a day, whole days.
    private static func step(atLeast least: Rational) -> Rational {
        let milliseconds = (least * Rational(1000)).ceil()
        let day = 86_400_000
        let days = (milliseconds + day - 1) / day * day
        return Rational(steps.first { $0 >= milliseconds } ?? days, 1000)
    }

    /// A copy of a picture with its labels; `bands` are the rows of its bands.
    func labelled(_ picture: consuming Frame, bands: [Range<Int>]) throws -> Frame {
        let size = PixelSize(width: picture.width, height: picture.height)
        let below = Picture(picture)
        let rasteriser = DrawingRasteriser(fonts: DrawingFonts.system(assets: [:]).collection)
        let times = timeLabels(below: bands.last?.upperBound ?? 0)
        let labels = try (times + bands.flatMap { levelLabels(in: $0) }).map { try $0.drawn(by: rasteriser, on: size) }
        let result = try Frame.make(format: .yuv444p, size: size, colour: .bt709)
        var compositor = Compositor(size: size, encoding: result.withImage { $0.encoding }, hasAlpha: false)
        let layers = ([below] + labels).map { layer in
            LayerImage(
                image: layer.image, pixelAspect: 1, transform: layer.standsIn ?? .identity, crop: nil, opacity: 1)
        }
        result.withImage { compositor.compose(background: .black, layers: layers, into: $0) }
        withExtendedLifetime((below, labels)) {}
        return result
    }

    private func timeLabels(below row: Int) -> [PictureLabel] {
        moments.compactMap { moment in
            guard let label = moment.label else { return nil }
            let left = Double(moment.column) + (letters / 2).rounded()
            let box = Rect(x: left, y: Double(row), width: Double(labelWidth), height: Double(scaleHeight))
            return PictureLabel(text: label, letters: letters, box: box)
        }
    }

    /// The labels of the levels in a band's upper half; those without room are left out.
    private func levelLabels(in band: Range<Int>) -> [PictureLabel] {
        let half = Double(band.count) / 2
        let height = (1.25 * letters).rounded(.up)
        let padding = (letters / 4).rounded()
        var labels: [PictureLabel] = []
        var free = Double(band.lowerBound)
        for level in Self.levels {
            let row = Double(band.lowerBound) + half * (1 - amplitude(ofDecibels: level))
            let top = max(Double(band.lowerBound), (row - height / 2).rounded())
            guard top >= free, top + height <= Double(band.upperBound) else { continue }
            let text = level == 0 ? "0 dBFS" : "\u{2212}\(Int(-level))"
            let box = Rect(x: (letters / 2).rounded(), y: top, width: 8 * letters, height: height)
            labels.append(PictureLabel(text: text, letters: letters, box: box, ground: [0, padding, 0, padding]))
            free = top + height
        }
        return labels
    }
}
