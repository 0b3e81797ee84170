import Foundation
import TestSupport

/// A project file read by the tests themselves: what the varied compositions use of it, times as exact fractions.
struct Cut {
    /// A span of time, half-open.
    struct Span {
        var start: Fraction
        var length: Fraction
        var end: Fraction { start + length }

        func contains(_ time: Fraction) -> Bool { !(time < start) && time < end }
    }

    /// A stretch of a track: nothing where `asset` is nil; a still has no `source`.
    struct Segment {
        var asset: String?
        var position: Int?
        var source: Span?
        var target: Span

        var changesRate: Bool { source.map { $0.length != target.length } ?? false }
    }

    struct Track {
        var id: Int
        var type: String
        var segments: [Segment]
    }

    struct Layer {
        var track: Int
        var transform: Keys
        var opacity: Keys
        var crop: Keys
    }

    struct Instruction {
        var range: Span
        var layers: [Layer]
    }

    var assets: [String: String]
    var tracks: [Track]
    var width: Int
    var height: Int
    var frameDuration: Fraction?
    /// Empty where the file has none.
    var instructions: [Instruction]

    init(_ text: String) throws {
        let file = JSON(try JSONSerialization.jsonObject(with: Data(text.utf8)))
        assets = try (file["assets"].object).mapValues { try JSON($0)["url"].text }
        tracks = try file["composition"]["tracks"].list.map { track in
            Track(
                id: try track["id"].number.asIndex, type: try track["type"].text,
                segments: try track["segments"].list.map(Segment.init))
        }
        let size = try file["video"]["renderSize"].list.map { try $0.number.asIndex }
        (width, height) = (size[0], size[1])
        frameDuration = try file["video"]["frameDuration"].ifPresent { try Fraction(time: $0.text) }
        instructions = try file["video"]["instructions"].ifPresent { try $0.list.map(Instruction.init) } ?? []
    }

    /// The latest end of any segment, sound too.
    var duration: Fraction {
        tracks.flatMap(\.segments).map(\.target.end).reduce(Fraction(0)) { $0 < $1 ? $1 : $0 }
    }

    var videoTracks: [Track] { tracks.filter { $0.type == "video" } }

    /// Whether one segment of a video track shows something all through a span.
    func plays(_ track: Int, during span: Span) -> Bool {
        videoTracks.filter { $0.id == track }.flatMap(\.segments).contains { segment in
            segment.asset != nil && segment.target.contains(span.start) && !(segment.target.end < span.end)
        }
    }
}

extension Cut.Span {
    fileprivate init(_ json: JSON) throws {
        let ends = try json.list.map { try Fraction(time: $0.text) }
        (start, length) = (ends[0], ends[1])
    }
}

extension Cut.Segment {
    fileprivate init(_ json: JSON) throws {
        asset = try json["asset"].ifPresent { try $0.text }
        position = try json["track"].ifPresent { try $0.number.asIndex }
        source = try json["source"].ifPresent(Cut.Span.init)
        target = try Cut.Span(json["target"])
    }
}

extension Cut.Instruction {
    fileprivate init(_ json: JSON) throws {
        guard json["background"].isAbsent else { throw ToolFailure("the reference knows black backgrounds only") }
        range = try Cut.Span(json["range"])
        layers = try json["layers"].list.map { layer in
            Cut.Layer(
                track: try layer["track"].number.asIndex, transform: try Keys(layer["transform"]),
                opacity: try Keys(layer["opacity"]), crop: try Keys(layer["crop"]))
        }
    }
}

/// A value that changes over time: holds and ramps, in order; none at all where the file has no such key.
struct Keys {
    private struct Key {
        var start: Fraction
        /// nil for a hold.
        var length: Fraction?
        var from: [Double]
        var to: [Double]
    }

    private var keys: [Key] = []

    /// The same value always.
    init(_ value: [Double]) { keys = [Key(start: Fraction(0), length: nil, from: value, to: value)] }

    fileprivate init(_ json: JSON) throws {
        guard !json.isAbsent else { return }
        keys = try json.list.map { key in
            if !key["at"].isAbsent {
                let value = try key["value"].numbers
                return Key(start: try Fraction(time: key["at"].text), length: nil, from: value, to: value)
            }
            let range = try Cut.Span(key["range"])
            return Key(
                start: range.start, length: range.length, from: try key["from"].numbers, to: try key["to"].numbers)
        }
    }

    /// nil before the first key.
    func value(at time: Fraction) -> [Double]? {
        guard let key = keys.last(where: { !(time < $0.start) }) else { return nil }
        guard let length = key.length, time < key.start + length else { return key.to }
        let share = (time - key.start) / length
        let part = Double(share.top) / Double(share.bottom)
        return zip(key.from, key.to).map { $0 + ($1 - $0) * part }
    }
}

/// A value of a parsed JSON file; what is asked for and not there is an error that says so.
private struct JSON {
    private var value: Any?

    init(_ value: Any?) { self.value = value }

    subscript(key: String) -> JSON { JSON((value as? [String: Any])?[key]) }

    var isAbsent: Bool { value == nil }
    func ifPresent<Value>(_ read: (JSON) throws -> Value) rethrows -> Value? { isAbsent ? nil : try read(self) }

    var object: [String: Any] { get throws { try cast() } }
    var text: String { get throws { try cast() } }
    var number: Double { get throws { (try cast() as NSNumber).doubleValue } }
    var list: [JSON] { get throws { (try cast() as [Any]).map(JSON.init) } }
    /// A list of numbers, or one alone.
    var numbers: [Double] { get throws { value is [Any] ? try list.map { try $0.number } : [try number] } }

    private func cast<Value>() throws -> Value {
        guard let found = value as? Value else { throw ToolFailure("no \(Value.self) in \(value ?? "nothing")") }
        return found
    }
}

extension Double {
    fileprivate var asIndex: Int { Int(self) }
}

extension Fraction {
    /// `"value/timescale"` or seconds such as `"2.5s"`, exactly.
    init(time text: String) throws {
        let parts = text.split(separator: "/").compactMap { Int($0) }
        if parts.count == 2 {
            self.init(parts[0], parts[1])
            return
        }
        let decimals = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        let places = decimals.count > 1 ? decimals[1].count : 0
        guard text.hasSuffix("s"), let value = Int(decimals.joined()) else { throw ToolFailure("\(text) is no time") }
        self.init(value, (0..<places).reduce(1) { power, _ in power * 10 })
    }
}
