import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

// Tracks of text and of data, and subtitles that are tracks.
extension ValidationTests {
    private static func track(
        _ type: MediaType, _ asset: String, number: Int? = nil, id: Int = 4
    ) -> Track {
        var segment = TrackSegment()
        (segment.asset, segment.track) = (asset, number)
        segment.target = TimeRange(start: .zero, duration: time("1s"))
        var track = Track()
        (track.id, track.type, track.segments) = (id, type, [segment])
        return track
    }

    private static func add(_ kind: Asset.Kind, as name: String, to project: inout Project) {
        var asset = Asset(url: name + ".txt")
        asset.keys.kind = kind
        project.assets[name] = asset
    }

    private static func rule(
        _ name: String, _ code: ErrorCode, _ path: String, isWarning: Bool = false, facts: [String: AssetFacts]? = nil,
        _ change: @escaping @Sendable (inout Project) -> Void
    ) -> Rule {
        Rule(name: "text: " + name, code: code, path: path, isWarning: isWarning, facts: facts, change: change)
    }

    /// The film `a` with a track of text and one of data.
    private static var films: [String: AssetFacts] {
        var facts = minimalFacts
        facts["a"]?.tracks += [
            TrackFacts(id: 3, type: .subtitle, codec: "mov_text"), TrackFacts(id: 4, type: .metadata, codec: "gpmd"),
        ]
        return facts
    }

    private static func subtitles(_ asset: String, _ change: (inout SubtitleSettings) -> Void) -> [SubtitleSettings] {
        var settings = SubtitleSettings()
        settings.asset = asset
        change(&settings)
        return [settings]
    }

    private static let segment = "composition.tracks[3].segments[0]"

    static let textTrackRules: [Rule] = [
        rule("captions of a film without text", .trackNotInFile, segment + ".asset", facts: minimalFacts) {
            $0.composition.tracks.append(track(.closedCaption, "a"))
        },
        rule("a generator", .trackTypeDiffers, segment + ".asset") {
            add(.color, as: "c", to: &$0)
            $0.assets["c"]?.keys.color = .black
            $0.assets["c"]?.keys.url = nil
            $0.composition.tracks.append(track(.subtitle, "c"))
        },
        rule("data on an audio track", .trackTypeDiffers, segment + ".asset") {
            add(.timedMetadata, as: "d", to: &$0)
            $0.composition.tracks.append(track(.audio, "d"))
        },
        rule("a film without text", .trackNotInFile, segment + ".asset", facts: minimalFacts) {
            $0.composition.tracks.append(track(.subtitle, "a"))
        },
        rule("no such track", .trackNotInFile, segment + ".track", facts: films) {
            $0.composition.tracks.append(track(.metadata, "a", number: 9))
        },
        rule("the picture as data", .trackTypeDiffers, segment + ".track", facts: films) {
            $0.composition.tracks.append(track(.metadata, "a", number: 1))
        },
        rule("data as text", .trackTypeDiffers, segment + ".track", facts: films) {
            $0.composition.tracks.append(track(.text, "a", number: 4))
        },
        rule("no range", .segmentRangeInvalid, segment + ".source", facts: films) {
            var track = track(.metadata, "a", number: 4)
            track.segments[0].source = TimeRange(start: .zero, duration: .zero)
            $0.composition.tracks.append(track)
        },
        rule("no metadata track", .sampleDataTrackInvalid, "video.sampleDataTracks[1]", facts: films) {
            $0.composition.tracks.append(track(.metadata, "a", number: 4))
            $0.video?.sampleDataTracks = [4, 1]
        },
        rule("twice", .sampleDataTrackInvalid, "video.sampleDataTracks[1]", facts: films) {
            $0.composition.tracks.append(track(.metadata, "a", number: 4))
            $0.video?.sampleDataTracks = [4, 4]
        },
        rule(
            "not among the video's", .sampleDataTrackInvalid, "video.instructions[0].sampleDataTracks[0]", facts: films
        ) {
            $0.composition.tracks += [track(.metadata, "a", number: 4), track(.metadata, "a", number: 4, id: 5)]
            $0.video?.sampleDataTracks = [4]
            $0.video?.instructions?[0].sampleDataTracks = [5]
        },
        rule("a track of a file", .valueNotAllowed, "video.subtitles[0].track") {
            add(.subtitles, as: "s", to: &$0)
            $0.video?.subtitles = subtitles("s") { $0.track = 2 }
        },
        rule("a track of data drawn", .trackTypeDiffers, "video.subtitles[0].track", facts: films) {
            $0.video?.subtitles = subtitles("a") { $0.track = 4 }
        },
        rule("a name for nothing", .trackNotWritten, "video.subtitles[0].language", isWarning: true, facts: films) {
            $0.video?.subtitles = subtitles("a") { $0.language = "de" }
        },
        rule("looks of a script", .textWithoutCue, "video.subtitles[0].place", isWarning: true, facts: scripts) {
            add(.subtitles, as: "s", to: &$0)
            $0.video?.subtitles = subtitles("s") { $0.place = .top }
        },
    ]

    private static var scripts: [String: AssetFacts] {
        var facts = minimalFacts
        var script = AssetFacts(kind: .data, path: "/s.ass")
        script.timedText = TimedText(cues: [])
        script.timedText?.header = "[Script Info]"
        facts["s"] = script
        return facts
    }
}
