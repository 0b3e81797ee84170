package import Glibc
package import Hashing
package import KeyFiles
package import Outputs
package import Planning
package import Rendering
package import Scheduling
package import SplitreelFiles

/// A function that makes one task of a plan; `Rendering.SegmentRenderer` outside tests. Called on a thread of its own
/// with a large stack. Writes the set that is named by `segmentPath`, with its sidecars, whole or not at all; throws
/// `.cancelled` soon after cancellation.
package typealias RenderFunction =
    @Sendable (
        _ plan: RenderPlan, _ planHash: String, _ task: RenderTask, _ key: ContentKey, _ segmentPath: String,
        _ progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void, _ cancellation: Cancellation
    ) throws -> [SegmentRecord]

/// The settings that a slot's process is started with.
package struct SlotConfiguration: Sendable {
    /// The coordinator's control endpoint.
    package var endpoint: String
    /// The worker's name, which its slots share.
    package var workerName: String
    /// The slot's name, unique per process.
    package var slotName: String
    /// The folders outside of which the slot reads and writes nothing; empty for no such limit.
    package var roots: [String]
    /// The folders that this machine has under other paths than the coordinator.
    package var maps = PathMaps.same
    /// Opens the sources that the slot does not read under the plan's paths, and looks at the roots itself; nil where a
    /// source outside of the roots, or one that is not there, is refused.
    package var opener: (any SourceOpener)?
    /// Whether to leave when standard input closes, as a child does whose parent holds the other end.
    package var watchStandardInput: Bool
    /// libavcodec's names of the encoders that this machine has.
    package var encoders: [String] = []
    /// The versions of the libraries that make pictures and sound here.
    package var versions: [String] = []
    /// The registered things that this program has, each as "id version".
    package var effects: [String] = []
    /// splitreel's version.
    package var release = ""
    /// The machine's name.
    package var host = ""
    /// The names of this machine's files of fonts; nil where the coordinator is told nothing of the machine.
    package var fontFiles: [String]?
    /// The number of the process that started the slot; nil where nobody tells it.
    package var workerPID: pid_t?
    /// The memory in bytes that all slots of the worker together may take; nil where nobody limits them.
    package var memoryBytes: Int?
    /// The place of the worker's token; nil where the farm has no keys.
    package var tokenSource: TokenSource?
    /// The folder for what the coordinator and the slot do not both see: segments that are sent, and plans that are
    /// fetched. nil where they share the work folder.
    package var dataFolder: String?
    /// The folder in which blocks of sources from afar are kept, for all slots and jobs; nil for the folder above.
    package var cacheFolder: String?
    /// The most bytes of these blocks.
    package var cacheBytes = SlotConfiguration.usualCacheBytes
    /// The hands that bring such sources, which get the slot's line to the coordinator; nil where none come.
    package var sourceHands: LineHands?
    /// The sources from afar, of which a media half is handed blocks; nil where none come.
    package var sourceStore: SourceStore?
    /// Whether the media half is confined, as far as the kernel can.
    package var isConfined = true
    package var limits = SlotLimits()
    /// The stack of the thread that renders, in bytes.
    package var renderStackBytes = 16 << 20

    package init(
        endpoint: String, workerName: String, slotName: String, roots: [String] = [], watchStandardInput: Bool
    ) {
        self.endpoint = endpoint
        self.workerName = workerName
        self.slotName = slotName
        self.roots = roots
        self.watchStandardInput = watchStandardInput
    }

    /// The bytes of blocks that are kept where nobody says how many.
    package static let usualCacheBytes = 16 << 30

    /// A slot's name, `WORKER/PID-TOKEN`. The parent chooses a new token at its start, so that it knows its children's
    /// names, and no earlier process had one of them.
    package static func slotName(worker: String, pid: pid_t = getpid(), token: String) -> String {
        "\(worker)/\(pid)-\(token)"
    }

    package static func newToken() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }
}
