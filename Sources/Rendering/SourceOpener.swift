import Diagnostics
package import MediaFacts
import MediaReading
package import SplitreelFiles

/// The kind of reading that a source is opened for. From afar, sound is read in smaller parts.
package enum SourceReading: Hashable, Sendable {
    case pictures, sound
}

/// The hands that open a plan's files which are not read under the plan's paths: under mapped ones, or from afar.
package protocol SourceOpener: AnyObject, Sendable {
    /// A source of the file's bytes, which is the planned file by its size and its edges; nil where the file is to be
    /// opened under the plan's path. Whoever renders asks once for each file, kind of reading and session, and again
    /// after a failure. Throws `mediaChanged` where there is another file, `mediaNotDelivered` where nothing comes.
    func source(of facts: AssetFacts, for reading: SourceReading) throws -> (any MediaSource)?
    /// Throws where nothing of the file could be read, as `source(of:for:)` does; reads two MiB of it at most.
    func check(_ facts: AssetFacts) throws
    /// Brings the packet index of a file to a path beside the plan, for sources of `source(of:for:)`; does nothing
    /// where there is none, or it does not come. Whoever takes it up checks it.
    func bringIndex(of facts: AssetFacts, to path: String)
    /// The folder for what this machine makes of a plan's sources: brought indexes, fonts, sound that is kept while it
    /// is mixed. nil for the one that the plan's segments go to.
    func folder(ofPlan hash: String) -> String?
    /// Begins a render. False where the sources that were opened before have been stopped: they are to be dropped.
    func beginReading() -> Bool
    /// Ends all reading until a render begins: who waits for bytes is told `cancelled`. From any thread.
    func stopReading()
}

extension SourceOpener {
    package func folder(ofPlan hash: String) -> String? { nil }
}

extension SourceLook {
    /// The look at a path within the roots for a planned file. Reads two MiB of what is there; links are followed.
    package init(_ path: String, for facts: AssetFacts, within roots: Roots) {
        let finding: Finding =
            switch roots.verdict(path) {
            case .outside: .outside
            case .unknown: .missing
            case .inside: Self.finding(path, facts)
            }
        self.init(path: path, finding: finding)
    }

    private static func finding(_ path: String, _ facts: AssetFacts) -> Finding {
        do {
            let now = try edgeHash(path: path)
            if now.byteCount != facts.byteCount {
                return .another(reason: "it has \(now.byteCount) bytes, \(facts.byteCount) were planned")
            }
            return now.hash == facts.edgeHash ? .same : .another(reason: "its first or last MiB differ")
        } catch let error as SplitreelError where error.code == .mediaNotFound {
            return .missing
        } catch {
            return .unreadable(reason: (error as? SplitreelError)?.reason.description ?? "\(error)")
        }
    }
}
