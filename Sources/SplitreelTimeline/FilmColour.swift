import MediaFacts
package import Pictures
import SplitreelProject

/// A film's colour, and the reason for it.
package struct FilmColour: Sendable {
    package var triple: ColourTriple
    /// Half a sentence for people: "all sources are PQ".
    package var reason: String
}

extension SourceLookup {
    /// The film's colour as the file says it. Each part that the file leaves out is as the films have it where all are
    /// tagged alike, or all in HDR of one transfer (then as the first has it), and otherwise BT.709's. Stills,
    /// sequences and animated images have no say, nor have nested compositions of nothing but these and generators. No
    /// film is in linear light: BT.709's transfer stands for that.
    var filmColour: FilmColour {
        let films = filmsWithASay.map { ($0.asset, $0.track.video?.colour?.ofAFilm) }
        var shared = Self.shared(films)
        if filmsWithASay.contains(where: { $0.track.video?.colour?.transfer == .linear }) {
            shared.reason += "; linear light counts as BT.709"
        }
        guard let settings = project.video?.color else { return shared }
        let parts = [settings.primaries != nil, settings.transfer != nil, settings.matrix != nil]
        guard parts.contains(true) else { return shared }
        let triple = ColourTriple(
            primaries: settings.primaries ?? shared.triple.primaries,
            transfer: settings.transfer ?? shared.triple.transfer, matrix: settings.matrix ?? shared.triple.matrix)
        let rest = parts.contains(false) ? " in part; as to the rest, " + shared.reason : ""
        return FilmColour(triple: triple, reason: "video.color says so" + rest)
    }

    package var colour: ColourTriple { filmColour.triple }

    /// The colour where the file says it; nil where the file leaves it to the sources.
    var writtenColour: ColourTriple? { project.video?.color?.saysColour == true ? colour : nil }

    /// Whether the file or a film says what colour it has.
    package var hasColourOfItsOwn: Bool {
        project.video?.color?.saysColour == true || !filmsWithASay.isEmpty
    }

    private var filmsWithASay: [(asset: String, kind: Asset.Kind, track: TrackFacts)] {
        videoSources.filter { source in
            !source.kind.isOfImages && !(source.kind == .composition && source.track.video?.colour == nil)
        }
    }

    /// The colour that films share, or BT.709, with the reason; a film without a colour is not tagged.
    static func shared(_ films: [(asset: String, colour: ColourTriple?)]) -> FilmColour {
        func bt709(_ reason: String) -> FilmColour { FilmColour(triple: .bt709, reason: reason) }
        guard let first = films.first else { return bt709("no film is among the sources") }
        if let untagged = films.first(where: { $0.colour == nil }) {
            return bt709("\(untagged.asset.debugDescription) is not tagged")
        }
        let colour = first.colour ?? .bt709
        if films.allSatisfy({ $0.colour == colour }) {
            return FilmColour(triple: colour, reason: "all its films are tagged so")
        }
        guard let hdr = films.first(where: { $0.colour?.transfer.isHDR == true }), let kind = hdr.colour?.transfer
        else {
            return bt709("its films are not tagged alike")
        }
        guard let other = films.first(where: { $0.colour?.transfer != kind }), let theirs = other.colour?.transfer
        else {
            return FilmColour(triple: colour, reason: "all its films are \(kind.rangeName)")
        }
        return bt709(
            "\(hdr.asset.debugDescription) is \(kind.rangeName), \(other.asset.debugDescription) is \(theirs.rangeName)"
        )
    }
}

extension ColourTriple {
    /// The colour as a film may have it: no film is in linear light.
    fileprivate var ofAFilm: ColourTriple {
        var triple = self
        if transfer == .linear { triple.transfer = .bt709 }
        return triple
    }
}

extension ColourTransfer {
    fileprivate var rangeName: String {
        switch self {
        case .pq: "PQ"
        case .hlg: "HLG"
        default: "SDR"
        }
    }
}
