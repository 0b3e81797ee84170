package import Diagnostics
package import Foundation
package import JSONText
import MediaFacts
package import SplitreelProject
import Validation

/// All that is wrong with a composition, and with the media that it names: what `validate` tells.
package struct CompositionCheck: Sendable {
    /// The problems of its form and of its meaning.
    package let problems: [Problem]
    /// The problems of media that cannot be read. With one of them only what needs no file was checked.
    package let media: [Problem]

    /// Checks a composition. Blocking: all of its files' headers are read.
    ///
    /// - Parameters:
    ///   - project: the composition, as it was read or made.
    ///   - path: the file that it is in, or would be in: URLs start from its folder.
    ///   - form: the problems of its form that were found when it was read.
    ///   - data: its text, in which problems are located.
    ///   - name: the name by which texts call a setting.
    package init(
        of project: Project, path: String, form: [Problem], data: Data, calling name: (Setting) -> String
    ) throws {
        let nested = try CompositionFile.nestedFiles(of: project, path: path)
        let resolved = nested.project
        let (assets, failures) = probeAssets(of: resolved)
        let places = Dictionary(resolved.allAssets.map { ($0.name, $0.place) }) { first, _ in first }
        let media = failures.map { asset, failure in
            let error = failure.told(name)
            return Problem.error(
                error.code, places[asset] ?? "", "\(error.code.title): \(error.subject): \(error.reason)",
                hint: error.hint.description)
        }
        let known = failures.isEmpty ? assets : nil
        let ofFiles = assets.sorted { $0.key < $1.key }.flatMap { asset, facts in
            facts.remarks.map { Problem.warning(.sourceRemark, places[asset] ?? "", $0) }
        }
        let form = form + nested.problems
        var problems = form + resolved.furtherProblems(than: form, assets: known)
        if let known, !problems.contains(where: { $0.severity == .error }) {
            problems += outputProblems(of: resolved, assets: known, calling: name)
        }
        problems += folderRemarks(on: resolved)
        self.problems = (problems + ofFiles).map(nested.located).located(in: data)
        self.media = media.map(nested.located).located(in: data)
    }
}

/// The problems of outputs that a render could not write where they are to go, as the disk is now.
private func folderRemarks(on project: Project) -> [Problem] {
    (project.outputs ?? []).enumerated().compactMap { index, entry in
        guard let url = entry.url, url.hasPrefix("/") else { return nil }
        let folder = (url as NSString).deletingLastPathComponent
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue { return nil }
        return .warning(
            .outputNotWritable, "outputs[\(index)].url", "there is no folder \(folder): a render could not write it",
            hint: "make it, or name another")
    }
}
