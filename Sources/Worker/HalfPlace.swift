import Glibc
import Planning
import Rendering
import SplitreelFiles

/// The folders in which a slot's media half makes a task's files. The outbox is none of them, since segments of other
/// jobs wait there: what goes there is made in a folder of the plan's own, and moved.
struct HalfPlace {
    /// The path at which the media half makes the first file of the set.
    let path: String
    /// The folders that it writes to, in order.
    let writable: [String]
    private let wanted: String

    /// - Parameters:
    ///   - wanted: the path at which the first file is to be at the end.
    ///   - own: the slot's folder for what is made of the plan's sources, on the disk of the outbox; nil for none.
    ///   - outbox: the folder of segments that wait; nil for none.
    init(_ wanted: String, own: String?, outbox: String?) {
        self.wanted = wanted
        if let own, let outbox, wanted.hasPrefix(outbox + "/") {
            path = "\(own)/\(fileName(of: wanted))"
            writable = [own]
        } else {
            path = wanted
            writable = [parentFolder(of: wanted)] + (own.map { [$0] } ?? [])
        }
    }

    /// Whether the files are made elsewhere and moved. They need not be on the disk before: whoever keeps them in the
    /// outbox sees to that.
    var isMoved: Bool { path != wanted }

    /// Brings the files beside the wanted path from which a sound is encoded to where the media half reads them.
    func bring(_ task: RenderTask) throws {
        guard isMoved, case .audio(let parts) = task else { return }
        for name in parts.flatMap({ [$0, $0 + ".json"] }) {
            try renameFile("\(parentFolder(of: wanted))/\(name)", to: "\(parentFolder(of: path))/\(name)")
        }
    }

    /// Moves a set of files that was made, and their records, to where they are wanted: the first file last.
    func publish(_ count: Int) throws {
        guard isMoved else { return }
        for number in (0..<count).reversed() {
            let made = SegmentSet.path(path, file: number)
            let place = SegmentSet.path(wanted, file: number)
            try renameFile(made + ".json", to: place + ".json")
            try renameFile(made, to: place)
        }
    }

    /// Removes the parts that were brought, which nobody reads again.
    func tidy(_ task: RenderTask) {
        guard isMoved, case .audio(let parts) = task else { return }
        for name in parts.flatMap({ [$0, $0 + ".json"] }) { unsafe unlink("\(parentFolder(of: path))/\(name)") }
    }
}
