import Foundation
import Splitreel

/// CLIP, FILM: a handler blurs each frame; the Gaussian's standard deviation is four pixels for each second that has
/// passed. It is this session's own code, under an id that the composition names.
func blur(_ files: [String]) async throws {
    var project = Project()
    try await project.insert(of: MediaAsset(files[0]))
    project.video = VideoComposition(effects: [RegisteredChoice(id: "example.time-blur")])
    let session = ExportSession(project)
    session.code.register(effect: Description("example.time-blur", "Blurs more and more.", usesTime: true)) {
        source, output, request in
        gaussian(source, into: output, deviation: 4 * (request.time?.seconds ?? 0))
    }
    try await session.export(to: files[1])
}

/// Blurs a frame of `rgba8` along rows, then along columns; its edge pixels go on outside of it.
private func gaussian(_ source: VideoFrame, into output: VideoFrame, deviation: Double) {
    let reach = Int((3 * deviation).rounded(.up))
    var weights = (-reach...reach).map { deviation > 0 ? exp(-Double($0 * $0) / (2 * deviation * deviation)) : 1 }
    let sum = weights.reduce(0, +)
    weights = weights.map { $0 / sum }
    var rows: [[Float]] = []
    source.withRows8 { _, row in
        rows.append(
            (0..<row.count).map { place in
                var value = 0.0
                for (index, weight) in weights.enumerated() {
                    let x = min(max(place / 4 + index - reach, 0), source.width - 1)
                    value += weight * Double(row[4 * x + place % 4])
                }
                return Float(value)
            })
    }
    output.withRows8 { y, row in
        for place in 0..<row.count {
            var value = 0.0
            for (index, weight) in weights.enumerated() {
                value += weight * Double(rows[min(max(y + index - reach, 0), source.height - 1)][place])
            }
            row[place] = UInt8(min(value.rounded(), 255))
        }
    }
}
