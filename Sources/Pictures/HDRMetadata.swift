/// What a picture in HDR says of itself as a whole: the display that it was mastered on (SMPTE ST 2086) and how bright
/// it gets (CTA-861.3). Each part is nil where nobody says it, or where what is said cannot be.
package struct HDRMetadata: Hashable, Codable, Sendable {
    package var mastering: MasteringDisplay?
    package var light: ContentLight?

    /// nil where there is neither.
    package init?(mastering: MasteringDisplay?, light: ContentLight?) {
        if mastering == nil && light == nil { return nil }
        (self.mastering, self.light) = (mastering, light)
    }

    package var isPossible: Bool { mastering?.isPossible ?? true && light?.isPossible ?? true }

    /// What tone mapping counts as the brightest of it, in cd/m²; nil where nothing is said. The content's own light
    /// rules over its display's; what is said lies within `peaks`.
    package var peak: Int? {
        let stated = light.flatMap { $0.most > 0 ? $0.most : nil } ?? mastering.map { ($0.most + 5000) / 10_000 }
        return stated.map { min(max($0, Self.peaks.lowerBound), Self.peaks.upperBound) }
    }

    /// A picture that says less than this, and is brighter, is not cut off all at once.
    package static let peaks = 400...10_000
}

/// The colour volume of a display.
package struct MasteringDisplay: Hashable, Codable, Sendable {
    /// CIE x and y in 1/50,000.
    package struct Point: Hashable, Codable, Sendable {
        package var x, y: Int

        package init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    package var red, green, blue, white: Point
    /// Its luminance at the most and at the least, in 1/10,000 cd/m².
    package var most, least: Int

    package init(red: Point, green: Point, blue: Point, white: Point, most: Int, least: Int) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
        (self.most, self.least) = (most, least)
    }

    /// As bright as ST 2086 lets displays be, and of colours that exist.
    package var isPossible: Bool {
        [red, green, blue, white].allSatisfy { (0...50_000).contains($0.x) && (1...50_000).contains($0.y) }
            && (50_000...100_000_000).contains(most) && (0..<most).contains(least)
    }

    /// For a film that nobody has said one of: of the primaries and D65, from 0.0001 to 1,000 cd/m².
    package static func reference(_ primaries: ColourPrimaries) -> MasteringDisplay {
        let points = primaries.chromaticities.map {
            Point(x: Int(($0.x * 50_000).rounded()), y: Int(($0.y * 50_000).rounded()))
        }
        return MasteringDisplay(
            red: points[0], green: points[1], blue: points[2], white: Point(x: 15_635, y: 16_450),
            most: 10_000_000, least: 1)
    }
}

/// How bright content gets, in whole cd/m²: of red, green and blue the one that is brightest.
package struct ContentLight: Hashable, Codable, Sendable {
    /// Of any pixel: MaxCLL. 0: not known.
    package var most: Int
    /// Of any frame on average: MaxFALL. 0: not known.
    package var average: Int

    package init(most: Int, average: Int) { (self.most, self.average) = (most, average) }

    package var isPossible: Bool {
        (0...10_000).contains(most) && (0...10_000).contains(average) && (most == 0 || average <= most)
            && most + average > 0
    }
}

/// The light of frames as it was measured, in 1/1000 cd/m². Integers, joined by the larger one: how a film was cut does
/// not show.
package struct MeasuredLight: Hashable, Codable, Sendable {
    package var most = 0
    package var average = 0

    package init(most: Int = 0, average: Int = 0) { (self.most, self.average) = (most, average) }

    package mutating func join(_ other: MeasuredLight) {
        (most, average) = (max(most, other.most), max(average, other.average))
    }

    package var isPossible: Bool { (0...10_000_000).contains(most) && (0...most).contains(average) }

    /// To the nearest cd/m²; 1 for a film that is darker, since 0 would mean that nobody knows.
    package var contentLight: ContentLight {
        ContentLight(most: max(1, (most + 500) / 1000), average: max(1, (average + 500) / 1000))
    }
}
