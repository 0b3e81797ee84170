import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

extension Validator {
    mutating func checkAudio() {
        checkLoudness(project.audio?.loudness, "audio.loudness")
        var seen: Set<Int> = []
        let leading = leadingTracks()
        for (index, input) in (project.audio?.inputs ?? []).enumerated() {
            let path = "audio.inputs[\(index)]"
            if let track = tracks[input.track] {
                if track.type != .audio {
                    error(
                        .audioTrackNotAudio, path + ".track",
                        "track \(input.track) is \(track.type.rawValue), not audio")
                } else if !seen.insert(input.track).inserted {
                    error(.audioInputTwice, path + ".track", "track \(input.track) has an audio input already")
                }
            } else {
                error(
                    .audioTrackUnknown, path + ".track", "there is no track \(input.track) in the composition",
                    hint: "an audio input names a track of composition.tracks, not a track of a source file")
            }
            checkKeys(input.volume, path + ".volume")
            for (number, key) in (input.volume ?? []).enumerated() {
                for (name, value) in [("value", key.value), ("from", key.from), ("to", key.to)] {
                    if let value { checkVolume(value, "\(path).volume[\(number)].\(name)") }
                }
            }
            checkPlaces(input.pan, path + ".pan")
            checkPlaces(input.balance, path + ".balance")
            remarkKeysAfterEnd(input, path)
            checkLoudness(input.loudness, path + ".loudness")
            checkTaps(of: input, path, leading)
        }
        checkMixTaps()
        checkMemoryOfTaps()
    }

    private mutating func checkLoudness(_ loudness: LoudnessSettings?, _ path: String) {
        guard let loudness else { return }
        if !LoudnessSettings.targets.contains(loudness.target) {
            error(
                .valueNotAllowed, path + ".target", "\(loudness.target) LUFS is no loudness from -70 to -5",
                hint: "-23 is EBU R 128's, -16 and -14 are usual on the web")
        }
        if let peak = loudness.truePeak, !LoudnessSettings.peaks.contains(peak) {
            error(.valueNotAllowed, path + ".truePeak", "\(peak) dBTP is no ceiling from -20 to 0", hint: "-1 is usual")
        }
    }

    /// Checks keys of a place between left and right.
    private mutating func checkPlaces(_ keys: [Key<Double>]?, _ path: String) {
        checkKeys(keys, path)
        for (number, key) in (keys ?? []).enumerated() {
            for (name, value) in [("value", key.value), ("from", key.from), ("to", key.to)] {
                guard let value, !(-1...1).contains(value) else { continue }
                error(
                    .valueNotAllowed, "\(path)[\(number)].\(name)", "\(value) is not a place between left and right",
                    hint: "-1 is left, 0 the middle, 1 right")
            }
        }
    }

    /// Checks a segment's fades: they are numbers, within the segment, and of sound.
    mutating func checkFades(_ segment: TrackSegment, _ track: Track, _ place: String) {
        var total = Rational.zero
        for (name, fade) in [("fadeIn", segment.fadeIn), ("fadeOut", segment.fadeOut)] {
            guard let fade else { continue }
            if track.type != .audio {
                error(
                    .valueNotAllowed, "\(place).\(name)", "only segments of audio tracks fade so",
                    hint: "a picture fades by keys of its layer's `opacity`")
                continue
            }
            guard let duration = fade.duration.exact, !duration.isNegative else {
                error(.valueNotAllowed, "\(place).\(name).duration", "\(fade.duration) is not a length of time")
                continue
            }
            total += duration
        }
        guard let target = segment.target.exact, total > target.end - target.start else { return }
        error(
            .valueNotAllowed, place + (segment.fadeIn == nil ? ".fadeOut" : ".fadeIn"),
            "its fades take \(total.plainTime.text), the segment \((target.end - target.start).plainTime.text)",
            hint: "shorten the fades")
    }

    /// The sounds that are mixed at one time, at most: each is an open file with a decoder of its own.
    static let mostSounds = 512

    /// Checks that no more sounds are heard at once than can be opened.
    mutating func checkSoundsAtOnce() {
        let audio = project.renderedTracks.filter { $0.track.type == .audio }
        guard audio.count > Self.mostSounds else { return }
        var changes: [(time: Rational, change: Int)] = []
        for (_, track) in audio {
            for segment in track.segments where !segment.isEmpty {
                guard let target = segment.target.exact else { continue }
                changes += [(target.start, 1), (target.end, -1)]
            }
        }
        changes.sort { ($0.time, $0.change) < ($1.time, $1.change) }
        var count = 0
        for (time, change) in changes {
            count += change
            guard count > Self.mostSounds else { continue }
            error(
                .valueNotAllowed, "composition.tracks",
                "at \(time) more than \(Self.mostSounds) audio tracks are heard at once",
                hint: "mix some of them beforehand")
            return
        }
    }

