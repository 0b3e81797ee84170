import Diagnostics
import FarmProtocol
import Outputs
import Scheduling

/// The machine and the settings of a worker, as a slot of it told them. A peer may tell anything: all is bounded.
struct ToldFacts: Sendable {
    var roots: [String]
    var maps: [String]
    var opensPaths: Bool
    var data: String
    /// The names of the machine's files of fonts; nil where it told none, or too many to compare.
    var fonts: Set<String>?
    /// The seconds that its clock is ahead; nil before its first heartbeat.
    var clockOffset: Double?
    /// The free bytes in its folder for data; nil where they are not told.
    var diskFree: Int64?
    /// The bytes a second that its link carried of late; nil where they were not measured.
    var linkRate: Double?
    /// The finished segments that wait to be sent.
    var waiting = 0

    /// The most roots and maps that are kept, the most bytes of each, and of a font's name.
    private static let mostPaths = 8
    private static let mostPathBytes = 256
    private static let mostNameBytes = 96
    /// The most names of fonts that are compared.
    private static let mostFonts = 2048

    init(_ message: Splitreel_Farm_WorkerFacts) {
        roots = message.roots.prefix(Self.mostPaths).map { $0.cut(toBytes: Self.mostPathBytes) }
        maps = message.maps.prefix(Self.mostPaths).map { $0.cut(toBytes: Self.mostPathBytes) }
        opensPaths = message.opensPaths
        data = message.data.cut(toBytes: Self.mostPathBytes)
        if (1...Self.mostFonts).contains(message.fonts.count) {
            fonts = Set(message.fonts.map { $0.cut(toBytes: Self.mostNameBytes) })
        }
    }

    /// Takes what a heartbeat tells; `now` are the seconds since the epoch.
    mutating func hear(_ beat: Splitreel_Farm_Heartbeat, now: Double) {
        let isTime = beat.clock.isFinite && beat.clock > 0 && beat.clock < 1e11
        clockOffset = isTime ? beat.clock - now : nil
        diskFree = beat.hasDiskFree ? Int64(clamping: beat.diskFree) : nil
        linkRate = beat.linkRate.isFinite && beat.linkRate > 0 ? min(beat.linkRate, 1e12) : nil
        waiting = Int(min(beat.waiting, 1_000_000))
    }

    /// The facts of one process for a report, from those of its slots, which are some.
    static func report(_ slots: [ToldFacts], lacks: [Splitreel_Farm_Lack]) -> Splitreel_Farm_ProcessFacts? {
        guard let first = slots.first else { return nil }
        var report = Splitreel_Farm_ProcessFacts()
        report.roots = first.roots
        report.maps = first.maps
        report.opensPaths = first.opensPaths
        report.data = first.data
        // A heartbeat that was long under way makes a clock look slow.
        if let offset = slots.compactMap(\.clockOffset).max() { report.clockOffset = offset }
        if let free = slots.compactMap(\.diskFree).min() { report.diskFree = UInt64(clamping: free) }
        report.linkRate = slots.compactMap(\.linkRate).max() ?? 0
        report.waiting = UInt32(clamping: slots.reduce(0) { $0 + $1.waiting })
        report.lacks = lacks
        return report
    }
}

/// The things that the workers of a farm have, and which of them one lacks.
struct FarmKits {
    /// The things of one worker. Those of an earlier release, and of other programs, may tell none of a kind.
    struct Kit: Hashable {
        let encoders: [String]
        let effects: Set<String>
        let libraries: [String]
        let fonts: Set<String>?

        init(_ spec: SlotSpec, _ facts: ToldFacts?) {
            encoders = spec.encoders
            effects = spec.effects
            libraries = spec.versions
            fonts = facts?.fonts
        }
    }

    /// The encoders that a release of ours may be asked for.
    static let encodersOfRelease = Set(PictureCodec.all.map(\.encoderName) + SoundCodec.all.map(\.encoderName))

    /// The most different kits that are compared: a farm has few.
    private static let most = 64
    /// The most names that are told of a kind.
    private static let mostNames = 8
    private static let mostNameBytes = 96

    private var kits: [Kit] = []
    private var lacks: [[Splitreel_Farm_Lack]] = []

    init(_ all: [Kit], encoders: Set<String> = FarmKits.encodersOfRelease) {
        for kit in all where kits.count < Self.most && !kits.contains(kit) { kits.append(kit) }
        var effects: Set<String> = []
        var libraries: Set<String> = []
        var fonts: Set<String> = []
        for kit in kits {
            effects.formUnion(kit.effects)
            libraries.formUnion(kit.libraries)
            fonts.formUnion(kit.fonts ?? [])
        }
        for kit in kits {
            var lacks = Self.lack(.encoders, encoders, Set(kit.encoders))
            lacks += Self.lack(.effects, effects, kit.effects)
            lacks += Self.lack(.libraries, libraries, Set(kit.libraries))
            lacks += Self.lack(.fonts, fonts, kit.fonts ?? [])
            self.lacks.append(lacks)
        }
    }

    /// The things that a worker lacks with such a kit; none for one that was not compared.
    func lacks(of kit: Kit) -> [Splitreel_Farm_Lack] { kits.firstIndex(of: kit).map { lacks[$0] } ?? [] }

    /// The things of a kind that are not among a worker's own, if any; none where it told of no such thing.
    private static func lack(
        _ kind: Splitreel_Farm_LackKind, _ wanted: Set<String>, _ own: Set<String>
    ) -> [Splitreel_Farm_Lack] {
        let names = own.isEmpty ? [] : wanted.subtracting(own)
        guard !names.isEmpty else { return [] }
        var lack = Splitreel_Farm_Lack()
        lack.kind = kind
        lack.names = names.sorted().prefix(mostNames).map { $0.cut(toBytes: mostNameBytes) }
        lack.count = UInt32(clamping: names.count)
        return [lack]
    }
}
