import Foundation
import TestTools

extension LayerTree {
    /// A layer at a time, after its animations.
    struct Layer {
        let json: JSON
        var now: LayerNow
        let local: Fraction
        let isFilm: Bool
        let isFlipped: Bool
        let cuts: Bool

        /// nil where it is not there.
        init?(_ json: JSON, at parent: Fraction, _ films: Set<String>) throws {
            guard let moment = try LayerClock(json, begin: "beginTime").moment(at: parent) else { return nil }
            (self.json, local) = (json, moment.elapsed)
            now = try LayerNow(json)
            isFilm = try json["id"].ifPresent { films.contains(try $0.text) } ?? false
            isFlipped = try json["geometryFlipped"].ifPresent { try $0.flag } ?? false
            cuts = try json["masksToBounds"].ifPresent { try $0.flag } ?? false
            for animation in try json["animations"].each({ $0 }) { try apply(animation, at: local, nil) }
        }

        private mutating func apply(_ animation: JSON, at time: Fraction, _ standard: Fraction?) throws {
            let clock = try LayerClock(animation, begin: "begin", standard: standard)
            guard let moment = clock.moment(at: time) else { return }
            let pace = try Self.pace(animation["timing"])
            let inner = try animation["animations"].each { $0 }
            guard inner.isEmpty else {
                for part in inner { try apply(part, at: moment.elapsed, clock.length) }
                return
            }
            let name = KeyPathNames.inFull(try animation["keyPath"].text)
            if !animation["animatedImage"].isAbsent {
                now.contents = JSON(["animatedImage": try animation["animatedImage"].text])
                now.playing = clock.length.map { moment.elapsed / $0 }
                return
            }
            guard let length = clock.length else { return }
            let share = moment.elapsed / length
            let under = try now.value(name)
            let isAdditive = try animation["additive"].ifPresent { try $0.flag } ?? false
            let course = try Course(animation, now, under: isAdditive ? under.none() : under)
            let way = Double(share.top) / Double(share.bottom)
            var value = course.value(at: way < 1 ? pace(way) : 1)
            if try animation["cumulative"].ifPresent({ try $0.flag }) ?? false {
                value = value.adding(course.value(at: clock.turnsBack ? 0 : 1), Double(moment.plays))
            }
            try now.set(name, isAdditive ? under.adding(value) : value)
        }

        /// The easing over the whole animation. A list is for each way between values, and eases nothing here.
        static func pace(_ json: JSON) throws -> (Double) -> Double {
            if let list = try? json.list, (try? list.first?.number) == nil { return { $0 } }
            guard json.isText else { return try Keys.easing(json) }
            let words = [
                "easeIn": "ease-in", "easeOut": "ease-out", "easeInOut": "ease-in-out",
                "default": "cubic-bezier(0.25, 0.1, 0.25, 1)",
            ]
            let word = try json.text
            return try Keys.easing(JSON(words[word] ?? word))
        }
    }

    /// From value to value.
    private struct Course {
        let steps: LayerSteps

        init(_ json: JSON, _ now: LayerNow, under: LayerTreeValue) throws {
            let name = KeyPathNames.inFull(try json["keyPath"].text)
            func read(_ value: JSON) throws -> LayerTreeValue {
                switch try now.value(name) {
                case .turn: return .turn(try LayerTurn(value))
                case .thing:
                    return .thing(name == "contents" && value.isText ? JSON(["image": try value.text]) : value)
                case .numbers(let own):
                    if name == "shape.path" { return .numbers(try ShapePath(svg: value.text).numbers) }
                    let numbers = try Self.flat(value)
                    return .numbers(numbers.count == 1 && own.count == 2 ? numbers + numbers : numbers)
                }
            }
            if !json["values"].isAbsent {
                let values = try json["values"].list.map(read)
                var calculation = try json["calculation"].ifPresent { try $0.text } ?? "linear"
                if case .thing = values[0] { calculation = "discrete" }
                steps = LayerSteps(
                    values: values, times: try Self.times(json, values, calculation), paces: try Self.paces(json),
                    calculation: calculation)
                return
            }
            let (from, to) = (try json["from"].ifPresent(read), try json["to"].ifPresent(read))
            let by = try json["by"].ifPresent(read)
            let first = from ?? to.flatMap { end in by.map { end.adding($0, -1) } } ?? under
            let last = to ?? by.map { first.adding($0) } ?? under
            steps = LayerSteps(values: [first, last], times: [0, 1], paces: [], calculation: "linear")
        }

        private static func flat(_ json: JSON) throws -> [Double] {
            guard let list = try? json.list else { return [try json.number] }
            return try list.flatMap(flat)
        }

        private static func times(_ json: JSON, _ values: [LayerTreeValue], _ calculation: String) throws -> [Double] {
            let count = Double(values.count)
            if calculation == "paced" {
                let ways = zip(values, values.dropFirst()).map { LayerTreeValue.way($0, $1) }
                let all = ways.reduce(0, +)
                return (0...ways.count).map { all > 0 ? ways.prefix($0).reduce(0, +) / all : 0 }
            }
            if let given = try json["keyTimes"].ifPresent({ try $0.numbers }) { return given }
            return values.indices.map { Double($0) / (calculation == "discrete" ? count : max(1, count - 1)) }
        }

