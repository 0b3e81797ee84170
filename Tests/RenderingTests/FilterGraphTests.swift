import Foundation
import Libav
import Outputs
import Pictures
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// libavfilter's filters in the process against ffmpeg's own run of them, byte for byte.
@Suite struct FilterGraphTests {
    private static let size = PixelSize(width: 98, height: 66)

    @Test(arguments: [
        ("av.unsharp", ["radius": 2, "amount": 1.25], "unsharp=lx=5:ly=5:la=1.25:ca=0"),
        ("av.avgblur", ["radius": 3], "avgblur=sizeX=3:sizeY=3"),
        ("av.cas", ["strength": 0.7], "cas=strength=0.7"),
        ("av.median", ["radius": 2, "percentile": 0.5], "median=radius=2"),
        ("av.dilation", [:], "dilation"), ("av.erosion", [:], "erosion"),
        ("av.yaepblur", ["radius": 4, "sigma": 200], "yaepblur=radius=4:sigma=200"),
        ("av.chromanr", ["threshold": 40, "size": 4], "chromanr=thres=40:sizew=4:sizeh=4"),
        ("av.vaguedenoiser", ["threshold": 5, "percent": 90], "vaguedenoiser=threshold=5:percent=90"),
        ("av.chromashift", ["cbh": 2, "cbv": -1, "crh": -3, "crv": 4], "chromashift=cbh=2:cbv=-1:crh=-3:crv=4"),
    ]) func filterIsFFmpegs(_ id: String, _ numbers: [String: Double], _ text: String) throws {
        let folder = try TestFolder("filters")
        let graph = FilterGraph()
        for format in [WorkingFormat.yuv420p, .yuv422p10, .yuv444p] {
            let call = EffectCall(id: id, version: 1, values: numbers.mapValues { .numbers([$0]) })
            let filter = try #require(AllowedFilter(call))
            let frame = try Frame.make(format: format, size: Self.size, colour: .bt709)
            let bytes = frame.withImage { Self.paint($0) }
            let raw = [
                "-f", "rawvideo", "-pix_fmt", format.rawValue, "-s", "\(Self.size.width)x\(Self.size.height)",
            ]
            let (source, target) = (try folder.write(Data(bytes), to: "in.raw"), folder.file("out.raw"))
            try Witness(in: folder).ffmpeg(raw + ["-i", source, "-vf", text] + raw.prefix(4) + [target])
            let theirs = [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
            let made = try Frame.make(format: format, size: Self.size, colour: .bt709)
            // Twice: what a filter made before makes no difference.
            for _ in 0..<2 {
                try made.withImage { try graph.apply(filter, to: frame, into: $0) }
                #expect(made.withImage { Self.bytes($0) } == theirs, "\(format.rawValue)")
            }
            #expect(bytes != theirs)
        }
    }

    @Test func alphaGoesPast() throws {
        let frame = try Frame.make(format: WorkingFormat.yuv420p.withAlpha, size: Self.size, colour: .bt709)
        let made = try Frame.make(format: WorkingFormat.yuv420p.withAlpha, size: Self.size, colour: .bt709)
        _ = frame.withImage { Self.paint($0) }
        let filter = try #require(AllowedFilter(EffectCall(id: "av.dilation", version: 1)))
        try made.withImage { try FilterGraph().apply(filter, to: frame, into: $0) }
        func alpha(_ image: PlanarImage) -> [UInt8] { image.alpha.map { Self.bytes($0, 1) } ?? [] }
        #expect(frame.withImage(alpha) == made.withImage(alpha))
        #expect(AllowedFilter(EffectCall(id: "av.hqdn3d", version: 1)) == nil)
    }

    @Test func everyDescribedFilterIsThere() {
        for description in EffectDescription.filters {
            let values = description.parameters.compactMap { parameter -> (String, EffectValue)? in
                guard case .numbers(_, let fallback) = parameter.kind else { return nil }
                return (parameter.name, .numbers(fallback))
            }
            let call = EffectCall(
                id: description.id, version: description.version, values: Dictionary(uniqueKeysWithValues: values))
            #expect(AllowedFilter(call) != nil, "\(description.id)")
        }
    }

    private static func planes(_ image: PlanarImage) -> [Plane] {
        [image.luma, image.cb, image.cr] + [image.alpha].compactMap { $0 }
    }

    private static func paint(_ image: PlanarImage) -> [UInt8] {
        let wide = image.encoding.bitDepth > 8
        for (number, plane) in planes(image).enumerated() {
            for y in 0..<plane.height {
                let row = plane.base + y * plane.stride
                for x in 0..<plane.width {
                    let wave = (x * (7 + number) + y * 5 + (x / 9) * (y / 7) * 31) % 170
                    let code = 30 + wave + (x * y * 13 % 11)
                    if wide {
                        row.storeBytes(of: UInt16(code * 4 + x % 4), toByteOffset: 2 * x, as: UInt16.self)
                    } else {
                        row.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
                    }
                }
            }
        }
        return bytes(image)
    }

    private static func bytes(_ image: PlanarImage) -> [UInt8] {
        [image.luma, image.cb, image.cr].flatMap { bytes($0, image.encoding.bitDepth > 8 ? 2 : 1) }
    }

    private static func bytes(_ plane: Plane, _ sample: Int) -> [UInt8] {
        (0..<plane.height).flatMap { y in
            [UInt8](UnsafeRawBufferPointer(start: plane.base + y * plane.stride, count: plane.width * sample))
        }
    }
}
