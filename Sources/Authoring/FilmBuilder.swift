import Diagnostics
import Foundation
import JSONText
public import MediaFacts
public import MediaTime
public import Pictures
public import SplitreelProject
import SplitreelTimeline

/// Makes a film of clips, as `splitreel new` does: lays them out on two alternating tracks with overlaps, as a person
/// would by hand, with titles over them and music under them. Pure.
public struct FilmBuilder {
    private let clips: [Clip]
    private let options: FilmOptions
    /// The names of the clips' assets: pieces of one file share theirs.
    private let names: [String]
    /// The starts and the lengths of the clips in seconds, on the film's frames.
    private let starts, lengths: [Rational]
    /// The duration of the film's frames.
    public let frameDuration: MediaTime
    /// The film's size in pixels.
    public let size: PixelSize

    private let overlap: Rational
    /// The seconds of a fade at the film's ends, in whole frames; 0 for none.
    private let fade: Rational
    /// The seconds of the credits after the last clip.
    private let tail: Rational

    /// Lays the clips out. Throws `SplitreelError` for clips that are too short for their dissolves and fades, for
    /// titles that their template refuses, and for a size or a frame's duration that cannot be.
    public init(clips: [Clip], options: FilmOptions = FilmOptions()) throws {
        try options.check()
        self.clips = clips
        self.options = options
        names = Self.names(clips)
        let films = clips.filter { $0.facts.kind == .media }
        let moving = films.isEmpty ? clips.filter(\.facts.kind.isMoving) : films
        frameDuration = options.frameDuration ?? .frameDuration(of: moving.compactMap { $0.video?.video })
        let frame = Rational(frameDuration)
        let dissolve = FramedLength(options.overlap, frame: frame)
        let fades = FramedLength(options.fade, frame: frame)
        overlap = dissolve.framed
        fade = fades.framed
        lengths = clips.map { $0.length(inFramesOf: frame) }
        func frames(_ length: Rational) -> Rational { Rational((length / frame).ceil()) * frame }
        try FilmFade.check(fades, clips, lengths, overlap: dissolve)
        starts = try Self.starts(clips, lengths, dissolve, from: frames(Rational(options.titles.countdown)))
        size = options.size ?? Self.size(films.isEmpty ? clips : films)
        tail = frames(try options.titles.creditsLength(on: size))
    }

    /// The end of the last clip, in seconds.
    private var clipsEnd: Rational { starts.indices.last.map { starts[$0] + lengths[$0] } ?? .zero }
    /// The film's length, credits included.
    public var duration: MediaTime { end.mediaTime }
    /// The film's length, credits included, in seconds.
    package var end: Rational { clipsEnd + tail }

    /// The size in pixels to which a film that is larger than 3840×2160, upright or not, would shrink; nil where it is
    /// not, and where its size was asked for.
    package var smallerSize: PixelSize? {
        guard options.size == nil else { return nil }
        let isUpright = size.height > size.width
        let most = isUpright ? PixelSize(width: 2160, height: 3840) : PixelSize(width: 3840, height: 2160)
        return size.shrunk(into: most, inStepsOf: 2)
    }

    /// The captions that stand for less time than it takes to read them, in words.
    public var remarks: [String] { TitleTimes(options.titles, schedule).remarks }

    /// The files' facts by the names of the assets.
    public var facts: [String: AssetFacts] {
        var facts = Dictionary(zip(names, clips.map(\.facts))) { first, _ in first }
        facts[Self.musicName] = options.music?.facts
        return facts.merging(options.titles.facts) { $1 }
    }

    /// The film as a project, to be rendered or edited further.
    public func project() throws -> Project {
        var project = Project()
        for (name, clip) in zip(names, clips) { project.assets[name] = Asset(url: clip.shown) }
        if let music = options.music { project.assets[Self.musicName] = Asset(url: music.shown) }
        project.composition.tracks = tracks()
        var video = VideoComposition()
        video.renderSize = size
        video.frameDuration = frameDuration
        project.video = video
        var builder = InstructionBuilder(fit: options.fit)
        builder.transition = options.transition
        project = try builder.film(for: project, facts: facts)
        let moved = project.video?.instructions?.map(movingStills)
        project.video?.instructions = moved
        try options.titles.add(to: &project, schedule, fading: fading)
        let inputs = audioInputs()
        if !inputs.isEmpty {
            var audio = AudioMix()
            audio.inputs = inputs
            project.audio = audio
        }
        return project
    }

    private var fading: FilmFade? {
        fade > .zero ? FilmFade(length: fade, start: starts.first ?? .zero, end: clipsEnd) : nil
    }

