internal import CFFmpeg

/// The way in which this process allocates memory for libav.
package enum LibavMemory {
    /// Joins freed blocks at once. glibc otherwise keeps small ones apart, and each time that a block of more than
    /// 64 KiB is freed (a packet, a frame) it walks through all of them: a third of the time that reading a long
    /// file's packets took. To be called once, when the process starts.
    package static func joinFreedBlocks() { mallopt(M_MXFAST, 0) }

    /// Gives the pages of freed blocks back to the system, those of other threads too; takes about a millisecond. For
    /// a process that has read a file and may wait long for the next one.
    package static func giveBackFreedPages() { malloc_trim(0) }

    /// Keeps freed blocks for the next ones, up to 16 MiB. The processes of a slot are started with a setting by which
    /// blocks of 256 KiB go back to the system. That is right for the one that makes frames. The one that carries bytes
    /// paid with some hundred page faults for each MiB.
    package static func keepFreedBlocks() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
    }

    /// Lets all threads of this process allocate from one arena. glibc otherwise has one for each thread, in heaps of
    /// 64 MiB that go back to the system as soon as they are empty, whatever is to be kept. Encoders of 4K allocate on
    /// threads: 7 s of film took 7.8 s of the kernel, and take 4.0 s with this. To be called before a thread starts.
    package static func shareOneArena() { mallopt(M_ARENA_MAX, 1) }

    /// Keeps freed blocks of up to 32 MiB for the next ones. An encoder of 4K allocates some hundred MiB anew for each
    /// chunk, and the kernel cleared all of it each time. Of 2 s of film in four chunks that took 1.9 s of the kernel,
    /// and takes 0.4 s with this, for an eighth more memory at the peak.
    package static func keepLargeBlocks() {
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, 2_000_000_000)
    }

    /// Keeps the kernel from giving this process pages of 2 MiB: libx264 asks for one for each picture that it looks
    /// ahead at, however little of it is used. Of 720p that is a tenth of its memory.
    package static func takeSmallPages() { _ = sr_take_small_pages() }
}