        private static func paces(_ json: JSON) throws -> [(Double) -> Double] {
            guard let list = try? json["timing"].list, (try? list.first?.number) == nil else { return [] }
            return try list.map(Layer.pace)
        }

        /// A curve that overshoots goes on straight between two values.
        func value(at share: Double) -> LayerTreeValue {
            guard steps.values.count == 2, steps.calculation == "linear", steps.paces.isEmpty, steps.times == [0, 1]
            else {
                return steps.value(at: share)
            }
            return .mix(steps.values[0], steps.values[1], share)
        }
    }

    // MARK: Contents

    func contents(_ layer: Layer, _ raster: (x: Double, y: Double), hasSize: Bool) throws -> Item? {
        let (now, json) = (layer.now, layer.now.contents)
        if layer.isFilm, hasSize, let frame {
            return Item(
                picture: frame.picture, width: Double(frame.width), height: Double(frame.height),
                affine: [now.bounds[2] / Double(frame.width), 0, 0, now.bounds[3] / Double(frame.height), 0, 0])
        }
        if json.isAbsent { return nil }
        if !json["shape"].isAbsent {
            let (picture, x, y) = try ShapeSheet(json["shape"]).drawn(raster, stage)
            let size = (Double(picture.planes[0].width), Double(picture.planes[0].height))
            return Item(
                picture: picture, width: size.0, height: size.1, affine: [1 / raster.x, 0, 0, 1 / raster.y, x, y])
        }
        guard hasSize else { return nil }
        if !json["color"].isAbsent {
            let colour = try json["color"].numbers
            return colour[3] > 0 ? colourItem(colour, now) : nil
        }
        if !json["gradient"].isAbsent {
            let size = (
                Int((now.bounds[2] * raster.x).rounded(.up)), Int((now.bounds[3] * raster.y).rounded(.up))
            )
            let generator = ReferenceGenerator(asset: json, kind: "gradient", width: size.0, height: size.1)
            var picture = try generator.picture(frame: 0, stage.base.encoding)
            for plane in picture.planes.indices {
                picture.planes[plane].values = stage.codes(picture.planes[plane].values)
            }
            return Item(
                picture: picture, width: Double(size.0),
                height: Double(size.1),
                affine: [now.bounds[2] / Double(size.0), 0, 0, now.bounds[3] / Double(size.1), 0, 0])
        }
        return try picture(layer, json)
    }

    private func colourItem(_ colour: [Double], _ now: LayerNow) -> Item {
        var item = filled([colour[0], colour[1], colour[2], 1], now)
        item.alpha = colour[3]
        return item
    }

    private func picture(_ layer: Layer, _ json: JSON) throws -> Item? {
        let now = layer.now
        var elapsed = Fraction(0)
        var name = try json["image"].ifPresent { try $0.text }
        if let film = try (json["film"].ifPresent { try $0.text }) ?? json["animatedImage"].ifPresent({ try $0.text }) {
            (name, elapsed) = (film, layer.local)
            // Of the end there is no picture: the last one stands.
            if let share = now.playing {
                let last = Fraction(1_000_000, 1_000_001)
                elapsed = (share < last ? share : last) * (try stage.period(film))
            }
        }
        guard let name, let shown = try stage.shown(name, after: elapsed) else { return nil }
        let (size, upright) = (shown.displaySize, shown.upright)
        let box = Self.extent(size.width, size.height, upright)
        let (wide, high) = (box[2] - box[0], box[3] - box[1])
        let place = try Self.gravity(
            json: layer.json["contentsGravity"], (wide, high), (now.bounds[2], now.bounds[3]))
        let steps = [
            [1, 0, 0, 1, -box[0], -box[1]], [place[2] / wide, 0, 0, place[3] / high, 0, 0],
            [1, 0, 0, 1, place[0], place[1]],
        ]
        var item = Item(
            picture: shown.picture, width: size.width, height: size.height,
            affine: steps.reduce(upright, InverseMap.joined), alpha: shown.alpha)
        item.aspect = shown.pixelAspect
        return item
    }

    /// Where a picture lies in a layer, y down: x, y, width, height.
    private static func gravity(
        json: JSON, _ picture: (Double, Double), _ layer: (Double, Double)
    ) throws -> [Double] {
        let word = try json.ifPresent { try $0.text } ?? "resize"
        let low = word.lowercased()
        switch low {
        case "resize": return [0, 0, layer.0, layer.1]
        case "resizeaspect", "resizeaspectfill":
            let scales = [layer.0 / picture.0, layer.1 / picture.1]
            let scale = (low == "resizeaspect" ? scales.min() : scales.max()) ?? 1
            let size = (picture.0 * scale, picture.1 * scale)
            return [(layer.0 - size.0) / 2, (layer.1 - size.1) / 2, size.0, size.1]
        default:
            let x = low.contains("left") ? 0 : low.contains("right") ? 1 : 0.5
            let y = low.contains("top") ? 0 : low.contains("bottom") ? 1 : 0.5
            return [(layer.0 - picture.0) * x, (layer.1 - picture.1) * y, picture.0, picture.1]
        }
    }
}
