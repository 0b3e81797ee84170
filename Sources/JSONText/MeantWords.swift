import Diagnostics
import Glibc

/// The key that `word` was probably meant to be: one of its letters in another case, one that other programs call so,
/// or one that is spelt alike. nil where none is.
package func keyMeant(by word: String, among known: [String]) -> String? {
    let plain = word.lowercased().filter { $0 != "_" && $0 != "-" }
    if let same = known.first(where: { $0.lowercased() == plain }) { return same }
    if let other = otherNames[plain]?.first(where: known.contains) { return other }
    return nearestName(to: word, among: known)
}

/// Whether a key is anybody's own, in any object: `$schema`, by which editors find a schema, and those that begin with
/// `x-`.
package func isFreeKey(_ key: String) -> Bool { key == "$schema" || key.hasPrefix("x-") }

/// The keys by the names that they have elsewhere, in small letters; the first of the list that an object has is meant.
private let otherNames: [String: [String]] = [
    "angle": ["rotate", "rotation"], "audio": ["audioSettings"], "begin": ["beginTime", "time", "at", "range"],
    "bitrate": ["bitRate"], "blendmode": ["blend"], "caption": ["title", "text"], "clips": ["segments"],
    "container": ["fileType"], "crossfade": ["transition"], "curve": ["easing", "timing"],
    "destination": ["url"], "dissolve": ["transition"], "duration": ["range", "end", "target"],
    "ease": ["easing", "timing"], "effect": ["effects", "taps"], "end": ["to", "range"], "fade": ["fadeIn"],
    "file": ["url", "asset"], "filename": ["url"], "filter": ["effects", "taps"], "filters": ["effects", "taps"],
    "format": ["fileType", "pixelFormat"], "fps": ["frameDuration", "rate"], "framerate": ["frameDuration", "rate"],
    "gain": ["volume", "amount"], "gop": ["keyFrameInterval"], "href": ["url"], "interpolation": ["easing"],
    "label": ["title", "name", "id"], "lang": ["language"], "layers": ["sublayers"],
    "length": ["duration", "range", "end"], "loop": ["loopCount", "repeat"], "lufs": ["target"],
    "maxrate": ["maximumBitRate"], "muted": ["mute"], "name": ["title", "id"], "offset": ["beginTime"],
    "options": ["params"], "output": ["url"], "parameters": ["params"], "path": ["url"], "peak": ["truePeak"],
    "pixfmt": ["pixelFormat"], "quality": ["crf"], "resolution": ["renderSize", "size"], "scale": ["renderScale"],
    "settings": ["params", "videoSettings"], "sound": ["audio", "audioSettings"], "source": ["url", "asset"],
    "src": ["url", "asset"],
    "start": ["time", "at", "beginTime", "from", "range"], "text": ["title", "string"], "tgt": ["target"],
    "time": ["at", "beginTime"], "timing": ["easing"], "type": ["kind"], "uri": ["url"],
    "video": ["videoSettings"], "vol": ["volume"],
    "volume": ["preferredVolume", "gain"], "zindex": ["zPosition"], "zorder": ["zPosition"],
]

extension JSONValue {
    /// The value's JSON for hints; `{ … }` where it is longer than 200 bytes.
    package var shortText: String {
        let text = String(decoding: canonicalBytes(), as: UTF8.self)
        return text.utf8.count > 200 ? "{ … }" : text
    }

    /// The number that a text such as `6M` or `-20dB` stands for, and `10ms` where it is one of seconds; nil for
    /// others. Decibels become a linear amplitude where `isAmplitude`; per cent become a part of 1 there and where
    /// `isShare`.
    package func numberMeant(
        isWhole: Bool = false, isOfSeconds: Bool = false, isAmplitude: Bool = false, isShare: Bool = false
    ) -> String? {
        guard let text = string, text.utf8.count < 40,
            let match = text.wholeMatch(of: /\s*([-+]?[0-9]*\.?[0-9]+)\s*([a-zA-Z%°\/]*)\s*/),
            var number = Double(String(match.1))
        else { return nil }
        switch String(match.2) {
        case "k", "K", "kb", "kbps", "kb/s", "kHz", "khz": number *= 1e3
        case "M", "m", "Mb", "Mbps", "mbps", "Mb/s": number *= 1e6
        case "G", "g", "Gbps": number *= 1e9
        case "ms" where isOfSeconds: number /= 1000
        case "dB" where isAmplitude, "db" where isAmplitude, "DB" where isAmplitude:
            number = (pow(10, number / 20) * 1e4).rounded() / 1e4
        case "%" where isAmplitude || isShare: number /= 100
        case "", "s", "dB", "db", "DB", "LUFS", "lufs", "dBTP", "dbtp", "Hz", "hz", "bps", "px", "deg", "°", "fps":
            break
        default: return nil
        }
        guard !isWhole || (number.rounded() == number && number.magnitude < 9e15) else { return nil }
        // The number is given as it is written: without digits that only binary fractions have.
        return String(decoding: JSONValue(number).canonicalBytes(), as: UTF8.self)
    }
}
