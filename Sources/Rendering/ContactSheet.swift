import Compositing
import Diagnostics
import Libav
import MediaTime
package import MediaWriting
import Outputs
import Overlays
package import Pictures
import SplitreelProject

/// The places of the pictures on a contact sheet: cells of one size in rows, with a gap between them and around.
package struct SheetLayout: Hashable, Sendable {
    package let columns: Int
    package let rows: Int
    package let cell: PixelSize
    package let gap: Int
    package var size: PixelSize {
        PixelSize(width: columns * (cell.width + gap) + gap, height: rows * (cell.height + gap) + gap)
    }

    /// The most pixels of a sheet, and the most on each side.
    package static let mostPixels = 1 << 25
    private static let mostLength = 16384

    /// - Parameters:
    ///   - picture: the size of the frames; cells have its shape and are never larger.
    ///   - width: the most pixels of the sheet's width.
    package init(columns: Int, rows: Int, picture: PixelSize, width: Int, gap: Int) throws {
        let room = (width - gap) / max(1, columns) - gap
        guard columns > 0, rows > 0, room > 0 else {
            throw Self.impossible("\(columns) columns with gaps of \(gap) do not fit into a width of \(width)")
        }
        let cellWidth = min(room, picture.width)
        let cellHeight = max(1, (cellWidth * picture.height + picture.width / 2) / picture.width)
        self.columns = columns
        self.rows = rows
        self.gap = gap
        cell = PixelSize(width: cellWidth, height: cellHeight)
        let (tall, isBeyond) = rows.multipliedReportingOverflow(by: cellHeight + gap)
        guard !isBeyond, tall + gap <= Self.mostLength, size.width <= Self.mostLength,
            size.width * size.height <= Self.mostPixels
        else {
            throw Self.impossible(
                "\(columns) by \(rows) pictures of \(cellWidth)x\(cellHeight) are more than \(Self.mostPixels >> 20) "
                    + "Mpixel or \(Self.mostLength) on a side")
        }
    }

    private static func impossible(_ reason: String) -> SplitreelError {
        SplitreelError(
            .usage, operation: "sheet", subject: "the sheet's size", reason: "\(reason)",
            hint: "choose fewer \(.columns) or \(.rows), a longer \(.every), or another \(.width)")
    }
}

/// A picture of many frames with their times. Holds the sheet and one cell; confined to one thread at a time.
package final class ContactSheet {
    private let layout: SheetLayout
    private let sheet: Frame
    private let cell: Frame
    private var compositor: Compositor
    private let rasteriser: DrawingRasteriser
    private let settings: PixelEncoding
    private static let colour = ColourTriple.bt709
    private static let background = Colour(red: 0.1, green: 0.1, blue: 0.1)

    package init(_ layout: SheetLayout) throws {
        self.layout = layout
        sheet = try Frame.make(format: .yuv444p, size: layout.size, colour: Self.colour)
        cell = try Frame.make(format: .yuv444p, size: layout.cell, colour: Self.colour)
        settings = sheet.withImage { $0.encoding }
        compositor = Compositor(size: layout.cell, encoding: settings, hasAlpha: false)
        rasteriser = DrawingRasteriser(fonts: DrawingFonts.system(assets: [:]).collection)
        var whole = Compositor(size: layout.size, encoding: settings, hasAlpha: false)
        sheet.withImage { whole.compose(background: Self.background, layers: [], into: $0) }
    }

    /// Puts a picture into the cell of that number, counted row by row: in its middle, no larger than it is. `label`
    /// stands in the lower left corner; nil for no label.
    package func put(_ picture: Picture, at number: Int, label: String?) throws {
        let image = picture.image
        let (width, height) = (image.luma.width, image.luma.height)
        // At whole pixels, so that nothing is sampled anew.
        let (left, top) = ((layout.cell.width - width) / 2, (layout.cell.height - height) / 2)
        let factor = min(
            1, min(Double(layout.cell.width) / Double(width), Double(layout.cell.height) / Double(height)))
        let place =
            factor < 1
            ? Affine.scale(factor, factor) : .translation(Double(left), Double(top))
        let drawn = try label.map { try self.drawn($0) }
        var layers = [LayerImage(image: image, pixelAspect: 1, transform: place, crop: nil, opacity: 1)]
        withExtendedLifetime((picture, drawn)) {
            if let drawn {
                layers.append(
                    LayerImage(
                        image: drawn.image, pixelAspect: 1, transform: drawn.standsIn ?? .identity, crop: nil,
                        opacity: 1))
            }
            cell.withImage { compositor.compose(background: .black, layers: layers, into: $0) }
        }
        copyCell(number)
    }

    /// Writes the sheet with the pictures that were put into it so far.
    package func write(as format: PictureFormat, to path: String) throws {
        try writePicture(sheet, as: format, to: path)
    }

    private func drawn(_ label: String) throws -> Picture {
        // A letter of the face is 0.602 of its size wide; the margins take half of the size each.
        let fitting = Double(layout.cell.width) / (0.61 * Double(label.count) + 1)
        let size = max(5, min(max(8, min(48, Double(layout.cell.height) / 10)).rounded(), fitting.rounded(.down)))
        let margin = (size / 2).rounded()
        let padding = (size / 4).rounded()
        let box = Rect(
            x: margin, y: margin, width: max(1, Double(layout.cell.width) - 2 * margin),
            height: max(1, Double(layout.cell.height) - 2 * margin))
        let drawing = PictureLabel(
            text: label, letters: size, box: box, verticalAlign: .bottom,
            ground: [padding, padding, padding, padding])
        return try drawing.drawn(by: rasteriser, on: layout.cell)
    }

    private func copyCell(_ number: Int) {
        let x = layout.gap + number % layout.columns * (layout.cell.width + layout.gap)
        let y = layout.gap + number / layout.columns * (layout.cell.height + layout.gap)
        cell.withImage { from in
            sheet.withImage { to in
                for (source, target) in [(from.luma, to.luma), (from.cb, to.cb), (from.cr, to.cr)] {
                    for row in 0..<layout.cell.height {
                        (target.base + (y + row) * target.stride + x).copyMemory(
                            from: source.base + row * source.stride, byteCount: layout.cell.width)
                    }
                }
            }
        }
    }
}
