internal import CPango
import Diagnostics

/// A picture in memory that Cairo draws on: coverage of 8 bits, or premultiplied colours of 8 bits each.
@safe
final class Surface {
    enum Kind { case coverage, colour }

    let kind: Kind
    let width: Int
    let height: Int
    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// A clear surface of a size in pixels. Throws `.internalFault` where there is no memory for it.
    init(_ kind: Kind, width: Int, height: Int) throws {
        self.kind = kind
        self.width = width
        self.height = height
        let format = kind == .coverage ? CAIRO_FORMAT_A8 : CAIRO_FORMAT_ARGB32
        let surface = unsafe cairo_image_surface_create(format, Int32(width), Int32(height))
        let context = unsafe cairo_create(surface)
        guard let surface = unsafe surface, let context = unsafe context,
            unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS
        else {
            unsafe cairo_destroy(context)
            unsafe cairo_surface_destroy(surface)
            throw SplitreelError(
                .internalFault, operation: "drawing", subject: "\(width)x\(height)",
                reason: "Cairo has no memory for it")
        }
        unsafe (self.surface, self.context) = (surface, context)
        unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_GRAY)
    }

    deinit {
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
    }

    /// Lets `body` draw; afterwards the state of the context is as before.
    func draw(_ body: (Pen) -> Void) {
        unsafe cairo_save(context)
        body(unsafe Pen(pointer: context))
        unsafe cairo_restore(context)
        unsafe cairo_new_path(context)
    }

    /// Hands out the rows: bytes of coverage, or words of A, R, G and B from the highest byte to the lowest; `stride`
    /// is in bytes. Good until the closure ends. Throws `.internalFault` where Cairo has none.
    func withRows<Result>(_ body: (_ base: UnsafeMutableRawPointer, _ stride: Int) throws -> Result) throws -> Result {
        unsafe cairo_surface_flush(surface)
        guard let data = unsafe cairo_image_surface_get_data(surface) else {
            throw SplitreelError(
                .internalFault, operation: "drawing", subject: "a raster",
                reason: unsafe String(cString: cairo_status_to_string(cairo_surface_status(surface))))
        }
        let stride = unsafe Int(cairo_image_surface_get_stride(surface))
        let result = try unsafe body(UnsafeMutableRawPointer(data), stride)
        unsafe cairo_surface_mark_dirty(surface)
        return result
    }
}

/// The context that draws on a surface; good while its `draw` runs.
@safe
struct Pen {
    let pointer: OpaquePointer
}

/// The map from one space that Cairo draws in to another.
struct DrawingMap {
    var scaleX: Double
    var scaleY: Double
    var x: Double
    var y: Double

    /// Applies the map to a context: units are scaled first, then moved.
    func apply(to context: Pen) {
        var matrix = cairo_matrix_t(xx: scaleX, yx: 0, xy: 0, yy: scaleY, x0: x, y0: y)
        unsafe cairo_transform(context.pointer, &matrix)
    }
}
