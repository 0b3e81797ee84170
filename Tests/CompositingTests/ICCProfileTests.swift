import Compositing
import Foundation
import Pictures
import TestTools
import Testing

@Suite("ICC profiles")
struct ICCProfileTests {
    private func colour(_ profile: ProfileBytes) -> StillColour { ICCProfile.colour(of: profile.bytes) }

    @Test("Known primaries with sRGB's curve have their names")
    func named() {
        let table = (0..<1024).map { code -> Int in
            let x = Double(code) / 1023
            let light: Double = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
            return Int((light * 65_535).rounded())
        }
        for curve in [ProfileBytes.screen, ProfileBytes.curve(table)] {
            #expect(colour(ProfileBytes(ProfileBytes.srgb, [curve])) == .named(.bt709))
            #expect(colour(ProfileBytes(ProfileBytes.displayP3, [curve])) == .named(.p3D65))
        }
        var grey = ProfileBytes([], [])
        grey.space = "GRAY"
        grey.tags = [("kTRC", ProfileBytes.screen)]
        #expect(colour(grey) == .named(.bt709))
    }

    @Test("Curves: a power, a table, and the five forms")
    func curves() throws {
        let forms: [(data: [UInt8], light: (Double) -> Double)] = [
            (ProfileBytes.curve([]), { $0 }),
            (ProfileBytes.gamma(1.8), { pow($0, 1.80078125) }),
            (
                ProfileBytes.curve([0, 10_000, 65_535]),
                {
                    $0 < 0.5 ? $0 * 2 * 10_000 / 65_535 : (10_000 + ($0 - 0.5) * 2 * 55_535) / 65_535
                }
            ),
            (ProfileBytes.formula(0, [2.2]), { pow($0, 2.2) }),
            (ProfileBytes.formula(1, [2, 0.9, 0.1]), { pow(0.9 * $0 + 0.1, 2) }),
            (ProfileBytes.formula(2, [2, 0.9, 0.05, 0.02]), { min(pow(0.9 * $0 + 0.05, 2) + 0.02, 1) }),
            (
                ProfileBytes.formula(3, [3, 1 / 1.16, 0.16 / 1.16, 1 / 9.033, 0.08]),
                {
                    $0 < 0.08 ? $0 / 9.033 : pow(($0 + 0.16) / 1.16, 3)
                }
            ),
            (
                ProfileBytes.formula(4, [2.2, 0.95, 0.05, 0.1, 0.05, 0, 0]),
                {
                    $0 < 0.05 ? 0.1 * $0 : pow(0.95 * $0 + 0.05, 2.2)
                }
            ),
        ]
        for (index, form) in forms.enumerated() {
            let made = colour(ProfileBytes(ProfileBytes.srgb, [form.data]))
            guard case .profile(let profile) = made else {
                Issue.record("form \(index): \(made)")
                continue
            }
            for step in 0...50 {
                let x = Double(step) / 50
                #expect(abs(profile.green.light(x) - form.light(x)) < 1e-4, "form \(index) at \(x)")
            }
        }
    }

    @Test("The matrix is adapted to D65, and its white is white")
    func matrices() throws {
        // Adobe RGB (1998), by its standard: 0.64 0.33, 0.21 0.71, 0.15 0.06.
        let xy = [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)]
        guard case .profile(let adobe) = colour(ProfileBytes(ProfileBytes.adobe, [ProfileBytes.gamma(2.2)])) else {
            Issue.record("Adobe RGB has no name")
            return
        }
        for column in 0..<3 {
            let xyz = (0..<3).map { adobe.toXYZ.rows[$0][column] }
            let sum = xyz.reduce(0, +)
            #expect(abs(xyz[0] / sum - xy[column].0) < 0.001 && abs(xyz[1] / sum - xy[column].1) < 0.001)
        }
        for colorants in [ProfileBytes.adobe, ProfileBytes.proPhoto] {
            guard case .profile(let profile) = colour(ProfileBytes(colorants, [ProfileBytes.gamma(1.8)])) else {
                Issue.record("not a profile")
                continue
            }
            let white = profile.toXYZ.applied(to: [1, 1, 1])
            let d65 = [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
            #expect(zip(white, d65).allSatisfy { abs($0 - $1) < 1e-9 })
        }
    }

    @Test("What cannot be used says so")
    func unusable() {
        let good = ProfileBytes(ProfileBytes.adobe, [ProfileBytes.gamma(2.2)])
        func changed(_ change: (inout ProfileBytes) -> Void) -> ProfileBytes {
            var copy = good
            change(&copy)
            return copy
        }
        let wrong = [
            changed { $0.space = "CMYK" }, changed { $0.connection = "Lab " },
            changed { $0.tags.removeFirst() }, changed { $0.tags[3].data = ProfileBytes.curve([65_535, 0]) },
            changed { $0.tags[4].data = ProfileBytes.formula(0, [-1]) },
            changed { $0.tags[4].data = ProfileBytes.formula(7, [1, 2]) },
            changed { $0.tags[4].data = Array("mft2".utf8) + ProfileBytes.word(0) + ProfileBytes.word(9) },
            changed { $0.tags[0].data = ProfileBytes.colorant([0, 0, 0]) },
            changed { $0.tags[1].data = $0.tags[0].data },
            changed { profile in
                for index in 0..<3 { profile.tags[index].data = ProfileBytes.colorant([0.3214, 0.33333, 0.275]) }
            },
        ]
        for (index, profile) in wrong.enumerated() {
            guard case .unusable = colour(profile) else {
                Issue.record("profile \(index): \(colour(profile))")
                continue
            }
        }
        let tables = changed { $0.tags = [("A2B0", ProfileBytes.word(0) + ProfileBytes.word(0))] }
        #expect(colour(tables) == .unusable("it has tables in place of a matrix"))
        #expect(ICCProfile.colour(of: []) == .unusable("it is damaged"))
    }

