/// Reads ICC profiles of three curves and a matrix (and of one curve, for grey pictures). Profiles come from files:
/// every place and every count is checked, and nothing is read twice.
package struct ICCProfile {
    /// The most bytes of a profile that is looked at.
    package static let mostBytes = 4 << 20
    private static let mostTags = 100

    private let bytes: [UInt8]
    /// The places of the tags in `bytes`, by their four letters.
    private let tags: [UInt32: Range<Int>]

    /// The colour of a picture that carries these bytes as its profile.
    package static func colour(of bytes: [UInt8]) -> StillColour {
        guard let profile = ICCProfile(bytes) else { return .unusable("it is damaged") }
        return profile.colour
    }

    private init?(_ bytes: [UInt8]) {
        guard (132...Self.mostBytes).contains(bytes.count) else { return nil }
        self.bytes = bytes
        func word(_ place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        let (size, count) = (word(0), word(128))
        guard word(36) == Int(letters("acsp")), size <= bytes.count, count <= Self.mostTags, 132 + 12 * count <= size
        else { return nil }
        var tags: [UInt32: Range<Int>] = [:]
        for tag in 0..<count {
            let entry = 132 + 12 * tag
            let (start, length) = (word(entry + 4), word(entry + 8))
            guard start >= 128, length >= 8, start <= size, length <= size - start else { continue }
            tags[UInt32(word(entry))] = start..<(start + length)
        }
        self.tags = tags
    }

    private var colour: StillColour {
        let space = word(16)
        guard space == letters("RGB ") || space == letters("GRAY") else { return .unusable("it is not of R'G'B'") }
        guard let made = space == letters("RGB ") ? ofRGB : ofGrey else {
            let isOfTables = tags[letters("A2B0")] != nil || word(20) != letters("XYZ ")
            return .unusable(isOfTables ? "it has tables in place of a matrix" : "it is damaged")
        }
        return made.screenPrimaries.map { .named($0) } ?? .profile(made)
    }

    private var ofRGB: ColourProfile? {
        guard word(20) == letters("XYZ "), let red = curve("rTRC"), let green = curve("gTRC"), let blue = curve("bTRC"),
            let x = colorant("rXYZ"), let y = colorant("gXYZ"), let z = colorant("bXYZ")
        else { return nil }
        // The sum of all three is the white that profiles are relative to.
        let white = (0..<3).map { (row: Int) -> Double in x[row] + y[row] + z[row] }
        guard zip(white, [Double].d50).allSatisfy({ abs($0 - $1) < 0.05 }) else { return nil }
        let matrix = Matrix3(rows: (0..<3).map { [x[$0], y[$0], z[$0]] })
        return ColourProfile(red: red, green: green, blue: blue, toXYZ: matrix.then(.fromD50))
    }

    private var ofGrey: ColourProfile? {
        guard let grey = curve("kTRC") else { return nil }
        return ColourProfile(red: grey, green: grey, blue: grey, toXYZ: ColourPrimaries.bt709.toXYZ)
    }

    private func colorant(_ name: String) -> [Double]? {
        guard let tag = tags[letters(name)], tag.count >= 20, word(tag.lowerBound) == letters("XYZ ") else {
            return nil
        }
        let values = (0..<3).map { fixed(tag.lowerBound + 8 + 4 * $0) }
        return values.allSatisfy { (-1...2).contains($0) } ? values : nil
    }

    private func curve(_ name: String) -> ToneCurve? {
        guard let tag = tags[letters(name)], tag.count >= 12 else { return nil }
        let type = word(tag.lowerBound)
        let curve =
            type == letters("curv") ? table(tag) : type == letters("para") ? formula(tag) : nil
        return curve.flatMap { $0.isPossible ? $0 : nil }
    }

    private func table(_ tag: Range<Int>) -> ToneCurve? {
        let (count, first) = (Int(word(tag.lowerBound + 8)), tag.lowerBound + 12)
        guard count <= (tag.upperBound - first) / 2 else { return nil }
        switch count {
        case 0: return .gamma(1)
        case 1: return Double(half(first)) > 0 ? .gamma(Double(half(first)) / 256) : nil
        default: return .table((0..<count).map { half(first + 2 * $0) })
        }
    }

    /// The curve of a parametric tag, nil for a damaged one: each of ICC.1's five forms is written as the last one.
    private func formula(_ tag: Range<Int>) -> ToneCurve? {
        let kind = Int(half(tag.lowerBound + 8))
        let counts = [1, 3, 4, 5, 7]
        guard counts.indices.contains(kind), tag.count >= 12 + 4 * counts[kind] else { return nil }
        let p = (0..<counts[kind]).map { fixed(tag.lowerBound + 12 + 4 * $0) }
        guard p[0] > 0, p[0] <= 16, kind == 0 || p[1] > 0 else { return nil }
        switch kind {
        case 0: return .gamma(p[0])
        case 1: return .formula(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: 0, f: 0)
        case 2: return .formula(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: p[3], f: p[3])
        case 3: return .formula(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
        default: return .formula(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
        }
    }

    // MARK: Numbers

    private func word(_ place: Int) -> UInt32 { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) } }

    private func half(_ place: Int) -> UInt16 { UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]) }

    /// The signed 16.16 number at a place.
    private func fixed(_ place: Int) -> Double { Double(Int32(bitPattern: word(place))) / 65_536 }
}

private func letters(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

extension [Double] {
    /// CIE X, Y and Z of D50, the white of profiles.
    fileprivate static let d50 = [0.9642, 1, 0.8249]
}

extension Matrix3 {
    /// Bradford's adaptation of what is seen under D50 to D65.
    fileprivate static var fromD50: Matrix3 {
        let cones = Matrix3(rows: [
            [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
        ])
        let (from, to) = (cones.applied(to: .d50), cones.applied(to: .d65))
        let factors = zip(to, from).map { (white: Double, other: Double) -> Double in white / other }
        let scale = Matrix3(rows: [[factors[0], 0, 0], [0, factors[1], 0], [0, 0, factors[2]]])
        return cones.then(scale).then(cones.inverse)
    }
}
