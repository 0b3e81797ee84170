/// The facts that a picture in HDR says of itself as a whole: the display that it was mastered on (SMPTE ST 2086) and
/// how bright it gets (CTA-861.3). Each part is nil where nobody says it, or where what is said cannot be.
public struct HDRMetadata: Hashable, Codable, Sendable {
    /// The display that the film was mastered on.
    public var mastering: MasteringDisplay?
    /// The brightness of the film.
    public var light: ContentLight?

    /// Makes metadata of its parts; nil where there are none.
    public init?(mastering: MasteringDisplay?, light: ContentLight?) {
        if mastering == nil && light == nil { return nil }
        (self.mastering, self.light) = (mastering, light)
    }

    package var isPossible: Bool { mastering?.isPossible ?? true && light?.isPossible ?? true }

    /// The light in cd/m² that tone mapping counts as the brightest of the picture, within `peaks`; nil where nothing
    /// is said. The content's own light rules over its display's.
    package var peak: Int? {
        let stated = light.flatMap { $0.most > 0 ? $0.most : nil } ?? mastering.map { ($0.most + 5000) / 10_000 }
        return stated.map { min(max($0, Self.peaks.lowerBound), Self.peaks.upperBound) }
    }

    /// The peaks in cd/m² that are believed: a picture that says less, and is brighter, is not cut off all at once.
    package static let peaks = 400...10_000
}

/// The colour volume of a display.
public struct MasteringDisplay: Hashable, Codable, Sendable {
    /// A chromaticity: CIE x and y in 1/50,000.
    public struct Point: Hashable, Codable, Sendable {
        /// The two numbers, from 0 to 50,000.
        public var x, y: Int

        /// Makes a point of its numbers in 1/50,000, which are taken as they are.
        public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    /// The colours of the display's primaries and of its white.
    public var red, green, blue, white: Point
    /// The display's luminance at the most and at the least, in 1/10,000 cd/m².
    public var most, least: Int

    /// Makes a volume of four colours and two luminances in 1/10,000 cd/m², which are taken as they are.
    public init(red: Point, green: Point, blue: Point, white: Point, most: Int, least: Int) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
        (self.most, self.least) = (most, least)
    }

    /// Whether the display is as bright as ST 2086 lets displays be, and its colours exist.
    package var isPossible: Bool {
        [red, green, blue, white].allSatisfy { (0...50_000).contains($0.x) && (1...50_000).contains($0.y) }
            && (50_000...100_000_000).contains(most) && (0..<most).contains(least)
    }

    /// The display for a film that nobody has said one of: with these primaries and D65, from 0.0001 to 1,000 cd/m².
    package static func reference(_ primaries: ColourPrimaries) -> MasteringDisplay {
        let points = primaries.chromaticities.map {
            Point(x: Int(($0.x * 50_000).rounded()), y: Int(($0.y * 50_000).rounded()))
        }
        return MasteringDisplay(
            red: points[0], green: points[1], blue: points[2], white: Point(x: 15_635, y: 16_450),
            most: 10_000_000, least: 1)
    }
}

/// The brightness of content in whole cd/m²: red, green or blue counts, whichever is brightest.
public struct ContentLight: Hashable, Codable, Sendable {
    /// The most light of any pixel, in cd/m²: MaxCLL. 0 where it is not known.
    public var most: Int
    /// The most light of any frame on average, in cd/m²: MaxFALL. 0 where it is not known.
    public var average: Int

    /// Makes the brightness of whole cd/m², which are taken as they are.
    public init(most: Int, average: Int) { (self.most, self.average) = (most, average) }

    package var isPossible: Bool {
        (0...10_000).contains(most) && (0...10_000).contains(average) && (most == 0 || average <= most)
            && most + average > 0
    }
}

/// The light of frames as it was measured, in 1/1000 cd/m². They are integers, joined by the larger one, so that the
/// way in which a film was cut does not show.
package struct MeasuredLight: Hashable, Codable, Sendable {
    package var most = 0
    package var average = 0

    package init(most: Int = 0, average: Int = 0) { (self.most, self.average) = (most, average) }

    package mutating func join(_ other: MeasuredLight) {
        (most, average) = (max(most, other.most), max(average, other.average))
    }

    package var isPossible: Bool { (0...10_000_000).contains(most) && (0...most).contains(average) }

    /// The light to the nearest cd/m²; 1 for a film that is darker, since 0 would mean that nobody knows.
    package var contentLight: ContentLight {
        ContentLight(most: max(1, (most + 500) / 1000), average: max(1, (average + 500) / 1000))
    }
}
