import AudioMixing
package import Diagnostics
import ExactMath
import Libav
package import MediaTime
package import MediaWriting
import Outputs
package import Pictures

/// Draws a sound's peaks, and within them its RMS: a band for each channel, from full scale at its top to full scale at
/// its bottom. Column x of w shows samples x·n/w ..< (x + 1)·n/w of n; where that is none, the one that it lies in.
/// Keeps a bucket for each column. Throws `.settingsImpossible` for a picture with fewer rows than bands.
///
/// - Parameter start: the time of the first sample in seconds, for marks of time and level; nil for a picture without
///   marks. One that is too small for them has none.
package func writeWaveformPicture(
    of sound: SoundStream, size: PixelSize, splitsChannels: Bool, markedFrom start: Rational?,
    as format: PictureFormat, to path: String, cancellation: Cancellation
) throws -> NoticeList {
    let buckets = min(size.width, max(1, sound.sampleCount))
    var meter = WaveformMeter(
        channels: sound.channels, splitting: splitsChannels,
        spreading: max(1, sound.sampleCount), over: buckets)
    guard size.height >= meter.rows else {
        throw SplitreelError(
            .settingsImpossible, operation: "drawing the waveform", subject: "\(size.width)×\(size.height)",
            reason: "\(meter.rows) channels need a row of pixels each", hint: "say a higher \(.size)")
    }
    var columns: [[WaveformMeter.Bucket]] = []
    let notices = try sound.read(cancellation: cancellation) { planes, count in
        meter.add(planes, count: count) { columns.append($0) }
    }
    meter.finish { columns.append($0) }
    let length = Rational(sound.sampleCount, sound.sampleRate)
    let marks = start.flatMap { WaveformMarks(on: size, bands: meter.rows, from: $0, lasting: length) }
    let height = size.height - (marks?.scaleHeight ?? 0)
    let bands: [Range<Int>] = (0..<meter.rows).map { ($0 * height / meter.rows)..<(($0 + 1) * height / meter.rows) }
    let picture = try Frame.make(format: .yuv444p, size: size, colour: .bt709)
    picture.withImage { image in
        let canvas = WaveformCanvas(image: image)
        canvas.fill(0..<size.width, 0..<size.height, .background)
        for (row, band) in bands.enumerated() {
            if marks != nil { canvas.rule(band, width: size.width) }
            canvas.fill(0..<size.width, canvas.rows(in: band, from: 0, to: 0), .line)
            for x in 0..<(columns.isEmpty ? 0 : size.width) {
                let bucket = columns[min(x * buckets / size.width, columns.count - 1)][row]
                canvas.fill(x..<(x + 1), canvas.rows(in: band, from: bucket.least, to: bucket.most), .peak)
                let rms = Float(bucket.rms)
                let inner = canvas.rows(in: band, from: max(-rms, bucket.least), to: min(rms, bucket.most))
                canvas.fill(x..<(x + 1), inner, .rms)
            }
        }
        for moment in marks?.moments ?? [] {
            canvas.fill(moment.column..<(moment.column + 1), height..<size.height, .line)
        }
    }
    if let marks {
        let labelled = try marks.labelled(picture, bands: bands)
        try writePicture(labelled, as: format, to: path)
    } else {
        try writePicture(picture, as: format, to: path)
    }
    return notices
}

/// Draws rectangles of few colours on a picture of 4:4:4 in 8 bits.
private struct WaveformCanvas {
    let image: PlanarImage

    /// A colour in codes of BT.709 in limited range.
    struct Ink {
        let y, cb, cr: UInt8

        init(_ red: Double, _ green: Double, _ blue: Double) {
            let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
            y = UInt8(16 + 219 * luma + 0.5)
            cb = UInt8(128 + 224 * (blue - luma) / 1.8556 + 0.5)
            cr = UInt8(128 + 224 * (red - luma) / 1.5748 + 0.5)
        }

        static let background = Ink(0.08, 0.08, 0.1)
        static let line = Ink(0.3, 0.3, 0.33)
        static let level = Ink(0.19, 0.19, 0.22)
        static let peak = Ink(0.2, 0.55, 0.75)
        static let rms = Ink(0.65, 0.88, 1)
    }

    func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ ink: Ink) {
        for (plane, code) in [(image.luma, ink.y), (image.cb, ink.cb), (image.cr, ink.cr)] {
            for y in rows {
                (plane.base + y * plane.stride + columns.lowerBound).initializeMemory(
                    as: UInt8.self, repeating: code, count: columns.count)
            }
        }
    }

    /// Draws the lines of the levels in a band, above its middle and below.
    func rule(_ band: Range<Int>, width: Int) {
        for level in WaveformMarks.levels {
            let most = Float(amplitude(ofDecibels: level))
            for value in [most, -most] { fill(0..<width, rows(in: band, from: value, to: value), .level) }
        }
    }

    /// The rows of a band between two amplitudes, one at least; amplitudes beyond full scale stay in it.
    func rows(in band: Range<Int>, from least: Float, to most: Float) -> Range<Int> {
        let half = Double(band.count) / 2
        func row(_ value: Float) -> Double { half * (1 - Double(value).held(in: -1...1)) }
        let first = min(Int(row(most)), band.count - 1)
        let last = max(first + 1, min(band.count, Int(row(least).rounded(.up))))
        return (band.lowerBound + first)..<(band.lowerBound + last)
    }
}
