internal import CFFmpeg
internal import Diagnostics
internal import Glibc

/// The functions of libavfilter, which is loaded when the first filter is made: it brings 37 libraries that nothing
/// else needs. A process that makes no filter starts sooner for it, and takes some 4 MB less.
@safe
struct FilterLibrary: Sendable {
    typealias Context = UnsafeMutablePointer<AVFilterContext>
    typealias Graph = UnsafeMutablePointer<AVFilterGraph>
    typealias Picture = UnsafeMutablePointer<AVFrame>

    let makeGraph: @convention(c) @Sendable () -> Graph?
    let setAutoConvert: @convention(c) @Sendable (Graph?, UInt32) -> Void
    let named: @convention(c) @Sendable (UnsafePointer<CChar>?) -> UnsafePointer<AVFilter>?
    let createFilter:
        @convention(c) @Sendable (
            UnsafeMutablePointer<Context?>?, UnsafePointer<AVFilter>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafeMutableRawPointer?, Graph?
        ) -> Int32
    let link: @convention(c) @Sendable (Context?, UInt32, Context?, UInt32) -> Int32
    let configure: @convention(c) @Sendable (Graph?, UnsafeMutableRawPointer?) -> Int32
    let freeGraph: @convention(c) @Sendable (UnsafeMutablePointer<Graph?>?) -> Void
    let push: @convention(c) @Sendable (Context?, Picture?) -> Int32
    let pull: @convention(c) @Sendable (Context?, Picture?) -> Int32

    /// The file of the version whose header this program was built with. The dynamic linker finds it.
    private static let fileName = "libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)"

    private static let loaded = load()

    /// The library, loaded at the first call and kept. Throws `.mediaUnsupported` where it is not installed.
    static func take() throws -> Self {
        if let loaded { return loaded }
        throw SplitreelError(
            .mediaUnsupported, operation: "loading libavfilter", subject: fileName,
            reason: "it is not installed, or lacks a function",
            hint: "install the package libavfilter\(LIBAVFILTER_VERSION_MAJOR)")
    }

    /// The library's version as libav writes it in a number; nil where it is not installed. A library that no filter
    /// has needed yet is loaded for it, and let go again. Cost: some 20 ms at the first call.
    static let version: UInt32? = {
        guard let library = unsafe dlopen(fileName, RTLD_LAZY | RTLD_LOCAL) else { return nil }
        defer { unsafe dlclose(library) }
        guard let symbol = unsafe dlsym(library, "avfilter_version") else { return nil }
        return unsafe unsafeBitCast(symbol, to: (@convention(c) () -> UInt32).self)()
    }()

    private static func load() -> Self? {
        guard let library = unsafe dlopen(fileName, RTLD_LAZY | RTLD_LOCAL),
            let makeGraph = unsafe dlsym(library, "avfilter_graph_alloc"),
            let setAutoConvert = unsafe dlsym(library, "avfilter_graph_set_auto_convert"),
            let named = unsafe dlsym(library, "avfilter_get_by_name"),
            let createFilter = unsafe dlsym(library, "avfilter_graph_create_filter"),
            let link = unsafe dlsym(library, "avfilter_link"),
            let configure = unsafe dlsym(library, "avfilter_graph_config"),
            let freeGraph = unsafe dlsym(library, "avfilter_graph_free"),
            let push = unsafe dlsym(library, "av_buffersrc_add_frame"),
            let pull = unsafe dlsym(library, "av_buffersink_get_frame")
        else { return nil }
        return unsafe Self(
            makeGraph: function(makeGraph), setAutoConvert: function(setAutoConvert), named: function(named),
            createFilter: function(createFilter), link: function(link), configure: function(configure),
            freeGraph: function(freeGraph), push: function(push), pull: function(pull))
    }

    /// The function that a symbol stands for, in the type of the field that it goes to.
    private static func function<Function>(_ symbol: UnsafeMutableRawPointer) -> Function {
        unsafe unsafeBitCast(symbol, to: Function.self)
    }
}
