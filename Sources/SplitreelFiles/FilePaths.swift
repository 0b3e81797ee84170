import Diagnostics
import Foundation
import Glibc

/// The absolute path against the current folder, `.` and `..` resolved as text. Throws `.usage` for a relative path
/// where the current folder has been deleted or has a name that is not UTF-8, and for an address: no file is meant.
package func absolutePath(_ path: String) throws -> String {
    guard !path.isAddressLike else {
        throw SplitreelError(
            .usage, operation: "finding a file", subject: path, reason: "it is an address, and files alone can be here",
            hint: "name a file; assets, and films of render and submit, may be at s3:// or https://, in small letters")
    }
    let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    guard path.hasPrefix("/") || folder.hasPrefix("/") else {
        throw SplitreelError(
            .usage, operation: "finding a file", subject: path, reason: "the current folder is gone",
            hint: "change to a folder that exists, or give the whole path")
    }
    guard path.hasPrefix("/") || isCurrentFolderUTF8 else {
        throw SplitreelError(
            .usage, operation: "finding a file", subject: path, reason: "the current folder's name is not UTF-8",
            hint: "give the folder a name in UTF-8, or work from another one")
    }
    let absolute = path.hasPrefix("/") ? path : folder + "/" + path
    return URL(fileURLWithPath: absolute).standardizedFileURL.path
}

/// The name of a source or an output as it is known everywhere: a file's absolute path, or an address as it is. Throws
/// as `absolutePath` does.
package func absoluteName(_ name: String) throws -> String { name.isRemoteName ? name : try absolutePath(name) }

extension String {
    /// Whether somebody who wrote this meant an address and no path.
    fileprivate var isAddressLike: Bool {
        let start = prefix(8).lowercased()
        return ["s3://", "http://", "https://"].contains { start.hasPrefix($0) }
    }
}

private var isCurrentFolderUTF8: Bool {
    guard let name = getcwd(nil, 0) else { return true }
    defer { free(name) }
    return String(validatingCString: name) != nil
}

/// The path of the same file without `.`, `..` and empty parts. A link that `..` stands behind is followed, as the
/// system does; other links keep their names. A path that is not absolute stays as it is, and so does one whose `..`
/// stands behind what is no folder here. Looks at the disk, for such paths alone.
package func plainPath(_ path: String) -> String {
    guard path.isAbsolutePath, !path.isPlainPath, !path.utf8.contains(0) else { return path }
    var place = ""
    for part in path.pathParts where !part.isEmpty && part != "." {
        guard part == ".." else {
            place += "/\(part)"
            continue
        }
        guard let folder = realFolder(place.isEmpty ? "/" : place) else { return path }
        let above = parentFolder(of: folder)
        place = above == "/" ? "" : above
    }
    return place.isEmpty ? "/" : place
}

/// The folder's path, where it is a link that of the folder that it leads to; nil for what is no folder.
private func realFolder(_ path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, lstat(path, &facts) == 0 else { return nil }
    return facts.st_mode & S_IFMT == S_IFLNK ? realPath(path) : path
}

/// The path from a folder to a file, both absolute, `..` for each step up.
package func relativePath(_ path: String, from folder: String) -> String {
    let (steps, own) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(steps, own).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: own.count - common) + steps[common...].map(String.init))
        .joined(separator: "/")
}

/// A folder that could not be made, and the system's error number.
package struct FolderFailure: Error {
    package let path: String
    package let number: Int32
}

/// Makes a folder and those above it, where they are missing.
///
/// - Parameters:
///   - path: with `/` at its start, or against the current folder.
///   - made: is called for each folder that was made, the outermost first.
package func makeFolders(_ path: String, made: (String) -> Void = { _ in }) throws(FolderFailure) {
    var folder = path.isAbsolutePath ? "" : "."
    for name in path.pathParts where !name.isEmpty {
        folder += "/\(name)"
        if mkdir(folder, 0o777) == 0 {
            made(folder)
            continue
        }
        let number = errno
        var facts = stat()
        let isThere = stat(folder, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
        guard isThere else { throw FolderFailure(path: folder, number: number) }
    }
}
