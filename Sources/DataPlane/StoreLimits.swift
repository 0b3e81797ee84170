package import Diagnostics

/// The bounds of a coordinator's store of uploads and films; the defaults are those that docs/operating/two-machines.md
/// states.
package struct StoreLimits: Sendable, Hashable {
    /// The most bytes of all that is held or promised.
    package var bytesOfAll: Int64 = 256 << 30
    /// The most bytes of one key's.
    package var bytesOfKey: Int64 = 128 << 30
    /// The bytes of the disk that stay free for others.
    package var spareBytes: Int64 = 1 << 30
    /// The most contents, uploads that are not whole, and views.
    package var files = 200_000
    /// The seconds for which a content that nothing uses, or a film, is kept.
    package var keeps: Int64 = 7 * 86_400
    /// The seconds for which the begun part of an upload is kept, and a view that no job was submitted with.
    package var partKeeps: Int64 = 86_400
    /// The most contents, uploads that are not whole, and views of one key.
    package var filesOfKey = 50_000
    /// The most links and folders in all views of one key, and in one view.
    package var entriesOfKey = 200_000
    package var entriesOfView = 100_000
    /// The files and folders that others may still make on its disk.
    package var spareFiles: Int64 = 10_000

    package init() {}

    /// The bounds that a person may set: the most bytes of all, of which one key has half, and the days for which a
    /// film or an unused content is kept; nil for the defaults.
    package init(bytesOfAll: Int?, days: Int?) {
        if let bytesOfAll {
            self.bytesOfAll = Int64(bytesOfAll)
            bytesOfKey = self.bytesOfAll / 2
        }
        if let days { keeps = Int64(days) * 86_400 }
    }

    /// The reason why so many bytes more of a key cannot be held; nil where they can. To be asked before they come.
    package func refusal(of bytes: Int64, _ use: StoreUse) -> SplitreelError? {
        let prune = "`splitreel store prune` removes what no job needs"
        if use.files >= files { return Self.refused("it holds \(use.files) files, and may hold \(files)", prune) }
        if use.filesOfKey >= filesOfKey {
            return Self.refused("\(use.filesOfKey) files are this key's, and it may have \(filesOfKey)", prune)
        }
        if bytes > bytesOfKey - use.bytesOfKey {
            let reason = "\(use.bytesOfKey) bytes are this key's, \(bytes) are to come, and it may have \(bytesOfKey)"
            return Self.refused(reason, prune)
        }
        if bytes > bytesOfAll - use.bytesOfAll {
            let reason = "it holds \(use.bytesOfAll) bytes, \(bytes) are to come, and it may hold \(bytesOfAll)"
            return Self.refused(reason, prune)
        }
        if let free = use.freeFiles, free <= spareFiles {
            return Self.refused("its disk has room for \(free) more files", "make room on the coordinator's disk")
        }
        guard let free = use.free, free - bytes < spareBytes else { return nil }
        let reason = "\(free) bytes are free on its disk, \(bytes) are to come, and \(spareBytes) must stay free"
        return Self.refused(reason, "make room on the coordinator's disk")
    }

    /// The reason why so many links and folders more cannot come into a view that has `inView`; nil where they can.
    package func refusal(ofEntries entries: Int, inView: Int, _ use: StoreUse) -> SplitreelError? {
        if entries > entriesOfView - inView {
            let reason = "\(inView + entries) files and folders are to be in one view, which may have \(entriesOfView)"
            return Self.refused(reason, "let a composition have fewer files, or less deep folders")
        }
        if entries > entriesOfKey - use.entriesOfKey {
            let reason =
                "\(use.entriesOfKey) files and folders are in this key's views, \(entries) are to come, "
                + "and it may have \(entriesOfKey)"
            return Self.refused(reason, "wait until some of its jobs have ended")
        }
        if let free = use.freeFiles, free - Int64(entries) < spareFiles {
            return Self.refused("its disk has room for \(free) more files", "make room on the coordinator's disk")
        }
        guard let free = use.free, free < spareBytes else { return nil }
        let reason = "\(free) bytes are free on its disk, and \(spareBytes) must stay free"
        return Self.refused(reason, "make room on the coordinator's disk")
    }

    private static func refused(_ reason: String, _ hint: String) -> SplitreelError {
        SplitreelError(
            .uploadsFull, operation: "uploading", subject: "the coordinator's store", reason: reason, hint: hint)
    }

    /// Whether a content or a film is over that nothing uses, by the seconds since the epoch.
    package func isOver(lastUsed: Int64, now: Int64) -> Bool { now - lastUsed >= keeps }

    /// Whether the begun part of an upload, or a view without a job, is over.
    package func isPartOver(lastUsed: Int64, now: Int64) -> Bool { now - lastUsed >= partKeeps }
}

/// The room that a store takes at a moment.
package struct StoreUse: Sendable, Hashable {
    /// The bytes of all that is held or promised.
    package var bytesOfAll: Int64 = 0
    /// The bytes of that which one key has.
    package var bytesOfKey: Int64 = 0
    package var files = 0
    /// The bytes that are free on its disk, without those that were promised and have not come; nil where nobody knows.
    package var free: Int64?
    /// The contents, uploads and views of one key, and the links and folders in its views.
    package var filesOfKey = 0
    package var entriesOfKey = 0
    /// The files and folders that can be made on its disk; nil where nobody knows.
    package var freeFiles: Int64?

    package init(bytesOfAll: Int64 = 0, bytesOfKey: Int64 = 0, files: Int = 0, free: Int64? = nil) {
        self.bytesOfAll = bytesOfAll
        self.bytesOfKey = bytesOfKey
        self.files = files
        self.free = free
    }
}
