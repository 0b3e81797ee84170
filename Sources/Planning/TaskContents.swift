package import Hashing

/// The keys of a plan's tasks, and the files that each task reads of which the keys know sizes, edges and indexes
/// alone. Of all other files that a task depends on the keys know every byte.
package struct TaskContents: Sendable {
    /// The content keys in the order of the tasks; see `RenderPlan.part(ofTask:)`.
    package var keys: [ContentKey]
    /// The paths of all such files, sorted.
    package var files: [String]
    /// The places in `files` of each task's files, ascending, in the order of the tasks.
    package var filesOfTasks: [[Int]]

    /// The contents of tasks that read no files.
    package init(keys: [ContentKey]) {
        self.keys = keys
        files = []
        filesOfTasks = keys.map { _ in [] }
    }

    init(keys: [ContentKey], files ofTasks: [Set<String>]) {
        self.keys = keys
        files = ofTasks.reduce(into: Set<String>()) { $0.formUnion($1) }.sorted()
        let places = Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1, $0) })
        filesOfTasks = ofTasks.map { $0.compactMap { places[$0] }.sorted() }
    }
}
