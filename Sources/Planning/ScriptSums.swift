import Drawings
import Foundation
import Hashing
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// The sums of ASS scripts in content keys: a SHA-256 of all that decides a script's pixels, fonts' files among it.
final class ScriptSums {
    private var known: [[String]: String] = [:]
    private let assets: [String: AssetFacts]
    private let fonts: FontPlan?

    init(_ assets: [String: AssetFacts], _ fonts: FontPlan?) { (self.assets, self.fonts) = (assets, fonts) }

    func sum(of script: ScriptPicture) -> String {
        let key = [script.asset, "\(script.track ?? 0)"]
        if let sum = known[key] { return sum }
        let facts = assets[script.asset]
        let text = facts?.text(ofTrack: script.track)
        var hash = SHA256Sum()
        let cues = (text?.cues ?? []).flatMap { [$0.start.text, $0.end.text, $0.script ?? ""] }
        // The sum of a file covers its fonts.
        let own = [text?.header ?? "", text?.fontsSum ?? "", facts?.kind == .data ? facts?.contentSum ?? "" : ""]
        let given = assets.filter(\.value.isFont).sorted { $0.key < $1.key }.map { $0.value.contentSum ?? $0.key }
        let planned = (fonts?.faces ?? []).flatMap { [$0.sum, "\($0.index)", $0.family] }
        let names = (fonts?.names ?? [:]).sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.family] }
        for part in [own, cues, given, planned, names] {
            hash.update(Array("\(part.count)\n".utf8))
            for word in part { hash.update(Array("\(word.utf8.count)\n\(word)".utf8)) }
        }
        let sum = hash.text
        known[key] = sum
        return sum
    }
}
