import Diagnostics
import Foundation
import Splitreel
import SplitreelProject
import Synchronization
import TestTools
import Testing
import Validation

/// Effects and transitions that are closures, wait, and fail; and code that one session has.
@Suite("A program's own code", .timeLimit(.minutes(2))) struct OwnCodeTests {
    private struct Fault: Error, CustomStringConvertible {
        let description = "its lamp is broken"
    }

    private static let isRegistered: Void = {
        registerHalf()
        register(effect: Description("test.breaks", "Breaks at 0.4 s.", usesTime: true)) { _, output, request in
            if request.time == MediaTime(value: 2, timescale: 5) { throw Fault() }
            output.withRows8 { _, row in row.update(repeating: 255) }
        }
        register(transition: "test.snaps") { _, _, _, _, _ in throw Fault() }
        register(effect: "test.shadowed", pixelFormat: .rgba8) { _, output, _ in
            output.withRows8 { _, row in row.update(repeating: 255) }
        }
    }()

    /// A grey of 0.8 over two segments of 1 s, at 25 frames a second, with effects on every frame or on the layer of
    /// the second of two instructions.
    private func project(film: String = "", layer: String = "", transition: String = "") throws -> Project {
        _ = Self.isRegistered
        let instructions = """
            ,"instructions":[{"range":["0s","0.2s"],"layers":[{"track":1}]},
            {"range":["0.2s","1.8s"],"layers":[{"track":1,"effects":[\(layer)]}]}]
            """
        return try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{"g":{"kind":"color","color":[0.8,0.8,0.8,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"g","target":["0s","1s"]},{"asset":"g","target":["1s","1s"]\(transition)}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25","effects":[\(film)]
                \(transition.isEmpty ? instructions : "")}}
                """.utf8))
    }

    /// The luma of the one grey that a frame has, by 8 bits.
    private func luma(_ project: Project, at hundredths: Int) async throws -> Double {
        let plane = try await CompositorFixture.planes(project, at: [hundredths])[0][0]
        #expect(Set(plane).count == 1)
        return Double(plane[0])
    }

    private func level(_ code: Int) -> Double { 16 + 219 * Double(code) / 255 }

    @Test func aClosureIsAnEffect() async throws {
        // 0.8 is 204, and half of it 102.
        #expect(abs(try await luma(project(film: #"{"id":"example.half"}"#), at: 0) - level(102)) <= 1)
    }

    @Test func anErrorTellsTimeAndPlace() async throws {
        let project = try project(layer: #"{"id":"example.half"},{"id":"test.breaks"}"#)
        #expect(try await luma(project, at: 36) == 235)
        let error = try await #require(throws: SplitreelError.self) { try await luma(project, at: 40) }
        #expect(error.code == .effectFailed && error.reason == "its lamp is broken")
        #expect(error.subject == "test.breaks, version 1, at 0.4 s, in video.instructions[1].layers[0].effects[1]")
        let cut = try self.project(transition: #","transition":{"id":"test.snaps","duration":"0.4s"}"#)
        #expect(abs(try await luma(cut, at: 76) - level(204)) <= 1)
        let other = try await #require(throws: SplitreelError.self) { try await luma(cut, at: 100) }
        #expect(other.code == .effectFailed)
        #expect(other.subject == "test.snaps, version 1, at 1 s, in composition.tracks[0].segments[1].transition")
    }

    @Test func anErrorFailsTheFilmAndTheReader() async throws {
        let folder = try TestFolder("faults")
        let project = try project(film: #"{"id":"test.breaks"}"#)
        let error = try await #require(throws: SplitreelError.self) {
            try await CompositorFixture.render(project, in: folder.path)
        }
        #expect(error.subject == "test.breaks, version 1, at 0.4 s, in video.effects[0]")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let reader = try await Reader(
            MediaAsset(folder.write(project.canonicalBytes(), to: "cut.json")))
        for index in 0..<10 { #expect(try await reader.nextFrame()?.index == index) }
        let read = try await #require(throws: SplitreelError.self) { try await reader.nextFrame() }
        #expect(read.code == .effectFailed && read.subject == error.subject && reader.status == .failed)
    }

    /// Would hang for ever if fewer than three frames were begun before the first is waited for.
    @Test func effectsMayWaitAndThreeAreUnderWay() async throws {
        let folder = try TestFolder("waits")
        let gate = FlowTests.Gate()
        register(effect: Description("test.waits", "Waits.", usesTime: true)) { _, output, _ in
            await gate.pass(after: 3)
            output.withRows8 { _, row in row.update(repeating: 255) }
        }
        try await CompositorFixture.render(project(film: #"{"id":"test.waits"}"#), in: folder.path)
    }

    /// The 50 frames look the same: the effect is asked once.
    @Test func whatStandsStillIsMadeOnce() async throws {
        let folder = try TestFolder("still")
        var code = OwnCode()
        let counter = Counter()
        code.register(effect: "test.counts") { _, output, _ in
            counter.add()
            output.withRows8 { _, row in row.update(repeating: 255) }
        }
        let (lent, loan) = code.lent(to: try project(film: #"{"id":"test.counts"},{"id":"blur"}"#))
        try await CompositorFixture.render(lent, in: folder.path)
        withExtendedLifetime(loan) {}
        #expect(counter.count == 1)
    }

    private final class Counter: Sendable {
        private let value = Atomic<Int>(0)
        var count: Int { value.load(ordering: .relaxed) }
        func add() { value.add(1, ordering: .relaxed) }
    }

    // MARK: - Sessions

    @Test func twoSessionsHaveOtherCodeUnderOneName() async throws {
        let project = try project(film: #"{"id":"example.dark"}"#)
        let (half, quarter) = (darkening(by: 0.5).lent(to: project), darkening(by: 0.25).lent(to: project))
        async let first = luma(half.project, at: 0)
        async let second = luma(quarter.project, at: 0)
        let found = try await [first, second]
        #expect(abs(found[0] - level(102)) <= 1 && abs(found[1] - level(51)) <= 1)
        withExtendedLifetime((half.loan, quarter.loan)) {}
    }

    @Test func aSessionsCodeGoesBeforeTheProcesss() async throws {
        var code = OwnCode()
        code.register(effect: "test.shadowed") { _, output, _ in
            output.withRows8 { _, row in for x in row.indices { row[x] = x % 4 == 3 ? 255 : 100 } }
        }
        let both = try project(film: #"{"id":"test.shadowed"},{"id":"example.half"}"#)
        #expect(abs(try await luma(both, at: 0) - level(127)) <= 1)
        var lent: (project: Project, loan: OwnCode.Loan)? = code.lent(to: both)
        let inner = try #require(lent?.project)
        #expect(abs(try await luma(inner, at: 0) - level(50)) <= 1)
        #expect(!inner.validate(assets: [:], outputs: false).contains { $0.severity == .error })
        lent = nil
        // Nothing is left of it.
        #expect(inner.validate(assets: [:], outputs: false).contains { $0.code == .effectUnknown })
        #expect(abs(try await luma(both, at: 0) - level(127)) <= 1)
    }

    /// A composition of somebody else names the code of a session that is open: it neither runs it nor learns of it.
    @Test func anothersCompositionDoesNotRunIt() throws {
        let (lent, loan) = darkening(by: 0.5).lent(to: try project(film: #"{"id":"example.dark"}"#))
        let own = try #require(lent.video?.effects?.first)
        let version = try #require(own.version)
        #expect(!lent.validate(assets: [:], outputs: false).contains { $0.severity == .error })
        for guess in ["", #","version":1"#, #","version":\#(version - 1)"#] {
            let other = try project(film: #"{"id":"\#(own.id)"\#(guess)}"#)
            let found = other.validate(assets: [:], outputs: false).filter { $0.severity == .error }
            #expect(found.map(\.code) == [.effectUnknown], "\(guess)")
            #expect(found.allSatisfy { !"\($0)".contains("\(version)") })
        }
        withExtendedLifetime(loan) {}
    }

    @Test func aReaderAndAnImageGeneratorHaveTheirOwn() async throws {
        let folder = try TestFolder("sessions")
        var code = OwnCode()
        code.register(effect: "test.shadowed") { source, output, _ in
            output.withRows8 { _, row in for x in row.indices { row[x] = x % 4 == 3 ? 255 : 100 } }
        }
        let path = try folder.write(project(film: #"{"id":"test.shadowed"}"#).canonicalBytes(), to: "cut.json")
        let asset = MediaAsset(path)
        for (own, wanted) in [(OwnCode(), 255), (code, 100)] {
            let frame = try #require(try await Reader(asset, code: own).nextFrame()).image
            frame.withRows8 { _, row in #expect(abs(Int(row[0]) - wanted) <= 1) }
            var generator = ImageGenerator(asset)
            generator.code = own
            try await generator.image(at: .zero).image.withRows8 { _, row in #expect(abs(Int(row[0]) - wanted) <= 1) }
        }
    }

    @Test func aFarmRefusesItByName() throws {
        let code = darkening(by: 0.5)
        let project = try project(layer: #"{"id":"example.dark"}"#)
        let error = #expect(throws: SplitreelError.self) { try code.refuseOnFarm(project) }
        #expect(error?.subject == "example.dark" && error?.hint.contains("serveFarmIfAsked()") == true)
        let (lent, loan) = code.lent(to: project)
        #expect(throws: SplitreelError.self) { try OwnCode().refuseOnFarm(lent) }
        withExtendedLifetime(loan) {}
        // What it does not name, or switches off, is no matter.
        try code.refuseOnFarm(self.project(layer: #"{"id":"example.half"}"#))
        try code.refuseOnFarm(self.project(layer: #"{"id":"example.dark","enabled":false}"#))
    }
}
