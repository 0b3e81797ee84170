import Diagnostics
import Foundation
import SplitreelFiles
import TestTools
import Testing

@Suite struct ArrivingFileTests {
    @Test func itHasItsNameOnlyWhenItIsWhole() throws {
        let folder = try TestFolder()
        let path = folder.file("a.nut")
        let file = ArrivingFile(path: path)
        try file.begin()
        try file.append(Array("wrong".utf8)[...])
        // It comes anew, and the first bytes are forgotten.
        try file.begin()
        try file.append(Array("abc".utf8)[...])
        #expect(!FileManager.default.fileExists(atPath: path))
        // The SHA-256 of "abc", from FIPS 180-2.
        #expect(file.sum.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        try file.place()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "abc")
        #expect(try folder.names() == ["a.nut"])
    }

    @Test func oneThatDoesNotLastIsWholeAsWell() throws {
        let folder = try TestFolder()
        let path = folder.file("plan.json")
        let file = ArrivingFile(path: path, lasting: false)
        try file.begin()
        try file.append(Array("ab".utf8)[...])
        #expect(!FileManager.default.fileExists(atPath: path))
        try file.append(Array("c".utf8)[...])
        try file.place()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "abc")
        #expect(try folder.names() == ["plan.json"])
    }

    @Test func whatIsDiscardedGoesUnderEitherName() throws {
        let folder = try TestFolder()
        let file = ArrivingFile(path: folder.file("a.nut"))
        try file.begin()
        try file.place()
        file.discard()
        #expect(try folder.names() == [])
        try file.begin()
        file.discard()
        #expect(try folder.names() == [])
    }

    @Test func whatDoesNotComeWholeGoes() throws {
        let folder = try TestFolder()
        let path = folder.file("a.nut")
        let first = ArrivingFile(path: path)
        let second = ArrivingFile(path: folder.file("b.nut"))
        try first.begin()
        first.remove()
        // Another process had begun this one.
        try second.begin()
        try Data("c".utf8).write(to: URL(filePath: folder.file("c.nut")))
        ArrivingFile.removeAll(in: folder.path)
        #expect(try folder.names() == ["c.nut"])
    }

    @Test func itGoesOnWhereAnotherProcessStopped() throws {
        let folder = try TestFolder()
        let path = folder.file("a.nut")
        let first = ArrivingFile(path: path)
        #expect(try first.resume(most: 3) == 0)
        try first.append(Array("ab".utf8)[...])
        // Somebody else may not write it meanwhile.
        let other = ArrivingFile(path: path)
        let fault = #expect(throws: SplitreelError.self) { try other.resume(most: 3) }
        #expect(fault?.code == .outputInUse)
        first.rest()
        let second = ArrivingFile(path: path)
        #expect(try second.resume(most: 3) == 2)
        try second.append(Array("c".utf8)[...])
        // The SHA-256 of "abc", from FIPS 180-2.
        #expect(second.sum.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        try second.place()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "abc")
        #expect(try folder.names() == ["a.nut"])
    }

    @Test func aPartThatIsTooLongIsEmptied() throws {
        let folder = try TestFolder()
        let path = folder.file("a.nut")
        let first = ArrivingFile(path: path)
        _ = try first.resume(most: 3)
        try first.append(Array("wrong".utf8)[...])
        first.rest()
        let second = ArrivingFile(path: path)
        #expect(try second.resume(most: 3) == 0)
        second.remove()
        #expect(try folder.names() == [])
    }

    @Test func aDiskTellsWhatIsFree() throws {
        let free = try #require(freeBytes(in: "/tmp"))
        let facts = try FileManager.default.attributesOfFileSystem(forPath: "/tmp")
        let other = try #require(facts[.systemFreeSize] as? NSNumber).int64Value
        #expect(abs(free - other) < 1 << 30)
        #expect(freeBytes(in: "/nowhere") == nil)
    }
}
