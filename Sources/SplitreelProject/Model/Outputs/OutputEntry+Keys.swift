public import JSONText
public import MediaTime
public import Pictures

// The keys of an output that stand in its groups.

extension OutputEntry {
    /// The container's name, such as `mp4`; nil where the url's extension says it.
    public var fileType: String? {
        get { delivery.fileType }
        set { delivery.fileType = newValue }
    }

    /// The name of a family of settings; what else is said here goes before it. nil for none.
    public var preset: String? {
        get { delivery.preset }
        set { delivery.preset = newValue }
    }

    /// Whether mp4 and mov are in fragments, one from each key frame; nil counts as false.
    public var fragmented: Bool? {
        get { delivery.fragmented }
        set { delivery.fragmented = newValue }
    }

    /// The file's length in bytes at most; the picture's rate is limited to it. nil for no limit.
    public var fileLengthLimit: Int? {
        get { delivery.fileLengthLimit }
        set { delivery.fileLengthLimit = newValue }
    }

    /// The pictures that a stream of m3u8 or mpd is offered in; nil for one.
    public var renditions: [RenditionEntry]? {
        get { delivery.renditions }
        set { delivery.renditions = newValue }
    }

    /// The samples in a bucket of a waveform; nil for 256.
    public var samplesPerBucket: Int? {
        get { delivery.samplesPerBucket }
        set { delivery.samplesPerBucket = newValue }
    }

    /// The size of a film's picture in pixels, which the canvas is fitted into; nil for the canvas's.
    public var size: PixelSize? {
        get { canvas.size }
        set { canvas.size = newValue }
    }

    /// The size in pixels inside which images are made to fit; they are never enlarged. nil for no limit.
    public var maximumSize: PixelSize? {
        get { canvas.maximumSize }
        set { canvas.maximumSize = newValue }
    }

    /// The algorithm of audio inputs that name none; nil for `spectral`.
    public var pitch: PitchAlgorithm? {
        get { canvas.pitch }
        set { canvas.pitch = newValue }
    }

    /// The moments of the composition of which images are made, in this order; nil for each frame.
    public var times: [MediaTime]? {
        get { stills.times }
        set { stills.times = newValue }
    }

    /// The number of the first image of a sequence; nil for 1.
    public var startNumber: Int? {
        get { stills.startNumber }
        set { stills.startNumber = newValue }
    }

    /// The number of times that a gif or webp plays; nil and 0 for ever.
    public var loopCount: Int? {
        get { stills.loopCount }
        set { stills.loopCount = newValue }
    }

    /// The film's own items, which go before the project's metadata of the same names; nil for none.
    public var metadata: [String: JSONValue]? {
        get { tags.metadata }
        set { tags.metadata = newValue }
    }

    /// The part of the project's metadata that the film has; nil for all of it.
    public var metadataFilter: MetadataFilter? {
        get { tags.filter }
        set { tags.filter = newValue }
    }

    /// The film's own chapters in place of the project's, an empty list for none; nil for the project's.
    public var chapters: ChapterList? {
        get { tags.chapters }
        set { tags.chapters = newValue }
    }
}
