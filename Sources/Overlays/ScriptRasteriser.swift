internal import CASS
import Diagnostics
import Glibc
package import MediaFacts
import MediaTime
package import Pictures
internal import SplitreelTimeline

/// Draws the pictures of one ASS script in one size, by libass. Confined to one thread.
///
/// The drawing at a time depends only on the script, its fonts and that time: see `ScriptRun`.
@safe
package final class ScriptRasteriser {
    private let script: TimedText
    private let runs: [ScriptRun]
    private let size: PixelSize
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    /// A number that is not 0 where libass took the machine's fonts.
    private let lacksRules: UnsafeMutablePointer<Int32>
    /// libass's track of the present run; nil before the first drawing.
    private var track: UnsafeMutablePointer<ASS_Track>?
    private var run: ScriptRun?
    /// The time, in milliseconds, at which the present run was drawn last.
    private var position = Int.min
    private var hasChanged = true

    /// The limits of libass's caches: the number of glyphs, and MiB of bitmaps.
    private static let cacheLimits: (glyphs: Int32, megabytes: Int32) = (2000, 32)

    /// - Parameters:
    ///   - canvas: The size in pixels that widths of borders and blurs go by.
    package init(_ script: TimedText, canvas: PixelSize, size: PixelSize, fonts: ScriptFonts) throws {
        (self.script, self.size) = (script, size)
        runs = ScriptRun.runs(of: script)
        let library = try unsafe Self.checked(ass_library_init())
        let lacksRules = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        unsafe lacksRules.initialize(to: 0)
        unsafe splitreel_ass_listen(library, lacksRules)
        unsafe ass_set_extract_fonts(library, 0)
        for font in fonts.files {
            unsafe font.bytes.withUnsafeBytes { bytes in
                let data = unsafe bytes.bindMemory(to: CChar.self).baseAddress
                unsafe ass_add_font(library, font.name, data, Int32(bytes.count))
            }
        }
        guard let renderer = unsafe ass_renderer_init(library) else {
            unsafe ass_library_done(library)
            unsafe lacksRules.deallocate()
            throw Self.failure
        }
        unsafe self.library = library
        unsafe self.renderer = renderer
        unsafe self.lacksRules = lacksRules
        unsafe ass_set_frame_size(renderer, Int32(size.width), Int32(size.height))
        unsafe ass_set_storage_size(renderer, Int32(canvas.width), Int32(canvas.height))
        let (width, height) = (Double(size.width * canvas.height), Double(size.height * canvas.width))
        unsafe ass_set_pixel_aspect(renderer, width / height)
        unsafe ass_set_cache_limits(renderer, Self.cacheLimits.glyphs, Self.cacheLimits.megabytes)
        try setFonts(fonts)
    }

    deinit {
        if let track = unsafe track { unsafe ass_free_track(track) }
        unsafe ass_renderer_done(renderer)
        unsafe ass_library_done(library)
        unsafe lacksRules.deallocate()
    }

    private static var failure: SplitreelError {
        SplitreelError(.internalFault, operation: "drawing subtitles", subject: "a script", reason: "libass has none")
    }

    private static func checked<Pointer>(_ pointer: Pointer?) throws -> Pointer {
        guard let pointer else { throw failure }
        return pointer
    }

    /// Gives libass its fonts, which are those in memory: Fontconfig knows no font, only which names stand for which.
    private func setFonts(_ fonts: ScriptFonts) throws {
        let name = try Self.write(fonts.rules)
        defer { unsafe unlink(name) }
        unsafe ass_set_fonts(
            renderer, nil, fonts.standard, Int32(ASS_FONTPROVIDER_FONTCONFIG.rawValue), name, 1)
        guard unsafe lacksRules.pointee == 0 else { throw Self.failure }
    }

    /// Writes the rules into a file that is read once, and returns its path.
    private static func write(_ rules: String) throws -> String {
        let folders = unsafe [getenv("TMPDIR").map { unsafe String(cString: $0) }, "/tmp", "/dev/shm"].compactMap { $0 }
        for folder in folders {
            var name = Array((folder + "/splitreel-fonts-XXXXXX").utf8CString)
            let file = unsafe mkstemp(&name)
            guard file >= 0 else { continue }
            defer { close(file) }
            let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let bytes = Array(rules.utf8)
            if unsafe Glibc.write(file, bytes, bytes.count) == bytes.count { return path }
            unsafe unlink(path)
        }
        throw SplitreelError(
            .internalFault, operation: "drawing subtitles", subject: folders.joined(separator: ", "),
            reason: "no file can be written there, which libass is told its fonts by")
    }

    /// The inked pixels at a time in milliseconds; nil where they are the same as in the last drawing.
    package func draw(at milliseconds: Int) throws -> InkedRaster? {
        let wanted = ScriptRun.run(at: milliseconds, in: runs)
        if wanted != run || milliseconds < position { try begin(wanted) }
        guard let track = unsafe track else { throw Self.failure }
        let next = wanted.edges.partitionPoint { $0 <= position }
        for edge in wanted.edges[next...].prefix(while: { $0 < milliseconds }) { unsafe render(track, edge) }
        let images = unsafe render(track, milliseconds)
        position = milliseconds
        guard hasChanged else { return nil }
        hasChanged = false
        return try unsafe raster(images)
    }

    @discardableResult
    private func render(_ track: UnsafeMutablePointer<ASS_Track>, _ time: Int) -> UnsafeMutablePointer<ASS_Image>? {
        var change: Int32 = 0
        let images = unsafe ass_render_frame(renderer, track, Int64(time), &change)
        if change != 0 { hasChanged = true }
        return unsafe images
    }

    /// Begins a run with a new track, in which nothing has been placed yet.
    private func begin(_ wanted: ScriptRun) throws {
        if let track = unsafe track { unsafe ass_free_track(track) }
        unsafe track = nil
        let made = try unsafe Self.checked(ass_new_track(library))
        unsafe track = made
        (run, position) = (wanted, Int.min)
        var header = Array((script.header ?? "").utf8CString)
        unsafe ass_process_codec_private(made, &header, Int32(header.count - 1))
        for cue in script.cues {
            guard let text = cue.script, let start = cue.startMilliseconds, let end = cue.endMilliseconds,
                start < wanted.end, end > wanted.start
            else { continue }
            var event = Array(text.utf8CString)
            unsafe ass_process_chunk(made, &event, Int32(event.count - 1), Int64(start), Int64(end - start))
        }
    }

    private func raster(_ first: UnsafeMutablePointer<ASS_Image>?) throws -> InkedRaster {
        var bitmaps: [InkedRaster.Bitmap] = []
        var next = unsafe first
        while let image = unsafe next {
            let fields = unsafe image.pointee
            unsafe next = fields.next
            guard let bitmap = InkedRaster.Bitmap(fields, within: size) else { continue }
            bitmaps.append(bitmap)
        }
        return try InkedRaster(bitmaps: bitmaps)
    }
}

