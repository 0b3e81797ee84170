import Foundation
import Pictures
import Testing

/// Colours that a file writes, in films of HDR: by the formulas of BT.1886, BT.2087, BT.2100 and BT.2408 written out
/// here.
@Suite("Colours of a file in HDR") struct WrittenColourTests {
    private static let hlg = ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020)
    private static let pq = ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020)

    /// Light of 0…1, 1 being 10,000 cd/m².
    private func pqCode(_ light: Double) -> Double {
        let p = pow(light, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
    }

    /// Light of the scene of 0…1.
    private func hlgCode(_ scene: Double) -> Double {
        scene <= 1.0 / 12
            ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }

    private func parts(_ colour: Colour) -> [Double] { [colour.red, colour.green, colour.blue] }

    private func isNear(_ colour: Colour, _ expected: [Double], _ slack: Double = 1e-4) -> Bool {
        zip(parts(colour), expected).allSatisfy { abs($0 - $1) < slack }
    }

    /// BT.2408: 58 % of PQ, 75 % of HLG.
    @Test func whiteIs203() {
        let white = Colour(red: 1, green: 1, blue: 1, alpha: 0.5)
        #expect(isNear(white.brought(into: Self.pq), [0.5807, 0.5807, 0.5807]))
        #expect(isNear(white.brought(into: Self.hlg), [0.75, 0.75, 0.75], 1e-3))
        for film in [Self.pq, Self.hlg] {
            #expect(white.brought(into: film).alpha == 0.5)
            #expect(Colour.black.brought(into: film) == .black)
        }
    }

    @Test(arguments: [0.02, 0.25, 0.5, 0.75, 1]) func greysKeepTheirLight(grey: Double) {
        let colour = Colour(red: grey, green: grey, blue: grey)
        let light = 203 * pow(grey, 2.4)
        #expect(isNear(colour.brought(into: Self.pq), [Double](repeating: pqCode(light / 10_000), count: 3)))
        let scene = pow(light / 1000, 1 / 1.2)
        #expect(isNear(colour.brought(into: Self.hlg), [Double](repeating: hlgCode(scene), count: 3)))
    }

    /// BT.709's red in BT.2020's primaries, by BT.2087's matrix.
    @Test func redHasItsPrimaries() {
        let red = Colour(red: 1, green: 0, blue: 0)
        let light = [0.6274, 0.0691, 0.0164].map { $0 * 203 }
        #expect(isNear(red.brought(into: Self.pq), light.map { pqCode($0 / 10_000) }, 1e-3))
        let shown = light.map { $0 / 1000 }
        let luminance = 0.2627 * shown[0] + 0.6780 * shown[1] + 0.0593 * shown[2]
        let scene = shown.map { $0 * pow(luminance, 1 / 1.2 - 1) }
        #expect(isNear(red.brought(into: Self.hlg), scene.map(hlgCode), 1e-3))
        // In BT.709's primaries it is red alone.
        let narrow = ColourTriple(primaries: .bt709, transfer: .pq, matrix: .bt709)
        #expect(isNear(red.brought(into: narrow), [0.5807, 0, 0]))
    }

    @Test func filmsInSDRHaveThemAsTheyAre() {
        let colour = Colour(red: 0.1, green: 1.5, blue: -3, alpha: 0.3)
        for transfer in [ColourTransfer.bt709, .smpte240M, .srgb] {
            for primaries in ColourPrimaries.allCases {
                let film = ColourTriple(primaries: primaries, transfer: transfer, matrix: .bt709)
                #expect(colour.brought(into: film) == colour && film.ofWrittenColours == film)
            }
        }
        #expect(Self.pq.ofWrittenColours == .bt709 && Self.hlg.ofWrittenColours == .bt709)
    }

    @Test func componentsThatAreNoneAreBlackOrWhite() {
        let odd = Colour(red: .nan, green: 7, blue: -.infinity)
        let narrow = ColourTriple(primaries: .bt709, transfer: .pq, matrix: .bt709)
        #expect(isNear(odd.brought(into: narrow), [0, 0.5807, 0]))
    }
}
