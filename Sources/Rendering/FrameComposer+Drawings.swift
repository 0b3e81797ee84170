package import Composition
import Media
import Overlays
import Pictures
import Planning

/// The fonts of a render's texts.
package enum DrawingFonts: Sendable {
    /// The machine's, and the project's by the asset's name as recipes have it: where one machine alone makes frames.
    case system(assets: [String: String])
    /// A plan's; `paths` are where this machine has its faces.
    case planned(FontPlan, paths: [String])

    /// Looked for when the first text is drawn.
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
    /// Only of what is inked; the picture says where that lies in the raster.
    func drawn(_ picture: DrawingPicture) throws -> Picture {
        let inked = try rasteriser.draw(picture)
        let frame = try Frame.make(
            bitDepth: settings.format.bitDepth, hasAlpha: true, size: inked.size, colour: settings.colour)
        try frame.withImage { image in try inked.write(into: image) }
        return Picture(frame, standsIn: .translation(Double(inked.x), Double(inked.y)))
    }
}
