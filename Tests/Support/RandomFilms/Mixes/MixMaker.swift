import Foundation
import TestTools

/// Makes a composition of sound, or one that stands within another.
struct MixMaker {
    typealias Object = [String: Any]

    let seed: Int
    let sources: MixSources
    var numbers: SeededNumbers
    var features: Set<String> = []
    let rate: Int
    let channels: Int
    private(set) var range: (start: String, duration: String)?
    var assets: Object = [:]
    /// Times are whole numbers of 1/`scale` s; each track has its own scale.
    var scale = 1000
    let depth: Int

    static let scales = [30, 49, 1000, 1001, 11_025, 44_100, 48_000, 90_000, 700_000]

    init(seed: Int, _ sources: MixSources, depth: Int = 0, rate: Int? = nil, channels: Int? = nil) {
        (self.seed, self.sources, self.depth) = (seed, sources, depth)
        numbers = SeededNumbers(seed: UInt64(seed) &* 104_729 &+ UInt64(depth))
        self.rate = rate ?? MixSources.rates[seed / 2 % 3 == 2 ? 1 : 0]
        self.channels = channels ?? [2, 1, 2, 6, 2][seed % 5]
    }

    // MARK: Dice

    mutating func chance(_ percent: Int) -> Bool { numbers.next(in: 0..<100) < percent }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[numbers.next(in: 0..<values.count)] }
    /// In steps of 1/64.
    mutating func number(_ low: Double, _ high: Double) -> Double {
        low + Double(numbers.next(in: 0..<(Int((high - low) * 64) + 1))) / 64
    }
    mutating func use(_ feature: String) { features.insert(feature) }
    func time(_ units: Int) -> String { "\(units)/\(scale)" }
    /// Some number of units between two times in seconds.
    mutating func units(_ low: Double, _ high: Double) -> Int {
        let (from, to) = (Int((low * Double(scale)).rounded(.up)), Int(high * Double(scale)))
        return numbers.next(in: from..<max(from, to) + 1)
    }

    // MARK: The mix

    mutating func mix() -> Object {
        if depth == 0 {
            use([1: "mono", 2: "stereo"][channels] ?? "5.1")
            use("\(rate) Hz")
        }
        let count = 1 + numbers.next(in: 0..<(depth == 0 ? 4 : 2))
        if count > 1 { use("several tracks") }
        var (tracks, inputs): ([Object], [Object]) = ([], [])
        for id in 1...count {
            scale = pick(Self.scales)
            var track: Object = ["id": id, "type": "audio", "segments": segments()]
            if chance(25) {
                use("preferred volume")
                track["preferredVolume"] = number(0.25, 1.5)
            }
            if count > 1, id == count, chance(30) {
                use("disabled track")
                track["enabled"] = false
            }
            tracks.append(track)
            if let input = input(of: id, among: count) { inputs.append(input) }
        }
        var mix: Object = ["format": "splitreel/1", "assets": assets, "composition": ["tracks": tracks]]
        if !inputs.isEmpty { mix["audio"] = ["inputs": inputs] }
        if depth == 0, seed % 4 == 3 {
            use("range")
            scale = pick(Self.scales)
            range = (time(units(0.05, 0.3)), time(units(0.2, 0.35)))
        }
        return mix
    }

    private mutating func input(of id: Int, among count: Int) -> Object? {
        var input: Object = [:]
        if chance(70) {
            use("volume keys")
            // Loud ones do not fit into full scale.
            let top = seed % 5 == 2 ? 4.0 : 1
            input["volume"] = keys { $0.number(0, top) }
            if top > 1 { use("clipping") }
        }
        if channels > 1, chance(40) {
            use("pan")
            input["pan"] = keys { $0.number(-1, 1) }
        }
        if channels > 1, chance(40) {
            use("balance")
            input["balance"] = keys { $0.number(-1, 1) }
        }
        if chance(40) {
            use("declick")
            input["declick"] = true
        }
        if count > 1, chance(25) {
            use("solo")
            input["solo"] = true
        } else if count > 1, chance(25) {
            use("mute")
            input["mute"] = true
        }
        if input.isEmpty { return nil }
        input["track"] = id
        return input
    }

    /// One to four holds and ramps in order, some where the one before ends.
    mutating func keys(_ value: (inout MixMaker) -> Double) -> [Object] {
        var (keys, place): ([Object], Int) = ([], units(0, 0.2))
        for index in 0...numbers.next(in: 0..<4) {
            if index > 0, chance(50) { place += units(0.01, 0.15) } else if index > 0 { use("jump") }
            if chance(30) {
                keys.append(["at": time(place), "value": value(&self)])
                place += max(1, units(0.02, 0.1))
                continue
            }
            let length = max(1, units(0.03, 0.3))
            var key: Object = ["range": [time(place), time(length)], "from": value(&self), "to": value(&self)]
            if chance(60) {
                use("easing")
                let easings: [Any] = [
                    "linear", "ease-in", "ease-out", "ease-in-out", "hold", [0.2, 0.0, 0.7, 1.0],
                    [0.3, -0.8, 0.6, 1.9], "cubic-bezier(0.5, 1.6, 0.5, -0.6)",
                ]
                let choice = numbers.next(in: 0..<easings.count)
                if choice > 5 { use("overshoot") }
                key["easing"] = easings[choice]
            }
            keys.append(key)
            place += length
        }
        return keys
    }
}
