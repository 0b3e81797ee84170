import Diagnostics
import Files
import Foundation
import Planning

/// Where a job's work lies: a hidden folder beside its first output, with the plan and the segments, and one beside
/// each output of another folder, for its film: a film is moved to its name within one folder.
struct JobFolders: Sendable {
    private let main: WorkFolder
    private let others: [WorkFolder]
    /// Where each output's film grows.
    let films: [String]

    /// Of the main one.
    var path: String { main.path }

    private static let list = "films.json"

    /// Makes and locks the folders; nothing is left where one of them cannot be made.
    init(beside outputs: [String], containers: [Container]) throws {
        let main = try WorkFolder(beside: outputs[0])
        var others: [WorkFolder] = []
        var byParent = [parentFolder(of: outputs[0]): main]
        var films: [String] = []
        do {
            for (number, output) in outputs.enumerated() {
                let parent = parentFolder(of: output)
                WorkFolder.removeStale(in: parent, prefix: WorkFolder.prefix(output))
                let folder = try byParent[parent] ?? WorkFolder(beside: output)
                if byParent.updateValue(folder, forKey: parent) == nil { others.append(folder) }
                let name = number == 0 ? "film" : "film.\(number + 1)"
                films.append("\(folder.path)/\(name).\(containers[number].rawValue)")
            }
            if films.count > 1 { try writeFile(try JSONEncoder().encode(films), to: main.path + "/" + Self.list) }
        } catch {
            for folder in [main] + others { folder.remove() }
            throw error
        }
        (self.main, self.others, self.films) = (main, others, films)
    }

    /// Takes those of an earlier life up again. nil where one is gone or belongs to another process.
    init?(existing path: String, plan: () -> RenderPlan?) {
        guard let main = WorkFolder(existing: path) else { return nil }
        var others: [WorkFolder] = []
        func giveUp() { for folder in [main] + others { folder.unlock() } }
        guard let plan = plan() else {
            giveUp()
            return nil
        }
        var films = ["\(path)/film.\(plan.output.container.rawValue)"]
        if plan.further != nil {
            let bytes = try? RegularFile.contents(of: path + "/" + Self.list, limit: 1 << 20, failure: .planMismatch)
            films = bytes.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
        }
        for parent in Set(films.map { parentFolder(of: $0) }).subtracting([path]).sorted() {
            guard let folder = WorkFolder(existing: parent) else {
                giveUp()
                return nil
            }
            others.append(folder)
        }
        guard films.count == plan.outputs.count else {
            giveUp()
            return nil
        }
        (self.main, self.others, self.films) = (main, others, films)
    }

    /// Removes them with all they hold; harmless when they are gone.
    func remove() { for folder in [main] + others { folder.remove() } }

    /// Lets others take them for stale, or up again.
    func unlock() { for folder in [main] + others { folder.unlock() } }
}
