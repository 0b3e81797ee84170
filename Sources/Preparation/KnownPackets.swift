import Diagnostics
import MediaFacts
import Outputs
import Planning

/// The coded tracks of a project's assets, each read once. Confined to one thread.
final class KnownPackets {
    private var tracks: [CodedTracks.Place: CodedTrack] = [:]

    /// The coded tracks of which a film of these settings could hold packets; one that cannot be read is left out.
    /// `shown` are the assets of the project's enabled tracks.
    func coded(
        for output: OutputSettings, _ assets: [String: AssetFacts], shown: [String], _ prober: any AssetProber
    ) throws -> CodedTracks {
        var coded = CodedTracks()
        for place in CodedTracks.places(for: output, of: assets, shown: shown) {
            if tracks[place] == nil, let facts = assets[place.asset] {
                try prober.checkWanted()
                do {
                    tracks[place] = try prober.codedTrack(of: facts.path, track: place.track)
                } catch let error as SplitreelError
                    where [.mediaOverLimits, .mediaHasNoSuchTrack].contains(error.code)
                {
                    // It is rendered, or not shown at all.
                    continue
                }
            }
            coded.byPlace[place] = tracks[place]
        }
        return coded
    }
}
