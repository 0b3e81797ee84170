import Splitreel

/// The first layer's picture left of a line that crosses the frame within each instruction, the last layer's right of
/// it, with a bar of a colour between them.
struct SplitScreen: VideoCompositing {
    static let description = Description(
        "example.split-screen", version: 1, "Two pictures side by side, with a line that moves between them.",
        parameters: [
            .number("width", 0...100, default: 4, "The line's width in canvas pixels."),
            .color("color", default: [1, 1, 1, 1], "The line's colour."),
        ])

    func compose(_ request: CompositionRequest) async throws -> VideoFrame {
        let tracks = request.sourceTrackIDs
        guard let first = tracks.first.flatMap({ request.sourceFrame(track: $0) }),
            let last = tracks.last.flatMap({ request.sourceFrame(track: $0) })
        else { throw SplitScreenError.noPicture }
        let output = request.context.makeFrame()
        guard first.width == output.width, first.height == output.height, last.width == output.width,
            last.height == output.height
        else { throw SplitScreenError.otherSize }
        let (left, right) = line(request)
        let colour = request.parameters.numbers("color").map { UInt8(($0 * 255).rounded()) }
        var rows: [[UInt8]] = []
        first.withRows8 { _, row in rows.append(Array(row)) }
        last.withRows8 { y, row in
            for x in max(0, left)..<output.width {
                for part in 0..<4 { rows[y][4 * x + part] = x < right ? colour[part] : row[4 * x + part] }
            }
        }
        output.withRows8 { y, row in _ = row.update(from: rows[y]) }
        return output
    }

    /// The columns from which on the line and the second picture are seen.
    private func line(_ request: CompositionRequest) -> (Int, Int) {
        let range = request.instruction.range
        let share = (request.time - range.start).seconds / range.duration.seconds
        let left = Int((share * Double(request.context.width)).rounded())
        let width = Int((request.parameters.number("width") * request.context.scaleX).rounded())
        return (left, min(left + width, request.context.width))
    }
}

enum SplitScreenError: Error, CustomStringConvertible {
    case noPicture
    case otherSize

    var description: String {
        switch self {
        case .noPicture: "no layer has a picture now"
        case .otherSize: "a layer's picture is not as large as the film: give it a `fit`"
        }
    }
}
