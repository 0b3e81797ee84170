import Diagnostics
import Hashing
import Outputs
import Rendering

// The words between the halves of a slot. Both are of one program, so they have no version.

/// An order of the half that has the network.
enum HalfOrder: Codable, Sendable {
    /// The first order, and the only one of its kind. The plan's bytes come with it.
    case begin(HalfSession)
    case render(HalfTask)
    /// The task of that number is not wanted any more.
    case cancel(number: Int)
}

/// A word of the half that renders, about a task by its number. Each task gets one of the last two kinds.
enum HalfReport: Codable, Sendable {
    case progress(number: Int, done: Int, total: Int)
    case made(number: Int, records: [SegmentRecord], needed: HalfBytes)
    case failed(number: Int, error: SplitreelError)
}

/// The surroundings of all tasks of one plan.
struct HalfSession: Codable, Sendable {
    let planHash: String
    /// The way in which sources are opened; nil where all lie under the plan's paths.
    let opening: HalfOpening?
    /// The rules of the process; nil where it is not confined.
    let rules: HalfRules?
    /// Whether the half that has the network brings to the disk what this one makes.
    let leavesDisk: Bool
}

/// The places at which sources are looked for: see `FarSources`.
struct HalfOpening: Codable, Sendable {
    let roots: [String]
    /// The texts `FROM=TO` of mapped folders.
    let maps: [String]
    let opensPaths: Bool
    /// The folder for what is made of sources; nil for the one of the segments.
    let folder: String?
}

/// The rules of a process that renders: see `Sandbox`.
struct HalfRules: Codable, Hashable, Sendable {
    /// The files of the plan, as this machine sees them.
    let readable: [String]
    /// The folders that segments, indexes and scratch files go to; at least one.
    let writable: [String]
    /// Whether the machine's fonts may be read wherever Fontconfig's rules place them.
    let readsFonts: Bool
}

/// A task of the plan.
struct HalfTask: Codable, Sendable {
    let number: Int
    let task: RenderTask
    let key: ContentKey
    let path: String
}

/// The bytes of sources from afar that readers came to since the task before.
struct HalfBytes: Codable, Sendable {
    let pictures: Int
    let sound: Int
}
