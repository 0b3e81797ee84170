import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The descriptions that films have of themselves, as outputs ask for them; ffprobe is the witness.
    @Suite struct FilmDescriptionTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("film-description")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private func composition(_ output: String) throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","name":"Trip","metadata":{"artist":"A","location":"+48.1250+011.5000/"},
                "assets":{"c":{"kind":"bars"},"t":{"kind":"tone"}},
                "composition":{"markers":[{"time":"1s","name":"Two"},{"time":"0s","name":"One"}],"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","2s"]}]},
                {"id":2,"type":"audio","language":"de","segments":[{"asset":"t","target":["0s","2s"]}]}]},
                "video":{"renderSize":[128,72],"frameDuration":"1/25"},"chapters":"markers",
                "outputs":[\(output)]}
                """, to: "film.json")
        }

        private func chapters(_ file: String) throws -> [String] {
            try witness.chapters(file).map { chapter in
                let title = (chapter["tags"] as? [String: String])?["title"] ?? ""
                return "\(chapter["start_time"] ?? "") \(chapter["end_time"] ?? "") \(title)"
            }
        }

        @Test func outputsDescribeTheirFilms() throws {
            let film = try composition(
                #"""
                {"url":"out.mp4","range":["0.4s","1.2s"],"metadataFilter":"sharing","metadata":{"comment":"own"},
                "audioSettings":{"language":"pt-BR","name":"Ton","disposition":["default","comment"]}}
                """#)
            let result = try program.run(["render", film])
            #expect(result.status == 0, "\(result)")
            let out = folder.file("out.mp4")
            #expect(try chapters(out) == ["0.000000 0.600000 One", "0.600000 1.200000 Two"])
            let tags = try #require(try witness.format(out)["tags"] as? [String: String])
            #expect(tags["title"] == "Trip" && tags["artist"] == "A" && tags["comment"] == "own")
            #expect(tags["location"] == nil)
            let sound = try #require(
                try witness.streams(out).first { $0["codec_type"] as? String == "audio" })
            let own = sound["tags"] as? [String: String] ?? [:]
            #expect(own["language"] == "por" && own["handler_name"] == "Ton")
            #expect((sound["disposition"] as? [String: Int])?["comment"] == 1)
        }

        @Test(arguments: [
            (#""audioSettings":{"language":"german"}"#, "audioSettings.language"),
            (#""chapters":[{"time":"9s"}]"#, "chapters[0].time"),
            (#""metadata":{"creationDate":"soon"}"#, "metadata.creationDate"),
        ])
        func wrongDescriptionsAreRefused(key: String, place: String) throws {
            let film = try composition("{\"url\":\"out.mp4\",\(key)}")
            for command in ["render", "validate"] {
                let result = try program.run([command, film])
                #expect(result.status == 3, "\(result)")
                #expect((result.text + result.standardError).contains(place), "\(result)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
        }
    }
}
