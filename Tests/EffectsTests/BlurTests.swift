import Effects
import Foundation
import Pictures
import SplitreelProject
import TestTools
import Testing

@Suite struct BlurTests {
    private static func call(_ radius: Double) -> EffectCall {
        EffectCall(id: "blur", version: 1, values: ["radius": .numbers([radius])])
    }

    @Test(arguments: [0.8, 4.5, 6.0, 20.0]) func blurIsTheGaussian(_ radius: Double) {
        for encoding in filmEncodings {
            let picture = PlanePicture(131, 97, encoding).paintScene(seed: 3)
            let made = PlanePicture.rendered(Self.call(radius), [picture])
            for plane in 0..<3 {
                let (shiftX, shiftY) = plane == 0 ? (0, 0) : (encoding.chromaShiftX, encoding.chromaShiftY)
                let source = Grid(picture, plane)
                let wanted = source.gaussian(
                    radius / Double(1 << shiftX), radius / Double(1 << shiftY), clamps: true)
                let likeness = made.decibels(made.samples[plane], wanted.codes)
                #expect(likeness >= 50, "radius \(radius), plane \(plane), \(encoding.bitDepth) bits: \(likeness) dB")
            }
            #expect(made.damage == 0)
        }
    }

    /// Colours count by their alpha, and outside is nothing.
    @Test(arguments: [2.0, 12.0]) func transparentPixelsHaveNoColour(_ radius: Double) {
        for encoding in filmEncodings {
            let picture = PlanePicture(131, 97, encoding, alpha: true).paintScene(seed: 4)
            let made = PlanePicture.rendered(Self.call(radius), [picture], alpha: true)
            let whole = Double((1 << encoding.bitDepth) - 1)
            let unit = Double(1 << (encoding.bitDepth - 8))
            let alpha = Grid(picture, 3).map { $0 / whole }
            for plane in 0..<4 {
                let isChroma = plane == 1 || plane == 2
                let (shiftX, shiftY) = isChroma ? (encoding.chromaShiftX, encoding.chromaShiftY) : (0, 0)
                let deviation = (radius / Double(1 << shiftX), radius / Double(1 << shiftY))
                let share = alpha.blocks(shiftX, shiftY)
                let blurred = share.gaussian(deviation.0, deviation.1, clamps: false)
                if plane == 3 {
                    let wanted = blurred.map { $0 * whole }.codes
                    #expect(made.decibels(made.samples[3], wanted) >= 48)
                    continue
                }
                let zero = (isChroma ? 128 : 16) * unit
                let weighed = Grid(picture, plane).map { $0 - zero }.times(share)
                    .gaussian(deviation.0, deviation.1, clamps: false)
                // What is hardly there shows nothing of its colour.
                let seen = blurred.values.indices.filter { blurred.values[$0] > 0.1 }
                let wanted = seen.map { Int((zero + weighed.values[$0] / blurred.values[$0]).rounded()) }
                let all = made.samples[plane]
                let found = seen.map { all[$0] }
                #expect(made.decibels(found, wanted) >= 46 && seen.count > 100, "plane \(plane), radius \(radius)")
            }
        }
    }

    /// ffmpeg's is a recursive filter that comes near a gaussian.
    @Test(arguments: [1.5, 4.0]) func blurIsAsGblur(_ radius: Double) throws {
        let picture = PlanePicture(320, 240, filmEncoding(1, 1)).paintScene(seed: 9)
        let theirs = try picture.filtered("gblur=sigma=\(radius):sigmaV=\(radius):steps=6:planes=1")
        let made = PlanePicture.rendered(Self.call(radius), [picture])
        // Their edges are others.
        let margin = Int(radius * 4)
        let inside = (0..<320 * 240).filter { index in
            let (x, y) = (index % 320, index / 320)
            return x >= margin && x < 320 - margin && y >= margin && y < 240 - margin
        }
        let ours = made.samples[0]
        let likeness = made.decibels(inside.map { ours[$0] }, inside.map { theirs[$0] })
        #expect(likeness >= 44, "\(likeness) dB")
    }

