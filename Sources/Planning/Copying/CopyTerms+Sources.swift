import MediaFacts
import Outputs
import Pictures
import SplitreelProject

extension CopyTerms {
    /// The reason why nothing of an asset's track can be copied, as a clause about it; nil where something can.
    func fault(of place: CodedTracks.Place) -> String? {
        if let fault = sourceFault(place) { return fault }
        guard let coded = tracks.byPlace[place] else { return "nothing is known of its packets" }
        if let fault = coded.fault { return fault }
        if coded.namesColours, let source = assets[place.asset]?.track(place.track)?.video {
            if source.overrides?.namesColours == true { return "its packets name colours, the composition others" }
            if source.colour == nil { return "its packets name colours that are not the film's" }
        }
        return profileFault(of: coded)
    }

    /// The same, as far as it is known without looking at the track's packets.
    func sourceFault(_ place: CodedTracks.Place) -> String? {
        guard let facts = assets[place.asset], facts.kind == .media, let track = facts.track(place.track),
            track.fault == nil, let source = track.video
        else { return "it is no film" }
        if facts.proxy != nil { return "its proxy is shown" }
        guard track.codec == video.codec.libavName else {
            return "it is \(track.codec), the film \(video.codec.rawValue)"
        }
        if let fault = shapeFault(source) ?? sampleFault(source) ?? colourFault(source) { return fault }
        if source.isInterlaced || facts.deinterlacing(of: track) != nil { return "its frames are of two fields" }
        return source.hdrMetadata == video.hdrMetadata ? nil : "its HDR metadata is not the film's"
    }

    private func shapeFault(_ source: VideoFacts) -> String? {
        let (own, film) = (source.codedSize, video.size)
        if own != film { return "its size is \(own.width)×\(own.height), the film's \(film.width)×\(film.height)" }
        let aspect = video.pixelAspect.map { ($0.width, $0.height) } ?? (1, 1)
        let (width, height) = (source.pixelAspectNumerator, source.pixelAspectDenominator)
        if (width, height) != aspect {
            return "its pixels are of \(width):\(height), the film's of \(aspect.0):\(aspect.1)"
        }
        return source.preferredTransform == .identity ? nil : "it is stored turned or mirrored"
    }

    private func sampleFault(_ source: VideoFacts) -> String? {
        if source.isFullRange != video.codec.isFullRange {
            let (own, film) = source.isFullRange ? ("full", "limited") : ("limited", "full")
            return "its samples have \(own) range, those of every \(video.codec.rawValue) film \(film) range"
        }
        let format = video.codec.decodedFormat(video)
        return source.pixelFormat == format ? nil : "its pixel format is \(source.pixelFormat), the film's \(format)"
    }

    private func colourFault(_ source: VideoFacts) -> String? {
        if source.hasProfile == true { return "a profile says its colours" }
        if let said = source.overrides, said.isPremultiplied != nil || (said.namesColours && !readsColours) {
            return "the composition says what its samples mean"
        }
        guard let colour = source.colour else { return untaggedFault(source) }
        let pairs = [
            ("primaries are", colour.primaries.rawValue, video.colour.primaries.rawValue),
            ("transfer is", colour.transfer.rawValue, video.colour.transfer.rawValue),
            ("matrix is", colour.matrix.rawValue, video.colour.matrix.rawValue),
        ]
        return pairs.first { $1 != $2 }.map { "its \($0) \($1), the film's \($2)" }
    }

    /// A source without tags has the film's primaries where these are of SDR, and the matrix that its lines tell. Its
    /// packets say nothing else, and the film's container says it.
    private func untaggedFault(_ source: VideoFacts) -> String? {
        let matrix = ColourMatrix.ofUntagged(lines: source.codedSize.height)
        guard video.colour.primaries.isOrdinary, video.colour.transfer.isGamma else {
            return "it has no colour tags, and counts as SDR"
        }
        return matrix == video.colour.matrix
            ? nil
            : "it has no colour tags: its matrix counts as \(matrix.rawValue), the film's is "
                + video.colour.matrix.rawValue
    }

    /// Whether the packets tell which colours they name themselves.
    private var readsColours: Bool { isNumbered }

    /// The reason why packets of its profile cannot stand in the film, where one of them all is said in its header.
    private func profileFault(of coded: CodedTrack) -> String? {
        let presets = video.codec.presets.known
        // libavcodec counts DNxHR's profiles from 1.
        guard let first = [.prores: 0, .dnxhr: 1][video.codec], let wanted = presets.firstIndex(of: video.preset),
            wanted + first != coded.profile
        else { return nil }
        let own = coded.profile - first
        return presets.indices.contains(own)
            ? "its profile is \(presets[own]), the film's \(video.preset)" : "its profile is not \(video.preset)"
    }
}

extension ColourOverrides {
    fileprivate var namesColours: Bool { primaries != nil || transfer != nil || matrix != nil }
}
