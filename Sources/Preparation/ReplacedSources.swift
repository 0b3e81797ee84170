import Diagnostics
import Glibc

/// Refuses to replace a file that the output is made from, under whatever name or link: the file would be lost.
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

/// Tells one file from another whatever their names are; nil where there is none.
private func nodeIdentity(_ path: String) -> [UInt]? {
    var facts = stat()
    guard !path.isEmpty, stat(path, &facts) == 0 else { return nil }
    return [UInt(facts.st_dev), UInt(facts.st_ino)]
}