    /// Cut anywhere, and with bytes changed at random: another colour, or a refusal, and finite numbers.
    @Test func damage() {
        let table = ProfileBytes.curve((0..<64).map { $0 * $0 * 16 })
        let whole = ProfileBytes(ProfileBytes.displayP3, [table, ProfileBytes.screen, ProfileBytes.gamma(2.2)]).bytes
        for length in 0..<whole.count { _ = ICCProfile.colour(of: Array(whole[..<length])) }
        var random = Random(seed: 2026)
        var (used, refused) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0...(Int(random.next() % 4)) {
                let place = Int(random.next() % UInt64(bytes.count))
                bytes[place] = random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
            }
            switch ICCProfile.colour(of: bytes) {
            case .profile(let profile):
                used += 1
                let lights = [profile.red, profile.green, profile.blue].map { $0.light(0.4) }
                #expect(lights.allSatisfy { (0...1).contains($0) })
                let numbers = profile.toXYZ.rows.flatMap { $0 }
                #expect(numbers.allSatisfy { $0.isFinite })
            case .named: used += 1
            case .unusable: refused += 1
            }
        }
        #expect(used > 1000 && refused > 1000, "\(used), \(refused)")
    }
}

/// Stills with profiles on a canvas, against the formulas in plain doubles.
@Suite("Stills by their profiles")
struct ProfileConversionTests {
    /// From linear components by columns of X, Y, Z under D65 to those of BT.709, in sRGB's codes of 0…1.
    private func expected(_ light: [Double], _ xy: [(Double, Double)]) -> [Double] {
        let white = [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
        func toXYZ(_ xy: [(Double, Double)]) -> Matrix3 {
            let raw = Matrix3(
                rows: (0..<3).map { row in
                    xy.map { [$0.0 / $0.1, 1, (1 - $0.0 - $0.1) / $0.1][row] }
                })
            let scale = raw.inverse.applied(to: white)
            return Matrix3(rows: raw.rows.map { row in zip(row, scale).map { $0 * $1 } })
        }
        let ours = toXYZ([(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]).inverse
        return ours.applied(to: toXYZ(xy).applied(to: light)).map {
            let held = max($0, 0)
            return held <= 0.0031308 ? 12.92 * held : 1.055 * pow(held, 1 / 2.4) - 0.055
        }
    }

    private static let adobe = [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)]
    private static let p3 = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]

    @Test(arguments: [(true, 2.19921875), (false, 0)])
    func patches(isAdobe: Bool, gamma: Double) throws {
        var input = encoding(.i444, bits: 10)
        if isAdobe {
            let bytes = ProfileBytes(ProfileBytes.adobe, [ProfileBytes.gamma(gamma)]).bytes
            guard case .profile(let profile) = ICCProfile.colour(of: bytes) else {
                Issue.record("not a profile")
                return
            }
            input.profile = profile
        } else {
            (input.colour.primaries, input.colour.transfer) = (.p3D65, .srgb)
        }
        let output = encoding(.i444, bits: 10)
        let source = Picture(32, 24, input)
        var random = Random(seed: 8)
        let colours = (0..<(32 * 24)).map { index -> [Double] in
            let grey = random.double(in: 0.3...0.8)
            return (0..<3).map { _ in index < 32 ? grey : grey + random.double(in: -0.15...0.15) }
        }
        let codes = colours.map { LightReference.codes($0, input).map { Int($0.rounded()) } }
        for plane in 0..<3 { source.paint(plane) { x, y in codes[y * 32 + x][plane] } }
        let out = Picture(32, 24, output).compose([source.layer()])
        for (index, code) in codes.enumerated() {
            let rgb = LightReference.components(code.map { Double($0) }, input).map { min($0, 1) }
            let light = rgb.map {
                isAdobe ? pow($0, gamma) : $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
            }
            let wanted = LightReference.codes(expected(light, isAdobe ? Self.adobe : Self.p3), output)
            for plane in 0..<3 {
                let made = Double(out[plane, index % 32, index / 32])
                #expect(abs(made - wanted[plane]) <= 3, "\(rgb), plane \(plane): \(made), \(wanted[plane])")
            }
        }
    }

    @Test("On a canvas in HDR a screen's greys are where untagged ones are")
    func greysInHDR() {
        var (tagged, untagged) = (encoding(.i444, bits: 10), encoding(.i444, bits: 10))
        tagged.colour.transfer = .srgb
        tagged.colour.primaries = .p3D65
        untagged.colour.primaries = .p3D65
        for kind in [LightTests.pq, LightTests.hlg] {
            for code in stride(from: 64, through: 940, by: 73) {
                let pictures = [tagged, untagged].map { encoding in
                    let source = Picture(4, 4, encoding).fill(code, 512, 512)
                    return withExtendedLifetime(source) {
                        Picture(4, 4, kind.encoding()).compose([source.layer()])
                    }
                }
                for plane in 0..<3 { #expect(abs(pictures[0][plane, 1, 1] - pictures[1][plane, 1, 1]) <= 1) }
            }
        }
    }
}
