import Diagnostics
import Foundation
import Glibc
import Outputs
import SplitreelFiles

// Images have a name each. They are made in the work folder, all of them, and then moved one by one.
extension OutputPlace {
    /// The pattern of the images' names; nil for films.
    var pattern: ImagePattern? { ImagePattern(ofOutput: path, firstNumber: firstNumber) }

    /// Refuses where any image of the sequence is there: before any work the number of frames is not known.
    func checkImages(_ pattern: ImagePattern, _ folder: String) throws {
        guard fileName(of: path).utf8.count <= 200 else {
            throw notWritable(path, systemReason(ENAMETOOLONG), hint: "choose a shorter name")
        }
        guard !overwrite else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if let found = names.filter(pattern.names).sorted().first { throw place(folder + "/" + found).exists }
    }

    /// Throws where `publish` would refuse a finished film.
    func check(for film: String) throws {
        guard let pattern else {
            if !isTaken(for: film) { try check() }
            return
        }
        _ = try imagesLeft(pattern, film)
    }

    /// Moves the images of the folder to their names; those that are gone from it were moved before, by a process that
    /// crashed then. An obstacle to any of them is looked for first; where one comes up later, the moved images go
    /// back.
    func publishImages(_ pattern: ImagePattern, _ folder: String) throws {
        var moved: [(from: String, to: String)] = []
        for (image, place) in try imagesLeft(pattern, folder) {
            do {
                try place.move(image)
            } catch {
                // The replaced images are gone: then the new images stay, and the error names the one that is not
                // there.
                if !overwrite { for pair in moved.reversed() { rename(pair.to, pair.from) } }
                throw error
            }
            moved.append((image, place.path))
        }
        try? synchronize(parentFolder(of: path))
    }

    private func imagesLeft(
        _ pattern: ImagePattern, _ folder: String
    ) throws -> [(image: String, place: OutputPlace)] {
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int($0) }.sorted()
        let places = left.map { place(pattern.path(ofFrame: $0)) }
        for (number, place) in zip(left, places) {
            var facts = stat()
            let image = folder + "/\(number)"
            // An image that has both of its names was moved by a process that crashed then.
            guard lstat(place.path, &facts) == 0, !place.isTaken(for: image),
                fileIdentity(image) != "\(facts.st_ino):\(facts.st_size)"
            else { continue }
            guard facts.st_mode & S_IFMT != S_IFDIR else { throw notWritable(place.path, "it is a folder") }
            if !overwrite { throw place.exists }
        }
        return zip(left, places).map { (folder + "/\($0)", $1) }
    }

    private func place(_ path: String) -> OutputPlace {
        var place = OutputPlace(path: path, overwrite: overwrite)
        place.hasNoLinks = hasNoLinks
        return place
    }

    private func move(_ image: String) throws {
        // Renaming one name of a file to the other does nothing.
        if let identity = fileIdentity(image), identity == fileIdentity(path) {
            unlink(image)
            return
        }
        guard overwrite else { return try moveWithoutReplacing(image) }
        guard rename(image, path) == 0 else { throw notWritable(path, systemReason(errno)) }
    }
}
