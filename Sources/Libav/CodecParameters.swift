package import CFFmpeg

/// libav's packing of a four-character code: the first character in the lowest byte.
package func fourCC(_ text: String) -> UInt32 {
    text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

/// Gives the parameters a copy of a codec's header. libav frees the copy with its own allocator, and reads some bytes
/// beyond its end.
package func setExtradata(_ bytes: [UInt8], of parameters: inout AVCodecParameters) throws {
    guard !bytes.isEmpty else { return }
    let memory = try unsafe checkAllocated(
        av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)), "av_mallocz")
    unsafe UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
    unsafe parameters.extradata = memory.assumingMemoryBound(to: UInt8.self)
    parameters.extradata_size = Int32(bytes.count)
}
