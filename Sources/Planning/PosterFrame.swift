import Diagnostics
import MediaTime
import Outputs
import Pictures
import SplitreelProject

/// The number of the film's frame that its cover is made of; nil for no cover. Throws where the film cannot have one.
func posterFrame(
    _ request: OutputRequest, from start: Rational, _ timing: FrameTiming, frameCount: Int, _ output: OutputSettings
) throws -> Int? {
    guard let text = request.timing.posterTime else { return nil }
    let option: Phrase = "\(.posterTime, shown(text))"
    let hasPlace = output.container.holdsCover && output.isFragmented != true && output.video != nil
    if request.timing.coverFrames != nil {
        // The film begins with it; where the container cannot have it beside the film, that is all.
        return hasPlace && request.delivery.fileLengthLimit == nil ? 0 : nil
    }
    guard hasPlace else {
        throw impossible(
            option, "only an mkv, or an mp4 without fragments, has a cover here, and it needs a picture",
            hint: "name the film .mkv or .mp4, or make a picture with `splitreel frame`")
    }
    guard request.delivery.fileLengthLimit == nil else {
        throw impossible(option, "a cover's length is not planned for", hint: "leave out \(.fileLengthLimit)")
    }
    return try framePlace(text, option: option, from: start, timing, frameCount: frameCount)
}

/// The time as people write it; a text that is no time stays as it is.
func shown(_ text: String) -> String {
    guard let time = MediaTime(text: text), time.isNumeric else { return text }
    return Rational(time).plainTime.text
}

/// The number of the frame that is shown at a time of the composition, which `option` says. Throws where none is.
func framePlace(
    _ text: String, option: Phrase, from start: Rational, _ timing: FrameTiming, frameCount: Int
) throws -> Int {
    guard let time = MediaTime(text: text), time.isNumeric else {
        throw impossible(option, "it is not a time", hint: "say a time of the composition, such as 2.5s")
    }
    let place = Rational(time) - start
    let last = frameCount - 1
    guard last >= 0, !place.isNegative, place < timing.time(ofFrame: last) + timing.duration(ofFrame: last) else {
        throw impossible(option, "the film does not show that time", hint: "say one of the film's own range")
    }
    let next = timing.firstFrame(atOrAfter: place)
    return next <= last && timing.time(ofFrame: next) == place ? next : max(0, next - 1)
}
