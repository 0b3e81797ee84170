import Diagnostics
import Foundation
import MediaTime
import SplitreelProject

extension [OutputRequest] {
    /// Reads the text of a submission: one output's request, or an array of those that one job makes. Throws where it
    /// is neither.
    package init(requestText text: String) throws {
        let (data, decoder) = (Data(text.utf8), JSONDecoder())
        if text.first(where: { !$0.isWhitespace }) == "[" {
            self = try decoder.decode([OutputRequest].self, from: data)
        } else {
            self = [try decoder.decode(OutputRequest.self, from: data)]
        }
        guard (1...RenderPlan.mostOutputs).contains(count) else {
            throw SplitreelError(
                .refused, operation: "submitting", subject: "the request",
                reason: "it has \(count) outputs, and a job makes 1 to \(RenderPlan.mostOutputs)",
                hint: "submit the others as jobs of their own")
        }
    }

    /// The text of the requests that `init(requestText:)` reads.
    package func requestText() throws -> String {
        let encoder = JSONEncoder()
        let data = count == 1 ? try encoder.encode(self[0]) : try encoder.encode(self)
        return String(decoding: data, as: UTF8.self)
    }

    /// The requests shared out among jobs. Outputs that show the same frames at the same times are made by one job,
    /// which decodes and composes each frame once. A film of two passes is a job of its own: its chunks wait for one
    /// another. Jobs come in the order of their first outputs.
    package func byJob() -> [[OutputRequest]] {
        var jobs: [[OutputRequest]] = []
        for group in streamsTogether {
            let room = RenderPlan.mostOutputs - group.count
            let place = jobs.firstIndex {
                $0[0].hasFrames(of: group[0]) && $0.count <= room
                    && !($0 + group).contains { ($0.picture.passes ?? 1) > 1 }
            }
            if let place { jobs[place] += group } else { jobs.append(group) }
        }
        return jobs
    }

    /// The requests in groups of which a job makes all or none: a stream's document and films stay together.
    private var streamsTogether: [[OutputRequest]] {
        var groups: [[OutputRequest]] = []
        for request in self {
            if let stream = request.streamPath, groups.last?[0].streamPath == stream {
                groups[groups.count - 1].append(request)
            } else {
                groups.append([request])
            }
        }
        return groups
    }
}

extension OutputRequest {
    /// Whether both requests are of the same part of the composition, at the same rate, cut in the same way.
    package func hasFrames(of other: OutputRequest) -> Bool {
        let (own, others) = (timing, other.timing)
        return own.rangeStart == others.rangeStart && own.rangeDuration == others.rangeDuration
            && own.frameRate == others.frameRate && own.coverFrames == others.coverFrames
            && (own.coverFrames == nil || own.posterTime == others.posterTime)
            && rendering.chunkSeconds == other.rendering.chunkSeconds
            && rendering.soundPartSeconds == other.rendering.soundPartSeconds
            && rendering.passthrough == other.rendering.passthrough
            && rendering.proxy == other.rendering.proxy
            && canvas.pitch == other.canvas.pitch
            // Moments are compared as they are written: `1/2` and `2/4` are two jobs.
            && stills.times?.map(\.description) == other.stills.times?.map(\.description)
    }
}
