import Foundation
import TestTools

/// A layer's properties at a time.
struct LayerNow {
    var bounds: [Double]
    var position: [Double]
    var anchor: [Double]
    var z: Double
    var turn: LayerTurn
    var opacity: Double
    var isHidden: Bool
    var background: [Double]
    var corner: Double
    var border: Double
    var borderColour: [Double]
    /// Opacity, radius, offset, colour.
    var shadow: (opacity: Double, radius: Double, offset: [Double], colour: [Double])
    /// As the file has it.
    var contents: JSON
    /// How far of all of it an animated image is, in place of the layer's time.
    var playing: Fraction?

    init(_ json: JSON) throws {
        func numbers(_ json: JSON, _ absent: [Double]) throws -> [Double] {
            try json.ifPresent { try $0.numbers } ?? absent
        }
        func number(_ json: JSON, _ absent: Double) throws -> Double { try json.ifPresent { try $0.number } ?? absent }
        bounds = try numbers(json["bounds"], [0, 0, 0, 0])
        position = try numbers(json["position"], [0, 0])
        anchor = try numbers(json["anchorPoint"], [0.5, 0.5])
        z = try number(json["zPosition"], 0)
        turn = try LayerTurn(json["transform"])
        opacity = try number(json["opacity"], 1)
        isHidden = try json["hidden"].ifPresent { try $0.flag } ?? false
        background = try numbers(json["backgroundColor"], [0, 0, 0, 0])
        corner = try number(json["cornerRadius"], 0)
        border = try number(json["borderWidth"], 0)
        borderColour = try numbers(json["borderColor"], [0, 0, 0, 1])
        let cast = json["shadow"]
        shadow = (
            try number(cast["opacity"], 0), try number(cast["radius"], 3), try numbers(cast["offset"], [0, -3]),
            try numbers(cast["color"], [0, 0, 0, 1])
        )
        contents = json["contents"]
    }

    var hasShadow: Bool { shadow.opacity > 0 && shadow.colour[3] > 0 }
    var size: (width: Double, height: Double) { (bounds[2], bounds[3]) }
    /// In its own space.
    var anchorPlace: [Double] { [bounds[0] + anchor[0] * bounds[2], bounds[1] + anchor[1] * bounds[3]] }

    // MARK: Key paths

    /// Where numbers of one property stand.
    private static var places: [String: WritableKeyPath<LayerNow, Double>] {
        [
            "zPosition": \.z, "opacity": \.opacity, "cornerRadius": \.corner, "borderWidth": \.border,
            "shadow.opacity": \.shadow.opacity, "shadow.radius": \.shadow.radius,
            "shadow.offset.x": \.shadow.offset[0], "shadow.offset.y": \.shadow.offset[1], "position.x": \.position[0],
            "position.y": \.position[1], "anchorPoint.x": \.anchor[0], "anchorPoint.y": \.anchor[1],
            "bounds.origin.x": \.bounds[0], "bounds.origin.y": \.bounds[1], "bounds.size.width": \.bounds[2],
            "bounds.size.height": \.bounds[3],
        ]
    }

    private static var lists: [String: WritableKeyPath<LayerNow, [Double]>] {
        [
            "position": \.position, "anchorPoint": \.anchor, "bounds": \.bounds, "backgroundColor": \.background,
            "borderColor": \.borderColour, "shadow.offset": \.shadow.offset, "shadow.color": \.shadow.colour,
        ]
    }

    func value(_ name: String) throws -> LayerTreeValue {
        if let place = Self.places[name] { return .numbers([self[keyPath: place]]) }
        if let list = Self.lists[name] { return .numbers(self[keyPath: list]) }
        switch name {
        case "bounds.origin": return .numbers(Array(bounds.prefix(2)))
        case "bounds.size": return .numbers(Array(bounds.suffix(2)))
        case "transform": return .turn(turn)
        case "hidden": return .thing(JSON(isHidden))
        case "contents": return .thing(contents)
        case "color": return .numbers(try contents["color"].numbers)
        default: break
        }
        if name.hasPrefix("transform.") {
            return .numbers(try Self.parts(name).map { turn[$0] })
        }
        return .numbers(try ContentsNumbers(contents).numbers(name))
    }

