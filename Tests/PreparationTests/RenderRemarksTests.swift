import Diagnostics
import Foundation
import JSONText
import Planning
import Preparation
import SplitreelProject
import Testing

/// What a render would say or refuse, found without one: by `validate` and `plan`.
@Suite("What a render would say") struct RenderRemarksTests {
    /// A second of one colour, without a file.
    private static func film(size: String = "[64, 48]", _ video: String = "", _ rest: String = "") throws -> Project {
        try PreparationFixture.project(
            """
            {"format":"splitreel/1","assets":{"c":{"kind":"color","color":"red"}},
            "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
            "video":{"renderSize":\(size),"frameDuration":"1/25"\(video)}\(rest)}
            """)
    }

    private static func problems(_ project: Project) throws -> [Problem] {
        outputProblems(of: project, assets: try probeAllAssets(of: project))
    }

    private static func title(_ font: String) -> String {
        """
        ,"animation":{"videoLayers":["film"],"root":{"sublayers":[{"id":"film","bounds":[0,0,64,48]},
        {"bounds":[0,0,64,48],"contents":{"text":{"string":"Hi","size":20,"font":"\(font)"}}}]}}
        """
    }

    /// The usual film has chroma for two pixels each way: an odd side is none of it.
    @Test(arguments: [("[65, 48]", "66×48"), ("[64, 47]", "64×48"), ("[361, 201]", "362×202")])
    func anOddSizeIsRemarked(size: String, meant: String) throws {
        let found = try Self.problems(Self.film(size: size))
        #expect(found.map(\.severity) == [.warning] && found.map(\.code.number) == [20110], "\(found)")
        #expect(found.first?.path == "video.renderSize" && found.first?.hint.contains(meant) == true, "\(found)")
        let entry = #","outputs":[{"url":"/films/a.mkv","videoSettings":{"codec":"ffv1","pixelFormat":"yuv444p"}}]"#
        #expect(try Self.problems(Self.film(size: size, "", entry)).isEmpty)
    }

    @Test func anEvenSizeIsNot() throws { #expect(try Self.problems(Self.film()).isEmpty) }

    @Test(arguments: ["", #","outputs":[{"url":"/films/a.mp4"},{"url":"/films/b.mkv"}]"#])
    func aMissingFontIsRemarkedOnce(outputs: String) throws {
        let found = try Self.problems(Self.film(size: "[64, 48]", Self.title("No Such Face"), outputs))
        #expect(found.map(\.severity) == [.warning] && found.first?.path == "video.animation", "\(found)")
        #expect(found.first?.message.contains("there is no font `No Such Face`") == true, "\(found)")
        let there = try Self.problems(Self.film(size: "[64, 48]", Self.title("Noto Sans"), outputs))
        #expect(there.isEmpty, "\(there)")
    }

    /// A second has 25 frames; a frame more is rounding, and no more than that.
    @Test(arguments: [
        ("0.5s", "5s", "5.5 s"), ("0s", "2s", "2 s"), ("0s", "1s", nil), ("0.5s", "0.5s", nil), ("0s", "103/100", nil),
        ("0s", "+inf", nil),
    ])
    func aRangeBeyondTheEndIsRemarked(start: String, length: String, end: String?) throws {
        var request = OutputRequest(path: "/films/a.mp4")
        request.timing.rangeStart = start
        request.timing.rangeDuration = length
        let notices = try preparePlan(project: Self.film(), request: request).notices.notices
        #expect(notices.count == (end == nil ? 0 : 1), "\(notices)")
        if let end { #expect(notices.first?.reason.contains("ends at \(end), and the composition at 1 s") == true) }
        let outputs = #","outputs":[{"url":"/films/a.mp4","range":["\#(start)","\#(length)"]}]"#
        let found = try Self.problems(Self.film(size: "[64, 48]", "", outputs))
        #expect(found.count == (end == nil ? 0 : 1), "\(found)")
    }
}
