import Diagnostics
import Foundation
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Planning
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
        // Where folders are mapped and no root is named, nothing else is looked at.
        let empty = try folder.folder("empty")
        #expect(try !isSeen(opener(far, maps: PathMaps(["/elsewhere=\(empty)"]))))
    }

    /// What the media half may read are files: a plan that names a folder, or all of them, opens none.
    @Test func foldersAreNotReadable() throws {
        var configuration = SlotConfiguration(
            endpoint: "tcp://10.0.0.5:7733", workerName: "w", slotName: "w/1-a", watchStandardInput: false)
        let plan = RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}",
            assets: [
                "a": facts, "b": AssetFacts(kind: .image, path: "/"),
                "c": AssetFacts(kind: .image, path: folder.path), "d": AssetFacts(kind: .image, path: "/etc/passwd"),
            ],
            output: OutputSettings(container: .mkv, video: nil, audio: nil),
            range: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 25)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 0, sampleRate: 0, sampleCount: 0, chunks: [])
        #expect(try configuration.seenPaths(of: plan) == [])
        configuration.maps = try PathMaps(["/elsewhere=\(folder.path)"])
        #expect(try configuration.seenPaths(of: plan) == [folder.file("a.bin")])
        configuration.roots = [try folder.folder("empty")]
        #expect(try configuration.seenPaths(of: plan) == [])
        configuration.endpoint = "ipc:///run/c"
        configuration.roots = []
        #expect(try configuration.seenPaths(of: plan).contains("/etc/passwd"))
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
