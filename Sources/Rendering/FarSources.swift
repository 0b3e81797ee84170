import Diagnostics
import Foundation
import Hashing
package import MediaFacts
package import SourceBlocks
package import SplitreelFiles
import Synchronization
package import Threads

/// The side that has a plan's sources, as a slot asks it: the hands of the network, or a line to them (`LineSide`).
package protocol FarSide: Sendable {
    /// The map of a file's blocks, made of the file that was planned with: it has the plan's mark, or the plan's index.
    /// Blocks. Throws as `BlockFetcher` does.
    func map(of facts: AssetFacts, stop: WorkStop) throws -> BlockMap
    /// The file's packet index, whose SHA-256 is the plan's `contentSum`; nil where there is none. Blocks. Throws as
    /// `BlockFetcher` does.
    func index(of facts: AssetFacts, stop: WorkStop) throws -> [UInt8]?
    /// The file's units. What comes from afar is counted.
    func supply(of facts: AssetFacts, map: BlockMap, count: TransferCount) throws -> any BlockSupply
}

/// Opens a plan's files where this machine sees them, and has the blocks of all others sent. From any thread.
package final class FarSources: SourceOpener {
    /// A file whose blocks come from afar.
    private struct Far: Sendable {
        let map: BlockMap
        let supply: any BlockSupply
    }

    private struct State {
        var far: [AssetFacts.Content: Far] = [:]
        var stop = WorkStop()
    }

    private let sight: SourceSight
    private let roots: Roots
    private let side: (any FarSide)?
    private let pool: ThreadPool
    private let base: String?
    private let held = HeldUnits(mostBytes: FarSources.heldBytes)
    private let state = Mutex(State())
    /// The bytes that were needed and that came.
    package let count: TransferCount

    /// The most bytes of blocks in memory, whatever number of sources is open.
    private static let heldBytes = 32 << 20
    /// The threads that get blocks ahead of readers.
    private static let width = 4

    /// Makes the opener.
    ///
    /// - Parameters:
    ///   - sight: where a file may be seen here.
    ///   - roots: the folders outside of which no path of a plan is looked at.
    ///   - side: the machine that sends what is not seen here; nil for none.
    ///   - folder: the folder for what is made of sources, of this opener alone; nil for the one of the segments.
    package init(
        sight: SourceSight, roots: Roots, side: (any FarSide)? = nil, count: TransferCount = TransferCount(),
        folder: String? = nil
    ) {
        self.sight = sight
        self.roots = roots
        self.side = side
        self.count = count
        base = folder
        pool = ThreadPool(name: "ahead", size: Self.width)
    }

    /// A folder for one plan: what was made for others goes. nil too where it cannot be made.
    package func folder(ofPlan hash: String) -> String? {
        guard let base else { return nil }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name != hash {
            try? FileManager.default.removeItem(atPath: "\(base)/\(name)")
        }
        let own = "\(base)/\(hash)"
        do { try makeFolders(own) } catch { return nil }
        return own
    }

    package func bringIndex(of facts: AssetFacts, to path: String) {
        let stop = state.withLock { $0.stop }
        guard let bytes = try? side?.index(of: facts, stop: stop), sha256(bytes) == facts.contentSum else { return }
        try? replaceFile(Data(bytes), at: path)
    }

    package func beginReading() -> Bool {
        state.withLock { state in
            guard state.stop.isStopped else { return true }
            state.stop = WorkStop()
            return false
        }
    }

    package func stopReading() {
        let stop = state.withLock { $0.stop }
        stop.stop()
    }

    package func source(of facts: AssetFacts, for reading: SourceReading) throws -> (any MediaSource)? {
        switch place(of: facts) {
        case .seen(let path):
            if path == facts.path { return nil }
            return try LocalFile(path: path, asking: "open")
        case .streamed(let looks):
            let stop = state.withLock { $0.stop }
            let far = try far(facts, looks, stop)
            let grain: BlockGrain =
                switch reading {
                case .pictures: .block
                case .sound: .extent
                }
            return BlockSource(
                name: facts.path, mark: facts.mark, map: far.map, grain: grain, supply: far.supply, count: count,
                held: held, pool: pool, stop: stop)
        }
    }

    package func check(_ facts: AssetFacts) throws {
        if case .streamed(let looks) = place(of: facts), side == nil { throw Self.unseen(facts, looks) }
    }

    private func place(of facts: AssetFacts) -> SourcePlace {
        sight.place(of: facts.path) { SourceLook($0, for: facts, within: roots).finding }
    }

    /// The error for a file that is nowhere on this machine, where nobody sends it.
    private static func unseen(_ facts: AssetFacts, _ looks: [SourceLook]) -> SplitreelError {
        if facts.path.isRemoteName { return nothingSent(facts.path) }
        let findings = looks.map(\.finding)
        let code: ErrorCode =
            if findings.contains(.outside) {
                .refused
            } else if findings.allSatisfy({ $0 == .missing }) {
                .mediaNotFound
            } else {
                .mediaChanged
            }
        return SplitreelError(
            code, operation: "opening", subject: "\(facts.path)",
            reason: "\(looks.map(\.words).joined(separator: "; "))",
            hint: "mount it, or say with \(.pathMap) where it is on this machine")
    }

    private func far(_ facts: AssetFacts, _ looks: [SourceLook], _ stop: WorkStop) throws -> Far {
        let content = AssetFacts.Content(facts)
        if let known = state.withLock({ $0.far[content] }) { return known }
        guard let side else { throw Self.unseen(facts, looks) }
        let map = try side.map(of: facts, stop: stop)
        guard map.byteCount == facts.byteCount, map.edgeHash == facts.edgeHash else {
            let here = looks.isEmpty ? "" : "; here, " + looks.map(\.words).joined(separator: ", ")
            throw sourceChanged(facts.path, "what the coordinator sends of it is not what was planned" + here)
        }
        let made = Far(map: map, supply: try side.supply(of: facts, map: map, count: count))
        return state.withLock { state in
            if let known = state.far[content] { return known }
            if state.far.count >= Self.mostFiles { state.far = [:] }
            state.far[content] = made
            return made
        }
    }

    /// The most files whose maps are held.
    private static let mostFiles = 1024
}

/// The error for an address, where no coordinator sends what is there.
private func nothingSent(_ address: String) -> SplitreelError {
    SplitreelError(
        .refused, operation: "opening", subject: "\(address)",
        reason: "workers open no address, and this one has nothing sent to it",
        hint: "start the worker with \(.dataFolder): then the coordinator sends what it needs")
}

extension AssetFacts {
    /// A file and the content that was planned with.
    fileprivate struct Content: Hashable {
        let path: String
        let byteCount: Int64
        let edgeHash: String
        let contentSum: String?
        let mark: String?

        init(_ facts: AssetFacts) {
            path = facts.path
            byteCount = facts.byteCount
            edgeHash = facts.edgeHash
            contentSum = facts.contentSum
            mark = facts.mark
        }
    }
}
