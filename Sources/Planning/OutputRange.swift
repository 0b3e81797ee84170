import Diagnostics
package import MediaTime
import Outputs

/// Throws `.usage` where nothing of a composition of that length is in the request's range.
package func checkRange(of request: OutputRequest, duration: Rational) throws {
    _ = try OutputRange(request: request, compositionDuration: duration)
}

/// The part [S, S+R) of a composition that is rendered, cut to [0, D).
struct OutputRange {
    var range: TimeRange
    var start: Rational
    var duration: Rational

    /// The frames of a film at most; more are refused.
    static let mostFrames = 1 << 31

    init(request: OutputRequest, compositionDuration: Rational) throws {
        let start = try Self.time(request.timing.rangeStart, default: .zero)
        let length = try Self.time(request.timing.rangeDuration, default: .positiveInfinity)
        guard start.isNumeric else { throw Self.refused(request.timing.rangeStart, "its start must be a finite time") }
        guard length.isNumeric || length == .positiveInfinity else {
            throw Self.refused(request.timing.rangeDuration, "its duration must be a time")
        }
        let first = max(Rational(start), .zero)
        var end = compositionDuration
        if length.isNumeric { end = min(end, Rational(start) + Rational(length)) }
        guard first < end else {
            let length = compositionDuration.shortSeconds
            let asked = [request.timing.rangeStart, request.timing.rangeDuration].compactMap { $0 }.joined(
                separator: ",")
            throw SplitreelError(
                .usage, operation: "cutting the range", subject: "\(.range, asked)",
                reason: "nothing is left of it inside the composition, which lasts \(length) s",
                hint: "start below the composition's duration, with a duration above 0")
        }
        self.start = first
        duration = end - first
        range = TimeRange(start: first == Rational(start) ? start : .zero, duration: duration.mediaTime)
    }

    private static func time(_ text: String?, default fallback: MediaTime) throws -> MediaTime {
        guard let text else { return fallback }
        guard let time = MediaTime(text: text) else { throw refused(text, "it is not a time") }
        return time
    }

    private static func refused(_ text: String?, _ reason: Phrase) -> SplitreelError {
        SplitreelError(
            .usage, operation: "reading an option", subject: "\(.range, text ?? "")", reason: reason,
            hint: text.flatMap { text in
                MediaTime.likely(text).map { "did you mean ‘\($0)’?" } ?? MediaTime.framesMeant(text).map { Phrase($0) }
            }
                ?? "say START,DURATION such as 2.5s,10s or 75/30,00:01:00")
    }
}

/// Throws `.settingsImpossible` for more frames than a plan may have.
package func refuseTooManyFrames(_ count: Int) throws {
    guard count <= OutputRange.mostFrames else {
        throw impossible("a film of \(count) frames", "2³¹ frames is the limit", hint: "render it in ranges")
    }
}
