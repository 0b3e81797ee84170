import Diagnostics
import MediaTime
import Pictures

extension Validator {
    mutating func check(_ subtitles: SubtitleSettings, _ path: String) {
        let name = subtitles.asset
        if let asset = project.assets[name] {
            if asset.kind != .subtitles {
                error(
                    .valueNotAllowed, path + ".asset", "the asset `\(name.prefix(60))` is not of kind subtitles",
                    hint: "say \"kind\": \"subtitles\" where it stands")
            }
        } else {
            error(
                .assetUnknown, path + ".asset", "there is no asset `\(name.prefix(60))`",
                hint: nearestName(to: name, among: Array(project.assets.keys)).map { "did you mean `\($0)`?" }
                    ?? "add it: \"assets\": {\"…\": {\"kind\": \"subtitles\", \"url\": \"….srt\"}}")
        }
        if let offset = subtitles.offset, offset.exact == nil {
            error(.valueNotAllowed, path + ".offset", "`\(offset)` is not a number of seconds")
        }
        if let area = subtitles.area, area.isInfinite || area.isEmpty {
            error(.valueNotAllowed, path + ".area", "an area has a width and a height above 0")
        }
        guard let text = subtitles.text else { return }
        checkText(text, path + ".text")
        if !text.string.contains("{{") {
            warn(
                .textWithoutCue, path + ".text.string", "nothing of the file stands in it: every cue looks the same",
                hint: "`{{text}}` stands for a cue's text, `{{name}}` for a value of timed data")
        }
    }
}