    mutating func checkOutputs() {
        var ids: Set<String> = []
        var urls: [String: Int] = [:]
        for (index, output) in (project.outputs ?? []).enumerated() {
            let path = "outputs[\(index)]"
            if let id = output.id, !ids.insert(id).inserted {
                error(.usedTwice, path + ".id", "the output id `\(id)` stands twice")
            }
            if output.url?.isEmpty != false {
                error(.outputInvalid, path + ".url", "the output has no `url`")
            }
            if let url = output.url, !url.isEmpty, checkName(url, path + ".url"),
                let first = urls.updateValue(index, forKey: plainPath(url))
            {
                error(
                    .usedTwice, path + ".url", "outputs[\(first)] goes to the same file",
                    hint: "give each output a file of its own")
            }
            checkKeysOfType(output, path)
            checkFile(output, path)
            if output.type == .images { checkTimes(output, path) }
        }
    }

    /// Checks that images are of moments that the composition has.
    private mutating func checkTimes(_ output: OutputEntry, _ path: String) {
        let endings = [".png", ".jpg", ".jpeg", ".tif", ".tiff", ".exr"]
        if let url = output.url, !endings.contains(where: { url.lowercased().hasSuffix($0) }) {
            error(
                .outputInvalid, path + ".url", "it is not a name of images",
                hint: "such as still-%02d.png; .jpg, .tiff and .exr are images, too")
        }
        let count = output.stills.times?.count ?? 0
        if count > OutputEntry.mostTimes {
            error(
                .valueNotAllowed, path + ".times", "\(count) moments are more than \(OutputEntry.mostTimes)",
                hint: "leave `times` out for an image of each frame")
        }
        for (index, time) in (output.stills.times ?? []).prefix(OutputEntry.mostTimes).enumerated() {
            guard let exact = time.exact, !exact.isNegative, exact < duration else {
                error(
                    .outputInvalid, "\(path).times[\(index)]",
                    "\(time.plainText) is not a moment of the composition, which lasts from 0 to "
                        + "\(duration.shortSeconds) s")
                continue
            }
        }
        for (key, tolerance) in [
            ("toleranceBefore", output.toleranceBefore), ("toleranceAfter", output.toleranceAfter),
        ] {
            guard let tolerance, !tolerance.isPositiveInfinity, tolerance.exact.map(\.isNegative) != false else {
                continue
            }
            error(
                .valueNotAllowed, "\(path).\(key)", "\(tolerance) is no distance", hint: "say 0/1 for the exact frame")
        }
        if let size = output.canvas.maximumSize, size.width < 1 || size.height < 1 {
            error(.valueNotAllowed, path + ".maximumSize", "\(size) is not the size of an image")
        }
    }

    private mutating func checkFile(_ output: OutputEntry, _ path: String) {
        if let type = output.delivery.fileType, !fileTypes.contains(type.lowercased()) {
            error(
                .outputInvalid, path + ".fileType", "the file type `\(type.prefix(60))` is not written",
                hint: "one of: " + fileTypes.joined(separator: ", "))
        }
        if let limit = output.delivery.fileLengthLimit, !OutputEntry.fileLengths.contains(limit) {
            error(
                .valueNotAllowed, path + ".fileLengthLimit", "\(limit) bytes are no length of a file",
                hint: "say 1 to 10^15, such as 25000000")
        }
        if let aspect = output.videoSettings?.pixelAspect,
            aspect.count != 2 || PixelAspect(aspect[0], aspect[1]) == nil
        {
            error(
                .valueNotAllowed, path + ".videoSettings.pixelAspect", "\(aspect) is not the shape of a pixel",
                hint: "say [width, height], each from 1 to 4096 and at most 16 times the other, such as [16, 15]")
        }
        if let range = output.range { checkRange(range, path + ".range") }
        checkFrameDuration(output.frameDuration, path + ".frameDuration")
        checkFilmTexts(output, path)
        checkSoundTracks(output, path)
    }

    private mutating func checkRange(_ range: TimeRange, _ path: String) {
        guard let start = range.start.exact, range.duration.isPositiveInfinity || range.duration.exact != nil else {
            error(.outputInvalid, path, "\(range) is not a range of numbers")
            return
        }
        let end = range.duration.exact.map { min(start + $0, duration) } ?? duration
        if end <= max(start, .zero) {
            error(
                .outputInvalid, path,
                "\(range) holds nothing of the composition, which lasts from 0 to \(duration.shortSeconds) s")
        }
    }
}

/// The types of files as planning knows them.
private let fileTypes = [
    "mp4", "mov", "mkv", "webm", "mxf", "m4a", "wav", "flac", "ogg", "mp3", "gif", "webp", "png", "jpg", "tiff", "exr",
    "m3u8", "mpd", "y4m", "nut",
]

/// The path in one form: `./a.mp4`, `b/../a.mp4` and `a.mp4` are one file.
private func plainPath(_ url: String) -> String {
    var steps: [Substring] = []
    for step in url.split(separator: "/") where step != "." {
        if step == "..", let last = steps.last, last != ".." { steps.removeLast() } else { steps.append(step) }
    }
    return (url.hasPrefix("/") ? "/" : "") + steps.joined(separator: "/")
}
