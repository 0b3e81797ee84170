package import DataPlane

/// The contents, uploads and views of a store, with the sums of them: all that is checked before something is promised
/// is known without a look at the disk. A value without clock or I/O.
package struct StoreLedger: Sendable {
    package struct Content: Sendable {
        package let size: Int64
        /// The seconds since the epoch at which each owner used it last.
        package fileprivate(set) var owners: [String: Int64] = [:]
        /// The number of views that have it.
        package fileprivate(set) var views = 0
    }

    package struct Part: Sendable {
        /// The bytes of the whole upload, and those of them that are not on the disk.
        package let size: Int64
        package fileprivate(set) var missing: Int64
    }

    package struct View: Sendable {
        package let owner: String
        /// The seconds since the epoch at which it was made.
        package let made: Int64
        package fileprivate(set) var job: String?
        package fileprivate(set) var contents: Set<String> = []
        /// The number of its links and folders.
        package fileprivate(set) var entries = 0
        /// The bytes of its films, and of what they are made of.
        package fileprivate(set) var filmBytes: Int64 = 0
        /// The bytes of those films that are in their places.
        package fileprivate(set) var waitingBytes: Int64 = 0
        /// Whether its tree is known, which an earlier process may have made.
        package fileprivate(set) var isKnown: Bool

        package init(owner: String, made: Int64, job: String? = nil, isKnown: Bool) {
            self.owner = owner
            self.made = made
            self.job = job
            self.isKnown = isKnown
        }
    }

    /// The room that an owner takes, or all do.
    private struct Share: Sendable {
        var bytes: Int64 = 0
        var files = 0
        var entries = 0

        mutating func add(_ bytes: Int64, files: Int = 0, entries: Int = 0) {
            self.bytes += bytes
            self.files += files
            self.entries += entries
        }
    }

    package private(set) var contents: [String: Content] = [:]
    package private(set) var parts: [UploadKey: Part] = [:]
    package private(set) var views: [String: View] = [:]
    /// The questions that were not answered yet.
    package var questions: [UploadKey: PossessionChallenge] = [:]
    private var viewsOfJobs: [String: String] = [:]
    private var shares: [String: Share] = [:]
    private var all = Share()
    private var missing: Int64 = 0
    private var unknownViews = 0

    package init() {}

    /// The room that all of it takes, and the part of one owner. `disk` is what the disk has free.
    package func use(of owner: String, _ disk: DiskRoom = DiskRoom()) -> StoreUse {
        let share = shares[owner] ?? Share()
        var use = StoreUse(
            bytesOfAll: all.bytes, bytesOfKey: share.bytes, files: all.files, free: disk.bytes.map { $0 - missing })
        use.filesOfKey = share.files
        use.entriesOfKey = share.entries
        use.freeFiles = disk.files
        return use
    }

    private mutating func add(_ bytes: Int64, files: Int = 0, entries: Int = 0, to owner: String) {
        all.add(bytes, files: files, entries: entries)
        shares[owner, default: Share()].add(bytes, files: files, entries: entries)
    }

    // MARK: - Contents

    /// Notes that a content is there.
    package mutating func add(content sum: String, size: Int64) {
        guard contents[sum] == nil else { return }
        contents[sum] = Content(size: size)
        all.add(size, files: 1)
    }

    /// Notes that an owner has a content, and used it then; false where there is no such content.
    @discardableResult
    package mutating func use(_ sum: String, by owner: String, at time: Int64) -> Bool {
        guard let content = contents[sum] else { return false }
        contents[sum]?.owners[owner] = time
        guard content.owners[owner] == nil else { return true }
        shares[owner, default: Share()].add(content.size, files: 1)
        return true
    }

    /// Takes a content from an owner.
    package mutating func letGo(_ sum: String, of owner: String) {
        guard let size = contents[sum]?.size, contents[sum]?.owners.removeValue(forKey: owner) != nil else { return }
        shares[owner, default: Share()].add(-size, files: -1)
    }

    package mutating func remove(content sum: String) {
        guard let content = contents[sum] else { return }
        for owner in content.owners.keys { letGo(sum, of: owner) }
        contents[sum] = nil
        all.add(-content.size, files: -1)
    }

    // MARK: - Uploads

    /// Promises the room of an upload, of which so many bytes are on the disk.
    package mutating func promise(_ key: UploadKey, size: Int64, there: Int64 = 0) {
        drop(key)
        parts[key] = Part(size: size, missing: max(0, size - there))
        missing += max(0, size - there)
        add(size, files: 1, to: key.owner)
    }

    /// Takes note of the bytes of an upload that are on the disk by now.
    package mutating func came(_ key: UploadKey, there: Int64) {
        guard let part = parts[key] else { return }
        missing += max(0, part.size - there) - part.missing
        parts[key]?.missing = max(0, part.size - there)
    }

    package mutating func drop(_ key: UploadKey) {
        guard let part = parts.removeValue(forKey: key) else { return }
        missing -= part.missing
        add(-part.size, files: -1, to: key.owner)
    }

    // MARK: - Views

    /// Whether the contents of all views are known.
    package var isKnown: Bool { unknownViews == 0 }

    package func view(ofJob job: String) -> String? { viewsOfJobs[job] }

    package mutating func add(view name: String, _ view: View) {
        views[name] = view
        if let job = view.job { viewsOfJobs[job] = name }
        if !view.isKnown { unknownViews += 1 }
        add(0, files: 1, to: view.owner)
    }

    /// Removes a view, unless it has got another job than that; answers whether it was removed.
    package mutating func remove(view name: String, of job: String?) -> Bool {
        guard let view = views[name], view.job == job else { return false }
        letGoOfContents(ofView: name)
        views[name] = nil
        if let job, viewsOfJobs[job] == name { viewsOfJobs[job] = nil }
        if !view.isKnown { unknownViews -= 1 }
        add(-view.filmBytes, files: -1, entries: -view.entries, to: view.owner)
        return true
    }

    /// The bytes of an owner, without those that films are being made of.
    package func lastingBytes(of owner: String) -> Int64 {
        views.values.reduce(shares[owner]?.bytes ?? 0) { bytes, view in
            view.owner == owner ? bytes - (view.filmBytes - view.waitingBytes) : bytes
        }
    }

    /// Gives a view to a job, where it is that owner's and has none, or has this one: a submission may come twice.
    package mutating func adopt(_ name: String, by owner: String, job: String) -> Bool {
        guard let view = views[name], view.owner == owner, (view.job ?? job) == job else { return false }
        views[name]?.job = job
        viewsOfJobs[job] = name
        return true
    }

    /// Whether an owner may add to a view.
    package func isOpen(_ name: String, to owner: String) -> Bool {
        views[name].map { $0.owner == owner && $0.job == nil } ?? false
    }

    /// Puts a content into a view, which uses it from now on; false where the view's owner has no such content.
    package mutating func link(_ sum: String, into name: String, at time: Int64) -> Bool {
        guard let owner = views[name]?.owner, contents[sum]?.owners[owner] != nil else { return false }
        use(sum, by: owner, at: time)
        keep(sum, in: name)
        return true
    }

    private mutating func keep(_ sum: String, in name: String) {
        guard contents[sum] != nil, views[name]?.contents.insert(sum).inserted == true else { return }
        contents[sum]?.views += 1
    }

    /// Lets a view have no content: its job has ended, and reads none any more.
    package mutating func letGoOfContents(ofView name: String) {
        for sum in views[name]?.contents ?? [] { contents[sum]?.views -= 1 }
        views[name]?.contents = []
    }

    /// Counts links and folders that come into a view.
    package mutating func add(entries: Int, toView name: String) {
        guard let owner = views[name]?.owner else { return }
        views[name]?.entries += entries
        add(0, entries: entries, to: owner)
    }

    /// Takes what a look into a view found in place of what was counted.
    package mutating func set(filmBytes: Int64, waiting: Int64 = 0, entries: Int, ofView name: String) {
        guard let view = views[name] else { return }
        views[name]?.filmBytes = filmBytes
        views[name]?.waitingBytes = waiting
        views[name]?.entries = entries
        add(filmBytes - view.filmBytes, entries: entries - view.entries, to: view.owner)
    }

    /// Takes a view up that an earlier process made.
    package mutating func takeUp(view name: String, contents: Set<String>) {
        guard views[name]?.isKnown == false else { return }
        for sum in contents { keep(sum, in: name) }
        views[name]?.isKnown = true
        unknownViews -= 1
    }
}

/// The room on a disk; nil where the system does not say.
package struct DiskRoom: Sendable {
    package var bytes: Int64?
    /// The number of files and folders that can be made.
    package var files: Int64?

    package init(bytes: Int64? = nil, files: Int64? = nil) {
        self.bytes = bytes
        self.files = files
    }
}
