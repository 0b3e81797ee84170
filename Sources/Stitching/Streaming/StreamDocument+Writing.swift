import Diagnostics
import Foundation
import MediaTime
package import Outputs
package import Planning
import SplitreelFiles

/// Writes a stream's document, once its films are finished.
///
/// - Parameters:
///   - views: the plan as each of the job's outputs has it.
///   - films: the paths where they lie now; the document names them as its members are called.
/// - Throws: `.muxFailed` where a film is not one of fragments.
package func write(
    _ document: StreamDocument, views: [RenderPlan], films: [String], to path: String
) throws {
    let interval = document.seconds
    let lists = try document.members.map { member in
        guard views.indices.contains(member.output), films.indices.contains(member.output) else {
            throw SplitreelError(
                .internalFault, operation: "writing a stream's document", subject: path,
                reason: "the job has no output \(member.output)")
        }
        return try SegmentList(
            member, film: films[member.output], plan: views[member.output], every: interval)
    }
    let text =
        switch document.kind {
        case .playlist: lists.first.map { HLSPlaylist.segments($0, every: interval) } ?? ""
        case .master: HLSPlaylist.master(lists)
        case .manifest: DASHManifest(lists: lists).text
        }
    try writeFile(Data(text.utf8), to: path)
}

/// A file's name as a part of a URI.
func escapedForURI(_ name: String) -> String {
    var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
    allowed.insert(charactersIn: "-._~")
    return name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
}

/// A number as a decimal, to a millionth.
func decimal(_ number: Rational) -> String {
    let millionths = (number * Rational(1_000_000)).rounded()
    let fraction = String(abs(millionths) % 1_000_000)
    return "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000)."
        + String(repeating: "0", count: 6 - fraction.count) + fraction
}
