public import Authoring
import Preparation
public import SplitreelProject

extension InstructionBuilder {
    /// Instructions for a project, as `instructions(for:facts:)` makes them. The facts of its media are loaded first,
    /// on a thread of the library. What instructions the project has is not looked at.
    ///
    /// Cost: the headers of all files are read. Relative URLs start from the folder that is the current one.
    ///
    /// - Throws: `SplitreelError`: the fault that makes the project impossible to render, with its place;
    ///   `CancellationError`.
    public func instructions(for project: Project) async throws -> [Instruction] {
        var bare = project
        bare.video?.instructions = nil
        let opened = try await MediaAsset(bare).opened()
        return instructions(for: opened.project, facts: opened.assets)
    }
}
