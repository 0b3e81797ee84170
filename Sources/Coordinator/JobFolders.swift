import Diagnostics
import Foundation
package import Outputs
import Planning
import SplitreelFiles

/// The folders of a job's work: a hidden one beside its first output, with the plan and the segments, and one beside
/// each output of another folder, for its film: a film is moved to its name within one folder.
package struct JobFolders: Sendable {
    private let main: WorkFolder
    private let others: [WorkFolder]
    /// The paths where the outputs' films grow.
    package let films: [String]

    /// The path of the main folder.
    package var path: String { main.path }

    private static let list = "films.json"

    /// Makes and locks the folders; nothing is left where one of them cannot be made.
    package init(beside outputs: [String], containers: [Container]) throws {
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
                films.append(folder.path + "/" + Self.filmName(number, containers[number]))
            }
            if films.count > 1 { try writeFile(try JSONEncoder().encode(films), to: main.path + "/" + Self.list) }
        } catch {
            for folder in [main] + others { folder.remove() }
            throw error
        }
        self.main = main
        self.others = others
        self.films = films
    }

    /// Takes the folders of an earlier life up again. nil where one is gone or belongs to another process, or where the
    /// list of films, which workers can write, names a folder that was not made for these outputs.
    init?(existing path: String, beside outputs: [String], plan: () -> RenderPlan?) {
        guard let main = WorkFolder(existing: path) else { return nil }
        ArrivingFile.removeAll(in: path)
        var others: [WorkFolder] = []
        func giveUp() { for folder in [main] + others { folder.unlock() } }
        guard let containers = plan()?.outputs.map(\.container), containers.count == outputs.count,
            let films = Self.films(in: path, beside: outputs, containers)
        else {
            giveUp()
            return nil
        }
        for parent in Set(films.map { parentFolder(of: $0) }).subtracting([path]).sorted() {
            guard let folder = WorkFolder(existing: parent) else {
                giveUp()
                return nil
            }
            others.append(folder)
        }
        self.main = main
        self.others = others
        self.films = films
    }

    private static func filmName(_ number: Int, _ container: Container) -> String {
        (number == 0 ? "film." : "film.\(number + 1).") + container.rawValue
    }

    /// The paths of these outputs' films: of the list, only the random ends of folders' names are taken.
    private static func films(in main: String, beside outputs: [String], _ containers: [Container]) -> [String]? {
        var films = ["\(main)/\(filmName(0, containers[0]))"]
        guard outputs.count > 1 else { return films }
        let bytes = try? RegularFile.contents(of: main + "/" + list, limit: 1 << 20, failure: .planMismatch)
        let listed = bytes.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
        guard listed.count == outputs.count else { return nil }
        var byParent = [parentFolder(of: outputs[0]): main]
        for (number, output) in outputs.enumerated() {
            let parent = parentFolder(of: output)
            let name = fileName(of: parentFolder(of: listed[number]))
            if byParent[parent] == nil {
                guard WorkFolder.isName(name, beside: output) else { return nil }
                byParent[parent] = (parent == "/" ? "" : parent) + "/" + name
            }
            let film = (byParent[parent] ?? main) + "/" + filmName(number, containers[number])
            guard film.utf8.elementsEqual(listed[number].utf8) else { return nil }
            if number > 0 { films.append(film) }
        }
        return films
    }

    /// Removes the folders that earlier jobs of these outputs left and that nobody holds.
    static func removeStale(beside outputs: [String]) {
        for output in outputs {
            WorkFolder.removeStale(in: parentFolder(of: output), prefix: WorkFolder.prefix(output))
        }
    }

    /// Removes the films that grow there and keeps the rest; answers its bytes.
    func keep() -> Int {
        for film in films {
            for path in [film, OutputPlace.mark(of: film)] { try? FileManager.default.removeItem(atPath: path) }
        }
        return main.byteCount
    }

    /// Removes the folders with all they hold; harmless when they are gone.
    package func remove() { for folder in [main] + others { folder.remove() } }

    /// Lets others take the folders for stale, or up again.
    func unlock() { for folder in [main] + others { folder.unlock() } }
}
