import Foundation
import TestTools

/// The sound of a composition worked out in Double from the text of its file, as docs/reference/audio.md says that it
/// is mixed. Pitches that are kept, loudness and filters are not known to it.
package struct ReferenceMix {
    private let project: JSON
    private let rate: Int
    private let channels: Int
    private let start: Fraction
    private let count: Int
    private let files: ReferenceSounds

    /// - Parameters:
    ///   - range: what of it is heard, start and duration; nil: all of it.
    package init(
        _ text: String, rate: Int, channels: Int, range: (start: String, duration: String)? = nil,
        files: ReferenceSounds
    ) throws {
        project = try JSON(text: text)
        (self.rate, self.channels, self.files) = (rate, channels, files)
        start = try range.map { try Fraction(time: $0.start) } ?? Fraction(0)
        var end = try Self.duration(of: project)
        if let range {
            let last = start + (try Fraction(time: range.duration))
            if last < end { end = last }
        }
        count = (end - start).sample(rate)
    }

    /// The latest end of any segment.
    private static func duration(of project: JSON) throws -> Fraction {
        let ends = try project["composition"]["tracks"].list.flatMap { track in
            try track["segments"].list.map { try Cut.Span($0["target"]).end }
        }
        return ends.reduce(Fraction(0)) { $0 < $1 ? $1 : $0 }
    }

    /// A plane for each channel; values beyond full scale are kept.
    package func samples() throws -> [[Double]] {
        try SoundStage(project, rate: rate, channels: channels, start: start, files).mix(0..<count)
    }
}

/// Files that were read, each once.
package final class ReferenceSounds {
    private var waves: [String: ReferenceWave] = [:]
    private var channelCounts: [String: Int] = [:]

    package init() {}

    func wave(_ path: String, channels: Int) throws -> ReferenceWave {
        let name = "\(channels) \(path)"
        if let wave = waves[name] { return wave }
        let own = try ReferenceWave(path)
        channelCounts[path] = own.planes.count
        let wave = try own.mapped(to: channels)
        waves[name] = wave
        return wave
    }

    func isMono(_ path: String) throws -> Bool {
        if let count = channelCounts[path] { return count == 1 }
        let count = try ReferenceWave(path).planes.count
        channelCounts[path] = count
        return count == 1
    }
}

/// A project's tracks and its mix, over the samples since a time.
struct SoundStage {
    let assets: [String: JSON]
    let rate: Int
    let channels: Int
    let start: Fraction
    let files: ReferenceSounds
    private let tracks: [JSON]
    private let inputs: [JSON]

    init(_ project: JSON, rate: Int, channels: Int, start: Fraction, _ files: ReferenceSounds) throws {
        assets = try project["assets"].object.mapValues { JSON($0) }
        (self.rate, self.channels, self.start, self.files) = (rate, channels, start, files)
        tracks = try project["composition"]["tracks"].list.filter { try $0["type"].text == "audio" }
        inputs = try project["audio"]["inputs"].each { $0 }
    }

    /// The samples, which may lie before 0.
    func mix(_ range: Range<Int>) throws -> [[Double]] {
        var sums = silence(range.count)
        let hasSolo = try inputs.contains { try $0["solo"].orFalse }
        for track in tracks where try track["enabled"].ifPresent({ try $0.flag }) ?? true {
            let id = try track["id"].index
            let input = try inputs.first { try $0["track"].index == id } ?? JSON(nil)
            if try input["mute"].orFalse || (hasSolo && !input["solo"].orFalse) { continue }
            let bus = try placed(try sound(of: track, input, range), track, input, range)
            for channel in 0..<channels { for index in 0..<range.count { sums[channel][index] += bus[channel][index] } }
        }
        return sums
    }

    func silence(_ count: Int) -> [[Double]] { Array(repeating: Array(repeating: 0, count: count), count: channels) }

    private func curve(_ json: JSON, absent: Double) throws -> SoundCurve {
        try SoundCurve(json, absent: absent, start: start, rate: rate)
    }

    /// Its segments with their fades, and its volume.
    private func sound(of track: JSON, _ input: JSON, _ range: Range<Int>) throws -> [[Double]] {
        var bus = silence(range.count)
        let segments = try SoundSegment.list(track, isDeclicked: try input["declick"].orFalse)
        let preferred = try track["preferredVolume"].ifPresent { try $0.number } ?? 1
        let volume = try curve(input["volume"], absent: 1).values(range).map { max(0, $0) }
        for segment in segments {
            let first = max(range.lowerBound, (segment.target.start - start).sample(rate))
            let last = min(range.upperBound, (segment.target.end - start).sample(rate))
            guard first < last, let heard = try heard(segment, first..<last) else { continue }
            for sample in first..<last {
                let index = sample - range.lowerBound
                let gain = segment.gain(at: Double(sample), from: start, rate) * preferred * volume[index]
                for channel in 0..<channels { bus[channel][index] += gain * heard[channel][sample - first] }
            }
        }
        return bus
    }

    /// The bus with its front left and right placed by pan and balance.
    private func placed(
        _ bus: [[Double]], _ track: JSON, _ input: JSON, _ range: Range<Int>
    ) throws -> [[Double]] {
        guard channels > 1 else { return bus }
        let isMono = try isMono(track, range)
        let pans = try curve(input["pan"], absent: 0).values(range)
        let balances = try curve(input["balance"], absent: 0).values(range)
        var bus = bus
        for index in 0..<range.count {
            let (pan, balance) = (max(-1, min(1, pans[index])), max(-1, min(1, balances[index])))
            let (left, right) = (bus[0][index], bus[1][index])
            if isMono[index] {
                let angle = (pan + 1) * Double.pi / 4
                bus[0][index] = left * 2.0.squareRoot() * cos(angle) * min(1, 1 - balance)
                bus[1][index] = right * 2.0.squareRoot() * sin(angle) * min(1, 1 + balance)
                continue
            }
            let angle = (pan <= 0 ? pan + 1 : pan) * Double.pi / 2
            let moved =
                pan <= 0
                ? (left + right * cos(angle), right * sin(angle)) : (left * cos(angle), right + left * sin(angle))
            bus[0][index] = moved.0 * min(1, 1 - balance)
            bus[1][index] = moved.1 * min(1, 1 + balance)
        }
        return bus
    }

    /// Whether each sample's sound is of a file with one channel: that of the segment which began last.
    private func isMono(_ track: JSON, _ range: Range<Int>) throws -> [Bool] {
        var flags = [Bool](repeating: false, count: range.count)
        for (index, segment) in try SoundSegment.list(track, isDeclicked: false).enumerated() {
            let asset = assets[segment.asset] ?? JSON(nil)
            let isOfOne = try asset["url"].ifPresent { try files.isMono($0.text) } ?? false
            let first = index == 0 ? range.lowerBound : (segment.target.start - start).sample(rate)
            for sample in max(range.lowerBound, first)..<max(range.upperBound, range.lowerBound, first) {
                flags[sample - range.lowerBound] = isOfOne
            }
        }
        return flags
    }
}

extension JSON {
    var orFalse: Bool { get throws { try ifPresent { try $0.flag } ?? false } }
}
