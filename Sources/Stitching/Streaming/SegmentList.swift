import Diagnostics
internal import Libav
import MediaTime
internal import Outputs
internal import Planning

/// The segments of one film of a stream: runs of its fragments.
struct SegmentList {
    struct Segment {
        var bytes: Range<Int>
        /// The start in seconds on the film's clock.
        var start: Rational
        var duration: Rational
    }

    let member: StreamDocument.Member
    let settings: OutputSettings
    private let interval: Rational
    /// The bytes of the file's header.
    let header: Range<Int>
    let codec: String
    let segments: [Segment]
    /// The frames a second of a picture whose frames are even; nil for others and for sound.
    let frameRate: Rational?

    /// Reads a film's segments; `plan` is the film's own view.
    init(_ member: StreamDocument.Member, film path: String, plan: RenderPlan, every interval: Rational) throws {
        let index = try FragmentIndex(path: path)
        self.member = member
        settings = plan.output
        self.interval = interval
        (header, codec) = (0..<index.headerCount, index.codec)
        let whole = plan.filmDuration
        // A film that ends within a frame shows it whole: so long are its packets.
        let end = plan.output.video != nil ? plan.timing.time(ofFrame: plan.frameCount) : whole
        var starts: [(place: Int, time: Rational)] = []
        if plan.output.video != nil {
            let timing = plan.timing
            let wanted = Set([0] + timing.segmentStarts(every: interval, frameCount: plan.frameCount))
            var frame = 0
            for (place, fragment) in index.fragments.enumerated() {
                if wanted.contains(frame) { starts.append((place, timing.time(ofFrame: frame))) }
                frame += fragment.sampleCount
            }
            guard starts.count == wanted.count else { throw Self.lacking(path, starts.count, wanted.count) }
            switch timing {
            case .even(let grid): frameRate = Rational(1) / Rational(grid.frameDuration)
            case .listed: frameRate = nil
            }
        } else {
            frameRate = nil
            for (place, fragment) in index.fragments.enumerated() {
                let time = Rational(fragment.start, index.timescale)
                // Fragments of sound last a second: the one that begins nearest to where the picture's does, where
                // that has one and something is left to be heard.
                let due = interval * Rational(starts.count)
                let least = min(interval, Rational(1)) / Rational(2)
                let isDue = due < whole && time >= due - Rational(1, 2) && whole - time >= least
                if starts.isEmpty || isDue { starts.append((place, time)) }
            }
        }
        segments = starts.indices.map { number in
            let (first, time) = starts[number]
            let next = number + 1 < starts.count ? starts[number + 1] : (index.fragments.count, max(end, time))
            let bytes = index.fragments[first].bytes.lowerBound..<index.fragments[next.0 - 1].bytes.upperBound
            return Segment(bytes: bytes, start: time, duration: next.1 - time)
        }
    }

    private static func lacking(_ path: String, _ found: Int, _ wanted: Int) -> SplitreelError {
        SplitreelError(
            .muxFailed, operation: "listing a stream's segments", subject: path,
            reason: "\(found) of its \(wanted) segments begin with a fragment")
    }

    /// The bits per second, rounded up, of the run of segments that has most of them, among the runs that last half the
    /// interval to one and a half (RFC 8216, 4.1): a last segment of one frame says nothing of what a player needs.
    var peak: Int {
        var most = 0
        for first in segments.indices {
            var (bytes, duration) = (0, Rational.zero)
            for segment in segments[first...] {
                bytes += segment.bytes.count
                duration += segment.duration
                guard duration <= interval * Rational(3, 2) else { break }
                if duration >= interval / Rational(2) { most = max(most, Self.rate(bytes, duration)) }
            }
        }
        return most > 0 ? most : average
    }

    /// The bits per second of all segments together, rounded up.
    var average: Int {
        Self.rate(segments.reduce(0) { $0 + $1.bytes.count }, segments.reduce(.zero) { $0 + $1.duration })
    }

    private static func rate(_ bytes: Int, _ duration: Rational) -> Int {
        duration > .zero ? (Rational(bytes * 8) / duration).ceil() : 0
    }
}
