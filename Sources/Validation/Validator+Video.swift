import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

extension Validator {
    mutating func checkFrameDuration(_ duration: MediaTime?, _ path: String) {
        guard let duration else { return }
        let exact = duration.exact ?? .zero
        if exact < Rational(1, 100_000) {
            error(
                .frameDurationInvalid, path, "\(duration) is not a number of seconds of 1/100000 or more",
                hint: "30 frames per second: \"1/30\"")
        } else if exact >= Self.slowestFrame {
            error(
                .frameDurationInvalid, path, "each frame would last \(exact.shortSeconds) s",
                hint:
                    "did you mean \"\((Rational(1) / exact).mediaTime.text)\"? It is the time of a frame, not the rate")
        }
    }

    /// A frame of so many seconds or more is a rate that was written the wrong way round.
    private static let slowestFrame = Rational(10)

    mutating func checkVideo() {
        let video = project.video ?? VideoComposition()
        checkCanvas(video)
        checkFrameDuration(video.frameDuration, "video.frameDuration")
        if video.color?.transfer == .linear {
            error(
                .valueNotAllowed, "video.color.transfer",
                "no film is written in `Linear`: its codes are too few for shadows, and players do not read it",
                hint: "name the transfer that the film is shown by, such as \"ITU_R_709_2\"; to work in linear light, "
                    + "say \"blendSpace\": \"linear\" and \"scaleSpace\": \"linear\"")
        }
        if let compositor = video.compositor { checkCompositor(compositor, of: video) }
        if let track = video.frameTimingTrack {
            checkVideoTrack(track, "video.frameTimingTrack")
            if let found = tracks[track], found.type == .video, !found.isEnabled {
                error(
                    .valueNotAllowed, "video.frameTimingTrack", "track \(track) is not enabled: it has no frames",
                    hint: "name an enabled video track, or leave `frameTimingTrack` out")
            }
        }
        checkEffects(video.effects, "video.effects", film: true)
        for (index, subtitles) in (video.subtitles ?? []).enumerated() {
            check(subtitles, "video.subtitles[\(index)]")
        }
        checkSampleData(video.sampleDataTracks, "video.sampleDataTracks", among: nil)
        if let animation = video.animation { checkAnimation(animation) }
        let instructions = video.instructions ?? []
        checkInstructionTiling(instructions)
        checkThatSomethingIsShown(instructions)
        for (index, instruction) in instructions.enumerated() {
            check(instruction, "video.instructions[\(index)]", sampleData: video.sampleDataTracks ?? [])
        }
        remarkFittedLayers(instructions)
        remarkCanvas(instructions)
        remarkSubtitlesOverText(video)
    }

    private mutating func checkCanvas(_ video: VideoComposition) {
        let before = problems.count
        if let size = video.renderSize { check(size, "video.renderSize") }
        if let scale = video.renderScale, !(scale > 0 && scale <= 1000) {
            error(.valueNotAllowed, "video.renderScale", "the scale \(scale) is not above 0")
        }
        guard problems.count == before, project.hasPicture, let facts else { return }
        let size = SourceLookup(project: project, facts: facts).canvasSize
        if size.width == 0 || size.height == 0 {
            let isKnown = playedAssets.allSatisfy { facts[$0] != nil || project.assets[$0]?.kind?.isGenerator == true }
            if isKnown {
                error(
                    .sizeInvalid, "video.renderSize", "no source tells a size",
                    hint: "say how large the picture is: \"renderSize\": [1920, 1080]")
            }
        } else {
            check(
                size.scaled(by: video.renderScale ?? 1),
                video.renderScale == nil ? "video.renderSize" : "video.renderScale")
        }
    }

    /// - Parameter orTree: whether the number of an additional layer will do.
    mutating func checkVideoTrack(_ id: Int, _ path: String, orTree: Bool = false) {
        if orTree, id == project.video?.animation?.track { return }
        guard let track = tracks[id] else {
            error(.layerTrackUnknown, path, "there is no track \(id)", hint: "ids are those of composition.tracks")
            return
        }
        if track.type != .video {
            error(.layerTrackNotVideo, path, "track \(id) is \(track.type.rawValue), not video")
        }
    }

    mutating func checkSampleData(_ ids: [Int]?, _ path: String, among allowed: [Int]?) {
        for (index, id) in (ids ?? []).enumerated() {
            let place = "\(path)[\(index)]"
            if tracks[id]?.type != .metadata {
                error(
                    .sampleDataTrackInvalid, place, "\(id) is not the id of a metadata track",
                    hint: "ids are those of composition.tracks; the track's \"type\" is \"metadata\"")
            } else if let allowed, !allowed.contains(id) {
                error(
                    .sampleDataTrackInvalid, place, "track \(id) is not in video.sampleDataTracks",
                    hint: "name it there too")
            } else if ids?.prefix(index).contains(id) == true {
                error(.sampleDataTrackInvalid, place, "track \(id) stands twice", hint: "leave one out")
            }
        }
    }

    private mutating func checkInstructionTiling(_ instructions: [Instruction]) {
        var previousEnd: Rational?
        for (index, instruction) in instructions.enumerated() {
            let path = "video.instructions[\(index)].range"
            guard let range = instruction.range.exact, range.end > range.start else {
                error(
                    .instructionRangeInvalid, path,
                    "\(instruction.range) is not a range of numbers with a duration above 0")
                previousEnd = nil
                continue
            }
            if index == 0, range.start > .zero {
                error(
                    .instructionsTooShort, path, "the first instruction starts at \(range.start), after 0/1",
                    hint: "start it at \"0s\"")
            }
            if let previousEnd, range.start != previousEnd {
                let difference = (range.start - previousEnd).magnitude
                let place = previousEnd.plainTime.text
                let cure = "start it at \"\(place)\"; `splitreel snap` repairs what is below a frame"
                error(
                    .instructionsDoNotTile, path,
                    "starts at \(range.start.shown), but the previous one ends at \(previousEnd.shown): "
                        + "\(range.start > previousEnd ? "a gap" : "an overlap") of \(difference) s",
                    hint: hintOfEnd(instructions[index - 1].range, before: range.start, "the instruction") ?? cure)
            }
            previousEnd = range.end
        }
        guard let previousEnd else { return }
        let path = "video.instructions[\(instructions.count - 1)].range"
        if previousEnd < duration {
            error(
                .instructionsTooShort, path,
                "the last instruction ends at \(previousEnd.shown), but the composition ends at \(duration.shown): "
                    + "a gap of \(duration - previousEnd) s",
                hint: hintOfPicture(upTo: previousEnd) ?? "let it end at \"\(duration.plainTime.text)\"; "
                    + "`splitreel snap` repairs what is below a frame")
        } else if previousEnd > duration {
            warn(
                .lastInstructionOverruns, path,
                "the last instruction ends at \(previousEnd.shown), after the composition's end at \(duration.shown)",
                hint: instructions.last.flatMap { hintOfEnd($0.range, before: duration, "the instruction") }
                    ?? "the rest is never shown")
        }
    }

    /// The hint where nothing but sound goes on after that time; nil where pictures do.
    private func hintOfPicture(upTo end: Rational) -> String? {
        let tracks = project.composition.tracks.enumerated().filter { $0.element.isEnabled }
        let late = tracks.filter { $0.element.length > end }
        guard let first = late.first, late.allSatisfy({ $0.element.type == .audio }) else { return nil }
        return
            "composition.tracks[\(first.offset)] is heard until then: shorten it to \"\(end.plainTime.text)\", or let "
            + "the instruction end at \"\(duration.plainTime.text)\", without a picture at its end"
    }
}
