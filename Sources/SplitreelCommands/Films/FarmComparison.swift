import Diagnostics
import MediaTime
import Outputs
import Planning
import Preparation
import Rendering
import SplitreelFiles
import SplitreelProject
import Verification

extension FilmAgainst {
    /// Has a farm compose the frames and mix the sound that a comparison needs. Blocks as `FarmErrand.make` does, and
    /// throws as it does; `.usage` for what a farm does not hand over.
    func made(
        _ sides: Sides, by errand: FarmErrand, cancellation: Cancellation
    ) throws -> MadeElsewhere {
        var made = MadeElsewhere()
        let moments = self.moments(of: sides)
        if !moments.isEmpty {
            let request = try framesRequest(sides, moments)
            let path = try errand.make(
                "frames.mov", of: sides.file.project, as: request, in: sides.file, cancellation: cancellation)
            made.frames = ComposedFrames(path: path, moments: moments)
        }
        switch soundCount(of: sides) {
        case 0: break
        case 1:
            let source = SoundSource(
                sound: try SoundStream(mixOf: sides.plan.view(ofSound: 0)), inputs: [], project: sides.file.project,
                file: sides.file, request: soundRequest(sides))
            made.sound = try source.made(by: errand, cancellation: cancellation)
        case let count: throw notHandedOver("\(count) sound tracks", "it hands over one")
        }
        return made
    }

    /// The request for a film of the frames at those moments, without loss.
    private func framesRequest(_ sides: Sides, _ moments: [Rational]) throws -> OutputRequest {
        var request = sides.request
        guard sides.plan.output.video?.composedIn == nil else {
            throw notHandedOver("an SDR film", "frames in HDR are tone mapped where the film is read")
        }
        guard moments.count <= OutputRequest.mostStills else {
            throw notHandedOver("\(moments.count) frames", "a job makes \(OutputRequest.mostStills) at most")
        }
        request.path = try absolutePath("comparison.mov")
        request.timing = OutputRequest(path: "").timing
        request.sound = SoundRequest()
        request.sound.codec = "none"
        request.soundTracks = nil
        request.rendering.chunkSeconds = nil
        request.stills.times = moments.map(\.mediaTime)
        // A job's frames are the composition's own.
        var shown: [MediaTime]?
        try sides.file.locating {
            shown = try preparePlan(project: sides.file.project, request: request).plan.stills
        }
        guard shown?.map({ Rational($0) }) == moments else {
            throw notHandedOver("the film's frames", "they are at other times than the composition's")
        }
        return request
    }

    /// The request for a sound of its own like the film's.
    private func soundRequest(_ sides: Sides) -> OutputRequest {
        var request = OutputRequest(path: "")
        request.sound = sides.request.sound
        request.timing.rangeStart = sides.request.timing.rangeStart
        request.timing.rangeDuration = sides.request.timing.rangeDuration
        request.rendering.proxy = sides.request.rendering.proxy
        return request
    }

    private func notHandedOver(_ subject: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .usage, operation: "asking a farm", subject: "\(subject)", reason: "\(reason)",
            hint: "leave --connect out")
    }
}
