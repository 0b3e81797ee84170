import Coordinator
import DataPlane
import Testing

@Suite("The sums of a store")
struct StoreLedgerTests {
    private func key(_ owner: String, _ byte: UInt8) -> UploadKey {
        UploadKey(owner: owner, sum: [UInt8](repeating: byte, count: 32))
    }

    @Test func aContentOfTwoCountsOnceForAllAndForEach() {
        var ledger = StoreLedger()
        ledger.add(content: "a", size: 100)
        var isThere = [ledger.use("a", by: "ana", at: 1), ledger.use("a", by: "ben", at: 1)]
        isThere.append(ledger.use("b", by: "ana", at: 1))
        #expect(isThere == [true, true, false])
        ledger.promise(key("ana", 1), size: 40, there: 10)
        var use = ledger.use(of: "ana", DiskRoom(bytes: 1000, files: 5))
        #expect(use.bytesOfAll == 140 && use.bytesOfKey == 140 && use.files == 2 && use.filesOfKey == 2)
        // 30 bytes are still to come.
        #expect(use.free == 970 && use.freeFiles == 5)
        ledger.came(key("ana", 1), there: 25)
        #expect(ledger.use(of: "ana", DiskRoom(bytes: 1000)).free == 985)
        ledger.letGo("a", of: "ana")
        ledger.drop(key("ana", 1))
        ledger.drop(key("ana", 1))
        use = ledger.use(of: "ana", DiskRoom(bytes: 1000))
        #expect(use.bytesOfAll == 100 && use.bytesOfKey == 0 && use.filesOfKey == 0 && use.free == 1000)
        ledger.remove(content: "a")
        #expect(ledger.use(of: "ben") == StoreUse())
    }

    @Test func aViewUsesContentsUntilItGoes() {
        var ledger = StoreLedger()
        ledger.add(content: "a", size: 100)
        ledger.use("a", by: "ana", at: 1)
        ledger.add(view: "v", StoreLedger.View(owner: "ana", made: 1, isKnown: true))
        let links = [ledger.link("a", into: "v", at: 2), ledger.link("a", into: "v", at: 2)]
        #expect(links == [true, true])
        #expect(ledger.contents["a"]?.views == 1 && ledger.contents["a"]?.owners["ana"] == 2)
        let isUnknownLinked = ledger.link("b", into: "v", at: 2)
        #expect(!isUnknownLinked)
        ledger.add(entries: 3, toView: "v")
        ledger.set(filmBytes: 50, entries: 2, ofView: "v")
        #expect(ledger.use(of: "ana").bytesOfKey == 150 && ledger.use(of: "ana").entriesOfKey == 2)
        let isStrangersTaken = ledger.adopt("v", by: "ben", job: "j")
        let isTaken = ledger.adopt("v", by: "ana", job: "j")
        #expect(!isStrangersTaken && isTaken && ledger.view(ofJob: "j") == "v")
        let isRemovedWithoutJob = ledger.remove(view: "v", of: nil)
        let isRemoved = ledger.remove(view: "v", of: "j")
        #expect(!isRemovedWithoutJob && isRemoved && ledger.view(ofJob: "j") == nil)
        #expect(ledger.contents["a"]?.views == 0)
        #expect(ledger.use(of: "ana").bytesOfKey == 100 && ledger.use(of: "ana").entriesOfKey == 0)
    }

    @Test func nothingIsKnownOfUsesBeforeAllViewsAreTakenUp() {
        var ledger = StoreLedger()
        ledger.add(content: "a", size: 100)
        ledger.add(view: "v", StoreLedger.View(owner: "ana", made: 1, job: "j", isKnown: false))
        #expect(!ledger.isKnown && ledger.view(ofJob: "j") == "v")
        for _ in 0..<2 { ledger.takeUp(view: "v", contents: ["a", "gone"]) }
        #expect(ledger.isKnown && ledger.contents["a"]?.views == 1)
        ledger.letGoOfContents(ofView: "v")
        #expect(ledger.contents["a"]?.views == 0)
    }
}
