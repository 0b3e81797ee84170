import Diagnostics
package import Foundation
package import JSONText
package import MediaFacts
package import SplitreelProject

extension Project {
    /// Reads a project file, and finds all that is wrong with it: problems of its form, then problems of its meaning. A
    /// value with a fault, and the value that directly holds it, is not found fault with twice. The project is nil
    /// where it cannot be read.
    package static func check(_ data: Data, assets: [String: AssetFacts]?) -> (project: Project?, problems: [Problem]) {
        let (project, problems) = parse(data)
        guard let project else { return (nil, problems) }
        return (project, problems + project.furtherProblems(than: problems, assets: assets).located(in: data))
    }

    /// The problems of a project's meaning that was read from a file, beside those that `parse` has found of its form;
    /// see `check`.
    package func furtherProblems(
        than problems: [Problem], assets: [String: AssetFacts]?, outputs: Bool = true
    ) -> [Problem] {
        let all = validate(assets: assets, outputs: outputs)
        let broken = Set(problems.lazy.filter { $0.severity == .error }.map(\.path))
        if broken.isEmpty { return all }
        let holders = Set(broken.map { $0.prefix(upTo: $0.lastIndex { $0 == "." || $0 == "[" } ?? $0.startIndex) })
        let isLengthKnown = !broken.contains(where: Self.decidesLength)
        return all.filter { problem in
            let path = problem.path[...]
            return (isLengthKnown || !Self.dependsOnLength(problem)) && !holders.contains(path)
                && !sequence(first: path, next: \.holder).contains { broken.contains(String($0)) }
        }
    }

    /// Whether the value at a path tells how long the composition is.
    private static func decidesLength(_ path: String) -> Bool {
        guard path.hasPrefix("composition"), !path.contains(".source") else { return false }
        return path.contains(".target") || path.hasSuffix("]") || !path.contains(".segments[")
    }

    private static func dependsOnLength(_ problem: Problem) -> Bool {
        let codes: [ErrorCode] = [.nothingToRender, .lastInstructionOverruns, .instructionsTooShort]
        let isOutputRange = problem.path.hasPrefix("outputs[") && problem.path.hasSuffix("].range")
        return isOutputRange || codes.contains(problem.code)
    }
}
