import DataPlane
import Diagnostics
import Foundation
import Glibc
import SplitreelFiles
import Synchronization

/// The sums of what a store holds.
package struct StoreTotals: Sendable, Equatable {
    /// The contents, and their bytes.
    package var files = 0
    package var bytes: Int64 = 0
    /// The uploads that are not whole.
    package var parts = 0
    /// The bytes of the parts, as they will be.
    package var partBytes: Int64 = 0
    /// The films that wait.
    package var films = 0
    package var filmBytes: Int64 = 0
    /// The bytes that may be held.
    package var limit: Int64 = 0
    /// The seconds for which a film waits, and unused content is kept.
    package var keeps: Int64 = 0
}

// Ends of life.
extension StoreFolder {
    /// The names of the views that a job was submitted with.
    package var adoptedViews: Set<String> {
        state.withLock { state in Set(state.views.lazy.filter { $0.value.job != nil }.map(\.key)) }
    }

    /// Removes what is over: contents that nothing used for too long, films that nobody fetched, the links of jobs
    /// that have ended, views that no job came with, and parts of uploads that do not go on.
    ///
    /// `adopted` are views that had a job before `jobsInUse` were noted: nothing is known of jobs that came later.
    package func lookAfter(jobsInUse: Set<String>, adopted: Set<String>) {
        let now = clock()
        takeUpViews()
        let views = state.withLock { $0.views }
        for (name, view) in views.sorted(by: { $0.key < $1.key }) where view.job == nil || adopted.contains(name) {
            lookAfter(name, view, jobsInUse, now)
        }
        for (key, part) in state.withLock({ $0.parts }) {
            let path = arriving(partPath(key, part.size))
            // One without a file is just being opened, or gets its name.
            guard let facts = self.facts(of: path) else { continue }
            guard limits.isPartOver(lastUsed: facts.changed, now: now) else {
                state.withLock { $0.came(key, there: facts.size) }
                continue
            }
            // Whoever goes on with it holds it, and may be summing what is there.
            guard let lock = try? FileLock(path: path, kind: .file) else { continue }
            drop(key)
            _ = lock.remove()
        }
        removeContents { limits.isOver(lastUsed: $0, now: now) }
    }

    private func lookAfter(_ name: String, _ view: StoreLedger.View, _ jobsInUse: Set<String>, _ now: Int64) {
        guard let job = view.job else {
            if limits.isPartOver(lastUsed: view.made, now: now) { removeView(name, of: nil) }
            return
        }
        let tree = look(into: name)
        guard !jobsInUse.contains(job) else {
            // The film is being made, and counts as far as it is there.
            return state.withLock {
                $0.set(filmBytes: tree.bytes, waiting: tree.waiting, entries: tree.entries, ofView: name)
            }
        }
        guard let last = tree.films.map(\.changed).max(), !limits.isOver(lastUsed: last, now: now),
            !(tree.isErrand && limits.isPartOver(lastUsed: last, now: now))
        else { return removeView(name, of: job) }
        // The job has ended: its media are not read any more.
        if tree.links > 0 { removeLinks(ofView: name) }
        state.withLock { state in
            state.letGoOfContents(ofView: name)
            state.set(
                filmBytes: tree.bytes, waiting: tree.waiting, entries: tree.entries - tree.links, ofView: name)
        }
    }

    /// Throws `.uploadsFull` where films that are about to be finished in a job's view are more than its owner may have
    /// beside everything else. `films` are the paths where they grow: those elsewhere do not count.
    package func requireRoom(forFilms films: [String], of job: String) throws {
        guard let name = view(ofJob: job) else { return }
        let bytes = films.filter { paths.view(of: $0) == name }.reduce(Int64(0)) { $0 + bytesOfFilm(at: $1) }
        let refusal = state.withLock { state -> SplitreelError? in
            guard let view = state.views[name] else { return nil }
            // The segments of films in the making are not counted: they go, and one key's work fails no other's film.
            return limits.refusal(of: bytes, StoreUse(bytesOfKey: state.lastingBytes(of: view.owner)))
        }
        if let refusal { throw refusal }
    }

