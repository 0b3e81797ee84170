import Authoring
import MediaFacts
import SplitreelProject
import Testing

@Suite("Ids of removed tracks") struct RemovedIDsTests {
    @Test func anIDNamesOneTrackForEver() {
        var composition = Composition()
        let first = composition.addTrack(.video)
        let second = composition.addTrack(.audio, preferredID: 9)
        #expect(first == 1 && second == 9)
        composition.removeTrack(9)
        #expect(composition.addTrack(.audio, preferredID: 9) == 10)
        #expect(composition.addTrack(.audio) == 11)
        #expect(composition[id: 9] == nil && composition[id: 10]?.type == .audio)
    }

    /// What was removed is no part of the value: it is not in the file either.
    @Test func theyAreNoPartOfTheValue() {
        var edited = Composition()
        _ = edited.addTrack(.video)
        edited.removeTrack(1)
        #expect(edited == Composition())
    }
}