    mutating func set(_ name: String, _ value: LayerTreeValue) throws {
        switch value {
        case .turn(let turn): self.turn = turn
        case .thing(let json):
            if name == "hidden" { isHidden = try json.flag } else { contents = json }
            playing = nil
        case .numbers(let numbers):
            if let place = Self.places[name] {
                self[keyPath: place] = numbers[0]
            } else if let list = Self.lists[name] {
                self[keyPath: list] = name.hasSuffix("olor") ? numbers.map { min(max($0, 0), 1) } : numbers
            } else if name == "bounds.origin" {
                bounds = numbers + bounds.suffix(2)
            } else if name == "bounds.size" {
                bounds = bounds.prefix(2) + numbers
            } else if name.hasPrefix("transform.") {
                for (part, number) in zip(try Self.parts(name), numbers) { turn[part] = number }
            } else if name == "color" {
                contents = JSON(["color": numbers.map { min(max($0, 0), 1) }])
            } else {
                contents = try ContentsNumbers(contents).with(name, numbers)
            }
        }
        (bounds[2], bounds[3]) = (max(0, bounds[2]), max(0, bounds[3]))
        (corner, border) = (max(0, corner), max(0, border))
        shadow.radius = max(0, shadow.radius)
    }

    private static func parts(_ name: String) throws -> [Int] {
        let part = name.dropFirst("transform.".count)
        if part == "scale" { return [3, 4] }
        if part == "translation" { return [0, 1] }
        guard let found = LayerTurn.names[String(part)] else { throw ToolFailure("\(name) is no key path") }
        return [found]
    }
}

/// Numbers of gradients and shapes, in what the file has.
struct ContentsNumbers {
    private let contents: JSON

    init(_ contents: JSON) { self.contents = contents }

    private var isRadial: Bool { (try? contents["gradient"]["shape"].text) == "radial" }

    func numbers(_ name: String) throws -> [Double] {
        let (gradient, shape) = (contents["gradient"], contents["shape"])
        switch name {
        case "gradient.from": return try gradient["from"].ifPresent { try $0.numbers } ?? [isRadial ? 0.5 : 0, 0.5]
        case "gradient.to": return try gradient["to"].ifPresent { try $0.numbers } ?? [1, 0.5]
        case "gradient.locations": return try gradient["stops"].list.map { try $0["at"].number }
        case "gradient.colors": return try gradient["stops"].list.flatMap { try $0["color"].numbers }
        case "shape.lineWidth": return [try shape["lineWidth"].ifPresent { try $0.number } ?? 1]
        case "shape.strokeStart": return [try shape["strokeStart"].ifPresent { try $0.number } ?? 0]
        case "shape.strokeEnd": return [try shape["strokeEnd"].ifPresent { try $0.number } ?? 1]
        case "shape.lineDashPhase": return [try shape["lineDashPhase"].ifPresent { try $0.number } ?? 0]
        case "shape.fillColor": return try shape["fillColor"].numbers
        case "shape.strokeColor": return try shape["strokeColor"].numbers
        case "shape.path": return try ShapePath(svg: shape["path"].text).numbers
        default: throw ToolFailure("\(name) is no key path")
        }
    }

    func with(_ name: String, _ numbers: [Double]) throws -> JSON {
        var all = try contents.object
        let parts = name.split(separator: ".").map(String.init)
        guard var inner = all[parts[0]] as? [String: Any] else { throw ToolFailure("no \(parts[0])") }
        func held(_ value: Double) -> Double { min(max(value, 0), 1) }
        switch parts[1] {
        case "locations", "colors":
            var last = 0.0
            inner["stops"] = try contents["gradient"]["stops"].list.enumerated().map { k, stop -> [String: Any] in
                var stop = try stop.object
                if parts[1] == "colors" {
                    stop["color"] = numbers[(4 * k)..<(4 * k + 4)].map(held)
                } else {
                    last = max(last, held(numbers[k]))
                    stop["at"] = last
                }
                return stop
            }
        case "fillColor", "strokeColor": inner[parts[1]] = numbers.map(held)
        case "from", "to": inner[parts[1]] = numbers
        case "strokeStart", "strokeEnd": inner[parts[1]] = held(numbers[0])
        case "path": inner["path"] = try ShapePath(svg: contents["shape"]["path"].text).with(numbers).svg
        default: inner[parts[1]] = numbers[0]
        }
        all[parts[0]] = inner
        return JSON(all)
    }
}
