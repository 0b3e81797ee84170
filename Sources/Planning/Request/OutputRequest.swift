package import SplitreelProject

/// An output that a person asked for on the command line or in the file's `outputs`, before defaults; see `resolve`.
/// Most groups are the file's own, see `filled`.
package struct OutputRequest: Hashable, Codable, Sendable {
    /// The absolute path of the film.
    package var path: String
    package var delivery = DeliveryRequest()
    package var picture = PictureRequest()
    package var sound = SoundRequest()
    /// The film's sound tracks; nil for one of all that is heard.
    package var soundTracks: [SoundRequest]?
    package var canvas = CanvasRequest()
    package var timing = TimingRequest()
    package var stills = StillsRequest()
    package var tags = TagsRequest()
    package var rendering = RenderingRequest()
    /// The part of a stream that the output is; nil where it is a part of none.
    package var streamPart: StreamPart?
    package var overwrite = false
    /// Whether the film is passed on as `OutputSettings.isPassedOn` says; for raw films alone.
    package var isPassedOn = false
    /// The absolute path of the composition's own file, which the film must not replace; nil where there is none.
    package var compositionPath: String?
    /// The place in the composition's outputs of the one that it was filled from, from 0, for messages; nil where there
    /// is none.
    package var entry: Int?

    package init(path: String) { self.path = path }

    /// Reads a request; of all but the path, that which is not there is as in a request of which nothing was said.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ usual: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? usual
        }
        self.init(path: try values.decode(String.self, forKey: .path))
        delivery = try value(.delivery, delivery)
        picture = try value(.picture, picture)
        sound = try value(.sound, sound)
        soundTracks = try value(.soundTracks, nil)
        canvas = try value(.canvas, canvas)
        timing = try value(.timing, timing)
        stills = try value(.stills, stills)
        tags = try value(.tags, tags)
        rendering = try value(.rendering, rendering)
        streamPart = try value(.streamPart, nil)
        overwrite = try value(.overwrite, false)
        isPassedOn = try value(.isPassedOn, false)
        compositionPath = try value(.compositionPath, nil)
        entry = try value(.entry, nil)
    }
}
