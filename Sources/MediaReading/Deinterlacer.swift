internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaFacts

/// Makes whole frames of interlaced film by libavfilter's bwdif.
///
/// The frame for a place in presentation order depends on that place's picture and on the one on each side of it, and
/// on nothing else: the filter goes on where the last request was, or begins anew one picture before. At the film's
/// ends, and where the pictures' size changes, it does with one neighbour. A picture that is not interlaced is shown as
/// it is. The filter still works on such pictures: it does without a neighbour in the first picture that it works on.
/// Confined to one thread at a time.
@safe
final class Deinterlacer {
    private struct Shape: Equatable {
        var width: Int32
        var height: Int32
        var format: Int32

        init(_ frame: borrowing Frame) {
            (width, height, format) = (frame.fields.width, frame.fields.height, frame.fields.format)
        }
    }

    /// The frame that `show` made last, good until its next call.
    let output: Frame
    private let setting: Deinterlacing
    private let subject: String
    private var chain: FilterChain?
    private var shape: Shape?
    /// The places whose pictures the filter has been given. Its outputs are numbered twice as high, second fields one
    /// higher.
    private var given = 0..<0
    /// Whether the first of the given places has no neighbour before it that the filter should know.
    private var beganAtEdge = false
    private var isEnded = false
    /// The picture that the filter was given last. `previous` is the one before it: the outputs lag by one place.
    private let latest: Frame
    private let previous: Frame
    /// The number of the filter's output that `output` holds; nil before the first.
    private var number: Int?

    init(_ setting: Deinterlacing, subject: String) throws {
        (self.setting, self.subject) = (setting, subject)
        output = try Frame()
        latest = try Frame()
        previous = try Frame()
    }

    /// Makes `output` the frame of a place, or of the place's second field. `picture` gives a place's picture, which
    /// the filter then owns; it is asked for places from 0 to below `count`.
    func show(_ place: Int, isSecondField: Bool, count: Int, picture: (Int) throws -> Frame) throws {
        let wanted = place * 2 + (isSecondField ? 1 : 0)
        if number == wanted { return }
        if !canGoOn(to: place, wanted) { try begin(at: place, picture) }
        while number ?? -1 < wanted {
            if let next = try pull() {
                number = next
            } else if isEnded {
                break
            } else {
                try feed(count, picture)
            }
        }
        guard number == wanted else {
            throw SplitreelError(
                .internalFault, operation: "deinterlacing", subject: subject, reason: "frame \(place) did not come out")
        }
        try showAsItIs(place)
    }

    /// Replaces the output by the place's own picture where that is not interlaced and the order is automatic.
    private func showAsItIs(_ place: Int) throws {
        guard setting.order == .auto else { return }
        let isLatest = place == given.upperBound - 1
        let isInterlaced = isLatest ? latest.fields.interlaced_frame : previous.fields.interlaced_frame
        guard isInterlaced == 0 else { return }
        let own = isLatest ? try latest.reference() : try previous.reference()
        output.take(from: own)
    }

    var showsFields: Bool { setting.showsFields }

    /// Makes the next `show` begin anew, since the same places have other pictures now.
    func forget() { (shape, number) = (nil, nil) }

    private func canGoOn(to place: Int, _ wanted: Int) -> Bool {
        guard shape != nil, number ?? 0 <= wanted, place <= given.upperBound, !isEnded || given.contains(place) else {
            return false
        }
        return given.lowerBound < place || given.lowerBound == place && beganAtEdge
    }

    private func begin(at place: Int, _ picture: (Int) throws -> Frame) throws {
        shape = nil
        number = nil
        isEnded = false
        output.clear()
        let before = try Frame()
        if place > 0 {
            let frame = try picture(place - 1)
            before.take(from: frame)
        }
        let own = try picture(place)
        let shape = Shape(own)
        try prepare(shape)
        beganAtEdge = place == 0 || Shape(before) != shape
        given = place..<place
        if !beganAtEdge {
            given = place - 1..<place
            try push(before, place - 1)
        }
        try push(own, place)
        given = given.lowerBound..<place + 1
        self.shape = shape
    }

    private func feed(_ count: Int, _ picture: (Int) throws -> Frame) throws {
        let next = given.upperBound
        if next < count {
            let frame = try picture(next)
            if Shape(frame) == shape {
                given = given.lowerBound..<next + 1
                return try push(frame, next)
            }
        }
        isEnded = true
        guard let chain else { return }
        try unsafe check(chain.push(nil), "av_buffersrc_add_frame", subject: subject)
    }

    private func push(_ frame: borrowing Frame, _ place: Int) throws {
        frame.update { $0.pts = Int64(place) }
        previous.take(from: latest)
        let kept = try frame.reference()
        latest.take(from: kept)
        guard let chain else { return }
        try unsafe check(chain.push(frame.pointer), "av_buffersrc_add_frame", subject: subject)
    }

    /// Moves the next output into `output` and returns its number; nil where more has to come in first, or nothing
    /// will.
    private func pull() throws -> Int? {
        guard let chain else { return nil }
        let made = try Frame()
        let result = unsafe chain.pull(into: made.pointer)
        if result == SR_ERROR_AGAIN || result == Int32(SR_ERROR_EOF) { return nil }
        try check(result, "av_buffersink_get_frame", subject: subject)
        output.take(from: made)
        return Int(output.fields.pts)
    }

    private func prepare(_ shape: Shape) throws {
        chain = nil
        let parity =
            switch setting.order {
            case .top: 0
            case .bottom: 1
            case .auto, .together, .pulldown: -1
            }
        let made = try FilterChain(
            ("bwdif", "mode=\(setting.showsFields ? 1 : 0):parity=\(parity):deint=0"),
            from: ("buffer", "video_size=\(shape.width)x\(shape.height):pix_fmt=\(shape.format):time_base=1/1"),
            to: "buffersink", subject: subject, as: .decodeFailed)
        guard made.isPossible else {
            throw SplitreelError(
                .mediaUnsupported, operation: "deinterlacing", subject: subject,
                reason: "pictures of \(shape.width)×\(shape.height) in their format cannot be deinterlaced",
                hint: "say \"deinterlace\": \"none\" on the asset")
        }
        chain = made
    }
}
