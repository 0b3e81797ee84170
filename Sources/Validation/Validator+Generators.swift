import Diagnostics
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

extension Validator {
    /// Checks the settings of a generator.
    mutating func checkGenerator(_ asset: AssetKeys, _ path: String) {
        if let size = asset.size {
            check(size, path + ".size")
        }
        let painted = asset.size ?? facts.map { SourceLookup(project: project, facts: $0).canvasSize }
        if let painted, asset.kind != .color, asset.kind?.isPictureGenerator == true,
            Double(painted.width) * Double(painted.height) > Double(1 << 25)
        {
            let whose = asset.size == nil ? ", the canvas's size," : ""
            error(
                .sizeInvalid, path + ".size", "\(painted.width)×\(painted.height)\(whose) is more than 33554432 pixels",
                hint: asset.size == nil ? "say a smaller `size`; a transform enlarges it" : "a transform enlarges it")
        }
        switch asset.kind {
        case .color where asset.color == nil:
            error(.assetIncomplete, path + ".color", "a colour generator needs a `color`")
        case .gradient: checkGradient(asset.gradient, path + ".gradient")
        case .checker:
            if let cell = asset.cell { check(cell, path + ".cell") }
            if let colors = asset.colors, colors.count != 2 {
                error(.valueNotAllowed, path + ".colors", "\(colors.count) colours, where a checker has two")
            }
        case .noise:
            if let volume = asset.volume { checkVolume(volume, path + ".volume") }
            if let rate = asset.rate, !rate.isPossible {
                error(.valueNotAllowed, path + ".rate", "\(rate.text) is not a number of pictures a second")
            }
        case .tone, .sweep:
            for (key, frequency) in [("frequency", asset.frequency), ("endFrequency", asset.endFrequency)] {
                if let frequency, !GeneratedSound.frequencies.contains(frequency) {
                    error(.valueNotAllowed, "\(path).\(key)", "\(frequency) is not a number of Hz from 0.001 to 384000")
                }
            }
            if let volume = asset.volume { checkVolume(volume, path + ".volume") }
        default: break
        }
    }

    mutating func checkSequence(_ asset: AssetKeys, _ path: String) {
        if let rate = asset.rate, !rate.isPossible {
            error(.valueNotAllowed, path + ".rate", "\(rate.text) is not a number of pictures a second")
        }
        if let start = asset.startNumber, !(0...999_999_999).contains(start) {
            error(.valueNotAllowed, path + ".startNumber", "\(start) is not a number from 0 to 999999999")
        }
    }

    mutating func checkGradient(_ gradient: GradientSettings?, _ path: String) {
        guard let gradient else {
            return error(
                .assetIncomplete, path, "a gradient generator needs a `gradient`",
                hint: "\"gradient\": {\"stops\": [{\"at\": 0, \"color\": [0, 0, 0, 1]}, …]}")
        }
        let (from, to) = gradient.ends
        for (key, end) in [("from", from), ("to", to)]
        where end.count != 2 || !end.allSatisfy({ $0.magnitude <= 1000 }) {
            error(.valueNotAllowed, "\(path).\(key)", "not two numbers [x, y] within 1000 widths and heights")
        }
        if from == to { error(.valueNotAllowed, path + ".to", "the gradient ends where it begins") }
        if !(1...64).contains(gradient.stops.count) {
            error(.valueNotAllowed, path + ".stops", "\(gradient.stops.count) stops; a gradient has from 1 to 64")
        }
        var last = 0.0
        for (index, stop) in gradient.stops.enumerated() {
            if !(last...1).contains(stop.at) {
                error(
                    .valueNotAllowed, "\(path).stops[\(index)].at", "\(stop.at) is not from \(last) to 1",
                    hint: "stops stand in order")
            } else {
                last = stop.at
            }
        }
    }
}
