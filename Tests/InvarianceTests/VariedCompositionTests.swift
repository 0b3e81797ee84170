import Oracle
import TestTools
import Testing

/// Each trait that the varied compositions are there for is in two of them at least; ffprobe knows the sources.
@Suite struct VariedCompositionTests {
    private enum Trait: CaseIterable {
        case mixedRates, rotation, mixedSizes, eightBits, tenBits, rateChange, threeLayers
    }

    private static func traits(of text: String, _ witness: Witness) throws -> Set<Trait> {
        let film = try ReferenceFilm(text, ReferenceSources(witness), isTimed: false)
        let (cut, streams) = (film.cut, film.streams)
        let segments = cut.videoTracks.flatMap(\.segments)
        let holds: [Trait: Bool] = [
            .mixedRates: Set(streams.compactMap(\.frameRate)).count > 1,
            .rotation: streams.contains { $0.rotation != 0 },
            .mixedSizes: Set(streams.map { [$0.width, $0.height] }).count > 1,
            .eightBits: streams.contains { $0.pixelFormat.bits == 8 },
            .tenBits: streams.contains { $0.pixelFormat.bits == 10 },
            .rateChange: segments.contains(where: \.changesRate),
            .threeLayers: cut.instructions.contains { instruction in
                // Layers of tracks that play something all that time.
                instruction.layers.filter { cut.plays($0.track, during: instruction.range) }.count > 2
            },
        ]
        return Set(holds.filter(\.value).keys)
    }

    @Test(.enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"))
    func everyTraitIsInTwo() throws {
        let witness = Witness(in: try TestFolder("traits"))
        #expect(VariedComposition.all.count == 12)
        let found = try VariedComposition.all.map { film in
            (film.name, try Self.traits(of: try #require(film.text()), witness))
        }
        for trait in Trait.allCases {
            let names = found.filter { $0.1.contains(trait) }.map(\.0)
            #expect(names.count >= 2, "\(trait) only in \(names)")
        }
    }
}
