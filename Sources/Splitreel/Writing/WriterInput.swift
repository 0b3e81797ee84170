/// An input of a writer, as the writer ends it.
protocol WriterInput: Sendable {
    /// Waits until all is written that was appended. Throws the error that ended the input.
    func end() async throws
    /// Refuses what is appended from now on, and drops what waits. Does not block.
    func close()
    /// Closes, and waits until the input's thread has let go of the film. Blocking.
    func abandon()
}
