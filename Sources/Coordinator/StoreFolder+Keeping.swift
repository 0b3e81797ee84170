import DataPlane
import Foundation
import Glibc
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
        let views = state.withLock { $0.views }
        for (name, view) in views.sorted(by: { $0.key < $1.key }) where view.job == nil || adopted.contains(name) {
            lookAfter(name, view, jobsInUse, now)
        }
        let parts = state.withLock { $0.parts }
        for (key, size) in parts {
            let path = arriving(partPath(key, size))
            guard limits.isPartOver(lastUsed: facts(of: path)?.changed ?? 0, now: now) else { continue }
            unlink(path)
            drop(key)
        }
        removeContents { limits.isOver(lastUsed: $0, now: now) }
    }

    private func lookAfter(_ name: String, _ view: View, _ jobsInUse: Set<String>, _ now: Int64) {
        guard let job = view.job else {
            if limits.isPartOver(lastUsed: view.made, now: now) { removeView(name, of: nil) }
            return
        }
        guard !jobsInUse.contains(job) else { return }
        let films = look(into: name).films
        guard let last = films.map(\.changed).max(), !limits.isOver(lastUsed: last, now: now) else {
            return removeView(name, of: job)
        }
        let bytes = films.reduce(0) { $0 + $1.size }
        state.withLock { state in
            state.views[name]?.filmBytes = bytes
            // The job has ended: its media are not read any more.
            state.views[name]?.contents = []
        }
    }

    /// Removes a view, unless it has got another job meanwhile.
    private func removeView(_ name: String, of job: String?) {
        let isRemoved = state.withLock { state in
            guard let view = state.views[name], view.job == job else { return false }
            state.views[name] = nil
            return true
        }
        guard isRemoved else { return }
        try? FileManager.default.removeItem(atPath: "\(paths.views)/\(name)")
    }

    /// Removes the contents that no job needs, of one owner or of all; answers their bytes.
    package func prune(owner: String?) -> Int64 { removeContents(of: owner) { _ in true } }

    /// Lets go of the contents that no view has and whose last use is over, of one owner or of all. Answers the bytes
    /// that were removed.
    @discardableResult
    private func removeContents(of owner: String? = nil, isOver: (_ lastUsed: Int64) -> Bool) -> Int64 {
        let now = clock()
        let gone = state.withLock { state -> (marks: [(sum: String, owner: String)], sums: [String], bytes: Int64) in
            var marks: [(sum: String, owner: String)] = []
            var sums: [String] = []
            var bytes: Int64 = 0
            let used = state.views.values.reduce(into: Set<String>()) { $0.formUnion($1.contents) }
            for (sum, content) in state.contents {
                if used.contains(sum) {
                    for name in content.owners.keys { state.contents[sum]?.owners[name] = now }
                    continue
                }
                for (name, lastUsed) in content.owners where owner == nil || owner == name {
                    guard isOver(lastUsed) else { continue }
                    state.contents[sum]?.owners[name] = nil
                    marks.append((sum, name))
                }
                guard state.contents[sum]?.owners.isEmpty == true else { continue }
                state.contents[sum] = nil
                sums.append(sum)
                bytes += content.size
            }
            return (marks, sums, bytes)
        }
        for entry in gone.marks { unlink(mark(entry.sum, of: entry.owner)) }
        for sum in gone.sums { unlink(contentPath(sum)) }
        return gone.bytes
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
        for (key, size) in state.parts where owner == nil || key.owner == owner {
            totals.parts += 1
            totals.partBytes += size
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