    /// The times of the clips without the parts that they share with those beside them.
    private var schedule: FilmTitles.Schedule {
        let own = clips.indices.map { index in
            let (isFirst, isLast) = (index == 0, index == clips.count - 1)
            let end = starts[index] + lengths[index]
            return (start: starts[index] + (isFirst ? .zero : overlap), end: end - (isLast ? .zero : overlap))
        }
        return FilmTitles.Schedule(size: size, clips: own, start: starts.first ?? .zero, end: clipsEnd, filmEnd: end)
    }

    private func movingStills(_ instruction: Instruction) -> Instruction {
        guard options.movesStills else { return instruction }
        var instruction = instruction
        let time = Rational(instruction.range.start)
        instruction.layers = instruction.layers?.map { layer in
            let shown = clips.indices.first {
                $0 % 2 + 1 == layer.track && starts[$0] <= time && time < starts[$0] + lengths[$0]
            }
            guard let shown, clips[shown].facts.kind == .image else { return layer }
            var layer = layer
            layer.fit = .cover
            layer.transform = [KenBurns.ramp(number: shown, from: starts[shown], for: lengths[shown], on: size)]
            return layer
        }
        return instruction
    }

    // MARK: Tracks

    private static let musicName = "music"
    private static let musicTrack = 5

    /// The tracks: video on 1 and 2, the clips' own sound on 3 and 4, music on 5.
    private func tracks() -> [Track] {
        var tracks = [track(id: 1, .video, parity: 0) { _ in true }]
        if clips.count > 1 { tracks.append(track(id: 2, .video, parity: 1) { _ in true }) }
        for parity in 0..<2 where hasSound(parity: parity) {
            tracks.append(track(id: 3 + parity, .audio, parity: parity) { clips[$0].audio != nil })
        }
        if let musicLength {
            tracks.append(Track(id: Self.musicTrack, .audio, musicSegments(musicLength)))
        }
        return tracks
    }

    private func hasSound(parity: Int) -> Bool {
        clips.indices.contains { $0 % 2 == parity && clips[$0].audio != nil }
    }

    private func track(id: Int, _ type: MediaType, parity: Int, where holds: (Int) -> Bool) -> Track {
        var segments: [TrackSegment] = []
        var position = Rational.zero
        for index in clips.indices where index % 2 == parity && holds(index) {
            if starts[index] > position {
                segments.append(TrackSegment(nil, source: nil, target: (position, starts[index] - position)))
            }
            let length = lengths[index]
            let source = clips[index].facts.kind == .media ? (clips[index].beginning, length) : nil
            var segment = TrackSegment(names[index], source: source, target: (starts[index], length))
            if type == .audio {
                segment.fadeIn = index == 0 ? fading?.settings : nil
                segment.fadeOut = index == clips.count - 1 ? fading?.settings : nil
            }
            segments.append(segment)
            position = starts[index] + length
        }
        // An empty end makes room for what follows the clips.
        if id == 1, tail > .zero { segments.append(TrackSegment(nil, source: nil, target: (position, end - position))) }
        return Track(id: id, type, segments)
    }

    // MARK: Music

    /// The seconds for which music is heard: to the film's end, or its own where that is over earlier. nil without
    /// music.
    private var musicLength: Rational? {
        guard let sound = options.music?.audio, sound.duration > .zero else { return nil }
        return options.loopsMusic ? end : min(Self.thousandths(Rational(sound.duration)), end)
    }

    /// The time at which the music stops a frame or more before the film does, and the film's end; nil where it lasts,
    /// and without music.
    package var earlyEndOfMusic: (music: Rational, film: Rational)? {
        guard let length = musicLength, end - length >= Rational(frameDuration) else { return nil }
        return (length, end)
    }

    /// The time rounded down to thousandths: no ear misses one of a second, and an eye would have samples to read.
    private static func thousandths(_ time: Rational) -> Rational {
        let rounded = Rational((time * Rational(1000)).floor(), 1000)
        return rounded > .zero ? rounded : time
    }

    private func musicSegments(_ length: Rational) -> [TrackSegment] {
        guard let sound = options.music?.audio else { return [] }
        var segments: [TrackSegment] = []
        var position = Rational.zero
        while position < length {
            let part = min(Rational(sound.duration), length - position)
            segments.append(TrackSegment(Self.musicName, source: (.zero, part), target: (position, part)))
            position = position + part
        }
        return segments
    }

    // MARK: Sound