extension InkedRaster.Bitmap {
    /// Copies the part of an image that lies within the frame; nil where none does.
    fileprivate init?(_ image: ASS_Image, within size: PixelSize) {
        let (left, top) = (max(0, -Int(image.dst_x)), max(0, -Int(image.dst_y)))
        let right = min(Int(image.w), size.width - Int(image.dst_x))
        let bottom = min(Int(image.h), size.height - Int(image.dst_y))
        // The colour's lowest byte is its transparency.
        guard right > left, bottom > top, image.color & 0xFF < 0xFF, let bytes = unsafe image.bitmap else { return nil }
        var colour = Colour.black
        colour.red = Double(image.color >> 24) / 255
        colour.green = Double(image.color >> 16 & 0xFF) / 255
        colour.blue = Double(image.color >> 8 & 0xFF) / 255
        colour.alpha = Double(255 - image.color & 0xFF) / 255
        let stride = Int(image.stride)
        var coverage: [UInt8] = []
        coverage.reserveCapacity((right - left) * (bottom - top))
        for y in top..<bottom {
            let row = unsafe UnsafeBufferPointer(start: bytes + y * stride + left, count: right - left)
            unsafe coverage.append(contentsOf: row)
        }
        self.init(
            x: Int(image.dst_x) + left, y: Int(image.dst_y) + top, width: right - left, height: bottom - top,
            coverage: coverage, colour: colour)
    }
}
