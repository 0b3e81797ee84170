import Drawings
import Overlays
import Pictures
import SplitreelProject

/// A drawing's samples in the whole of its raster.
struct DrawnPicture {
    let width: Int
    let height: Int
    /// Y', Cb, Cr and alpha; the last is 0 where nothing is inked.
    private(set) var planes: [[Int]]
    /// The part that was made.
    let ink: Rect

    init(
        _ picture: DrawingPicture, bitDepth: Int = 8, fonts: FontCollection? = nil, by given: DrawingRasteriser? = nil
    ) throws {
        (width, height) = (picture.size.width, picture.size.height)
        let rasteriser = given ?? DrawingRasteriser(fonts: { try fonts ?? FontCollection(systemWithAssets: [:]) })
        let inked = try rasteriser.draw(picture)
        ink = Rect(
            x: Double(inked.x), y: Double(inked.y), width: Double(inked.size.width), height: Double(inked.size.height))
        let (columns, rows) = (inked.size.width, inked.size.height)
        let bytes = bitDepth > 8 ? 2 : 1
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * columns * rows * bytes, alignment: 64)
        defer { memory.deallocate() }
        func plane(_ index: Int) -> Plane {
            Plane(
                base: memory + index * columns * rows * bytes, stride: columns * bytes, width: columns, height: rows)
        }
        let encoding = PixelEncoding(
            bitDepth: bitDepth, chromaShiftX: 0, chromaShiftY: 0, chromaOffsetX: 0, chromaOffsetY: 0, colour: .bt709,
            isFullRange: false)
        try inked.write(
            into: PlanarImage(luma: plane(0), cb: plane(1), cr: plane(2), alpha: plane(3), encoding: encoding))
        planes = [[Int]](repeating: [Int](repeating: 0, count: width * height), count: 4)
        for index in 0..<4 {
            for y in 0..<rows {
                for x in 0..<columns {
                    let offset = ((index * rows + y) * columns + x) * bytes
                    planes[index][(y + inked.y) * width + x + inked.x] =
                        bytes == 2
                        ? Int(memory.load(fromByteOffset: offset, as: UInt16.self))
                        : Int(memory.load(fromByteOffset: offset, as: UInt8.self))
                }
            }
        }
    }

    func alpha(_ x: Int, _ y: Int) -> Int { planes[3][y * width + x] }

    /// The coverage of the whole raster, in pixels that are covered wholly.
    var coverage: Double { Double(planes[3].reduce(0, +)) / 255 }

    func code(_ x: Int, _ y: Int) -> [Int] { planes[0..<3].map { $0[y * width + x] } }

    /// The smallest rectangle with all alpha above a level.
    func box(above level: Int = 0) -> (left: Int, top: Int, right: Int, bottom: Int)? {
        var box: (left: Int, top: Int, right: Int, bottom: Int)?
        for y in 0..<height {
            for x in 0..<width where alpha(x, y) > level {
                let known = box ?? (x, y, x, y)
                box = (min(known.left, x), min(known.top, y), max(known.right, x), max(known.bottom, y))
            }
        }
        return box
    }
}
