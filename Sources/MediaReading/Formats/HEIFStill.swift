internal import CFFmpeg
internal import CHeif
internal import Diagnostics
internal import Libav
internal import MediaTime
internal import SplitreelFiles

/// Reads the main picture of a HEIC file, or of an AVIF of tiles, by libheif: turned, mirrored and cut as the file
/// says, put together from its tiles, with its alpha, in R'G'B' of the file's depth.
///
/// libheif 1.15 goes through R'G'B' on its way to Y'CbCr too, by a matrix and a range that it does not tell. R'G'B'
/// therefore loses least.
@safe
class HEIFStill: PictureFile {
    class var name: (container: String, codec: String) { ("heif", "hevc") }

    let held: Frame
    let timeBase = Rational(1)
    private(set) var packets = PacketIndex()
    let plays: Int? = nil
    let warnings: [String] = []

    private let source: any MediaSource
    private let file: FileBytes
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Whether the head has a brand of HEIC, whose picture libavformat takes for a damaged film. libavformat itself
    /// reads AVIF.
    class func begins(with head: [UInt8]) -> Bool {
        let brands = brands(head)
        return brands.contains { ["heic", "heix", "heim", "heis", "hevc"].contains($0) } && !brands.contains("avif")
    }

    fileprivate static func brands(_ head: [UInt8]) -> [String] {
        guard head.count >= 16, head[4...].starts(with: Array("ftyp".utf8)) else { return [] }
        let length = min(head.count, head[..<4].reduce(0) { $0 << 8 | Int($1) })
        return stride(from: 8, to: length - 3, by: 4).filter { $0 != 12 }.map {
            String(decoding: head[$0..<($0 + 4)], as: UTF8.self)
        }
    }

    required init(_ source: any MediaSource) throws {
        self.source = source
        file = try FileBytes(source)
        held = try Frame()
        let opened = try unsafe checkAllocated(heif_context_alloc(), "heif_context_alloc")
        do {
            unsafe heif_context_set_max_decoding_threads(opened, 0)
            unsafe heif_context_set_maximum_image_size_limit(opened, Int32(ReadLimits.side))
            try unsafe Self.check(
                heif_context_read_from_memory_without_copy(opened, file.bytes.baseAddress, file.count, nil),
                "heif_context_read_from_memory", source.name, as: .mediaCannotOpen)
            unsafe handle = try Self.mainPicture(opened, source)
        } catch {
            unsafe heif_context_free(opened)
            throw error
        }
        unsafe context = opened
        let size = Int32(clamping: file.count)
        var entry = PacketEntry(pts: 0, dts: 0, position: 0, duration: 0, size: size, flags: .key)
        entry.sum = unsafe av_adler32_update(
            1, file.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), file.count)
        packets.entries = [entry]
        packets.rebuild()
    }

    deinit {
        unsafe heif_image_handle_release(handle)
        unsafe heif_context_free(context)
    }

    /// The main picture's handle; throws where its size is beyond the limits, before it is cut or after.
    private static func mainPicture(_ context: OpaquePointer, _ source: any MediaSource) throws -> OpaquePointer {
        var handle: OpaquePointer?
        try unsafe check(
            heif_context_get_primary_image_handle(context, &handle), "heif_context_get_primary_image_handle",
            source.name,
            as: .mediaCannotOpen)
        let found = try unsafe checkAllocated(handle, "heif_context_get_primary_image_handle")
        let coded = unsafe (heif_image_handle_get_ispe_width(found), heif_image_handle_get_ispe_height(found))
        let shown = unsafe (heif_image_handle_get_width(found), heif_image_handle_get_height(found))
        for (width, height) in [coded, shown]
        where !ReadLimits.isPicture(width: Int(width), height: Int(height)) {
            unsafe heif_image_handle_release(found)
            throw PictureFiles.tooLarge(Int(width), Int(height), limit: ReadLimits.pixels, source)
        }
        return unsafe found
    }

    func find(_ place: Int) throws -> FrameFinder.Shown? {
        if held.isEmpty { try decode() }
        return FrameFinder.Shown(number: 0, isSubstitute: false, isDamaged: false, followsLoss: false)
    }

    private func decode() throws {
        var decoded: OpaquePointer?
        try unsafe Self.check(
            heif_decode_image(handle, &decoded, heif_colorspace_RGB, heif_chroma_444, nil),
            "heif_decode_image", source.name, as: .decodeFailed)
        let image = try unsafe checkAllocated(decoded, "heif_decode_image")
        defer { unsafe heif_image_release(image) }
        let layout = try unsafe HEIFLayout(image, subject: PictureFiles.subject(source))
        try held.allocate(
            layout.format, width: Int32(layout.width), height: Int32(layout.height), alignment: 64,
            subject: PictureFiles.subject(source))
        do { try unsafe copy(image, layout) } catch {
            held.clear()
            throw error
        }
        tag()
        keepProfile()
    }

    private func copy(_ image: OpaquePointer, _ layout: HEIFLayout) throws {
        let (planes, lines) = unsafe (held.fields.data, held.fields.linesize)
        let outputs = unsafe [planes.0, planes.1, planes.2, planes.3]
        let strides = [lines.0, lines.1, lines.2, lines.3]
        for (plane, channel) in layout.channels.enumerated() {
            var stride: Int32 = 0
            let source = unsafe heif_image_get_plane_readonly(image, channel, &stride)
            guard let source = unsafe source, let output = unsafe outputs[plane],
                unsafe heif_image_get_width(image, channel) >= layout.width,
                unsafe heif_image_get_height(image, channel) >= layout.height,
                unsafe Int(heif_image_get_bits_per_pixel_range(image, channel)) == layout.depth
            else {
                throw SplitreelError(
                    .mediaUnsupported, operation: "decoding", subject: PictureFiles.subject(self.source),
                    reason: "its planes differ in depth or in size")
            }
            unsafe av_image_copy_plane(
                output, strides[plane], source, stride, Int32(layout.width * (layout.depth > 8 ? 2 : 1)),
                Int32(layout.height))
        }
    }

    /// Tags the picture by the file's own word. Without tags it is sRGB, as such files mean it. The matrix and the
    /// range are libheif's business.
    private func tag() {
        var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
        let result = unsafe heif_image_handle_get_nclx_color_profile(handle, &profile)
        defer { unsafe heif_nclx_color_profile_free(profile) }
        guard unsafe result.code == heif_error_Ok, let said = unsafe profile?.pointee else { return }
        held.update {
            $0.color_primaries = AVColorPrimaries(said.color_primaries.rawValue)
            $0.color_trc = AVColorTransferCharacteristic(said.transfer_characteristics.rawValue)
        }
    }

    /// Keeps the ICC profile with the picture, where libav keeps those of other stills.
    private func keepProfile() {
        let size = unsafe heif_image_handle_get_raw_color_profile_size(handle)
        guard (1...(4 << 20)).contains(size),
            let data = unsafe av_frame_new_side_data(held.pointer, AV_FRAME_DATA_ICC_PROFILE, size)
        else { return }
        let result = unsafe heif_image_handle_get_raw_color_profile(handle, data.pointee.data)
        if unsafe result.code != heif_error_Ok {
            unsafe av_frame_remove_side_data(held.pointer, AV_FRAME_DATA_ICC_PROFILE)
        }
    }

    private static func check(_ result: heif_error, _ call: String, _ file: String, as code: ErrorCode) throws {
        guard unsafe result.code != heif_error_Ok else { return }
        let text = unsafe result.message.map { unsafe String(cString: $0) } ?? "no reason given"
        let kind = name.codec == "av1" ? "AVIF" : "HEIC"
        throw SplitreelError(
            code, operation: call, subject: file, reason: "the \(kind) picture cannot be read: \(text)",
            hint: "the file may be damaged; as a JPEG, PNG or AVIF it may do")
    }
}

