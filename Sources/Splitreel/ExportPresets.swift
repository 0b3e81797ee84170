import LocalFarm
public import Outputs
public import Pictures
import Planning
import Preparation
import Threads

extension ExportSession {
    /// A named family of settings.
    public struct Preset: Sendable, Hashable {
        /// The name for `ExportSession.preset`, such as `HighestQuality` or `web`.
        public let name: String
        /// The words for what it makes.
        public let summary: String
        /// The types of file that it makes, the usual one first.
        public let fileTypes: [Container]
        /// The size in pixels into which the picture is fitted, lying or standing, and never enlarged; nil for the
        /// canvas's own size.
        public let largestSize: PixelSize?
        /// Whether it is for pictures that stand upright alone.
        public let isPortrait: Bool

        init(_ preset: ExportPreset) {
            (name, summary) = (preset.name, preset.summary)
            fileTypes = preset.fileTypes
            largestSize = preset.box
            isPortrait = preset.isPortrait
        }
    }

    /// All presets: AVFoundation's by its names without `AVAssetExportPreset`, then those by purpose.
    public static var presets: [Preset] { ExportPreset.all.map { Preset($0) } }

    /// The presets that can make a film of this session's composition. Reads the headers of all its media.
    ///
    /// - Throws: `SplitreelError` for a composition that cannot be rendered at all; `CancellationError`.
    public func compatiblePresets() async throws -> [Preset] {
        let material = try await asset.material(below: ReadingRoots(settings.roots))
        let settings = settings
        let place: LocalFarm.Place = settings.rendersByThreads ? .threads : .processes
        return try await onThread("presets") {
            Result {
                let (project, loan) = settings.code.lent(to: material.project)
                defer { withExtendedLifetime(loan) {} }
                ProgramNetwork.begin()
                let remote = try ProgramNetwork.way(for: project)
                let fits = try material.locating {
                    try presetFits(project, prober: LocalFarm.prober(place, remote: remote))
                }
                return fits.filter { $0.settings != nil }.map { Preset($0.preset) }
            }
        }.get()
    }
}
