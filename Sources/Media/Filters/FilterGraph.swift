internal import CFFmpeg
internal import Composition
internal import Diagnostics
package import Pictures

/// Pictures under a filter of libavfilter, each by itself; alpha goes past it. Confined to one thread at a time.
@safe
package final class FilterGraph {
    private struct Shape: Equatable {
        let filter: AllowedFilter
        let width, height, format: Int32
    }

    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private var shape: Shape?
    private var number: Int64 = 0

    package init() {}

    deinit { unsafe avfilter_graph_free(&graph) }

    /// Writes every sample of `output`, which has the picture's size and format; its alpha may be missing in either.
    package func apply(_ filter: AllowedFilter, to picture: borrowing Frame, into output: PlanarImage) throws {
        let input = try picture.reference()
        // The planes of colour alone: alpha's stays where it is, behind them.
        let name = input.pixelFormatName
        let format = AVPixelFormat(name: name.hasPrefix("yuva") ? "yuv" + name.dropFirst(4) : name)
        input.update { $0.format = format.rawValue }
        let shape = Shape(
            filter: filter, width: input.fields.width, height: input.fields.height, format: format.rawValue)
        if self.shape != shape { try prepare(shape) }
        number += 1
        input.update { $0.pts = number }
        try unsafe check(
            av_buffersrc_add_frame(source, input.pointer), "av_buffersrc_add_frame", subject: filter.name,
            as: .internalFault)
        let made = try Frame()
        try unsafe check(
            av_buffersink_get_frame(sink, made.pointer), "av_buffersink_get_frame", subject: filter.name,
            as: .internalFault)
        let original = picture.imageOfKeptFrame()
        made.withImage { image in
            for (from, to) in [(image.luma, output.luma), (image.cb, output.cb), (image.cr, output.cr)] {
                copyRows(from, to, bitDepth: output.encoding.bitDepth)
            }
        }
        guard let alpha = output.alpha else { return }
        if let from = original.alpha { return copyRows(from, alpha, bitDepth: output.encoding.bitDepth) }
        fillRows(alpha, bitDepth: output.encoding.bitDepth)
    }

    private func prepare(_ shape: Shape) throws {
        self.shape = nil
        unsafe avfilter_graph_free(&graph)
        let made = try unsafe checkAllocated(avfilter_graph_alloc(), "avfilter_graph_alloc")
        unsafe graph = made
        unsafe made.pointee.nb_threads = 1
        // What the filter does not take is refused, not converted.
        unsafe avfilter_graph_set_auto_convert(made, UInt32(bitPattern: -1))
        let name = shape.filter.name
        unsafe source = try unsafe filter(
            "buffer", "video_size=\(shape.width)x\(shape.height):pix_fmt=\(shape.format):time_base=1/1", in: made)
        let worker = try unsafe filter(name, shape.filter.settings, in: made)
        unsafe sink = try unsafe filter("buffersink", nil, in: made)
        try unsafe check(avfilter_link(source, 0, worker, 0), "avfilter_link", subject: name)
        try unsafe check(avfilter_link(worker, 0, sink, 0), "avfilter_link", subject: name)
        guard unsafe avfilter_graph_config(made, nil) >= 0 else {
            throw SplitreelError(
                .mediaUnsupported, operation: "filtering", subject: "av.\(name)",
                reason: "pictures of \(shape.width)×\(shape.height) in the film's format cannot be filtered",
                hint: "leave the effect out, or give the film another size")
        }
        self.shape = shape
    }

    private func filter(
        _ name: String, _ settings: String?, in graph: UnsafeMutablePointer<AVFilterGraph>
    ) throws -> UnsafeMutablePointer<AVFilterContext> {
        var made: UnsafeMutablePointer<AVFilterContext>?
        let result = unsafe avfilter_graph_create_filter(
            &made, avfilter_get_by_name(name), name, settings, nil, graph)
        try check(result, "avfilter_graph_create_filter \(name)", subject: name, as: .internalFault)
        return try unsafe checkAllocated(made, "avfilter_graph_create_filter")
    }
}

private func copyRows(_ source: Plane, _ target: Plane, bitDepth: Int) {
    let bytes = source.width * (bitDepth > 8 ? 2 : 1)
    for y in 0..<target.height {
        unsafe (target.base + y * target.stride).copyMemory(from: source.base + y * source.stride, byteCount: bytes)
    }
}

private func fillRows(_ plane: Plane, bitDepth: Int) {
    for y in 0..<plane.height {
        let row = unsafe plane.base + y * plane.stride
        if bitDepth > 8 {
            unsafe row.assumingMemoryBound(to: UInt16.self).update(
                repeating: UInt16((1 << bitDepth) - 1), count: plane.width)
        } else {
            unsafe row.assumingMemoryBound(to: UInt8.self).update(repeating: 255, count: plane.width)
        }
    }
}
