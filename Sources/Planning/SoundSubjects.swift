import Foundation
import Outputs
import SplitreelProject

/// The names by which a person knows a plan's sounds.
extension RenderPlan {
    /// The name of the sound where all streams have one mix. Media, which knows of one stream at a time, calls each so.
    package static let onlySound = "the sound"

    private static let mostNamed = 3
    private static let longestName = 60

    /// The sound tracks or outputs that a mix is of. Mixes of the same tracks and layout that differ in rate have one
    /// name.
    package func subject(of mix: SoundMix) -> String {
        var groups: [(mix: SoundMix, streams: [SegmentPart])] = []
        let parts = segmentParts(ofTask: chunks.count)
        for other in soundMixes {
            let streams = other.streams.map { parts[$0.place] }
            if let same = groups.firstIndex(where: { $0.mix.soundsLike(other) }) {
                groups[same].streams += streams
            } else {
                groups.append((other, streams))
            }
        }
        guard groups.count > 1, let own = groups.first(where: { $0.mix.soundsLike(mix) }) else { return Self.onlySound }
        let tracks = groups.map { Set($0.streams.map(trackName)) }
        // The same in each output, so that it need not be said in which.
        let isEnough = tracks.allSatisfy { $0.count == 1 && $0 != [nil] } && Set(tracks).count == tracks.count
        var names: [String] = []
        for stream in own.streams.sorted(by: { ($0.output, $0.sound) < ($1.output, $1.sound) }) {
            let output = isEnough ? nil : outputName(stream)
            let name = [output, trackName(stream)].compactMap { $0 }.joined(separator: ", ")
            if !names.contains(name) { names.append(name) }
        }
        if names.count > Self.mostNamed {
            names[(Self.mostNamed - 1)...] = ["\(names.count - Self.mostNamed + 1) others"]
        }
        return names.joined(separator: " and ")
    }

    /// The name of a track of the composition as it goes into that mix.
    package func subject(ofTrack id: Int, in mix: SoundMix) -> String {
        let project = try? Project(parsing: Data(composition.utf8))
        let track = project?.composition.tracks.first { $0.id == id }
        let name = "track \(id)" + words(track?.name, track?.language)
        let mixes = soundMixes.filter { $0.tracks?.contains(id) ?? true }
        return mixes.allSatisfy(mix.soundsLike) ? name : "\(name) in \(subject(of: mix))"
    }

    /// The name of a stream's sound track; nil in an output of one sound.
    private func trackName(_ stream: SegmentPart) -> String? {
        let sounds = outputs[stream.output].sounds
        guard sounds.count > 1 else { return nil }
        let tags = sounds[stream.sound].tags
        return "sound track \(stream.sound + 1)" + words(tags?.name, tags?.language)
    }

    /// The name of a stream's output; nil where there is one output.
    private func outputName(_ stream: SegmentPart) -> String? {
        outputs.count > 1 ? "output \(stream.output + 1)" + words(outputs[stream.output].container.rawValue) : nil
    }

    /// The words in brackets, such as ` (English, eng)`; empty where nothing is said.
    private func words(_ texts: String?...) -> String {
        let said = texts.compactMap { $0 }.filter { !$0.isEmpty }.map { String($0.prefix(Self.longestName)) }
        return said.isEmpty ? "" : " (\(said.joined(separator: ", ")))"
    }
}

extension SoundMix {
    /// Whether both mixes are of the same tracks in the same layout: loudness and level are the same to hear, whatever
    /// the rate.
    package func soundsLike(_ other: SoundMix) -> Bool {
        tracks == other.tracks && settings.channelLayout == other.settings.channelLayout
    }
}
