import Diagnostics
package import Drawings
import Libav
import MediaFacts
import MediaReading
import Outputs
import Overlays
import Pictures
import SplitreelProject

/// The fonts of a render's texts.
package enum DrawingFonts: Sendable {
    /// The machine's fonts, and the project's by the asset's name in recipes: where one machine alone makes frames.
    case system(assets: [String: String])
    /// A plan's fonts; `paths` are the files of its faces on this machine.
    case planned(FontPlan, paths: [String])

    /// A plan's fonts on this machine: each is the very file that was planned with, where it was then or elsewhere.
    init(_ plan: FontPlan, assets: [String: AssetFacts]) throws {
        var sums: [String: String] = [:]
        func sum(_ path: String) -> String? {
            if let known = sums[path] { return known }
            let sum = try? readData(path: path).sum
            sums[path] = sum
            return sum
        }
        var machine: FontCollection?
        let paths = try plan.faces.map { face in
            if let asset = face.asset, let path = assets[asset]?.path, sum(path) == face.sum { return path }
            if face.asset == nil {
                if sum(face.path) == face.sum { return face.path }
                let fonts = try machine ?? FontCollection(systemWithAssets: [:])
                machine = fonts
                if let path = fonts.paths(family: face.family).first(where: { sum($0) == face.sum }) { return path }
            }
            throw SplitreelError(
                .mediaNotFound, operation: "setting text", subject: "\(face.family) (\(face.path))",
                reason: "this machine has no font with the content that was planned with",
                hint: "install the same fonts on every worker, or name a file beside the project: an asset of kind font"
            )
        }
        self = .planned(plan, paths: paths)
    }

    /// The opener of the fonts, which are looked for when the first text is drawn.
    var collection: () throws -> FontCollection {
        return { [self] in
            switch self {
            case .system(let assets): try FontCollection(systemWithAssets: assets)
            case .planned(let plan, let paths): try FontCollection(plan, paths: paths)
            }
        }
    }
}

extension FrameComposer {
    /// The picture of a drawing's inked part; `standsIn` says where that lies in the raster.
    func drawn(_ picture: DrawingPicture) throws -> Picture {
        try written(try rasteriser.draw(picture))
    }

    func written(_ inked: InkedRaster) throws -> Picture {
        let frame = try Frame.make(
            bitDepth: settings.format.bitDepth, hasAlpha: true, size: inked.size,
            colour: settings.colour.ofWrittenColours)
        try frame.withImage { image in try inked.write(into: image) }
        return Picture(frame, standsIn: .translation(Double(inked.x), Double(inked.y)))
    }
}
