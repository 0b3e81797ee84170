import Diagnostics
import Foundation

/// The absolute path against the current folder, `.` and `..` resolved as text. Throws `.usage` for a relative path
/// where the current folder has been deleted.
package func absolutePath(_ path: String) throws -> String {
    let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    guard path.hasPrefix("/") || folder.hasPrefix("/") else {
        throw SplitreelError(
            .usage, operation: "finding a file", subject: path, reason: "the current folder is gone",
            hint: "change to a folder that exists, or give the whole path")
    }
    let absolute = path.hasPrefix("/") ? path : folder + "/" + path
    return URL(fileURLWithPath: absolute).standardizedFileURL.path
}

/// The path from a folder to a file, both absolute, `..` for each step up.
package func relativePath(_ path: String, from folder: String) -> String {
    let (steps, own) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(steps, own).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: own.count - common) + steps[common...].map(String.init))
        .joined(separator: "/")
}
