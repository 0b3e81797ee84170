import Diagnostics
package import MediaFacts
package import Planning
package import SourceBlocks
package import Threads

/// The far side as the half of a slot has it that reads media: all comes over one line.
package struct LineSide: FarSide {
    private let line: BlockLine
    private let numbers: [String: UInt32]

    /// The side for the sources of a plan, by whose numbers the other end knows them.
    package init(line: BlockLine, plan: RenderPlan) {
        self.line = line
        numbers = plan.sourceNumbers
    }

    package func map(of facts: AssetFacts, stop: WorkStop) throws -> BlockMap {
        try line.map(ofSource: number(of: facts), stop: stop)
    }

    package func index(of facts: AssetFacts, stop: WorkStop) throws -> [UInt8]? {
        try line.index(ofSource: number(of: facts), stop: stop)
    }

    /// The units; the other end counts what comes.
    package func supply(of facts: AssetFacts, map: BlockMap, count: TransferCount) throws -> any BlockSupply {
        line.supply(ofSource: try number(of: facts))
    }

    private func number(of facts: AssetFacts) throws -> UInt32 {
        if let number = numbers[facts.path] { return number }
        throw SplitreelError(
            .internalFault, operation: "reading from afar", subject: facts.path, reason: "the plan lacks this file")
    }
}