    @Test func nothingIsDoneByRadiusZero() {
        for encoding in filmEncodings {
            let picture = PlanePicture(33, 21, encoding, alpha: true).paintScene(seed: 4)
            #expect(PlanePicture.rendered(Self.call(0), [picture], alpha: true).samples == picture.samples)
        }
    }

    /// A picture of half the size, on which lengths count half, looks like the large one made small.
    @Test func radiusFollowsTheScale() {
        let picture = PlanePicture(64, 64, filmEncoding(0, 0)).paintScene(seed: 1)
        var call = Self.call(8)
        (call.scaleX, call.scaleY) = (0.5, 0.5)
        #expect(
            PlanePicture.rendered(call, [picture]).samples == PlanePicture.rendered(Self.call(4), [picture]).samples)
    }
}

/// A plane in doubles.
struct Grid {
    let width, height: Int
    var values: [Double]

    init(_ picture: PlanePicture, _ plane: Int) {
        (width, height) = picture.size(plane)
        values = picture.samples[plane].map { Double($0) }
    }

    init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Double) {
        (self.width, self.height) = (width, height)
        values = (0..<height).flatMap { y in (0..<width).map { value($0, y) } }
    }

    subscript(_ x: Int, _ y: Int) -> Double { values[y * width + x] }

    /// The value of the nearest sample in the grid.
    func clamped(_ x: Int, _ y: Int) -> Double { self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)] }

    func orNothing(_ x: Int, _ y: Int) -> Double {
        x >= 0 && y >= 0 && x < width && y < height ? self[x, y] : 0
    }

    var codes: [Int] { values.map { Int($0.rounded()) } }

    func map(_ change: (Double) -> Double) -> Grid { Grid(width, height) { change(self[$0, $1]) } }

    func times(_ other: Grid) -> Grid { Grid(width, height) { self[$0, $1] * other[$0, $1] } }

    /// The mean of each block.
    func blocks(_ shiftX: Int, _ shiftY: Int) -> Grid {
        guard shiftX + shiftY > 0 else { return self }
        return Grid((width + (1 << shiftX) - 1) >> shiftX, (height + (1 << shiftY) - 1) >> shiftY) { i, j in
            let inside = (0..<1 << shiftY).flatMap { dy in
                (0..<1 << shiftX).map { (x: i << shiftX + $0, y: j << shiftY + dy) }
            }.filter { $0.x < width && $0.y < height }
            return inside.reduce(0) { $0 + self[$1.x, $1.y] } / Double(inside.count)
        }
    }

    func gaussian(_ deviationX: Double, _ deviationY: Double, clamps: Bool) -> Grid {
        func weights(_ deviation: Double) -> [Double] {
            let reach = Int((deviation * 5).rounded(.up))
            let all = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
            return all.map { $0 / all.reduce(0, +) }
        }
        let (across, down) = (weights(deviationX), weights(deviationY))
        let rows = Grid(width, height) { x, y in
            across.indices.reduce(0) { sum, k in
                let place = x + k - across.count / 2
                return sum + across[k] * (clamps ? clamped(place, y) : orNothing(place, y))
            }
        }
        return Grid(width, height) { x, y in
            down.indices.reduce(0) { sum, k in
                let place = y + k - down.count / 2
                return sum + down[k] * (clamps ? rows.clamped(x, place) : rows.orNothing(x, place))
            }
        }
    }
}

extension PlanePicture {
    /// The luma codes that a filter of ffmpeg makes of the luma of a picture of 8 bits, as grey film.
    func filtered(_ filter: String) throws -> [Int] {
        let folder = try TestFolder("filter")
        let (source, out) = (folder.file("in.gray"), folder.file("out.gray"))
        try Data(samples[0].map { UInt8($0) }).write(to: URL(fileURLWithPath: source))
        try Witness(in: folder).ffmpeg([
            "-f", "rawvideo", "-pix_fmt", "gray", "-s", "\(width)x\(height)", "-i", source, "-vf", filter, "-f",
            "rawvideo", "-pix_fmt", "gray", out,
        ])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: out))).map { Int($0) }
    }
}
