internal import CFFmpeg
internal import Diagnostics
package import Pictures

/// Puts pictures through a filter of libavfilter, each by itself; alpha goes past it. Confined to one thread at a time.
@safe
package final class FilterGraph {
    private struct Shape: Equatable {
        let filter: AllowedFilter
        let width, height, format: Int32
    }

    private var prepared: (shape: Shape, chain: FilterChain)?
    private var number: Int64 = 0

    package init() {}

    /// Filters a picture and writes every sample of `output`, which has the picture's size and format. Either may lack
    /// alpha; alpha that the picture lacks is opaque.
    package func apply(_ filter: AllowedFilter, to picture: borrowing Frame, into output: PlanarImage) throws {
        let input = try picture.reference()
        // The filter sees only the planes of colour; the plane of alpha stays where it is, behind them.
        let name = input.pixelFormatName
        let format = AVPixelFormat(name: name.hasPrefix("yuva") ? "yuv" + name.dropFirst(4) : name)
        input.update { $0.format = format.rawValue }
        let shape = Shape(
            filter: filter, width: input.fields.width, height: input.fields.height, format: format.rawValue)
        let chain = try chain(for: shape)
        number += 1
        input.update { $0.pts = number }
        try unsafe check(
            chain.push(input.pointer), "av_buffersrc_add_frame", subject: filter.name, as: .internalFault)
        let made = try Frame()
        try unsafe check(
            chain.pull(into: made.pointer), "av_buffersink_get_frame", subject: filter.name,
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

    /// The chain for a shape: the last one where it is of that shape, or a new one.
    private func chain(for shape: Shape) throws -> FilterChain {
        if let prepared, prepared.shape == shape { return prepared.chain }
        prepared = nil
        let name = shape.filter.name
        let chain = try FilterChain(
            (name, shape.filter.settings),
            from: ("buffer", "video_size=\(shape.width)x\(shape.height):pix_fmt=\(shape.format):time_base=1/1"),
            to: "buffersink", subject: name, as: .internalFault)
        guard chain.isPossible else {
            throw SplitreelError(
                .mediaUnsupported, operation: "filtering", subject: "av.\(name)",
                reason: "pictures of \(shape.width)×\(shape.height) in the film's format cannot be filtered",
                hint: "leave the effect out, or give the film another size")
        }
        prepared = (shape, chain)
        return chain
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
