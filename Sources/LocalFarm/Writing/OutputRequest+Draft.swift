import Diagnostics
import Libav
import MediaWriting
import Outputs
import Pictures
import Planning
import SplitreelProject

extension OutputRequest {
    /// Throws for settings that only films of a composition have, for a turn that the container cannot tell, and for
    /// stored tracks that the film does not take.
    func refuseForDraft(_ drafted: DraftedPicture?, _ stored: [DraftedPackets]) throws {
        let foreign = [
            "range": timing.rangeStart != nil || timing.rangeDuration != nil, "posterTime": timing.posterTime != nil,
            "times": stills.times != nil, "renditions": delivery.renditions != nil,
            "fileLengthLimit": delivery.fileLengthLimit != nil, "multiPass": picture.passes ?? 1 > 1,
        ]
        if let name = foreign.filter(\.value).keys.min() {
            throw SplitreelError(
                .usage, operation: "writing a film", subject: name,
                reason: "only films of a composition have it", hint: "leave it out")
        }
        let container = try Container(of: self)
        let turns = [drafted?.transform].compactMap { $0 } + stored.compactMap(\.transform)
        guard container.isISO || turns.allSatisfy({ $0 == .identity }) else {
            throw SplitreelError(
                .settingsImpossible, operation: "writing a film", subject: path,
                reason: "\(container.rawValue) has no place for how players turn the picture",
                hint: "name the film .mp4 or .mov, or turn the pictures themselves")
        }
        guard !stored.isEmpty else { return }
        let names = StoredTrack.containers.map { "." + $0.rawValue }
        guard StoredTrack.containers.contains(container) else {
            throw SplitreelError(
                .codecContainerMismatch, operation: "writing packets", subject: path,
                reason: "\(container.rawValue) takes no packets as they are stored",
                hint: "name the film \(alternatives(names))")
        }
        for format in stored.map(\.format) {
            guard format.isPicture || format.isSound, format.fits(container) else {
                throw SplitreelError(
                    .codecContainerMismatch, operation: "writing packets", subject: path,
                    reason: "\(container.rawValue) does not hold \(format.codec)",
                    hint: "name the film .mkv, or encode the track anew")
            }
        }
        guard stored.count(where: \.format.isPicture) + (drafted == nil ? 0 : 1) <= 1 else {
            throw SplitreelError(
                .usage, operation: "writing packets", subject: path, reason: "a film has one track of pictures",
                hint: "add one input of pictures")
        }
    }
}