    /// The bytes of a film, or of the images in a folder.
    private func bytesOfFilm(at path: String) -> Int64 {
        guard let facts = self.facts(of: path) else { return 0 }
        if facts.isFile { return facts.size }
        return names(in: path).reduce(0) { $0 + (self.facts(of: path + "/" + $1)?.size ?? 0) }
    }

    /// Removes a view, unless it has got another job meanwhile.
    func removeView(_ name: String, of job: String?) {
        guard state.withLock({ $0.remove(view: name, of: job) }) else { return }
        try? FileManager.default.removeItem(atPath: "\(paths.views)/\(name)")
    }

    /// Takes up the views that an earlier process left: the contents that they need, and their films.
    package func takeUpViews() {
        for (name, view) in state.withLock({ $0.views }) where !view.isKnown {
            let tree = look(into: name)
            state.withLock { state in
                guard state.views[name]?.isKnown == false else { return }
                state.takeUp(view: name, contents: tree.contents)
                state.set(filmBytes: tree.bytes, waiting: tree.waiting, entries: tree.entries, ofView: name)
            }
        }
    }

    /// Removes the contents that no job needs, of one owner or of all; answers their bytes.
    package func prune(owner: String?) -> Int64 {
        takeUpViews()
        return removeContents(of: owner) { _ in true }
    }

    /// Lets go of the contents that no view has and whose last use is over, of one owner or of all. Answers the bytes
    /// that were removed.
    @discardableResult
    private func removeContents(of owner: String? = nil, isOver: (_ lastUsed: Int64) -> Bool) -> Int64 {
        // What a view needs is known only then.
        guard let sums = state.withLock({ $0.isKnown ? Array($0.contents.keys) : nil }) else { return 0 }
        // One at a time, so that uploads do not wait for all of them.
        return sums.reduce(0) { bytes, sum in
            bytes + filing.withLock { _ in letGo(of: sum, owner, isOver) }
        }
    }

    /// Answers the bytes of a content that goes since nobody has it any more; 0 where it stays. To be called under the
    /// lock of filing.
    private func letGo(of sum: String, _ owner: String?, _ isOver: (_ lastUsed: Int64) -> Bool) -> Int64 {
        let now = clock()
        let gone = state.withLock { state -> (owners: [String], size: Int64?) in
            guard let content = state.contents[sum] else { return ([], nil) }
            guard content.views == 0 else {
                for name in content.owners.keys { state.use(sum, by: name, at: now) }
                return ([], nil)
            }
            let over = content.owners.filter { (owner == nil || owner == $0.key) && isOver($0.value) }.map { $0.key }
            for name in over { state.letGo(sum, of: name) }
            guard state.contents[sum]?.owners.isEmpty == true else { return (over, nil) }
            state.remove(content: sum)
            return (over, content.size)
        }
        for name in gone.owners { unlink(mark(sum, of: name)) }
        guard let size = gone.size else { return 0 }
        unlink(contentPath(sum))
        return size
    }

    /// The sums of what it holds, of one owner or of all.
    package func totals(owner: String?) -> StoreTotals {
        let state = self.state.withLock { $0 }
        var totals = StoreTotals()
        totals.keeps = limits.keeps
        totals.limit = owner == nil ? limits.bytesOfAll : limits.bytesOfKey
        for content in state.contents.values where owner.map({ content.owners[$0] != nil }) ?? true {
            totals.files += 1
            totals.bytes += content.size
        }
        for (key, part) in state.parts where owner == nil || key.owner == owner {
            totals.parts += 1
            totals.partBytes += part.size
        }
        for (name, view) in state.views where owner == nil || view.owner == owner {
            for film in look(into: name).films {
                totals.films += 1
                totals.filmBytes += film.size
            }
        }
        return totals
    }
}
