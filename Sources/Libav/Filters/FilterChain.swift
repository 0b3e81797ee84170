package import CFFmpeg
package import Diagnostics

/// One filter of libavfilter between a source and a sink. Input that the filter does not take is refused, not
/// converted. Works on the calling thread alone; confined to one thread at a time.
@safe
package final class FilterChain {
    /// A filter's name and its settings as libavfilter writes them.
    package typealias Part = (name: String, settings: String?)

    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    /// Whether the filter takes what the source gives.
    package private(set) var isPossible = false
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private let library: FilterLibrary

    /// Makes the chain. An error names `subject` and `code`: libavfilter lacks a part, or does not take its settings.
    /// Throws `.mediaUnsupported` where libavfilter is not installed.
    package init(_ filter: Part, from source: Part, to sink: String, subject: String, as code: ErrorCode) throws {
        let library = try FilterLibrary.take()
        self.library = library
        let made = try unsafe checkAllocated(library.makeGraph(), "avfilter_graph_alloc")
        unsafe graph = made
        unsafe made.pointee.nb_threads = 1
        unsafe library.setAutoConvert(made, UInt32(bitPattern: -1))
        func add(_ part: Part) throws -> UnsafeMutablePointer<AVFilterContext> {
            var context: UnsafeMutablePointer<AVFilterContext>?
            let result = unsafe library.createFilter(
                &context, library.named(part.name), part.name, part.settings, nil, made)
            try check(result, "avfilter_graph_create_filter \(part.name)", subject: subject, as: code)
            return try unsafe checkAllocated(context, "avfilter_graph_create_filter")
        }
        unsafe self.source = try unsafe add(source)
        let worker = try unsafe add(filter)
        unsafe self.sink = try unsafe add((sink, nil))
        try unsafe check(library.link(self.source, 0, worker, 0), "avfilter_link", subject: subject, as: code)
        try unsafe check(library.link(worker, 0, self.sink, 0), "avfilter_link", subject: subject, as: code)
        isPossible = unsafe library.configure(made, nil) >= 0
    }

    deinit { unsafe library.freeGraph(&graph) }

    /// Gives the filter the next frame, whose reference it takes; nil is the end. Answers libav's result.
    package func push(_ frame: UnsafeMutablePointer<AVFrame>?) -> Int32 { unsafe library.push(source, frame) }

    /// Moves the filter's next frame into an empty one. Answers libav's result.
    package func pull(into frame: UnsafeMutablePointer<AVFrame>) -> Int32 { unsafe library.pull(sink, frame) }
}
