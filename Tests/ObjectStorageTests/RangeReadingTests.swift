import Diagnostics
import Foundation
import Hashing
import ObjectStorage
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads

@Suite("Reading by ranges")
struct RangeReadingTests {
    /// A source, with the server that is to live as long.
    private struct Reading {
        let source: RemoteSource
        let server: StubServer
        let storage: RemoteStorage
    }

    private static let mebibyte = 1 << 20

    /// A source of a server that does to each read what is said; opening is served rightly.
    private func source(
        _ object: StubObject, _ settings: (inout RemoteSettings) -> Void = { _ in },
        reads: @escaping @Sendable (_ read: Int, StubServer.Request, StubServer.Connection) -> Void
    ) throws -> Reading {
        let server = try StubServer { request, connection in
            request.number == 0 ? object.serve(request, connection) : reads(request.number - 1, request, connection)
        }
        var quick = RemoteSettings.quick(server)
        settings(&quick)
        let storage = try RemoteStorage(quick)
        return Reading(source: try storage.open(RemoteAddress.parse(film)), server: server, storage: storage)
    }

    private func whole(_ source: RemoteSource) throws -> [UInt8] {
        try source.read(at: 0, count: source.byteCount)
    }

    @Test func aSourceIsReadByWindows() throws {
        let object = StubObject(bytes: madeBytes(3 * Self.mebibyte + 77, seed: 1))
        let reading = try source(object) { _, request, connection in object.serve(request, connection) }
        #expect(reading.source.name == film && reading.source.byteCount == object.bytes.count)
        #expect(reading.source.identity.changeTime == "2026-02-28 23:59:07 UTC" && reading.source.identity.mark != nil)
        #expect(
            try reading.source.read(at: 2 * Self.mebibyte - 5, count: 10)
                == Array(object.bytes[(2 << 20) - 5..<(2 << 20) + 5]))
        #expect(try whole(reading.source) == object.bytes)
        #expect(try reading.source.read(at: reading.source.byteCount, count: 10).isEmpty)
        try reading.source.checkUnchanged()
        let reads = reading.server.requests.dropFirst().dropLast()
        #expect(reads.allSatisfy { $0.headers["if-match"] == object.tag && $0.path == "/films/film.mp4" })
        #expect(
            reads.reduce(0) { $0 + ($1.range?.clamped(to: 0...object.bytes.count - 1).count ?? 0) }
                == object.bytes.count)
        #expect(reads.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test func busyServersAreAskedAgain() throws {
        let object = StubObject(bytes: madeBytes(1000, seed: 2))
        let statuses = [500, 503, 429, 502]
        let reading = try source(object) { read, request, connection in
            guard read < statuses.count else { return object.serve(request, connection) }
            connection.answer(statuses[read], ["Retry-After": "0"], Array("<Error><Code>SlowDown</Code></Error>".utf8))
        }
        #expect(try whole(reading.source) == object.bytes)
        #expect(reading.server.requests.count == 2 + statuses.count)
    }

    @Test func attemptsAreBounded() throws {
        let object = StubObject(bytes: madeBytes(1000, seed: 2))
        let reading = try source(object) { _, _, connection in
            connection.answer(503, [:], Array("<Error><Code>SlowDown</Code></Error>".utf8))
        }
        let error = #expect(throws: SplitreelError.self) { try whole(reading.source) }
        #expect(error?.code == .storageUnreachable && error?.reason.contains("503 SlowDown") == true)
        #expect(reading.server.requests.count == 1 + 6)
    }

    /// Each connection ends within the range; the next one is asked for what is missing.
    @Test(arguments: [true, false])
    func brokenConnectionsGoOnWhereTheyBroke(isReset: Bool) throws {
        let object = StubObject(bytes: madeBytes(2 * Self.mebibyte - 3, seed: 3))
        let breaks = [300_000, 200_001]
        let reading = try source(object) { read, request, connection in
            guard read < breaks.count, let range = object.range(request) else {
                return object.serve(request, connection)
            }
            connection.head(206, object.headers(range))
            connection.send(Array(object.bytes[range].prefix(breaks[read])))
            if isReset { connection.reset() } else { connection.end() }
        }
        #expect(try whole(reading.source) == object.bytes)
        let starts = reading.server.requests.dropFirst().compactMap { $0.range?.lowerBound }
        // The kernel drops what a reset overtakes: then the next request begins before.
        if isReset {
            #expect(starts.count == 4 && starts[1] <= 300_000 && starts[2] <= 500_001)
        } else {
            #expect(starts == [0, 300_000, 500_001, Self.mebibyte])
        }
    }

    /// Without a length the end of the connection is the end of the body.
    @Test func bodiesThatEndEarlyAreSeen() throws {
        let object = StubObject(bytes: madeBytes(5000, seed: 4))
        let reading = try source(object) { read, request, connection in
            guard read < 2, let range = object.range(request) else { return object.serve(request, connection) }
            connection.head(206, object.headers(range).filter { $0.key != "Content-Length" })
            connection.send(Array(object.bytes[range].prefix(1000)))
            connection.end()
        }
        #expect(try whole(reading.source) == object.bytes)
        #expect(reading.server.requests.dropFirst().compactMap { $0.range?.lowerBound } == [0, 1000, 2000])
    }

    @Test func slowTransfersAreGivenUp() throws {
        let object = StubObject(bytes: madeBytes(5000, seed: 5))
        let stop = Latch()
        let reading = try source(object, { $0.attempts = 2 }) { _, request, connection in
            guard let range = object.range(request) else { return }
            connection.head(206, object.headers(range))
            connection.send(Array(object.bytes[range].prefix(10)))
            _ = stop.isOpen(within: .seconds(20))
            connection.end()
        }
        let start = ContinuousClock.now
        let error = #expect(throws: SplitreelError.self) { try whole(reading.source) }
        stop.open()
        #expect(error?.code == .storageUnreachable)
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test(arguments: [
        ("bytes 0-999/1000", 200, "whole file"), ("bytes 1-1000/1001", 206, ""),
        ("bytes 0-998/1000", 206, "another part"),
        ("bytes 1-999/1000", 206, "another part"), ("bytes 0-999/*", 206, "which part"), ("", 206, "which part"),
        ("bytes 0-1000/1000", 206, "which part"), ("bytes -1-999/1000", 206, "which part"),
    ])
    func answersOfAnotherPartAreRefused(range: String, status: Int, words: String) throws {
        let object = StubObject(bytes: madeBytes(1000, seed: 6))
        let reading = try source(object) { _, _, connection in
            connection.answer(status, ["Content-Range": range, "ETag": object.tag], object.bytes)
        }
        let error = #expect(throws: SplitreelError.self) { try whole(reading.source) }
        // A total of its own is another content.
        #expect(error?.code == (words.isEmpty ? .mediaChanged : .storageAnswerWrong))
        #expect(error?.reason.contains(words) == true || words.isEmpty, "\(error?.description ?? "")")
        #expect(reading.server.requests.count == 2)
    }

    @Test func endlessBodiesAreCutOff() throws {
        let object = StubObject(bytes: madeBytes(1000, seed: 7))
        let reading = try source(object) { read, request, connection in
            guard let range = object.range(request) else { return }
            connection.head(206, object.headers(range).filter { $0.key != "Content-Length" })
            while connection.send([UInt8](repeating: 7, count: 1 << 16)) {}
        }
        let error = #expect(throws: SplitreelError.self) { try whole(reading.source) }
        #expect(error?.code == .storageAnswerWrong && reading.storage.heldBytes <= 1000)
    }

    @Test func endlessErrorsAndHeadsAreCutOff() throws {
        let object = StubObject(bytes: madeBytes(1000, seed: 8))
        let reading = try source(object) { read, _, connection in
            if read == 0 {
                connection.head(403)
                while connection.send(Array(repeating: UInt8(ascii: "x"), count: 1 << 14)) {}
            } else {
                connection.send(Array("HTTP/1.1 206 OK\r\n".utf8))
                while connection.send(Array("X-Long: \(String(repeating: "y", count: 1 << 12))\r\n".utf8)) {}
            }
        }
        for _ in 0..<2 {
            let error = #expect(throws: SplitreelError.self) { try whole(reading.source) }
            #expect(error?.code == .storageAnswerWrong, "\(error?.description ?? "")")
        }
    }

    /// The object is another one from some read on: by the condition, by the ETag alone, or by being gone.
    @Test(arguments: [412, 206, 404, 416])
    func changesAreSeen(status: Int) throws {
        let object = StubObject(bytes: madeBytes(3 * Self.mebibyte, seed: 9))
        let reading = try source(object) { read, request, connection in
            guard read > 0, let range = object.range(request) else { return object.serve(request, connection) }
            guard status == 206 else { return connection.answer(status) }
            connection.answer(
                206, object.headers(range).merging(["ETag": "\"two\""]) { $1 }, Array(object.bytes[range]))
        }
        let error = #expect(throws: SplitreelError.self) { try whole(reading.source) }
        #expect(error?.code == .mediaChanged)
    }

    @Test func aSourceIsAskedWhetherItChanged() throws {
        let mode = Mutex(StubObject(bytes: [1, 2, 3]))
        let reading = try source(mode.withLock { $0 }) { _, request, connection in
            mode.withLock { $0 }.serve(request, connection)
        }
        try reading.source.checkUnchanged()
        #expect(try reading.source.identityNow() == reading.source.identity)
        mode.withLock { $0.tag = "\"two\"" }
        #expect(#expect(throws: SplitreelError.self) { try reading.source.checkUnchanged() }?.code == .mediaChanged)
    }

    /// A reader may take bytes that did not come for the end of the file; whoever asks later is told.
    @Test func aFailureIsRemembered() throws {
        let object = StubObject(bytes: [1, 2, 3])
        let reading = try source(object, { $0.attempts = 1 }) { read, request, connection in
            read == 0 ? connection.answer(503) : object.serve(request, connection)
        }
        #expect(throws: SplitreelError.self) { try whole(reading.source) }
        #expect(try whole(reading.source) == object.bytes)
        let error = #expect(throws: SplitreelError.self) { try reading.source.checkUnchanged() }
        #expect(error?.code == .storageUnreachable)
    }

    @Test func emptyObjectsAreSources() throws {
        let object = StubObject(bytes: [])
        let reading = try source(object) { _, request, connection in object.serve(request, connection) }
        #expect(reading.source.byteCount == 0)
        #expect(try reading.source.read(at: 0, count: 10).isEmpty)
    }

    @Test func memoryIsBounded() throws {
        let object = StubObject(bytes: madeBytes(24 * Self.mebibyte, seed: 10))
        let reading = try source(object, { $0.mostHeldBytes = 4 << 20 }) { _, request, connection in
            object.serve(request, connection)
        }
        var sum = SHA256Sum()
        var most = 0
        for place in stride(from: 0, to: reading.source.byteCount, by: 100_000) {
            sum.update(try reading.source.read(at: place, count: 100_000))
            most = max(most, reading.storage.heldBytes)
        }
        #expect(sum.text == sha256(object.bytes))
        #expect(most == 4 << 20)
        reading.source.rest()
        #expect(reading.storage.heldBytes == 0)
        #expect(try reading.source.read(at: 5, count: 3) == Array(object.bytes[5..<8]))
    }

    /// Threads that want the same bytes get them by one request.
    @Test func windowsComeOnce() throws {
        let object = StubObject(bytes: madeBytes(6 * Self.mebibyte, seed: 11))
        let reading = try source(object) { _, request, connection in object.serve(request, connection) }
        let failures = Mutex(0)
        doSideBySide(8, width: 8) { _ in
            for place in stride(from: 0, to: 6 * Self.mebibyte, by: 333_333) {
                let bytes = try? reading.source.read(at: place, count: 1000)
                if bytes != Array(object.bytes[place..<min(place + 1000, object.bytes.count)]) {
                    failures.withLock { $0 += 1 }
                }
            }
            return true
        }
        #expect(failures.withLock { $0 } == 0)
        let asked = reading.server.requests.dropFirst().reduce(0) { $0 + ($1.range?.count ?? 0) }
        #expect(asked == object.bytes.count)
    }
}
