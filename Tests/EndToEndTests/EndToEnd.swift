import Foundation
import TestSupport
import Testing

/// Real processes over real files, one after the other: each render already uses every core.
@Suite(.serialized, .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
enum EndToEnd {}

/// Pieces of a project file as text.
enum Text {
    static func clip(
        _ asset: String, _ start: String, _ length: String, at target: String, for duration: String? = nil,
        track: Int? = nil, more: String = ""
    ) -> String {
        """
        {"asset":"\(asset)","source":["\(start)","\(length)"],"target":["\(target)","\(duration ?? length)"]\
        \(track.map { ",\"track\":\($0)" } ?? "")\(duration == nil ? "" : ",\"pitch\":\"varispeed\"")\(more)}
        """
    }

    static func still(_ asset: String, at target: String, for duration: String) -> String {
        "{\"asset\":\"\(asset)\",\"target\":[\"\(target)\",\"\(duration)\"]}"
    }

    static func gap(_ target: String, _ duration: String) -> String {
        "{\"target\":[\"\(target)\",\"\(duration)\"]}"
    }

    static func track(_ id: Int, _ type: String, _ segments: String...) -> String {
        "{\"id\":\(id),\"type\":\"\(type)\",\"segments\":[\(segments.joined(separator: ","))]}"
    }

    /// A layer that stands still.
    static func layer(_ track: Int, _ affine: [Double], more: String = "") -> String {
        "{\"track\":\(track),\"transform\":[{\"at\":\"0s\",\"value\":\(affine)}]\(more)}"
    }

    /// A layer that moves from one map to another.
    static func layer(
        _ track: Int, _ from: [Double], to: [Double], _ start: String, _ length: String, more: String = ""
    )
        -> String
    {
        """
        {"track":\(track),"transform":[{"range":["\(start)","\(length)"],"from":\(from),"to":\(to)}]\(more)}
        """
    }

    static func ramp(_ key: String, _ start: String, _ length: String, _ from: String, _ to: String) -> String {
        ",\"\(key)\":[{\"range\":[\"\(start)\",\"\(length)\"],\"from\":\(from),\"to\":\(to)}]"
    }

    static func instruction(_ start: String, _ length: String, _ layers: String...) -> String {
        "{\"range\":[\"\(start)\",\"\(length)\"],\"layers\":[\(layers.joined(separator: ","))]}"
    }

    static func volume(_ track: Int, _ start: String, _ length: String, _ from: Double, _ to: Double) -> String {
        "{\"track\":\(track),\"volume\":[{\"range\":[\"\(start)\",\"\(length)\"],\"from\":\(from),\"to\":\(to)}]}"
    }

    static func project(
        _ assets: [String: String], _ tracks: [String], size: (Int, Int), frame: String?, _ instructions: [String] = [],
        inputs: [String] = []
    ) -> String {
        let listed = assets.sorted { $0.key < $1.key }.map { "\"\($0.key)\":{\"url\":\"\($0.value)\"}" }
        let frame = frame.map { ",\"frameDuration\":\"\($0)\"" } ?? ""
        let given = instructions.isEmpty ? "" : ",\"instructions\":[\(instructions.joined(separator: ",\n"))]"
        return """
            {"format":"splitreel/1","assets":{\(listed.joined(separator: ","))},
            "composition":{"tracks":[
            \(tracks.joined(separator: ",\n"))]},
            "video":{"renderSize":[\(size.0),\(size.1)]\(frame)\(given)},
            "audio":{"inputs":[\(inputs.joined(separator: ","))]}}
            """
    }
}

/// An exact fraction of small numbers in lowest terms, to predict with: no code of the project is in it.
struct Fraction: Hashable {
    let top: Int
    /// Above 0.
    let bottom: Int

    init(_ top: Int, _ bottom: Int = 1) {
        var (a, b) = (abs(top), abs(bottom))
        while b > 0 { (a, b) = (b, a % b) }
        let divisor = bottom < 0 ? -a : a
        (self.top, self.bottom) = (top / divisor, bottom / divisor)
    }

    static func + (a: Fraction, b: Fraction) -> Fraction {
        Fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
    }
    static func - (a: Fraction, b: Fraction) -> Fraction { a + Fraction(-b.top, b.bottom) }
    static func * (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.top, a.bottom * b.bottom) }
    static func / (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.bottom, a.bottom * b.top) }
    static func < (a: Fraction, b: Fraction) -> Bool { a.top * b.bottom < b.top * a.bottom }

    var floor: Int {
        let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
        return rest < 0 ? whole - 1 : whole
    }
    var ceiling: Int { -Fraction(-top, bottom).floor }
    /// Halves upwards; for values from 0.
    var rounded: Int { Fraction(top * 2 + bottom, bottom * 2).floor }
    var text: String { "\(top)/\(bottom)" }
}
