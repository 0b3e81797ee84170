import Diagnostics
import Foundation
import Splitreel
import TestTools
import Testing

/// Films, frames and pictures by code that one session has, of compositions that nobody else could make.
@Suite("Sessions with code of their own", .timeLimit(.minutes(2))) struct OwnCodeExportTests {
    /// A second of a grey of 0.8, which is 204, with an effect that no process has registered.
    private func project() throws -> Project {
        try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{"g":{"kind":"color","color":[0.8,0.8,0.8,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"g","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25","effects":[{"id":"example.dark"}]}}
                """.utf8))
    }

    private func level(_ code: Int) -> Int { 16 + 219 * code / 255 }

    private static func export(_ project: Project, darkenedBy share: Double, to path: String) async throws -> String {
        let session = ExportSession(project)
        session.code = darkening(by: share)
        return try await session.export(to: path).path
    }

    @Test func twoExportsAtOnceHaveTheirOwn() async throws {
        let folder = try TestFolder("own-exports")
        let project = try project()
        let paths = [folder.file("half.mp4"), folder.file("quarter.mp4")]
        async let half = Self.export(project, darkenedBy: 0.5, to: paths[0])
        async let quarter = Self.export(project, darkenedBy: 0.25, to: paths[1])
        let made = try await [half, quarter]
        #expect(made == paths)
        for (path, code) in zip(paths, [102, 51]) {
            let frames = try Witness(in: folder).luma(path)
            #expect(frames.count == 25)
            for frame in frames { #expect(frame.allSatisfy { abs(Int($0) - level(code)) <= 3 }) }
        }
    }

    @Test func anErrorEndsTheExportWithTimeAndPlace() async throws {
        let folder = try TestFolder("own-failure")
        let session = ExportSession(try project())
        session.code.register(effect: Description("example.dark", "Breaks at 0.4 s.", usesTime: true)) {
            source, output, request in
            if request.time == MediaTime(value: 2, timescale: 5) { throw CocoaError(.featureUnsupported) }
            output.withRows8 { _, row in row.update(repeating: 255) }
        }
        let error = try await #require(throws: SplitreelError.self) {
            try await session.export(to: folder.file("film.mp4"))
        }
        #expect("\(error)".contains("session.example.dark, at 0.4 s, in video.effects[0]"), "\(error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aFarmRefusesItByName() async throws {
        let session = ExportSession(try project())
        session.code = darkening(by: 0.5)
        // Nobody listens there: it is refused before anything is sent.
        session.farm = .connect("tcp://127.0.0.1:1")
        let error = try await #require(throws: SplitreelError.self) { try await session.export(to: "/none/film.mp4") }
        #expect(error.code == .effectUnknown && error.subject == "example.dark")
        #expect(error.hint.contains("serveFarmIfAsked()"))
    }

    @Test func presetsAreHeldAgainstIt() async throws {
        let session = ExportSession(try project())
        session.code = darkening(by: 0.5)
        #expect(try await session.compatiblePresets().contains { $0.name == "HighestQuality" })
        session.code = OwnCode()
        let error = try await #require(throws: SplitreelError.self) { try await session.compatiblePresets() }
        #expect(error.code == .effectUnknown)
    }

    @Test func readersAndImageGeneratorsHaveTheirOwn() async throws {
        let asset = MediaAsset(try project())
        let reader = try await Reader(asset, code: darkening(by: 0.5))
        let frame = try #require(try await reader.nextFrame()).image
        frame.withRows8 { _, row in #expect(abs(Int(row[0]) - 102) <= 1) }
        var generator = ImageGenerator(asset)
        generator.code = darkening(by: 0.25)
        try await generator.image(at: .zero).image.withRows8 { _, row in #expect(abs(Int(row[0]) - 51) <= 1) }
        generator.code = OwnCode()
        await #expect(throws: SplitreelError.self) { try await generator.image(at: .zero) }
    }
}
