import Diagnostics
import MediaFacts
package import Planning
import SplitreelFiles

extension SlotConfiguration {
    /// The surroundings that the media half is told for a plan. Looks at the disk for the roots. Throws `.usage` for a
    /// root that is not there any more.
    func halfSession(
        of plan: RenderPlan, _ planHash: String, writable: [String], leavesDisk: Bool
    ) throws -> HalfSession {
        let rules: HalfRules? =
            try isConfined && !plan.needsSystem
            ? HalfRules(readable: readablePaths(of: plan), writable: writable, readsFonts: plan.fonts != nil) : nil
        return HalfSession(planHash: planHash, opening: opening, rules: rules, leavesDisk: leavesDisk)
    }

    /// Where tasks run, Dispatch looks each second at /proc/NUMBER/stat of its threads, and ends the process where it
    /// cannot. Those are not below /proc/self, and come later than the sandbox.
    private func readablePaths(of plan: RenderPlan) throws -> [String] {
        try seenPaths(of: plan) + (plan.runsTasks ? ["/proc"] : [])
    }

    private var opening: HalfOpening? {
        guard opener != nil else { return nil }
        return HalfOpening(
            roots: pathRoots, maps: maps.pairs.map { "\($0.from)=\($0.to)" }, opensPaths: opensPaths,
            folder: sourcesFolder)
    }

    /// The paths at which a file of the plan may be here, within the roots. What stands there must be a file: a folder
    /// would let the media half read all below it.
    package func seenPaths(of plan: RenderPlan) throws -> [String] {
        guard opensPaths else { return [] }
        let allowed = try Roots(pathRoots)
        let paths = Set(plan.assets.values.flatMap(\.paths).flatMap { maps.candidates($0) })
        return paths.filter { path in
            guard path.isAbsolutePath, case .inside = allowed.verdict(path) else { return false }
            return (try? LocalFile.identity(path: path)) != nil
        }.sorted()
    }
}
