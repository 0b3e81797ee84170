import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Pictures
import Preparation
import SplitreelProject
import Synchronization
import TestTools
import Testing
import Threads

/// Assets of several files, as planning takes them in.
@Suite("Sequences and proxies", .serialized) struct SequenceTests {
    private static func film(_ asset: String) throws -> Project {
        try PreparationFixture.project(
            """
            {"format":"splitreel/1","assets":{"s":{\(asset)}},"composition":{"tracks":[
            \(Text.track(1, "video", Text.still("s", at: "0s", for: "1s")))]}}
            """)
    }

    /// The folder is asked for before anything in it is named.
    @Test func nothingIsSaidOfARefusedFolder() throws {
        let fixture = try PreparationFixture()
        let secret = try fixture.folder.folder("secret")
        for name in ["plan1.png", "plan3.png"] { _ = try fixture.folder.write("x", to: "secret/" + name) }
        for url in [secret, secret + "/", secret + "/plan%d.png", secret + "/other%d.png"] {
            let asked = Mutex<[String]>([])
            let (_, failures) = probeAssets(of: try Self.film("\"kind\":\"imageSequence\",\"url\":\"\(url)\"")) {
                path in
                asked.withLock { $0.append(path) }
                // A pattern is no file; whoever guards files cannot tell where it lies.
                guard FileManager.default.fileExists(atPath: path) else { return }
                throw SplitreelError(.refused, operation: "opening", subject: path, reason: "outside the roots")
            }
            let error = try #require(failures.first?.error)
            #expect(error.code == .refused && failures.count == 1, "\(error)")
            #expect(asked.withLock { $0.allSatisfy { !$0.contains("plan1") && !$0.contains("plan3") } })
            #expect(!"\(error)".contains("plan2") && !"\(error)".contains("plan1.png"))
        }
    }

    @Test func whatIsWrongWithASequenceSaysWhatToDo() throws {
        let fixture = try PreparationFixture()
        let empty = try fixture.folder.folder("empty")
        for url in [empty, fixture.folder.file("nowhere/a%d.png"), empty + "/a%d.png", fixture.folder.file("none")] {
            let found = probeAssets(of: try Self.film("\"kind\":\"imageSequence\",\"url\":\"\(url)\""))
            let error = try #require(found.failures.first?.error)
            #expect(error.code == .mediaNotFound && !error.hint.isEmpty, "\(error)")
        }
    }

    /// The first file's edges are read as long as no other's are.
    private struct MutualProber: AssetProber {
        let other = OneShot<String>()
        let asked = Asked()

        final class Asked: Sendable { let paths = Mutex<[String]>([]) }

        func facts(of path: String) throws -> AssetFacts {
            let video = VideoFacts(codedSize: PixelSize(width: 8, height: 8), pixelFormat: "rgb24")
            return AssetFacts(
                kind: .image, path: path, tracks: [TrackFacts(id: 1, type: .video, codec: "png", video: video)])
        }

        func frameTimes(of path: String, track: Int, showsFields: Bool) throws -> FrameTimes {
            throw SplitreelError(.internalFault, operation: "probing", subject: path, reason: "nobody asks")
        }

        func edges(of path: String) throws -> FileEdges {
            asked.paths.withLock { $0.append(path) }
            if path.hasSuffix("s0.png") { _ = other.wait() } else { other.set(path) }
            if path.hasSuffix("s7.png") || path.hasSuffix("s8.png") {
                throw SplitreelError(.mediaCannotOpen, operation: "reading", subject: path, reason: "it is bad")
            }
            return FileEdges(byteCount: 1, hash: path)
        }
    }

    /// The prober reads the files, some at a time, in the order of their numbers. The first bad one counts.
    @Test(.timeLimit(.minutes(1))) func filesAreReadByTheProberSideBySide() throws {
        let fixture = try PreparationFixture()
        for number in 0..<10 { _ = try fixture.folder.write("x", to: "s\(number).png") }
        let film = try Self.film("\"kind\":\"imageSequence\",\"url\":\"\(fixture.folder.file("s%d.png"))\"")
        let bad = probeAssets(of: film, prober: MutualProber())
        #expect(bad.failures.map { $0.error.subject.description } == [fixture.folder.file("s7.png")])
        for number in 7..<10 { try FileManager.default.removeItem(atPath: fixture.folder.file("s\(number).png")) }
        let prober = MutualProber()
        let good = try #require(probeAssets(of: film, prober: prober).assets["s"])
        let paths = (0..<7).map { fixture.folder.file("s\($0).png") }
        #expect(good.parts?.map(\.path) == paths && good.parts?.map(\.edgeHash) == paths)
        #expect(prober.asked.paths.withLock { $0.sorted() } == paths && good.byteCount == 7)
    }

    @Test func aSequenceHasItsProxy() throws {
        let fixture = try PreparationFixture()
        try NumberedMedia.write(
            3, rate: "25", to: fixture.folder.file("s%d.png"), coding: ["-start_number", "0", "-f", "image2"],
            with: fixture.witness)
        let proxy = try fixture.film("small.mkv", 3)
        let url = fixture.folder.file("s%d.png")
        let film = try Self.film("\"kind\":\"imageSequence\",\"url\":\"\(url)\",\"proxy\":\"\(proxy)\"")
        let facts = try #require(probeAssets(of: film, usingProxies: true).assets["s"])
        #expect(facts.proxy?.map(\.path) == [proxy] && facts.parts?.count == 3)
        let part = facts.part(ofTrack: 1, at: Rational(1, 25))
        #expect(part.isProxy && part.file.path == proxy && part.time == Rational(1, 25))
        #expect(probeAssets(of: film).assets["s"]?.proxy == nil)
    }

    /// A still for a film, sound for a film: which of the two is wanted is said.
    @Test func aProxyOfAnotherKindIsRefused() throws {
        let fixture = try PreparationFixture()
        let film = try fixture.film("a.mkv", 3)
        let still = fixture.folder.file("a.png")
        try fixture.witness.ffmpeg(["-i", film, "-frames:v", "1", still])
        let sound = try fixture.wave("a.wav")
        for (url, proxy, wanted) in [(film, still, "a film"), (film, sound, "a film"), (still, film, "a still")] {
            let project = try Self.film("\"url\":\"\(url)\",\"proxy\":\"\(proxy)\"")
            let error = try #require(probeAssets(of: project, usingProxies: true).failures.first?.error)
            #expect(error.code == .mediaUnsupported && error.subject.description == proxy)
            #expect(error.reason.contains("not \(wanted)") && !error.hint.isEmpty, "\(error)")
        }
    }
}
