import FarmProtocol

/// The machine and the settings of a worker, as a coordinator tells them.
package struct MachineFacts: Sendable, Hashable, Encodable {
    /// The kind of things that a worker lacks.
    package enum LackKind: String, Sendable, Hashable, Encodable, CaseIterable {
        /// Encoders that a release may be asked for.
        case encoders
        /// Effects, libraries of the same version, and files of fonts, as other workers have them.
        case effects
        case libraries
        case fonts
    }

    /// Things that a worker lacks.
    package struct Lack: Sendable, Hashable, Encodable {
        package var kind: LackKind
        /// The first names.
        package var names: [String]
        /// The number of all.
        package var count: Int

        package init(kind: LackKind, names: [String], count: Int) {
            self.kind = kind
            self.names = names
            self.count = count
        }
    }

    /// The folders that it reads; none: any.
    package var roots: [String] = []
    /// The texts `FROM=TO` of folders that it has under other paths.
    package var maps: [String] = []
    /// Whether it looks at the paths of plans.
    package var opensPaths = true
    /// The folder for what is sent; nil where nothing is.
    package var data: String?
    /// The seconds that its clock is ahead; nil where nobody knows.
    package var clockOffset: Double?
    /// The free bytes in its folder for data; nil where nobody knows.
    package var diskFree: Int?
    /// The bytes a second that its link carried of late; nil where they were not measured.
    package var linkRate: Double?
    /// The finished segments that wait to be sent.
    package var waiting = 0
    package var lacks: [Lack] = []

    package init() {}

    /// The facts of another process's message, whose numbers may be anything.
    init(_ message: Splitreel_Farm_ProcessFacts) {
        roots = message.roots
        maps = message.maps
        opensPaths = message.opensPaths
        data = message.data.isEmpty ? nil : message.data
        clockOffset = message.hasClockOffset && abs(message.clockOffset) < 1e12 ? message.clockOffset : nil
        diskFree = message.hasDiskFree ? Int(clamping: message.diskFree) : nil
        linkRate = message.linkRate > 0 && message.linkRate < 1e15 ? message.linkRate : nil
        waiting = Int(message.waiting)
        lacks = message.lacks.compactMap { lack in
            LackKind(lack.kind).map { Lack(kind: $0, names: lack.names, count: Int(lack.count)) }
        }
    }
}

extension MachineFacts.LackKind {
    /// The kind of a message; nil for one of a later minor.
    fileprivate init?(_ kind: Splitreel_Farm_LackKind) {
        switch kind {
        case .encoders: self = .encoders
        case .effects: self = .effects
        case .libraries: self = .libraries
        case .fonts: self = .fonts
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