    private func audioInputs() -> [AudioInput] {
        var inputs: [AudioInput] = []
        for parity in 0..<2 where overlap > .zero {
            var keys: [Key<Double>] = []
            for index in clips.indices where index % 2 == parity && clips[index].audio != nil {
                if index > 0 { keys.append(Key(range: TimeRange(from: starts[index], for: overlap), from: 0, to: 1)) }
                if index < clips.count - 1 {
                    keys.append(Key(range: TimeRange(from: starts[index + 1], for: overlap), from: 1, to: 0))
                }
            }
            if !keys.isEmpty { inputs.append(AudioInput(track: 3 + parity, keys)) }
        }
        if let musicLength {
            var music = AudioInput(track: Self.musicTrack, musicVolume(musicLength))
            music.taps = duckings.isEmpty ? nil : duckings
            inputs.append(music)
        }
        return inputs
    }

    /// The tap that lowers the music, led by the sum of the tracks of the clips' sound.
    private var duckings: [AudioTap] {
        let leaders = (0..<2).filter { hasSound(parity: $0) }.map { JSONValue.integer(Int64(3 + $0)) }
        guard options.ducksMusic, let first = leaders.first else { return [] }
        var tap = AudioTap()
        tap.id = "duck"
        var params: [String: JSONValue] = ["lookahead": .number(0.05), "release": .number(0.8)]
        if leaders.count > 1 { params["tracks"] = .array(leaders) } else { params["track"] = first }
        tap.params = .object(params)
        return [tap]
    }

    /// The music's amplitude: half, from the film's fade on, and at its end down to nothing.
    private func musicVolume(_ length: Rational) -> [Key<Double>] {
        let most = Self.thousandths(length * Rational(1, 4))
        let isFading = fade > .zero && starts.first == .zero
        let first: Key<Double> =
            isFading
            ? Key(range: TimeRange(from: .zero, for: min(fade, most)), from: 0, to: 0.5) : Key(at: .zero, value: 0.5)
        let last = min(tail > .zero ? Rational(2) : max(Rational(2), fade), most)
        return [first, Key(range: TimeRange(from: length - last, for: last), from: 0.5, to: 0)]
    }

    // MARK: Numbers

    private static func names(_ clips: [Clip]) -> [String] {
        var firsts: [String: Int] = [:]
        return clips.enumerated().map { index, clip in
            let first = firsts[clip.shown] ?? index + 1
            firsts[clip.shown] = first
            return "clip\(first)"
        }
    }

    private static func starts(
        _ clips: [Clip], _ lengths: [Rational], _ overlap: FramedLength, from first: Rational
    ) throws -> [Rational] {
        var starts: [Rational] = []
        var position = first
        for (index, length) in lengths.enumerated() {
            let needed = index == 0 || index == clips.count - 1 ? overlap : overlap + overlap
            let lasts = "lasts \(clips[index].duration.shortSeconds) s"
            guard length > .zero else {
                throw SplitreelError(
                    .mediaUnsupported, operation: "new", subject: "\(clips[index].shown)",
                    reason: "it \(lasts), less than a frame of the film",
                    hint: "leave it out, or say a higher \(.frameRate)")
            }
            guard clips.count == 1 || length >= needed.framed else {
                throw SplitreelError(
                    .usage, operation: "new", subject: "\(.dissolve, overlap.asked.shortSeconds)s",
                    reason: "\(clips[index].shown) \(lasts), and its dissolves need \(needed.words(beyond: length))",
                    hint: "take a shorter \(.dissolve), or leave the clip out")
            }
            starts.append(position)
            position = position + length - overlap.framed
        }
        return starts
    }

    private static func size(_ clips: [Clip]) -> PixelSize {
        let sizes = clips.compactMap(\.uprightSize)
        let largest = sizes.max { $0.width * $0.height < $1.width * $1.height } ?? (1280, 720)
        return evenSize(largest)
    }

    private static func evenSize(_ size: (width: Double, height: Double)) -> PixelSize {
        let (width, height) = (Int(size.width.rounded()), Int(size.height.rounded()))
        return PixelSize(width: width + width % 2, height: height + height % 2)
    }
}

extension Clip {
    /// The clip's length in seconds, in whole frames of the film: the nearest number, unless its last picture would be
    /// held for longer than one of its own frames.
    fileprivate func length(inFramesOf frame: Rational) -> Rational {
        let nearest = Rational((duration / frame).rounded()) * frame
        let rate = video?.video?.nominalFrameRate.map { Rational($0) } ?? .zero
        let held = facts.kind == .image ? frame : rate > .zero ? Rational(1) / rate : .zero
        return nearest - duration > held ? nearest - frame : nearest
    }
}
