import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The kind and the name that players see of a track of timed data, and a film that is shown twice in a tree of
    /// layers.
    @Suite struct MetadataDispositionTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("metadata-disposition")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static let subRip = "1\n00:00:00,500 --> 00:00:01,000\nHello\n"

        /// WebM has tracks of the kind metadata, which no player shows as subtitles; beside one a track that it shows.
        /// Elsewhere there is no such kind, and a name says what it is.
        @Test(arguments: ["webm", "mkv", "mp4", "mov"]) func dataIsNoSubtitle(ending: String) throws {
            _ = try folder.write(Self.subRip, to: "a.srt")
            let lines = (0..<3).map { "{\"start\": \(Double($0) / 2), \"speed\": \(10 + $0)}" }
            _ = try folder.write(lines.joined(separator: "\n"), to: "gps.jsonl")
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.2,0.2,0.2,1]},
                "d":{"kind":"timedMetadata","url":"gps.jsonl"},"s":{"kind":"subtitles","url":"a.srt"}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1.5s"]}]},
                {"id":2,"type":"subtitle","name":"Words","segments":[
                {"asset":"s","source":["0s","1.5s"],"target":["0s","1.5s"]}]},
                {"id":3,"type":"metadata","segments":[
                {"asset":"d","source":["0s","1.5s"],"target":["0s","1.5s"]}]}]},
                "video":{"renderSize":[64,48],"frameDuration":"1/10"}}
                """, to: "data.json")
            let film = folder.file("film.\(ending)")
            try program.render(file, to: film, ["--chunk-seconds", "0.5"])
            let streams = try witness.streams(film).filter { $0["codec_type"] as? String == "subtitle" }
            try #require(streams.count == 2)
            let dispositions = streams.map { $0["disposition"] as? [String: Int] ?? [:] }
            #expect(dispositions.map { $0["metadata"] } == [0, ending == "webm" ? 1 : 0])
            #expect(dispositions[1]["captions"] == 0 && dispositions[1]["forced"] == 0)
            // The words alone are what a player turns on by itself, if anything.
            #expect(dispositions[1]["default"] == 0)
            let names = streams.map { stream -> String? in
                let tags = stream["tags"] as? [String: String] ?? [:]
                return tags["title"] ?? tags["handler_name"]
            }
            #expect(names == ["Words", "timed metadata"])
            // Of the data every half second one, and all of them JSON as they stood in the file.
            let packets = try witness.packets(film, stream: "s:1")
            let times = packets.compactMap { ($0["pts_time"] as? String).flatMap(Double.init) }
            #expect(times == [0, 0.5, 1])
        }

        /// A frame of white and of a grey of 0.2 (60 of luma), side by side. Two layers show it: one in the lower left
        /// quarter, the other one, of half an opacity, in the right half, made narrow. Behind them is black.
        @Test func twoLayersShowTheFilm() throws {
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"w":{"kind":"color","color":[1,1,1,1],"size":[64,72]},
                "g":{"kind":"color","color":[0.2,0.2,0.2,1],"size":[64,72]}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"w","target":["0s","0.4s"]}]},
                {"id":2,"type":"video","segments":[{"asset":"g","target":["0s","0.4s"]}]}]},
                "video":{"renderSize":[128,72],"frameDuration":"1/10","instructions":[
                \(Text.instruction(
                    "0s", "0.4s", Text.layer(1, [1, 0, 0, 1, 0, 0]), Text.layer(2, [1, 0, 0, 1, 64, 0])))],
                "animation":{"videoLayers":["first","second"],"root":{"bounds":[0,0,128,72],"sublayers":[
                {"id":"first","bounds":[0,0,64,36],"position":[32,18]},
                {"id":"second","bounds":[0,0,64,72],"position":[96,36],"opacity":0.5}]}}}}
                """, to: "twice.json")
            // Left edge, right edge, upper edge, lower edge and what is there; 16 + 219 and 16 + 219 · 0.2.
            let fields: [(columns: Range<Int>, rows: Range<Int>, luma: Double)] = [
                (0..<64, 0..<36, 16), (0..<32, 36..<72, 235), (32..<64, 36..<72, 59.8),
                (64..<96, 0..<72, 16 + 219.0 / 2), (96..<128, 0..<72, 16 + 43.8 / 2),
            ]
            for (workers, chunks) in [(1, "none"), (2, "0.2")] {
                let film = folder.file("\(workers).mkv")
                try program.render(
                    file, to: film, ["--video-codec", "ffv1", "--workers", "\(workers)", "--chunk-seconds", chunks])
                let frames = try witness.luma(film)
                #expect(frames.count == 4)
                for frame in frames {
                    for field in fields {
                        // Edges between two fields may ring.
                        let columns = (field.columns.lowerBound + 4)..<(field.columns.upperBound - 4)
                        let rows = (field.rows.lowerBound + 4)..<(field.rows.upperBound - 4)
                        let isRight = rows.allSatisfy { row in
                            columns.allSatisfy { abs(Double(frame[row * 128 + $0]) - field.luma) <= 1 }
                        }
                        #expect(isRight, "\(field), \(frame[rows.lowerBound * 128 + columns.lowerBound])")
                    }
                }
            }
        }
    }
}
