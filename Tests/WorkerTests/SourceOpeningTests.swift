import Diagnostics
import Foundation
import Hashing
import MediaFacts
import Rendering
import SplitreelFiles
import TestTools
import Testing
import Worker

/// Seen here, or sent: a slot's choice by what it was started with.
@Suite("The opening of a slot's sources") struct SourceOpeningTests {
    private let folder: TestFolder
    private let facts: AssetFacts

    init() throws {
        folder = try TestFolder("opening")
        let bytes = [UInt8](repeating: 7, count: 1000)
        let path = try folder.write(Data(bytes), to: "a.bin")
        facts = AssetFacts(
            kind: .data, path: path, byteCount: 1000, edgeHash: sha256(bytes), contentSum: sha256(bytes))
    }

    /// The opener of a slot with a data folder.
    private func opener(_ endpoint: String, roots: [String] = [], maps: PathMaps = .same) throws -> any SourceOpener {
        var configuration = SlotConfiguration(
            endpoint: endpoint, workerName: "w", slotName: "w/1-a", roots: roots, watchStandardInput: false)
        configuration.dataFolder = folder.file("data")
        configuration.maps = maps
        try configuration.decideOpening()
        return try #require(configuration.opener)
    }

    /// Whether the file is to be opened under the plan's path. What is not would be sent: there is no line here.
    private func isSeen(_ opener: any SourceOpener) throws -> Bool {
        do {
            return try opener.source(of: facts, for: .pictures) == nil
        } catch let error as SplitreelError where error.code == .mediaNotDelivered {
            return false
        }
    }

    @Test func offTheCoordinatorsMachineNoPathIsLookedAt() throws {
        let far = "tcp://10.0.0.5:7733"
        #expect(try isSeen(opener("tcp://127.0.0.1:7733")) && isSeen(opener("ipc:///run/c")))
        #expect(try !isSeen(opener(far)))
        #expect(try isSeen(opener(far, roots: [folder.path])))
        #expect(try !isSeen(opener(far, roots: [folder.folder("empty")])))
        #expect(try isSeen(opener(far, maps: PathMaps(["/elsewhere=\(folder.path)"]))))
    }

    /// Another file of that name is not the planned one: it is sent, and nothing is refused.
    @Test func anotherFileOfThatNameIsNotSeen() throws {
        _ = try folder.write(Data(repeating: 8, count: 1000), to: "a.bin")
        let own = try opener("ipc:///run/c")
        #expect(try !isSeen(own))
        try own.check(facts)
    }

    @Test func blocksAreKeptWhereTheWorkerWasTold() throws {
        var configuration = SlotConfiguration(
            endpoint: "ipc:///run/c", workerName: "w", slotName: "w/1-a", watchStandardInput: false)
        configuration.dataFolder = folder.file("data")
        configuration.cacheFolder = folder.file("cache")
        try configuration.decideOpening()
        #expect(FileManager.default.fileExists(atPath: folder.file("cache/blocks")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("data/blocks")))
    }
}
