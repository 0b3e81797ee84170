extension ExportSession {
    /// The place where a session renders. The film is the same, byte by byte, wherever it is made.
    public enum Farm: Sendable, Hashable {
        /// Processes of this same program, one for each chunk that is rendered at a time; see `serveFarmIfAsked`. They
        /// read media in a sandbox, and each may crash without harm to the program.
        ///
        /// `workers` is 1 to 256; nil for one a core, at most one for each GiB of memory, of which as many work at a
        /// time as fit into it. A program whose `main` has not called `serveFarmIfAsked()` renders by `threads`.
        case local(workers: Int? = nil)
        /// Threads of this process, one a core, at most one for each GiB of memory. Media are read unconfined: a file
        /// that is made to harm can bring the program down, or do all that its user may. A render that is cancelled
        /// ends at its next frame.
        case threads
        /// A coordinator, which other machines work for: `splitreel worker`, or programs that call `serve`. Media that
        /// it does not see are uploaded to it. Films come here at the end where it does not see their folders.
        ///
        /// `endpoint` is such as `tcp://10.0.0.2:7733`. `token` is the path of a token's file, or the token's text; nil
        /// for a farm without keys.
        case connect(_ endpoint: String, token: String? = nil)
    }
}