/// Reads an AVIF picture of tiles: libavformat 5.1 takes the list of them for AV1.
final class AVIFGrid: HEIFStill {
    override class var name: (container: String, codec: String) { ("avif", "av1") }

    /// Whether the main picture is put together from tiles, as the file's `meta` says.
    override class func begins(with head: [UInt8]) -> Bool {
        guard brands(head).contains("avif"), let meta = box("meta", in: boxes(head[...])) else { return false }
        // Boxes with a version say it in four bytes, with their flags; what follows depends on it.
        let parts = boxes(meta.dropFirst(4))
        guard let primary = box("pitm", in: parts), let list = box("iinf", in: parts) else { return false }
        let main = number(primary.dropFirst(4).prefix(primary.first == 0 ? 2 : 4))
        return boxes(list.dropFirst(list.first == 0 ? 6 : 8)).contains { entry in
            guard entry.type == "infe", let version = entry.content.first, version >= 2 else { return false }
            let item = entry.content.dropFirst(4)
            let width = version == 2 ? 2 : 4
            return number(item.prefix(width)) == main
                && item.dropFirst(width + 2).starts(with: Array("grid".utf8))
        }
    }

    /// The number of the file's bytes that `begins` needs, as far as `head` says: up to the end of `meta`, and no more
    /// than a mebibyte; 0 for files of other brands.
    static func headLength(_ head: [UInt8]) -> Int {
        guard brands(head).contains("avif") else { return 0 }
        let end = boxes(head[...]).first { $0.type == "meta" }?.end ?? 0
        return min(end, 1 << 20)
    }

    private typealias Box = (type: String, content: ArraySlice<UInt8>, end: Int)

    private static func box(_ type: String, in boxes: [Box]) -> ArraySlice<UInt8>? {
        boxes.first { $0.type == type }?.content
    }

    /// The boxes that follow each other in `bytes`, with the place where each says that it ends. The content of the
    /// last one may be cut. A box of 64-bit length ends the list: none of them is small.
    private static func boxes(_ bytes: ArraySlice<UInt8>) -> [Box] {
        var (found, rest): ([Box], ArraySlice<UInt8>) = ([], bytes)
        while rest.count >= 8 {
            let length = number(rest.prefix(4))
            guard length >= 8 else { break }
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            found.append((type, rest.prefix(length).dropFirst(8), rest.startIndex + length))
            rest = rest.dropFirst(length)
        }
        return found
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// The layout of libheif's planes in libav's terms.
private struct HEIFLayout {
    let format: AVPixelFormat
    let channels: [heif_channel]
    let width, height, depth: Int

    init(_ image: OpaquePointer, subject: String) throws {
        let hasAlpha = unsafe heif_image_has_channel(image, heif_channel_Alpha) != 0
        channels = [heif_channel_G, heif_channel_B, heif_channel_R] + (hasAlpha ? [heif_channel_Alpha] : [])
        depth = unsafe Int(heif_image_get_bits_per_pixel_range(image, heif_channel_G))
        (width, height) = unsafe (
            Int(heif_image_get_width(image, heif_channel_G)), Int(heif_image_get_height(image, heif_channel_G))
        )
        format = AVPixelFormat(name: "gbr\(hasAlpha ? "a" : "")p" + (depth > 8 ? "\(depth)le" : ""))
        guard format != AV_PIX_FMT_NONE, ReadLimits.isPicture(width: width, height: height) else {
            throw SplitreelError(
                .mediaUnsupported, operation: "decoding", subject: subject,
                reason: "its samples of \(depth) bits are in a layout that is not read")
        }
    }
}
