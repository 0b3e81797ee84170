import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films whose clocks have little in common: sound that ends within a frame, chapters and texts far apart.
    @Suite struct OddLengthFilmTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("odd-length")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private func composition(frame: String, seconds: String, size: String = "[256,144]", _ more: String = "") throws
            -> String
        {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.5,0.3,0.2,1]},
                "t":{"kind":"tone","frequency":440}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","\(seconds)"]}]},
                {"id":2,"type":"audio","segments":[{"asset":"t","target":["0s","\(seconds)"]}]}]},
                "video":{"renderSize":\(size),"frameDuration":"\(frame)"}\(more)}
                """, to: "cut.json")
        }

        /// MXF counts sound in frames of the picture; what is heard has its own length, or is filled up with silence.
        @Test(arguments: [("1001/30000", "2s", "dnxhr"), ("1001/24000", "1.3s", "mpeg2"), ("1/25", "2.02s", "dnxhr")])
        func mxfHoldsSoundOfAnyLength(frame: String, seconds: String, codec: String) throws {
            let file = try composition(frame: frame, seconds: seconds)
            try program.render(file, to: "film.mxf", ["--video-codec", codec])
            let sound = try witness.samples(folder.file("film.mxf"))[0]
            let wanted = Int((try #require(Double(seconds.dropLast())) * 48_000).rounded())
            #expect(sound.count >= wanted && sound.count < wanted + 2002, "\(sound.count) of \(wanted)")
            let tone = (0..<wanted).map { (place: Int) -> Double in sin(Double(place) * 2 * .pi * 440 / 48_000) }
            let scale = sound[100..<2000].map { abs(Double($0)) }.max() ?? 0
            let worst = tone.indices.map { abs(Double(sound[$0]) - scale * tone[$0]) }.max() ?? 1
            #expect(worst < 0.01 && sound[wanted...].allSatisfy { abs($0) <= Float(scale) }, "\(worst)")
        }

        @Test func chaptersFarApartStandInTheirPlaces() throws {
            let fast = #""videoSettings":{"encoderPreset":"ultrafast"}"#
            let file = try composition(
                frame: "125/2997", seconds: "60s", size: "[64,64]",
                #","chapters":[{"time":"0s","title":"a"},{"time":"55s","title":"b"}],"#
                    + #""outputs":[{"url":"film.mp4",\#(fast)},{"url":"film.mov",\#(fast)}]"#)
            let run = try program.run(["render", file])
            try #require(run.status == 0, "\(run)")
            for name in ["film.mp4", "film.mov"] {
                let told = try witness.chapters(folder.file(name)).compactMap { $0["start_time"] as? String }
                #expect(told == ["0.000000", "55.000000"], "\(told)")
            }
        }

        /// At 29.97 frames and 1001/960 of the speed no clock of 31 bits has all the times of a text as whole numbers
        /// and a pause of 89 s.
        @Test func textsFarApartStandInTheirPlaces() throws {
            _ = try folder.write(
                "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:01:40,000 --> 00:01:41,000\nTwo\n", to: "s.srt")
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0,0,0,1]},
                "s":{"kind":"timedMetadata","url":"s.srt"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","98s"]}]},
                {"id":2,"type":"subtitle","language":"en","segments":[
                {"asset":"s","source":["0s","102102/1000"],"target":["0s","97920/1000"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1001/30000"}}
                """, to: "texts.json")
            try program.render(file, to: "film.mp4", ["--encoder-preset", "ultrafast"])
            let film = folder.file("film.mp4")
            // Empty samples have two bytes.
            let starts = try witness.packets(film, stream: "s:0").filter { $0["size"] as? String != "2" }.compactMap {
                ($0["pts_time"] as? String).flatMap(Double.init)
            }
            let wanted = [1.0, 100].map { $0 * 97.92 / 102.102 }
            #expect(starts.count == 2 && zip(starts, wanted).allSatisfy { abs($0 - $1) < 2e-4 }, "\(starts)")
            // Nobody called it the default one.
            let text = try #require(try witness.streams(film).first { $0["codec_type"] as? String == "subtitle" })
            #expect((text["disposition"] as? [String: Any])?["default"] as? Int == 0, "\(text)")
        }

        /// Light that is measured is told in fragments, whose index is written first.
        @Test(arguments: ["film.mp4", "film.m3u8"]) func fragmentsTellTheirLight(name: String) throws {
            let file = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,1,1,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","3s"]}]}]},
                "video":{"renderSize":[128,72],"frameDuration":"1/25","color":{"primaries":"ITU_R_2020",
                "transfer":"SMPTE_ST_2084_PQ","matrix":"ITU_R_2020","hdrMetadata":"generate"}}}
                """, to: "light.json")
            try program.render(
                file, to: name,
                ["--key-frame-interval", "20"]
                    + (name.hasSuffix("4") ? ["--fragmented"] : ["--segment-interval", "1s"]))
            let film = folder.file(name.hasSuffix("4") ? name : "film-1.mp4")
            let streams = try witness.streams(film)
            let data = streams.flatMap { $0["side_data_list"] as? [[String: Any]] ?? [] }
            // White is 203 cd/m².
            let most = data.compactMap { $0["max_content"] as? Int }.first
            #expect(most.map { (195...212).contains($0) } == true, "\(data)")
        }
    }
}
