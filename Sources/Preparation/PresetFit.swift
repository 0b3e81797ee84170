package import Diagnostics
import MediaTime
package import Outputs
package import Planning
package import SplitreelProject
import SplitreelTimeline

/// A preset's settings for a composition, or the reason why it has none.
package struct PresetFit: Sendable {
    package var preset: ExportPreset
    package var settings: OutputSettings?
    /// A guess of the film's bytes, see `OutputSettings.estimatedBytes`.
    package var estimatedBytes: Int?
    package var refusal: SplitreelError?

    package init(preset: ExportPreset) { self.preset = preset }
}

/// Tries every preset on a composition as its first file type. Reads the assets, once; blocking.
package func presetFits(
    _ project: Project, prober: any AssetProber = InProcessProber()
) throws -> [PresetFit] {
    try refuseInvalid(project, assets: nil)
    let assets = try probeAllAssets(of: project, prober: prober, usingProxies: false) { _ in }
    try refuseInvalid(project, assets: assets)
    return try ExportPreset.all.map { preset in
        var fit = PresetFit(preset: preset)
        var request = OutputRequest(path: "film." + (preset.fileTypes.first ?? .mp4).rawValue)
        request.delivery.preset = preset.name
        do {
            let timeline = try request.timeline(of: project, assets: assets)
            let settings = try resolve(request, timeline: timeline)
            let duration = timeline.duration
            let frames = settings.video == nil ? 0 : (duration / Rational(timeline.frameDuration)).ceil()
            let samples = settings.audio.map { sampleIndex(of: duration, rate: $0.sampleRate) } ?? 0
            try refuseTooManyFrames(frames)
            fit.settings = settings
            fit.estimatedBytes = settings.estimatedBytes(
                duration: duration, frameCount: frames, sampleCount: samples)
        } catch let error as SplitreelError {
            fit.refusal = error
        }
        return fit
    }
}
