import Preparation
import SplitreelFiles
import SplitreelProject

extension MediaAsset {
    /// The asset with code of a session's own for what its composition names, for as long as the loan lives. Reads the
    /// composition's file; blocking. Throws as `load` does.
    func lending(_ code: OwnCode) throws -> (asset: MediaAsset, loan: OwnCode.Loan) {
        let project: Project
        switch try origin.get() {
        case .composition(let path) where !code.isEmpty: project = try CompositionFile(path: path).project
        case .project(let known) where !code.isEmpty:
            // Faults of nested files are told where the asset is opened.
            project = try CompositionFile.nestedFiles(of: known, path: absolutePath("project.json")).project
        case .media, .composition, .project: return (self, OwnCode().lent(to: Project()).loan)
        }
        let lent = code.lent(to: project)
        return (MediaAsset(lent.project, name: name, usingProxies: usesProxies), lent.loan)
    }
}
