import Glibc

/// The control groups of this process and their parents, of version 1 and of version 2, as /proc names them.
///
/// Files that are missing or make no sense limit nothing.
package struct ControlGroups: Sendable {
    private let files: KernelFiles
    /// The folders of each controller's group: the process's own first, then its parents up to what is mounted. Those
    /// of version 2, which has all controllers in one tree, are under "".
    private let folders: [String: [String]]

    package init(root: String = "") {
        files = KernelFiles(root: root)
        let mounts = files.text("/proc/self/mountinfo").split(separator: "\n").compactMap { Mount(line: $0) }
        var folders: [String: [String]] = [:]
        for line in files.text("/proc/self/cgroup").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3 else { continue }
            for controller in parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                let known = mounts.filter { $0.controllers.contains(controller) }
                guard let mount = known.first(where: { $0.below(parts[2]) != nil }) ?? known.first else { continue }
                folders[controller] = mount.folders(of: parts[2])
            }
        }
        self.folders = folders
    }

    /// The least number that a limit of the memory's groups has, in bytes, and the name of the file that says so; nil
    /// where there is none.
    package var memory: (bytes: Int, file: String)? {
        var found = limits(["memory.max", "memory.high"], of: "", KernelFiles.number)
        found += limits(["memory.limit_in_bytes"], of: "memory", KernelFiles.number)
        // It counts the groups above what is mounted, too.
        for folder in folders["memory"]?.prefix(1) ?? [] {
            let stat = KernelFiles.entries(files.text(folder + "/memory.stat"))
            if let bytes = stat["hierarchical_memory_limit"] { found.append((bytes, "memory.limit_in_bytes")) }
        }
        return found.min { $0.0 < $1.0 }.map { (bytes: $0.0, file: $0.1) }
    }

    /// The number of cores that the groups' time suffices for, rounded up, and the name of the file that says so; nil
    /// where it has no limit.
    package var quota: (cores: Int, file: String)? {
        var found = limits(["cpu.max"], of: "") { Self.cores($0.split(separator: " ").map(String.init)) }
        for folder in folders["cpu"] ?? [] {
            let words = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map { files.text(folder + "/" + $0) }
            if let cores = Self.cores(words) { found.append((cores, "cpu.cfs_quota_us")) }
        }
        return found.min { $0.0 < $1.0 }.map { (cores: $0.0, file: $0.1) }
    }

    /// The number of cores that the groups may run on, and the name of the file that says so; nil where none does.
    package var cpuset: (cores: Int, file: String)? {
        var found = limits(["cpuset.cpus.effective", "cpuset.cpus"], of: "", KernelFiles.count(ofList:))
        found += limits(["cpuset.effective_cpus", "cpuset.cpus"], of: "cpuset", KernelFiles.count(ofList:))
        return found.min { $0.0 < $1.0 }.map { (cores: $0.0, file: $0.1) }
    }

    /// The number of processes of the group that the system has killed for want of memory since the group was made; nil
    /// where it does not count them.
    package var memoryKills: Int? {
        let version1 = folders["memory"]?.first.map { KernelFiles.entries(files.text($0 + "/memory.oom_control")) }
        let version2 = folders[""]?.first.map { KernelFiles.entries(files.text($0 + "/memory.events")) }
        return version1?["oom_kill"] ?? version2?["oom_kill"]
    }

    /// The limits that such files of all groups of a controller have, each with its file's name.
    private func limits(
        _ names: [String], of controller: String, _ read: (String) -> Int?
    ) -> [(Int, String)] {
        (folders[controller] ?? []).flatMap { folder in
            names.compactMap { name in read(files.text(folder + "/" + name)).map { ($0, name) } }
        }
    }

    /// The cores of a quota and its period, both in microseconds, rounded up.
    private static func cores(_ words: [String]) -> Int? {
        guard words.count == 2, let quota = KernelFiles.number(words[0]), let period = KernelFiles.number(words[1]),
            period > 0, quota > 0
        else { return nil }
        return quota / period + (quota % period > 0 ? 1 : 0)
    }
}

/// A place at which a tree of control groups is mounted.
private struct Mount {
    /// The group that is seen at the place, as /proc/self/cgroup names groups.
    let group: String
    let place: String
    /// The controllers of the tree; "" alone for version 2.
    let controllers: Set<String>

    /// Reads a line of mountinfo (man 5 proc); nil where it is of something else.
    init?(line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard let dash = words.firstIndex(of: "-"), dash >= 6, words.count > dash + 3 else { return nil }
        switch words[dash + 1] {
        case "cgroup": controllers = Set(words[dash + 3].split(separator: ",").map(String.init))
        case "cgroup2": controllers = [""]
        default: return nil
        }
        group = Self.plain(words[3])
        place = Self.plain(words[4])
    }

    /// The part of a group's path below the mounted one; nil where it does not lie below it.
    func below(_ path: String) -> String? {
        if group == "/" { return path.hasPrefix("/..") ? nil : path }
        if path == group { return "" }
        return path.hasPrefix(group + "/") ? String(path.dropFirst(group.count)) : nil
    }

    /// The folders of a group and its parents, as far as they are seen. A group that is seen nowhere is taken for the
    /// mounted one: a container sees its own group so.
    func folders(of path: String) -> [String] {
        var names = (below(path) ?? "").split(separator: "/").map(String.init)
        var folders: [String] = []
        while true {
            folders.append(([place == "/" ? "" : place] + names).joined(separator: "/"))
            if names.popLast() == nil { return folders }
        }
    }

    /// The text without the kernel's escapes: a space is `\040`.
    private static func plain(_ text: String) -> String {
        [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(text) { text, escape in
            text.split(separator: escape.0, omittingEmptySubsequences: false).joined(separator: escape.1)
        }
    }
}
