public import JSONText
public import MediaFacts
public import MediaTime
public import Pictures

extension Project {
    /// Makes a project; what is nil is absent from the file.
    public init(
        name: String? = nil, metadata: [String: JSONValue]? = nil, assets: [String: Asset] = [:],
        composition: Composition = Composition(tracks: []), video: VideoComposition? = nil, audio: AudioMix? = nil,
        chapters: ChapterList? = nil, outputs: [OutputEntry]? = nil
    ) {
        self.init()
        self.name = name
        self.metadata = metadata
        self.assets = assets
        self.composition = composition
        self.video = video
        self.audio = audio
        self.chapters = chapters
        self.outputs = outputs
    }
}

extension Composition {
    /// Makes a composition of tracks, the top-most first.
    public init(tracks: [Track] = [], naturalSize: PixelSize? = nil, markers: [Marker]? = nil) {
        self.init()
        self.tracks = tracks
        self.naturalSize = naturalSize
        self.markers = markers
    }
}

extension Track {
    /// Makes a track; what is nil is absent from the file.
    public init(
        id: Int, _ type: MediaType, segments: [TrackSegment] = [], timescale: Int? = nil, language: String? = nil,
        name: String? = nil, disposition: [TrackDisposition]? = nil, enabled: Bool? = nil,
        preferredVolume: Double? = nil, preferredTransform: Affine? = nil
    ) {
        self.init()
        self.id = id
        self.type = type
        self.segments = segments
        self.timescale = timescale
        self.language = language
        self.name = name
        self.disposition = disposition
        self.enabled = enabled
        self.preferredVolume = preferredVolume
        self.preferredTransform = preferredTransform
    }
}

extension TrackSegment {
    /// Makes a segment that plays a range of an asset, or all of a still or a generator, over a range of the
    /// composition; what is nil is absent from the file.
    public init(
        _ asset: String, track: Int? = nil, source: TimeRange? = nil, target: TimeRange, volume: Double? = nil,
        pitch: PitchAlgorithm? = nil, reverse: Bool? = nil, frameBlending: Bool? = nil, speed: [Key<Double>]? = nil,
        fadeIn: FadeSettings? = nil, fadeOut: FadeSettings? = nil, clampToSource: Bool? = nil,
        transition: SegmentTransition? = nil
    ) {
        self.init()
        self.asset = asset
        self.track = track
        self.source = source
        self.target = target
        self.volume = volume
        self.pitch = pitch
        self.reverse = reverse
        self.frameBlending = frameBlending
        self.speed = speed
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        self.clampToSource = clampToSource
        self.transition = transition
    }
}

extension TrackSegment {
    /// Makes a segment that plays a range of an asset at its own speed from a time of the composition on.
    public init(
        _ asset: String, source: TimeRange, at start: MediaTime, track: Int? = nil, volume: Double? = nil,
        transition: SegmentTransition? = nil
    ) {
        self.init(
            asset, track: track, source: source, target: TimeRange(start: start, duration: source.duration),
            volume: volume, transition: transition)
    }

    /// A segment without an asset: the background shows over its range, or silence is heard.
    public static func empty(_ range: TimeRange) -> TrackSegment {
        var segment = TrackSegment()
        segment.target = range
        return segment
    }
}

extension Chapter {
    /// Makes a chapter that begins at a time of the composition.
    public init(time: MediaTime, title: String? = nil, end: MediaTime? = nil) {
        self.init()
        self.time = time
        self.title = title
        self.end = end
    }
}

extension Marker {
    /// Makes a marker at a time of the composition.
    public init(time: MediaTime, name: String? = nil) {
        self.init()
        self.time = time
        self.name = name
    }
}

extension FadeSettings {
    /// Makes a fade of some length.
    public init(duration: MediaTime, curve: Curve? = nil) {
        self.init()
        self.duration = duration
        self.curve = curve
    }
}

extension SegmentTransition {
    /// Makes a transition of a registered id, such as `dissolve`.
    public init(
        id: String, version: Int? = nil, duration: MediaTime, params: JSONValue? = nil, easing: Easing? = nil,
        enabled: Bool? = nil
    ) {
        self.init()
        self.id = id
        self.version = version
        self.duration = duration
        self.params = params
        self.easing = easing
        self.enabled = enabled
    }
}
