import Foundation
import TestTools

/// A project file read by the tests themselves, times as exact fractions.
package struct Cut {
    /// A span of time, half-open.
    package struct Span {
        var start: Fraction
        var length: Fraction
        var end: Fraction { start + length }

        func contains(_ time: Fraction) -> Bool { !(time < start) && time < end }

        init(_ json: JSON) throws {
            let ends = try json.list.map { try Fraction(time: $0.text) }
            (start, length) = (ends[0], ends[1])
        }
    }

    /// A stretch of a track: nothing where `asset` is nil.
    package struct Segment {
        var asset: String?
        var position: Int?
        var source: Span?
        var target: Span
        /// Whether frames are mixed with the ones after them.
        var isBlended = false

        package var changesRate: Bool { source.map { $0.length != target.length } ?? false }
    }

    package struct Track {
        var id: Int
        var type: String
        var isEnabled: Bool
        var preferredTransform: [Double]?
        package var segments: [Segment]
    }

    package struct Layer {
        package var track: Int
        var fit: String?
        var matte: [Double]?
        var transform: Keys
        var opacity: Keys
        var crop: Keys
        var cornerRadius: Keys
        var borderWidth: Keys
        var borderColour: [Double]
    }

    package struct Instruction {
        package var range: Span
        var background: [Double]
        var passthrough: Int?
        package var layers: [Layer]
    }

    /// An asset as it is written; nested compositions are read.
    struct Asset {
        var json: JSON
        var kind: String?
        var url: String?
        var project: Cut?
    }

    var assets: [String: Asset]
    var tracks: [Track]
    var width: Int
    var height: Int
    var scale: Double
    var frameDuration: Fraction?
    /// The id of the track whose frames are the film's.
    var timingTrack: Int?
    /// `video.color`.
    var colour: JSON
    /// `video.fit`, of layers that have neither `fit` nor `transform`.
    var fit: String?
    /// Empty where the file has none.
    package var instructions: [Instruction]

    init(_ text: String) throws { try self.init(JSON(text: text)) }

    private init(_ file: JSON) throws {
        assets = try file["assets"].object.mapValues { try Asset(JSON($0)) }
        tracks = try file["composition"]["tracks"].list.map(Track.init)
        let size = try file["video"]["renderSize"].list.map { try $0.index }
        (width, height) = (size[0], size[1])
        scale = try file["video"]["renderScale"].ifPresent { try $0.number } ?? 1
        frameDuration = try file["video"]["frameDuration"].ifPresent { try Fraction(time: $0.text) }
        timingTrack = try file["video"]["frameTimingTrack"].ifPresent { try $0.index }
        colour = file["video"]["color"]
        fit = try file["video"]["fit"].ifPresent { try $0.text }
        instructions = try file["video"]["instructions"].each(Instruction.init)
    }

    /// The latest end of any segment, sound too.
    var duration: Fraction {
        tracks.flatMap(\.segments).map(\.target.end).reduce(Fraction(0)) { $0 < $1 ? $1 : $0 }
    }

    package var videoTracks: [Track] { tracks.filter { $0.type == "video" && $0.isEnabled } }

    /// The canvas times its scale.
    var outputSize: (width: Int, height: Int) {
        (Int((Double(width) * scale).rounded()), Int((Double(height) * scale).rounded()))
    }

    /// Whether one segment of a video track shows something all through a span.
    package func plays(_ track: Int, during span: Span) -> Bool {
        videoTracks.filter { $0.id == track }.flatMap(\.segments).contains { segment in
            segment.asset != nil && segment.target.contains(span.start) && !(segment.target.end < span.end)
        }
    }
}

extension Cut.Asset {
    fileprivate init(_ json: JSON) throws {
        self.json = json
        kind = try json["kind"].ifPresent { try $0.text }
        url = try json["url"].ifPresent { try $0.text }
        project = try json["project"].ifPresent { try Cut($0) }
    }
}

extension Cut.Track {
    fileprivate init(_ json: JSON) throws {
        id = try json["id"].index
        type = try json["type"].text
        isEnabled = try json["enabled"].ifPresent { try $0.flag } ?? true
        preferredTransform = try json["preferredTransform"].ifPresent { try $0.numbers }
        segments = try json["segments"].list.map(Cut.Segment.init)
    }
}

extension Cut.Segment {
    fileprivate init(_ json: JSON) throws {
        asset = try json["asset"].ifPresent { try $0.text }
        position = try json["track"].ifPresent { try $0.index }
        source = try json["source"].ifPresent(Cut.Span.init)
        target = try Cut.Span(json["target"])
        isBlended = try json["frameBlending"].ifPresent { try $0.flag } ?? false
    }
}

extension Cut.Instruction {
    fileprivate init(_ json: JSON) throws {
        range = try Cut.Span(json["range"])
        background = try json["background"].ifPresent { try $0.numbers } ?? [0, 0, 0, 1]
        passthrough = try json["passthroughTrack"].ifPresent { try $0.index }
        layers = try json["layers"].each(Cut.Layer.init)
    }
}

extension Cut.Layer {
    fileprivate init(_ json: JSON) throws {
        track = try json["track"].index
        fit = try json["fit"].ifPresent { try $0.text }
        matte = try json["matte"].ifPresent { try $0.numbers }
        transform = try Keys(json["transform"], TransformReading.numbers)
        opacity = try Keys(json["opacity"])
        crop = try Keys(json["crop"]) { try $0.isText ? [-1e9, -1e9, 2e9, 2e9] : $0.numbers }
        cornerRadius = try Keys(json["cornerRadius"])
        borderWidth = try Keys(json["borderWidth"])
        borderColour = try json["borderColor"].ifPresent { try $0.numbers } ?? [0, 0, 0, 1]
    }

    /// A track as a pass-through shows it, and without a `fit` as it is where the file has no instructions.
    init(wholeOf track: Int, fit: String? = "contain") throws {
        (self.track, self.fit) = (track, fit)
        transform = try Keys(JSON(nil))
        (opacity, crop, cornerRadius, borderWidth) = (transform, transform, transform, transform)
        borderColour = [0, 0, 0, 1]
    }
}
