import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import Rendering

/// One track of a media file, on its way to a `Reader`.
struct ReadTrack: Sendable {
    let frames: TrackFrames?
    let sound: SoundStream?
    /// The number of frames that the file tells; 0 for sound.
    let frameCount: Int
    /// The size of the stored frames in pixels; nil for sound.
    let size: PixelSize?

    init(_ id: Int, of asset: MediaAsset, _ settings: Reader.Settings) throws {
        let facts = try asset.factsOnThisThread()
        let asked = try settings.timeRange.map { range in
            guard let start = range.start.exact, range.isEndless || range.duration.exact ?? .zero > .zero else {
                throw SplitreelError(
                    .usage, operation: "reading", subject: "timeRange", reason: "it lasts \(range.duration) s",
                    hint: "choose one above 0")
            }
            return (start: start, end: range.duration.exact.map { start + $0 })
        }
        guard let track = facts.track(id) else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: facts.path, reason: "there is no track \(id)",
                hint: "its tracks are \(facts.tracks.map { String($0.id) }.joined(separator: ", "))")
        }
        let end = (track.start.exact ?? .zero) + (track.duration.exact ?? .zero)
        let range = asked.map { (start: $0.start, end: $0.end ?? max(end, $0.start)) }
        guard track.type == .audio else {
            frames = try TrackFrames(of: facts, track: track, range: range)
            sound = nil
            frameCount = track.count ?? 0
            size = track.video?.codedSize
            return
        }
        let (start, length) = range.map { ($0.start, $0.end - $0.start) } ?? (.zero, end)
        sound = try SoundStream(of: facts, track: track, start: start, duration: length)
        (frames, frameCount, size) = (nil, 0, nil)
    }
}
