internal import CFFmpeg

/// How this process allocates what libav asks for.
package enum LibavMemory {
    /// Joins freed blocks at once. glibc otherwise keeps small ones apart, and each time that a block of more than
    /// 64 KiB is freed (a packet, a frame) it walks through all of them: a third of the time that reading a long
    /// file's packets took. To be called once, when the process starts.
    package static func joinFreedBlocks() { mallopt(M_MXFAST, 0) }

    /// Keeps what is freed for the next one who asks. glibc otherwise gives the memory of one chunk's decoders and
    /// encoders back to the system, which clears it page by page for the next chunk's: two parts of a hundred of a
    /// render's time. For a process that renders chunk after chunk, once, when it starts.
    package static func keepFreedMemory() {
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, 512 << 20)
    }
}
