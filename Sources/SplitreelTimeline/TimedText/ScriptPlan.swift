package import MediaFacts
import MediaTime
import Pictures

/// An ASS script in exact time, ready to be drawn over a frame.
struct ScriptPlan: Sendable {
    private struct Event: Sendable {
        let start: Int
        let end: Int
        /// The latest end of all events up to this one.
        let reach: Int
        let isMoving: Bool
    }

    private let events: [Event]
    /// The milliseconds at which events begin and end, sorted.
    private let edges: [Int]
    private let picture: ScriptPicture
    /// The map from its pixels to the output's.
    private let map: Affine

    /// The plan of a script; nil where the text is no script.
    init?(_ text: TimedText, asset: String, track: Int?, placement: CanvasPlacement) {
        guard text.header != nil else { return nil }
        var (reach, edges): (Int, Set<Int>) = (0, [])
        events = text.cues.compactMap { cue in
            guard let start = cue.startMilliseconds, let end = cue.endMilliseconds else { return nil }
            reach = max(reach, end)
            edges.formUnion([start, end])
            return Event(start: start, end: end, reach: reach, isMoving: cue.isMoving)
        }
        self.edges = edges.sorted()
        picture = ScriptPicture(
            asset: asset, track: track, canvas: placement.canvas, size: placement.shownSize, milliseconds: 0,
            isMoving: false, hasFonts: text.hasFonts == true)
        map = placement.origin
    }

    /// The number of the millisecond that holds a time; it lasts until the next one begins.
    private static func milliseconds(_ time: Rational) -> Int { (time * Rational(1000)).floor() }

    /// The recipe of the script at `time`, which is the script's own; nil where no event is shown.
    func recipe(at time: Rational) -> LayerRecipe? {
        let now = Self.milliseconds(time)
        guard let shown = shown(at: now) else { return nil }
        var picture = picture
        picture.isMoving = shown
        let began = edges.partitionPoint { $0 <= now }
        picture.milliseconds = shown || began == 0 ? now : edges[began - 1]
        return LayerRecipe(picture: .script(picture), transform: map)
    }

    /// Whether some event that is shown moves; nil where none is shown.
    private func shown(at now: Int) -> Bool? {
        var index = events.partitionPoint { $0.start <= now } - 1
        guard index >= 0 else { return nil }
        var result: Bool?
        while events[index].reach > now {
            if events[index].end > now { result = events[index].isMoving || result == true }
            if index == 0 || result == true { break }
            index -= 1
        }
        return result
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        let (first, last) = (Self.milliseconds(start), Self.milliseconds(end))
        let next = edges.partitionPoint { $0 <= first }
        if next < edges.count, edges[next] <= last { return false }
        return shown(at: first) != true
    }
}

extension TimedCue {
    /// The first millisecond in which the cue is shown.
    package var startMilliseconds: Int? { start.exact.map { ($0 * Rational(1000)).ceil() } }
    /// The first millisecond in which the cue is shown no more.
    package var endMilliseconds: Int? { end.exact.map { ($0 * Rational(1000)).ceil() } }

    private var fields: [Substring] {
        script?.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false) ?? []
    }

    /// Whether it is a script's event whose picture changes while it is shown.
    package var isMoving: Bool {
        let fields = fields
        return fields.count == 9 && ScriptMarkup.isMoving(body: fields[8], effect: fields[7])
    }

    /// Whether it is a script's event that no other one makes give way.
    package var isPlaced: Bool {
        let fields = fields
        return fields.count == 9 && ScriptMarkup.isPlaced(body: fields[8])
    }
}
