import Oracle
import TestTools
import Testing

/// Any chunking × any number of workers × a worker that dies: the same frames and samples as one chunk on one.
@Suite(.serialized, .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
struct VariedFilmTests {
    @Test(
        .enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"),
        arguments: VariedComposition.all.indices)
    func sameFilm(index: Int) throws {
        let composition = VariedComposition.all[index]
        let text = try #require(composition.text())
        let folder = try TestFolder("invariance")
        let witness = Witness(in: folder)
        let check = InvarianceCheck(
            name: composition.name, file: try folder.write(text, to: "cut.json"), options: composition.options,
            folder: folder, witness: witness, program: try Splitreel(in: folder))
        let reference = try check.reference()
        let expected = try ReferenceFilm(text, ReferenceSources(witness))
        #expect(expected.frameCount == reference.frames.count, "\(composition.name)")
        try expected.check(folder.file("one.mkv"), composition.name)
        let others = [1, 2, 4].flatMap { workers in ["1", "3", "none"].map { (workers, $0) } } + [(1, "0.4")]
        try check.expectSame(as: reference, others.filter { $0 != (1, "none") })
        try check.expectSameAfterAKill(as: reference, chunks: "1")
    }

    /// The same without a corpus, over films that the test makes: the frames are known by the numbers in them.
    @Test(arguments: MadeComposition.all.indices) func sameFilmOfMadeMedia(index: Int) throws {
        let composition = MadeComposition.all[index]
        let folder = try TestFolder("made")
        let witness = Witness(in: folder)
        let text = composition.project(try composition.media.makeAll(in: folder, witness))
        let check = InvarianceCheck(
            name: composition.name, file: try folder.write(text, to: "cut.json"), options: composition.options,
            folder: folder, witness: witness, program: try Splitreel(in: folder))
        let reference = try check.reference()
        let expected = try ReferenceFilm(text, ReferenceSources(witness))
        #expect(expected.frameCount == reference.frames.count, "\(composition.name)")
        try expected.check(folder.file("one.mkv"), composition.name)
        let frames = try witness.luma(folder.file("one.mkv"))
        var known = 0
        for (frame, luma) in frames.enumerated() {
            guard let number = composition.number(Fraction(frame) * expected.frameDuration) else { continue }
            known += 1
            #expect(NumberedMedia.number(luma) == number, "\(composition.name): frame \(frame)")
        }
        #expect(known * 2 > frames.count, "\(composition.name): most frames have a number")
        try check.expectSame(as: reference, [(1, "0.4"), (2, "1"), (4, "0.15")])
        try check.expectSameAfterAKill(as: reference, chunks: "0.3")
    }
}
