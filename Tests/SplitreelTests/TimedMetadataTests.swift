import Foundation
import Splitreel
import SplitreelProject
import Synchronization
import TestTools
import Testing

/// The items of metadata tracks that a compositor is told.
@Suite("Timed metadata for compositors") struct TimedMetadataTests {
    private static let corpus = SourceTree.corpusFile("video/ax_dolbyVision-hdr.MOV") ?? ""

    /// Lines of JSON at half a second each, from 0.2 s of the file on, at half its speed.
    private func project(
        _ instructions: (String, String) = ("", ""), url: String, more: String = "",
        source: String = "\"0.2s\",\"0.8s\""
    ) throws -> Project {
        try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{"a":{"kind":"color","color":[1,0,0,1]},
                "d":{"kind":"timedMetadata","url":"\(url)"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","target":["0s","2s"]}]},
                {"id":5,"type":"metadata","segments":[
                {"asset":"d"\(more),"source":[\(source)],"target":["0s","1.6s"]}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25","compositor":{"id":"test.values"},
                "sampleDataTracks":[5],"instructions":[
                {"range":["0s","1s"],"layers":[{"track":1}]\(instructions.0)},
                {"range":["1s","1s"],"layers":[{"track":1}]\(instructions.1)}]}}
                """.utf8))
    }

    private func requests(_ project: Project, at hundredths: [Int]) async throws -> [CompositionRequest] {
        // An id is registered once, and each call has a compositor of its own.
        let id = "test.values." + UUID().uuidString.lowercased()
        let own = RecordingCompositor().registered(as: id)
        var project = project
        project.video?.compositor?.id = id
        _ = try await CompositorFixture.planes(project, at: hundredths)
        return own.state.withLock { $0.requests }
    }

    @Test func linesOfJSON() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("timed-\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let lines = (0..<4).map { "{\"start\": \(Double($0) / 2), \"speed\": \($0)}" }
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let found = try await requests(project(url: file.path), at: [0, 80, 160])
        try #require(found.count == 3)
        // 0.2 s + 0.6 s ÷ 2 is 0.5 s, where the second line begins.
        let first = try #require(found[0].metadata(track: 5))
        #expect(first.text == "{\"speed\":0}" && first.codec == "json")
        #expect(first.range.start.seconds == 0 && first.range.end.seconds == 0.6)
        let second = try #require(found[1].metadata(track: 5))
        #expect(second.text == "{\"speed\":1}")
        #expect(second.range.start == MediaTime(3, 5) && second.range.end.seconds == 1.6)
        #expect(found[2].metadata(track: 5) == nil && found[2].metadataTrackIDs == [])
        #expect(found[0].metadataTrackIDs == [5] && found[0].metadata(track: 1) == nil)
        // The second instruction wants none.
        let others = try await requests(
            project(("", ",\"sampleDataTracks\":[]"), url: file.path), at: [80, 120])
        #expect(others.map { $0.metadataTrackIDs } == [[5], []])
    }

    /// The bytes that ffmpeg copies out of the file, at ffprobe's times.
    @Test(.enabled(if: SourceTree.hasCorpus, "needs the corpus"))
    func samplesOfAFilm() async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = ["-v", "error", "-i", Self.corpus, "-map", "0:4", "-c", "copy", "-f", "data", "-"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        // Four samples of a thirtieth of a second, of which three lie in this tenth; at a sixteenth of the speed.
        let found = try await requests(
            project(url: Self.corpus, more: ",\"track\":5", source: "\"0s\",\"0.1s\""), at: (0..<40).map { $0 * 4 })
        var distinct: [TimedMetadata] = []
        for sample in found.compactMap({ $0.metadata(track: 5) }) where distinct.last != sample {
            distinct.append(sample)
        }
        #expect(distinct.allSatisfy { $0.codec == "mebx" && $0.text == nil })
        #expect(distinct.map { $0.bytes } == (0..<3).map { Array(bytes[($0 * 144)..<($0 * 144 + 144)]) })
        #expect(distinct.map { $0.range.start.value * 15 / Int64($0.range.start.timescale) } == [0, 8, 16])
        #expect(distinct.last?.range.end.seconds == 1.6)
    }
}
