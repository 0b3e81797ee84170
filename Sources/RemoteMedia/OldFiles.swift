import Foundation
import Glibc

/// Removes the files of a folder that were written to longest ago, where it has more than `most`. What cannot be
/// removed stays.
func removeOldest(in folder: String, leaving most: Int) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard names.count > most else { return }
    let dated = names.map { name -> (path: String, seconds: Int) in
        var facts = stat()
        let path = folder + "/" + name
        return (path, lstat(path, &facts) == 0 ? facts.st_mtim.tv_sec : 0)
    }
    for file in dated.sorted(by: { $0.seconds < $1.seconds }).prefix(names.count - most) { unlink(file.path) }
}
