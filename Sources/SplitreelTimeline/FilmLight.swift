import MediaFacts
package import Pictures
import SplitreelProject

/// The words of a film on its mastering display and on its light.
package struct FilmLight: Sendable {
    /// The metadata that are known before the film is rendered; nil for none.
    package var metadata: HDRMetadata?
    /// Whether its light is measured while it is rendered.
    package var isMeasured: Bool

    package static let none = FilmLight(metadata: nil, isMeasured: false)
}

extension SourceLookup {
    /// The light as `video.color.hdrMetadata` says; none for a film in SDR.
    package var filmLight: FilmLight {
        let colour = colour
        guard colour.transfer.isHDR else { return .none }
        switch project.video?.color?.hdrMetadata ?? .propagate {
        case .omit: return .none
        case .generate:
            return FilmLight(
                metadata: HDRMetadata(mastering: .reference(colour.primaries), light: nil), isMeasured: true)
        case .propagate:
            let films = videoSources.filter { !$0.kind.isOfImages }.compactMap(\.track.video)
            let sources = films.filter { $0.colour?.transfer.isHDR == true }
            // Light that was mastered in another transfer is converted, and no longer what was mastered.
            guard sources.allSatisfy({ $0.colour?.transfer == colour.transfer }) else { return .none }
            let said = sources.map(\.hdrMetadata)
            let metadata = HDRMetadata(
                mastering: Self.joined(said.map { $0?.mastering }, colour.primaries),
                light: Self.joined(said.map { $0?.light }))
            return FilmLight(metadata: metadata, isMeasured: false)
        }
    }

    /// A display that shows what all of them show; nil where one of them is not known.
    private static func joined(_ displays: [MasteringDisplay?], _ primaries: ColourPrimaries) -> MasteringDisplay? {
        let known = displays.compactMap { $0 }
        guard var display = known.first, known.count == displays.count else { return nil }
        if known.allSatisfy({ $0 == display }) { return display }
        let points = known.map { [$0.red, $0.green, $0.blue, $0.white] }
        if Set(points).count > 1 { display = .reference(primaries) }
        display.most = known.map(\.most).max() ?? display.most
        display.least = known.map(\.least).min() ?? display.least
        return display
    }

    /// The light of the brightest of them all; nil where one is not known. A number that one of them lacks is 0.
    private static func joined(_ lights: [ContentLight?]) -> ContentLight? {
        let known = lights.compactMap { $0 }
        guard !known.isEmpty, known.count == lights.count else { return nil }
        func largest(_ number: KeyPath<ContentLight, Int>) -> Int {
            known.contains { $0[keyPath: number] == 0 } ? 0 : known.map { $0[keyPath: number] }.max() ?? 0
        }
        let light = ContentLight(most: largest(\.most), average: largest(\.average))
        return light.isPossible ? light : nil
    }
}

extension Asset.Kind {
    /// Images of any kind have no say in a film's colour.
    var isOfImages: Bool { self == .image || self == .imageSequence || self == .animatedImage }
}
