import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Files as other systems and programs leave them.
    @Suite struct ForeignFileTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness

        init() throws {
            folder = try TestFolder("foreign")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
        }

        /// Names in Latin-1 were other names to us: such a file is not found, or stands under another one.
        @Test func namesThatAreNotUTF8AreRefused() throws {
            let script = """
                n=$(printf 'caf\\351'); : > "$n.mp4"; mkdir "out$n" plain
                PROGRAM new "$n.mp4" -o c.json; echo $?
                PROGRAM frame a.mp4 --at 0s -o "plain/$n.png"; echo $?
                cd "out$n" && PROGRAM probe a.mp4; echo $?; cd ..; ls plain
                """
            let result = try Tool(
                "/bin/sh", ["-c", script.replacingOccurrences(of: "PROGRAM", with: program.path)], in: folder,
                directory: folder.path
            ).finish(seconds: 60)
            #expect(result.text == "2\n2\n2\n", "\(result)")
            #expect(result.standardError.contains("caf\\xE9.mp4"), "\(result)")
            #expect(result.standardError.components(separatedBy: "not UTF-8").count == 4, "\(result)")
        }

        /// `new` says which of several sound tracks it took: the one that players play.
        @Test func theChoiceOfSoundIsTold() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-f", "lavfi", "-i", "sine=300:d=0.2", "-f",
                "lavfi", "-i", "sine=900:d=0.2", "-map", "0", "-map", "1", "-map", "2", "-disposition:a:0", "0",
                "-disposition:a:1", "default", "-metadata:s:a:1", "language=eng", "-c:v", "libx264", "-preset",
                "ultrafast", "-c:a", "aac", folder.file("a.mp4"),
            ])
            let result = try program.run(["new", "a.mp4", "-o", "c.json"], seconds: 60)
            #expect(result.status == 0, "\(result)")
            #expect(
                result.standardError.contains(
                    "a.mp4 has 2 sound tracks: track 3, eng is taken, which the file marks as the one to play"),
                "\(result)")
        }

        /// A recording whose pixel aspect goes from 4:3 to 16:9: a square of 64 lines stays one, at three quarters of
        /// its size where the wider picture is fitted into the first one's 192×144.
        @Test func anAspectThatChangesMidwayKeepsItsShape() throws {
            // The square's columns are 64 by the pixel's aspect.
            for (name, aspect, columns) in [("a", "16/15", 60), ("b", "64/45", 45)] {
                let square = "drawbox=x=\((180 - columns) / 2):y=40:w=\(columns):h=64:c=white:t=fill"
                try witness.ffmpeg([
                    "-f", "lavfi", "-i", "color=0x282828:s=180x144:r=25:d=0.4,\(square),setsar=\(aspect)", "-c:v",
                    "mpeg2video", "-q:v", "2", "-bf", "0", "-g", "5", folder.file("\(name).ts"),
                ])
            }
            let list = try folder.write("file a.ts\nfile b.ts\n", to: "list.txt")
            try witness.ffmpeg(["-f", "concat", "-i", list, "-c", "copy", folder.file("mix.ts")])
            let aspects = try witness.frames(folder.file("mix.ts"), stream: "v:0").compactMap {
                $0["sample_aspect_ratio"] as? String
            }
            #expect(Set(aspects) == ["16:15", "64:45"])
            #expect(try program.run(["new", "mix.ts", "-o", "cut.json"], seconds: 60).status == 0)
            let told = try program.render(
                folder.file("cut.json"), to: folder.file("o.mkv"), ["--video-codec", "ffv1", "--chunk-seconds", "0.6"])
            #expect(told.text.contains("shape changes to 180×144, 1.78:1"), "\(told)")
            let luma = try witness.luma(folder.file("o.mkv"))
            for (index, side) in [(2, 64), (luma.count - 3, 48)] {
                let bright = luma[index].indices.filter { luma[index][$0] > 130 }
                let (columns, rows) = (bright.map { $0 % 192 }, bright.map { $0 / 192 })
                for places in [columns, rows] {
                    let extent = (places.max() ?? 0) - (places.min() ?? 0) + 1
                    #expect(abs(extent - side) <= 1, "frame \(index): \(extent)")
                }
            }
        }
    }
}
