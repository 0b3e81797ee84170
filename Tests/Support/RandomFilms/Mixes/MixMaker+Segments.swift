import Foundation
import TestTools

extension MixMaker {
    /// The segments that fill some 0.6 to 1.1 s of a track.
    mutating func segments() -> [Object] {
        var (list, place): ([Object], Int) = ([], 0)
        let end = units(0.6, 1.1)
        while place < end {
            let length = max(1, min(end - place, units(0.08, 0.5)))
            for segment in piece(at: place, length) { list.append(segment) }
            place += length
        }
        // A track of nothing is no sound.
        if !list.contains(where: { $0["asset"] != nil }) { list[0] = tone(at: 0, for: list[0]) }
        return list
    }

    private func target(_ place: Int, _ length: Int) -> [String] { [time(place), time(length)] }

    private mutating func tone(at place: Int, for gap: Object) -> Object {
        var segment = gap
        segment["asset"] = generator("tone")
        return segment
    }

    private mutating func generator(_ kind: String) -> String {
        use(kind)
        let name = "\(kind)\(assets.count)"
        var asset: Object = ["kind": kind]
        if kind == "tone" {
            // Not only whole numbers of Hz.
            asset["frequency"] = number(50, 9000)
            asset["volume"] = number(0, 0.9)
        } else if kind == "sweep" {
            (asset["frequency"], asset["endFrequency"]) = (number(50, 5000), number(50, 5000))
            asset["volume"] = number(0, 0.9)
        } else if kind == "noise" {
            (asset["seed"], asset["volume"]) = (numbers.next(in: 0..<1000), number(0, 0.9))
        }
        assets[name] = asset
        return name
    }

    /// One segment, or two where one is cut.
    private mutating func piece(at place: Int, _ length: Int) -> [Object] {
        let target = target(place, length)
        switch numbers.next(in: 0..<19) {
        case 0:
            use("gap")
            return [["target": target]]
        case 1: return [changed(["asset": generator("tone"), "target": target], length)]
        case 2: return [changed(["asset": generator("silence"), "target": target], length)]
        case 3, 4: return [changed(speedy(place, length), length)]
        case 5: return [changed(keyed(place, length), length)]
        case 6, 7: return depth == 0 ? [changed(nested(place, length), length)] : [["target": target]]
        case 8: return [changed(otherRate(place, length), length)]
        case 9, 10: return cut(place, length)
        case 11: return turn(place, length)
        case 12: return [changed(["asset": generator("sweep"), "target": target], length)]
        // At another speed, two filters part just below half the rate.
        case 13: return [changed(["asset": generator(depth == 0 ? "noise" : "sweep"), "target": target], length)]
        default: return [changed(natural(place, length), length)]
        }
    }

    private mutating func file(_ kind: String, _ count: Int, _ rate: Int) -> String {
        let name = "\(kind)-\(count)-\(rate)"
        assets[name] = ["url": sources.path(kind, count, rate)]
        return name
    }

    /// A stretch of noise at its own speed.
    private mutating func natural(_ place: Int, _ length: Int) -> Object {
        let count = pick([1, 2, 2, 6])
        use("noise of \(count)")
        let name = file("noise", count, rate)
        var segment: Object = ["asset": name, "target": target(place, length)]
        var start = units(0, 2)
        if chance(15) {
            use("beyond the end")
            start = Int(2.9 * Double(scale))
            segment["clampToSource"] = true
        }
        segment["source"] = [time(start), time(length)]
        if chance(25) {
            use("reverse")
            segment["reverse"] = true
        }
        return segment
    }

    private mutating func otherRate(_ place: Int, _ length: Int) -> Object {
        use("other rate")
        use("resampled")
        let name = file("waves", pick([1, 2]), pick([32_000, 96_000, rate == 48_000 ? 44_100 : 48_000]))
        return ["asset": name, "target": target(place, length), "source": [time(units(0.1, 2)), time(length)]]
    }

