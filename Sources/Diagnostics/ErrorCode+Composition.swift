extension ErrorCode {
    /// The problems that validating a composition can find: 500xx are errors, 501xx are warnings.
    static let compositionProblems: [Entry] = [
        problem(
            .formatUnknown, "format not known",
            "The file says another format than `splitreel/1`, or none. Write \"format\": \"splitreel/1\"."),
        problem(
            .valueWrong, "value of the wrong kind",
            "A value is not of the kind that its key needs. The error says which kind that is, and what to write."),
        problem(
            .keyMissing, "key missing",
            "A key that the format needs is absent. Add the one that the error names."),
        problem(
            .valueNotAllowed, "value not allowed",
            "The value is of the right kind, but outside of what its key allows. The error says what is allowed."),
        problem(
            .usedTwice, "used twice",
            "An id or a key that may stand once stands twice. Rename or remove one of them."),
        problem(
            .nothingToRender, "nothing to render",
            """
            No enabled video or audio track has a segment: the composition has no duration. Add a segment, or enable a \
            track.
            """),
        problem(
            .segmentsDoNotTile, "segments leave a gap or overlap",
            """
            In a track the first segment starts at 0 and each later one exactly where the previous one ends. \
            Fill holes with segments that have only a target.
            """),
        problem(
            .segmentRangeInvalid, "segment's range not valid",
            """
            Targets and sources have numeric starts and durations above 0. A range is [start, duration], such as \
            ["1s", "3s"].
            """),
        problem(
            .assetUnknown, "no such asset",
            "A segment names an asset that `assets` lacks. Add the asset, or mend its name."),
        problem(
            .sourceMissing, "source missing",
            """
            A segment of a film or a sound needs the range of the asset that it plays. Add its `source`, such as \
            ["1s", "3s"].
            """),
        problem(
            .sourceNotUsed, "source of what has no time",
            "Stills and generators have no time of their own: their segments omit `source`. Remove it."),
        problem(
            .sourceOutsideAsset, "source outside the asset",
            """
            The source range leaves the asset by more than one frame. Shorten it, or say "clampToSource": true \
            to hold the last frame.
            """),
        problem(
            .trackNotInFile, "no such track in the file",
            "The segment names a track that the file lacks. `splitreel probe FILE` lists its tracks."),
        problem(
            .trackTypeDiffers, "track of another type",
            """
            The file's track and the composition's track are of different types. Name another track of the file, or \
            give the composition's track its type.
            """),
        problem(
            .assetIncomplete, "asset incomplete",
            "The asset lacks the key that its kind needs: a url, or a colour. Add it."),
        problem(
            .instructionsDoNotTile, "instructions leave a gap or overlap",
            """
            Each instruction starts exactly where the previous one ends. `splitreel snap FILE` closes gaps and \
            overlaps shorter than a frame.
            """),
        problem(
            .instructionRangeInvalid, "instruction's range not valid",
            """
            An instruction has a numeric start and a duration above 0. A range is [start, duration], such as ["1s", \
            "3s"].
            """),
        problem(
            .instructionsTooShort, "instructions do not cover the composition",
            """
            The first instruction starts at 0 at the latest, the last one ends where the longest track ends, or later. \
            Make the last one longer.
            """),
        problem(
            .layerTrackUnknown, "layer of no track",
            """
            A layer or a track reference names a track that the composition lacks. Mend its number, or add the track.
            """),
        problem(
            .layerTrackNotVideo, "layer of a track without pictures",
            "Only video tracks can be layers. Name one of these."),
        problem(
            .keyInvalid, "key not valid",
            """
            A key has `at` and `value`, or `range`, `from` and `to`, all times numeric. Write it in one of the two \
            ways.
            """),
        problem(
            .keysOverlap, "keys overlap",
            """
            Keys are sorted, and each starts where the previous one has ended or later. Sort them, and shorten those \
            that overlap.
            """),
        problem(
            .opacityOutOfRange, "opacity out of range",
            "Opacity is from 0 to 1. Write a number from this range."),
        problem(
            .sizeInvalid, "size not valid",
            "Sizes are from 1 to 32768 pixels. Write whole numbers from this range."),
        problem(
            .frameDurationInvalid, "frame duration not valid",
            "The frame duration is numeric, above 0, and at least 1/100000 s. Write \"1/25\" for 25 frames a second."),
        problem(
            .audioTrackUnknown, "audio input of no track",
            """
            An audio input names a track of the composition, not one of a source file. Name one of the composition's \
            audio tracks by its id.
            """),
        problem(
            .audioTrackNotAudio, "audio input of a track without sound",
            "Only audio tracks have audio inputs. Name one of these."),
        problem(
            .audioInputTwice, "two audio inputs for one track",
            "A track has at most one audio input. Make one of the two."),
        problem(
            .volumeOutOfRange, "volume out of range",
            "Volume is a linear amplitude from 0 to 1000000. 1 leaves the sound as it is."),
        problem(
            .rateOutOfRange, "rate out of range",
            "Source duration divided by target duration is from 1/32 to 32. Change the one or the other."),
        problem(
            .sampleDataTrackInvalid, "sample-data track not valid",
            "Sample-data tracks are metadata tracks; an instruction's are among the video's. Name such tracks."),
        problem(
            .outputInvalid, "output not valid",
            """
            An output lacks its url, or has a setting that its type or its container does not take. The error says \
            what to change.
            """),
        problem(
            .nestingImpossible, "nesting not possible",
            """
            A nested composition shows itself, by way of others perhaps, or nests too deep, too often, too many \
            pictures or too large ones. Leave the inner one out, or render it and use its film.
            """),
        problem(
            .effectUnknown, "effect not known",
            """
            The file names an effect, a transition, a blend mode or a compositor, or a version of it, that this \
            program does not have. `splitreel effects` lists those that there are.
            """),
        problem(
            .parameterWrong, "parameter not allowed",
            """
            A parameter of an effect is not known, has a value of another kind, or one out of its range. `splitreel \
            effects NAME` lists its parameters.
            """),
        problem(
            .notSupportedYet, "not supported yet",
            """
            The format knows this, but this version does not render it. It is refused rather than left out in silence. \
            Leave it out.
            """),
        remark(
            .doubleFade, "both layers of a dissolve fade",
            """
            Fading both layers dips towards the background: 200 and 100 over black give 125, not 150, and in linear \
            light three quarters of it are left halfway. Fade the upper layer only.
            """),
        remark(
            .lastInstructionOverruns, "last instruction overruns",
            """
            The last instruction ends after the composition; the rest of it is never shown. Let it end where the \
            longest track ends.
            """),
        remark(
            .rotatedUntransformed, "rotated source without a transform",
            """
            A layer with `"fit": "none"`, or with a transform, does not turn a source upright by itself. Say "fit": \
            "contain", or turn it by the transform.
            """),
        remark(
            .instructionWithoutLayers, "instruction without layers",
            """
            Tracks have pictures here, but only the background is drawn. Add a layer for the track that is to be seen.
            """),
        remark(
            .interlacedSource, "interlaced source",
            """
            The asset says "deinterlace": "none": its frames are composed as they are, with both fields. Leave the key \
            out to have them deinterlaced.
            """),
        remark(
            .trackNotWritten, "not written to the film",
            """
            Text tracks, and texts that no film's header has room for, are kept in the composition only. Draw a text \
            by `video.subtitles` to have it in the film.
            """),
        remark(
            .keyUnknown, "unknown key",
            """
            Nobody reads this key: it is kept and written back, and changes nothing. Where it is a slip of a known key \
            it is an error. Keys that begin with `x-`, `$schema` and all of `metadata` are free.
            """),
        remark(
            .durationLooksLikeEnd, "duration looks like an end",
            """
            Ranges are [start, duration]; this one's second value would make sense as an end. If it is one, write the \
            end minus the start.
            """),
        remark(
            .keysOutsideInstruction, "keys outside their instruction",
            """
            Keys are in composition time; these lie wholly outside the instruction's range, or after the composition's \
            end, and never act. Move them into the range.
            """),
        remark(
            .cropOutsidePicture, "crop outside the picture",
            """
            Nothing of the source is left by this crop: it lies wholly outside of the picture. A crop is [x, y, width, \
            height] from the top left, in the canvas's pixels where the layer has a `fit`, else in the source's.
            """),
        remark(
            .mixMayClip, "mix may clip",
            """
            Volumes above 1 lift full-scale sound above full scale, where it is cut off. Lower a volume, or take peaks \
            down by a `limiter` among the taps.
            """),
        remark(
            .mixIsSilent, "mix is silent",
            "No sound of this track is ever heard: its volume is always 0. Raise it, or remove the track."),
        remark(
            .matteNotUsed, "matte not used",
            """
            A layer's matte is what a fitted source leaves free; a layer without `fit`, or with `none`, has none. Add \
            a `fit`, or remove the matte.
            """),
        remark(
            .layersNotDrawn, "layers not drawn",
            """
            An instruction with a `passthroughTrack` shows that track alone; its layers are not drawn. Remove the one \
            or the other.
            """),
        remark(
            .textWithoutCue, "text without a cue",
            """
            The text of subtitles has neither `{{text}}` nor a name of timed data in it. Write `{{text}}` where the \
            words are to stand.
            """),
        remark(
            .layersAreFitted, "layers are fitted",
            """
            Films and stills in layers without `fit` and `transform` stand upright, whole and centred on the canvas. \
            Before 0.2 they stood at the top left, as they were. "fit": "none" puts one there again.
            """),
        remark(
            .pictureOffCanvas, "picture leaves the canvas or does not cover it",
            """
            The bottom-most picture is larger or smaller than the canvas, and the layer shows it as it is or by a \
            transform. Say "fit": "cover" to have it fill the canvas.
            """),
        remark(
            .subtitlesOverText, "subtitles lie over a text",
            """
            Cues stand where a text of the animation is shown at the same time: neither can be read. Move one of them: \
            cues by their `place` or `area`.
            """),
    ]

    private static func problem(_ code: ErrorCode, _ title: String, _ explanation: String) -> Entry {
        Entry(code: code, title: title, retry: .permanent, exit: .invalidComposition, explanation: explanation)
    }

    private static func remark(_ code: ErrorCode, _ title: String, _ explanation: String) -> Entry {
        warning(code, title, explanation, exit: .invalidComposition)
    }
}
