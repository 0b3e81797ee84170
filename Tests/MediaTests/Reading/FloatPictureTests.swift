import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import TestTools
import Testing

/// EXR and PFM: linear light. ffmpeg writes the files; what they show is arithmetic.
@Suite("Pictures of floats") struct FloatPictureTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("float")
        witness = Witness(in: folder)
    }

    /// A picture of 16 pixels in two rows of those components, each row of the list one pixel: R, G, B, and A.
    private func file(_ pixels: [[Float]], _ ending: String) throws -> String {
        let hasAlpha = pixels[0].count == 4
        // Planes in the order G, B, R, A.
        let order = [1, 2, 0] + (hasAlpha ? [3] : [])
        let samples = order.flatMap { component in pixels.map { $0[component] } }
        let raw = folder.file("raw")
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(filePath: raw))
        let path = folder.file("picture." + ending)
        try witness.ffmpeg([
            "-f", "rawvideo", "-pix_fmt", hasAlpha ? "gbrapf32le" : "gbrpf32le", "-s", "8x2", "-i", raw,
            "-frames:v", "1", path,
        ])
        return path
    }

    private static let pixels: [[Float]] = [
        [0, 0, 0], [1, 1, 1], [0.18, 0.18, 0.18], [1e-5, 1e-4, 1e-3], [0.5, 0.25, 0.125], [2, 1, 0.5], [40, 60, 80],
        [-1, 0.3, 0.01], [0.9, 0.02, 0.002], [.nan, 0.4, .infinity], [0.003, 0.006, 0.7], [1e-9, 1, 1e-7],
        [0.999, 1.001, 0.5], [0.75, 0.75, 0.1], [0.05, 0.06, 0.07], [0.2, 0.4, 0.8],
    ]

    private func check(_ image: PlainImage, _ colours: [[Double]], depth: Int = 16, slack: Double = 1.2) {
        let (red, blue) = (0.2126, 0.0722)
        for (place, colour) in colours.enumerated() {
            let (r, g, b) = (colour[0], colour[1], colour[2])
            let y = red * r + (1 - red - blue) * g + blue * b
            let wanted = [
                256 * (16 + 219 * y), 256 * (128 + 112 * (b - y) / (1 - blue)),
                256 * (128 + 112 * (r - y) / (1 - red)),
            ]
            for plane in 0..<3 {
                #expect(abs(Double(image.planes[plane][place]) - wanted[plane]) <= slack, "\(place), \(plane)")
            }
        }
    }

    private func sdr(_ light: Float) -> Double { light > 0 ? pow(min(Double(light), 1), 1 / 2.4) : 0 }

    /// BT.2100, 1 being 203 cd/m².
    private func pq(_ light: Float) -> Double {
        let part = pow(min(max(light > 0 ? Double(light) : 0, 0) * 203 / 10_000, 1), 2610.0 / 16384)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)
        return pow((c1 + c2 * part) / (1 + c3 * part), 2523.0 / 32)
    }

    @Test(arguments: ["exr", "pfm"]) func lightIsEncoded(ending: String) throws {
        let path = try file(Self.pixels, ending)
        #expect(try probe(path: path).kind == .image)
        let image = try #require(try PlainImage(VideoReader(path: path, track: 1), at: .zero))
        #expect(image.encoding.bitDepth == 16 && image.encoding.colour.transfer == .bt709)
        check(image, Self.pixels.map { $0.map(sdr) })
    }

    @Test func highlightsAreKeptInHDR() throws {
        let reader = try VideoReader(path: try file(Self.pixels, "exr"), track: 1, keepsHighlights: true)
        let image = try #require(try PlainImage(reader, at: .zero))
        #expect(image.encoding.colour.transfer == .pq && image.encoding.colour.primaries == .bt709)
        check(image, Self.pixels.map { $0.map(pq) }, slack: 2)
    }

    /// EXR's colours are multiplied by its alpha.
    @Test func alphaIsTakenOut() throws {
        let alphas: [Float] = [1, 0.5, 0.25, 0, 1.5, -1, 0.1, 0.75, 1, 0.3, 0.9, 0.6, 0.2, 0.01, 0.4, 0.8]
        let pixels = zip(Self.pixels, alphas).map { colour, alpha in colour.map { $0 * 0.1 } + [alpha] }
        let image = try #require(try PlainImage(VideoReader(path: try file(pixels, "exr"), track: 1), at: .zero))
        try #require(image.planes.count == 4)
        for (place, alpha) in alphas.enumerated() {
            #expect(image.planes[3][place] == Int((max(0, min(1, Double(alpha))) * 65535).rounded()))
        }
        check(
            image,
            pixels.map { pixel in
                pixel.prefix(3).map { sdr(pixel[3] > 0 && pixel[3] < 1 ? $0 / pixel[3] : $0) }
            })
    }

    /// What an asset says of them counts: then they are R'G'B' as they stand.
    @Test func aTransferThatIsGivenCounts() throws {
        var overrides = ColourOverrides()
        overrides.transfer = .srgb
        let reader = try VideoReader(path: try file(Self.pixels, "exr"), track: 1, overrides: overrides)
        let image = try #require(try PlainImage(reader, at: .zero))
        #expect(image.encoding.colour.transfer == .srgb)
        check(image, Self.pixels.map { $0.map { $0 > 0 ? min(Double($0), 1) : 0 } })
    }
}