    /// At one speed, lower or higher.
    private mutating func speedy(_ place: Int, _ length: Int) -> Object {
        use("varispeed")
        use("resampled")
        let name = file("waves", pick([1, 2]), rate)
        let source = max(1, Int(Double(length) * pick([0.5, 0.8, 1.25, 1.5, 2])))
        return [
            "asset": name, "target": target(place, length), "source": [time(units(0.1, 1.5)), time(source)],
            "pitch": "varispeed",
        ]
    }

    /// At a speed that changes.
    private mutating func keyed(_ place: Int, _ length: Int) -> Object {
        use("keyed speed")
        let name = file("waves", pick([1, 2]), rate)
        let speeds = [number(0.5, 2), number(0.5, 2), number(0.5, 2)]
        let half = max(1, length / 2)
        let keys: [Object] = [
            ["range": [time(0), time(half)], "from": speeds[0], "to": speeds[1]],
            ["at": time(half), "value": speeds[2]],
        ]
        var segment: Object = [
            "asset": name, "target": target(place, length), "source": [time(units(0.1, 0.8)), time(2 * length + 1)],
            "speed": keys, "pitch": "varispeed",
        ]
        if chance(30) {
            use("reverse")
            segment["reverse"] = true
        }
        return segment
    }

    private mutating func nested(_ place: Int, _ length: Int) -> Object {
        use("nested")
        var maker = MixMaker(
            seed: seed &* 31 &+ assets.count, sources, depth: depth + 1, rate: rate, channels: channels)
        let project = maker.mix()
        features.formUnion(maker.features.subtracting(["several tracks"]))
        let name = "nested\(assets.count)"
        assets[name] = ["kind": "composition", "project": project]
        var segment: Object = [
            "asset": name, "target": target(place, length), "source": [time(units(0, 0.1)), time(length)],
            "clampToSource": true,
        ]
        if chance(20) {
            use("reverse")
            segment["reverse"] = true
        }
        return segment
    }

    /// A stretch that is cut where it goes on.
    private mutating func cut(_ place: Int, _ length: Int) -> [Object] {
        guard length > 1 else { return [natural(place, length)] }
        use("cut that changes nothing")
        let (name, start) = (file("noise", pick([1, 2]), rate), units(0, 2))
        let first = 1 + numbers.next(in: 0..<length - 1)
        return [(0, first), (first, length - first)].map { offset, part in
            ["asset": name, "target": target(place + offset, part), "source": [time(start + offset), time(part)]]
        }
    }

    /// A stretch at its own speed that goes on at another one.
    private mutating func turn(_ place: Int, _ length: Int) -> [Object] {
        guard length > 3 else { return [natural(place, length)] }
        use("another speed from a cut on")
        use("resampled")
        let (name, start, half) = (file("waves", pick([1, 2]), rate), units(0.1, 1), length / 2)
        let rest = length - half
        return [
            ["asset": name, "target": target(place, half), "source": [time(start), time(half)]],
            [
                "asset": name, "target": target(place + half, rest),
                "source": [time(start + half), time(pick([rest * 2, max(1, rest / 2)]))], "pitch": "varispeed",
            ],
        ]
    }

    /// With a volume and fades of its own.
    private mutating func changed(_ segment: Object, _ length: Int) -> Object {
        var segment = segment
        if chance(30) {
            use("segment volume")
            segment["volume"] = number(0, 1.5)
        }
        for key in ["fadeIn", "fadeOut"] where chance(25) && length > 4 {
            var fade: Object = ["duration": time(1 + numbers.next(in: 0..<length / 2))]
            switch numbers.next(in: 0..<3) {
            case 0: use("equal power")
            case 1:
                use("equal power")
                fade["curve"] = "equalPower"
            default:
                use("linear fade")
                fade["curve"] = "linear"
            }
            segment[key] = fade
        }
        return segment
    }
}
