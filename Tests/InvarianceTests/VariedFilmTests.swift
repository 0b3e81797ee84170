import Oracle
import TestTools
import Testing

/// Films of varied compositions, made in one piece by one worker, are the frames that the reference draws; cut
/// otherwise, by more workers and with one that dies, they are the same frames and samples. What any split of anything
/// is, RandomInvarianceTests say: here each film is made in one more way in turn, so that sources of every kind are
/// cut.
@Suite(
    "Varied films", .serialized,
    .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
struct VariedFilmTests {
    /// Ways to cut within sources.
    private static let ways = [(1, "0.4"), (2, "1"), (4, "1"), (2, "0.4")]

    @Test(
        .enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"),
        arguments: VariedComposition.all.indices)
    func sameFilm(index: Int) throws {
        let composition = VariedComposition.all[index]
        let text = try #require(composition.text())
        let folder = try TestFolder("invariance")
        let check = try Self.check(composition.name, text, composition.options, folder)
        let reference = try Self.reference(check, text, folder)
        try check.expectSame(as: reference, [Self.ways[index % Self.ways.count]])
        if index % 3 == 0 { try check.expectSameAfterAKill(as: reference, chunks: "1") }
    }

    /// The same without a corpus, over films that the test makes: the frames are known by the numbers in them.
    @Test(arguments: MadeComposition.all.indices) func sameFilmOfMadeMedia(index: Int) throws {
        let composition = MadeComposition.all[index]
        let folder = try TestFolder("made")
        let witness = Witness(in: folder)
        let text = composition.project(try composition.media.makeAll(in: folder, witness))
        let check = try Self.check(composition.name, text, composition.options, folder)
        let reference = try Self.reference(check, text, folder)
        let length = try ReferenceFilm(text, ReferenceSources(witness)).frameDuration
        let frames = try witness.luma(folder.file("one.mkv"))
        var known = 0
        for (frame, luma) in frames.enumerated() {
            guard let number = composition.number(Fraction(frame) * length) else { continue }
            known += 1
            #expect(NumberedMedia.number(luma) == number, "\(composition.name): frame \(frame)")
        }
        #expect(known * 2 > frames.count, "\(composition.name): most frames have a number")
        if index.isMultiple(of: 2) {
            try check.expectSame(as: reference, [(4, "0.15")])
        } else {
            try check.expectSameAfterAKill(as: reference, chunks: "0.3")
        }
    }

    private static func check(
        _ name: String, _ text: String, _ options: [String], _ folder: TestFolder
    ) throws -> InvarianceCheck {
        InvarianceCheck(
            name: name, file: try folder.write(text, to: "cut.json"), options: options, folder: folder,
            witness: Witness(in: folder), program: try Splitreel(in: folder))
    }

    /// In one piece: as it must look.
    private static func reference(
        _ check: InvarianceCheck, _ text: String, _ folder: TestFolder
    ) throws -> InvarianceCheck.Film {
        let reference = try check.reference()
        let expected = try ReferenceFilm(text, ReferenceSources(Witness(in: folder)))
        #expect(expected.frameCount == reference.frames.count)
        try expected.check(folder.file("one.mkv"), "in one piece")
        return reference
    }
}
