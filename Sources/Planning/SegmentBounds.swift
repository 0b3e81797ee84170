import MediaTime
import Outputs
import Pictures

// The bytes that a segment can have: what is taken from elsewhere is held against them before its first byte comes.
extension RenderPlan {
    /// The room for headers, and for pictures so small that those outweigh them, in bytes a file.
    private static let spareBytes: Int64 = 64 << 20
    /// The bytes of a pixel at most: four samples of 32 bits. No encoder's packets are larger.
    private static let pixelBytes: Int64 = 16

    /// The number of files in a task's segment set; 0 where the plan has no such task.
    package func fileCount(ofTask task: Int) -> Int {
        switch part(ofTask: task) {
        case .chunk(let index)?: segmentParts(ofTask: index).count
        case .audio?: segmentParts(ofTask: chunks.count).count
        case .soundPart?: soundMixes.count
        case .analysis?: 1
        case nil: 0
        }
    }

    /// The most bytes of each file of a task's segment set, in the files' order; none where the plan has no such task.
    package func mostBytes(ofTask task: Int) -> [Int64] {
        switch part(ofTask: task) {
        case .chunk(let index)?:
            return segmentParts(ofTask: index).map { pictureBytes($0, frames: chunks[index].frameCount) }
        case .audio?: return segmentParts(ofTask: chunks.count).map { soundBytes($0) }
        // The files of a part are the mixes, which several streams may share.
        case .soundPart?:
            return soundMixes.map { Self.spareBytes + Int64($0.sampleCount) * Int64($0.settings.channels) * 8 }
        case .analysis?: return [Int64(ChunkAnalysis.mostBytes)]
        case nil: return []
        }
    }

    private func pictureBytes(_ part: SegmentPart, frames: Int) -> Int64 {
        guard let video = outputs[part.output].video else { return Self.spareBytes }
        let pixels = Int64(video.size.width) * Int64(video.size.height)
        // Filler goes up to the limit of the rate, however simple the pictures are. A frame lasts ten seconds at most.
        let filler = Int64(video.rateLimit.map { $0.rate / 8 * 10 } ?? 0)
        return Self.spareBytes + Int64(frames) * (pixels * Self.pixelBytes + filler)
    }

    /// A guess of the bytes that a task's segment set takes on the disk of who makes it; 0 where the plan has no such
    /// task.
    package func estimatedBytes(ofTask task: Int) -> Int64 {
        let sound = segmentParts(ofTask: chunks.count).reduce(0) { $0 + soundBytes($1) - Self.spareBytes } / 2
        switch part(ofTask: task) {
        case .chunk(let index)?:
            return segmentParts(ofTask: index).reduce(0) { $0 + pictureBytes($1, of: chunks[index]) }
        // The parts of a long sound lie beside what is encoded from them.
        case .audio?: return soundPartCount > 0 ? 2 * sound : sound
        case .soundPart?: return sound / Int64(max(1, soundPartCount))
        case .analysis?: return Int64(ChunkAnalysis.mostBytes)
        case nil: return 0
        }
    }

    private func pictureBytes(_ part: SegmentPart, of chunk: Chunk) -> Int64 {
        var settings = outputs[part.output]
        settings.audio = nil
        settings.furtherAudio = nil
        let duration = Rational(frameDuration) * Rational(chunk.frameCount)
        return Int64(settings.estimatedBytes(duration: duration, frameCount: chunk.frameCount, sampleCount: 0))
    }

    private func soundBytes(_ part: SegmentPart) -> Int64 {
        let settings = outputs[part.output].sounds[part.sound].settings
        let samples = part.output == 0 ? sampleCount : further?[part.output - 1].sampleCount ?? sampleCount
        return Self.spareBytes + Int64(samples) * Int64(settings.channels) * 8
    }
}
