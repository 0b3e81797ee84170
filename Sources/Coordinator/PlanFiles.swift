package import MediaFacts
package import Planning

/// The files of a plan by what peers ask for: a sequence has a hundred thousand, which must not be looked through for
/// each question.
package struct PlanFiles: Sendable {
    /// The place of a file's facts in the plan.
    private enum Place: Sendable {
        case asset(String)
        case part(String, Int)
        case proxy(String, Int)
    }

    /// Every path that the plan reads.
    package let paths: Set<String>
    private var byPath: [String: Place] = [:]
    /// The places by the SHA-256 of what stands for the file: its own, or its index's.
    private var bySum: [String: Place] = [:]

    package init(_ plan: RenderPlan) {
        paths = Set(plan.assets.values.flatMap(\.paths))
        for (id, asset) in plan.assets.sorted(by: { $0.key < $1.key })
        where asset.kind != .color && asset.kind != .composition {
            if let parts = asset.parts {
                for (number, part) in parts.enumerated() { note(part, .part(id, number)) }
            } else {
                note(asset, .asset(id))
            }
            for (number, proxy) in (asset.proxy ?? []).enumerated() { note(proxy, .proxy(id, number)) }
        }
    }

    private mutating func note(_ file: AssetFacts, _ place: Place) {
        if byPath[file.path] == nil { byPath[file.path] = place }
        if let sum = file.identity.contentSum, bySum[sum] == nil { bySum[sum] = place }
    }

    /// The facts of the file at a path; nil where the plan has none there.
    package func file(at path: String, in plan: RenderPlan) -> AssetFacts? { byPath[path].flatMap { facts($0, plan) } }

    /// The facts of the file that a SHA-256 stands for; nil where the plan has none.
    package func file(ofSum sum: String, in plan: RenderPlan) -> AssetFacts? { bySum[sum].flatMap { facts($0, plan) } }

    private func facts(_ place: Place, _ plan: RenderPlan) -> AssetFacts? {
        switch place {
        case .asset(let id): plan.assets[id]
        case .part(let id, let number): plan.assets[id]?.parts?[number]
        case .proxy(let id, let number): plan.assets[id]?.proxy?[number]
        }
    }
}
