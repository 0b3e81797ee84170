import Compositing
import Diagnostics
import Libav
import MediaTime
package import MediaWriting
import Outputs
import Overlays
package import Pictures
import SplitreelProject

/// The places of the pictures on a contact sheet: cells of one size in rows, each with a line for its time below, and a
/// gap between them and around.
package struct SheetLayout: Hashable, Sendable {
    package let columns: Int
    package let rows: Int
    package let cell: PixelSize
    package let gap: Int
    /// The size of the letters of times, in pixels; 0 where no times are written.
    package let letters: Int
    /// The height of the line below each cell, in pixels: one and a half of the letters.
    package var lineHeight: Int { letters + letters / 2 }
    package var size: PixelSize {
        PixelSize(width: columns * (cell.width + gap) + gap, height: rows * rowHeight + gap)
    }

    /// The pixels from the top of a row's cells to the top of the next row's.
    var rowHeight: Int { cell.height + lineHeight + gap }

    /// The most pixels of a sheet, and the most on each side.
    package static let mostPixels = 1 << 25
    private static let mostLength = 16384

    /// - Parameters:
    ///   - picture: the size of the frames; cells have its shape and are never larger.
    ///   - width: the most pixels of the sheet's width.
    ///   - hasTimes: whether there is a line for the time below each cell.
    package init(columns: Int, rows: Int, picture: PixelSize, width: Int, gap: Int, hasTimes: Bool) throws {
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
        letters = hasTimes ? Self.letters(in: cell) : 0
        let (tall, isBeyond) = rows.multipliedReportingOverflow(by: rowHeight)
        guard !isBeyond, tall + gap <= Self.mostLength, size.width <= Self.mostLength,
            size.width * size.height <= Self.mostPixels
        else {
            throw Self.impossible(
                "\(columns) by \(rows) pictures of \(cellWidth)x\(cellHeight) are more than \(Self.mostPixels >> 20) "
                    + "Mpixel or \(Self.mostLength) on a side")
        }
    }

    /// The size at which a time, `00:00:00.000`, fits below a cell: a tenth of the cell's height, 8 to 48 pixels, and
    /// less in narrow cells. Each of the twelve letters is 0.602 of its size wide; half of a letter is left free.
    private static func letters(in cell: PixelSize) -> Int {
        let fitting = Int((Double(cell.width) / (0.61 * 12 + 0.5)).rounded(.down))
        return max(5, min(max(8, min(48, (cell.height + 5) / 10)), fitting))
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
    private let times: TimeLine?
    fileprivate static let colour = ColourTriple.bt709
    fileprivate static let background = Colour(red: 0.1, green: 0.1, blue: 0.1)

    package init(_ layout: SheetLayout) throws {
        self.layout = layout
        sheet = try Frame.make(format: .yuv444p, size: layout.size, colour: Self.colour)
        cell = try Frame.make(format: .yuv444p, size: layout.cell, colour: Self.colour)
        let settings = sheet.withImage { $0.encoding }
        compositor = Compositor(size: layout.cell, encoding: settings, hasAlpha: false)
        times = try layout.letters > 0 ? TimeLine(layout, settings) : nil
        var whole = Compositor(size: layout.size, encoding: settings, hasAlpha: false)
        sheet.withImage { whole.compose(background: Self.background, layers: [], into: $0) }
    }

    /// Puts a picture into the cell of that number, counted row by row: in its middle, no larger than it is. `label`
    /// stands below it; nil for no label, and none is written where the layout has no times.
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
        let layers = [LayerImage(image: image, pixelAspect: 1, transform: place, crop: nil, opacity: 1)]
        withExtendedLifetime(picture) {
            cell.withImage { compositor.compose(background: .black, layers: layers, into: $0) }
        }
        let x = layout.gap + number % layout.columns * (layout.cell.width + layout.gap)
        let y = layout.gap + number / layout.columns * layout.rowHeight
        copy(cell, x: x, y: y)
        guard let label, let times else { return }
        try times.draw(label)
        copy(times.frame, x: x, y: y + layout.cell.height)
    }

    /// Writes the sheet with the pictures that were put into it so far.
    package func write(as format: PictureFormat, to path: String) throws {
        try writePicture(sheet, as: format, to: path)
    }

    private func copy(_ frame: borrowing Frame, x: Int, y: Int) {
        frame.withImage { from in
            sheet.withImage { to in
                for (source, target) in [(from.luma, to.luma), (from.cb, to.cb), (from.cr, to.cr)] {
                    for row in 0..<source.height {
                        (target.base + (y + row) * target.stride + x).copyMemory(
                            from: source.base + row * source.stride, byteCount: source.width)
                    }
                }
            }
        }
    }
}

/// The line below a cell with its time. Confined to one thread at a time.
private final class TimeLine {
    let frame: Frame
    private let layout: SheetLayout
    private var compositor: Compositor
    private let rasteriser: DrawingRasteriser

    init(_ layout: SheetLayout, _ settings: PixelEncoding) throws {
        let size = PixelSize(width: layout.cell.width, height: layout.lineHeight)
        self.layout = layout
        frame = try Frame.make(format: .yuv444p, size: size, colour: ContactSheet.colour)
        compositor = Compositor(size: size, encoding: settings, hasAlpha: false)
        rasteriser = DrawingRasteriser(fonts: DrawingFonts.system(assets: [:]).collection)
    }

    /// Draws the time at the left, in the middle of the line's height.
    func draw(_ time: String) throws {
        let size = PixelSize(width: layout.cell.width, height: layout.lineHeight)
        let box = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let label = PictureLabel(text: time, letters: Double(layout.letters), box: box)
        let drawn = try label.drawn(by: rasteriser, on: size)
        let layer = LayerImage(
            image: drawn.image, pixelAspect: 1, transform: drawn.standsIn ?? .identity, crop: nil, opacity: 1)
        withExtendedLifetime(drawn) {
            frame.withImage { compositor.compose(background: ContactSheet.background, layers: [layer], into: $0) }
        }
    }
}
