import Diagnostics
import Glibc
import Outputs
package import Planning
import SplitreelFiles
import SplitreelProject

/// Refuses to replace a file that the output is made from, under whatever name or link: the file would be lost. Any
/// image of a sequence from its first number on counts, however many there will be.
package func refuseReplacing(_ request: OutputRequest, inputs: [String]) throws {
    let output = request.path
    if let images = ImagePattern(ofOutput: output, firstNumber: request.stills.startNumber ?? 1), images.hasNumber,
        let input = inputs.sorted().first(where: { images.couldReplace($0) })
    {
        throw SplitreelError(
            .outputNotWritable, operation: "checking the output", subject: output,
            reason: "its source \(input) has the name of one of these images",
            hint: "choose another name or folder")
    }
    try refuseReplacing(output, inputs: inputs)
}

/// Refuses to replace one of the inputs by the file `output`, under whatever name or link.
package func refuseReplacing(_ output: String, inputs: [String]) throws {
    guard let node = nodeIdentity(output), let input = inputs.sorted().first(where: { nodeIdentity($0) == node }) else {
        return
    }
    throw SplitreelError(
        .outputNotWritable, operation: "checking the output", subject: output,
        reason: input == output
            ? "it is made from this very file, \(input)" : "it is the same file as its source \(input)",
        hint: "name another file")
}

extension ImagePattern {
    fileprivate func couldReplace(_ file: String) -> Bool {
        [file, realPath(file) ?? file].contains { file in
            names(fileName(of: file)) && realPath(parentFolder(of: file)) == realPath(parentFolder(of: path))
        }
    }
}

/// The identity of a file whatever its name is; nil where there is none.
private func nodeIdentity(_ path: String) -> [UInt]? {
    var facts = stat()
    guard !path.isEmpty, stat(path, &facts) == 0 else { return nil }
    return [UInt(facts.st_dev), UInt(facts.st_ino)]
}
