import ArgumentParser
import Coordinator
import Foundation
import SplitreelFiles

/// Writes a composition to a file, or as it is to standard output.
func writeComposition(_ bytes: Data, to output: String?, overwrite: Bool) throws {
    guard let output else { return Console.exactResult(String(decoding: bytes, as: UTF8.self)) }
    let path = try absolutePath(output)
    guard path.lowercased().hasSuffix(".json") else {
        throw ValidationError("a composition ends in .json; not ‘\(output)’")
    }
    try checkOutputPlace(path, overwrite: overwrite)
    try replaceFile(bytes, at: path)
}
