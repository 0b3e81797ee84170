import Foundation
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// What a file draws in a film of HDR means SDR, whose white is 203 cd/m²: greys by BT.1886, BT.2100 and BT.2408,
/// within a code or two of ten bits.
@Suite("Rendered colours of a file in HDR") struct WrittenColourRenderingTests {
    enum Film: String, CaseIterable, Sendable {
        case pq = "SMPTE_ST_2084_PQ"
        case hlg = "ITU_R_2100_HLG"

        /// The code of luma in ten bits of a grey of the file.
        func code(_ grey: Double) -> Double {
            let light = 203 * pow(grey, 2.4)
            switch self {
            case .pq:
                let p = pow(light / 10_000, 0.1593017578125)
                return 64 + 876 * pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
            case .hlg:
                let scene = pow(light / 1000, 1 / 1.2)
                let signal =
                    scene <= 1.0 / 12
                    ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
                return 64 + 876 * signal
            }
        }
    }

    /// A background of white; on it, each 16 pixels wide, a border of a half grey about black, a checker of one grey
    /// and a shape of another; on the left a matte of a fourth beside a source that is 8 wide.
    private func text(_ film: Film) -> String {
        """
        {"format":"splitreel/1","assets":{
        "black":{"kind":"color","color":[0,0,0,1],"size":[16,16]},
        "half":{"kind":"color","color":[0.4,0.4,0.4,1],"size":[8,16]},
        "board":{"kind":"checker","size":[16,16],"colors":[[0.7,0.7,0.7,1],[0.7,0.7,0.7,1]]}},
        "composition":{"tracks":[
        \(Text.track(1, "video", Text.still("black", at: "0s", for: "2/25"))),
        \(Text.track(2, "video", Text.still("board", at: "0s", for: "2/25"))),
        \(Text.track(3, "video", Text.still("half", at: "0s", for: "2/25")))]},
        "video":{"renderSize":[80,16],"frameDuration":"1/25",
        "color":{"primaries":"ITU_R_2020","transfer":"\(film.rawValue)","matrix":"ITU_R_2020"},
        "instructions":[{"range":["0s","2/25"],"background":[1,1,1,1],"layers":[
        \(Text.layer(1, [1, 0, 0, 1, 16, 0], more: ",\"borderWidth\":4,\"borderColor\":[0.5,0.5,0.5,1]")),
        \(Text.layer(2, [1, 0, 0, 1, 32, 0])),
        {"track":3,"fit":"contain","matte":[0.6,0.6,0.6,1],"crop":[32,0,16,16],
        "transform":[1,0,0,1,-32,0]}]}],
        "animation":{"videoLayers":["film"],"root":{"bounds":[0,0,80,16],"sublayers":[
        {"id":"film","bounds":[0,0,80,16],"position":[40,8]},
        {"bounds":[0,0,16,16],"position":[56,8],"backgroundColor":[0.9,0.9,0.9,1]}]}}}}
        """
    }

    @Test(arguments: Film.allCases) func everythingIsBroughtIntoTheFilm(film: Film) throws {
        let fixture = try RenderFixture("written")
        let plan = try fixture.plan(text(film)) { request in
            request.rendering.chunkSeconds = "none"
            request.picture.pixelFormat = "yuv444p10le"
        }
        let made = try fixture.render(plan, .chunk(0))
        let raw = try fixture.witness.ffmpeg([
            "-i", made.path, "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", "-pix_fmt", "gray16le", "-",
        ]).standardOutput
        let bytes = [UInt8](raw)
        try #require(bytes.count == 2 * 80 * 16)
        // To 16 bits by repetition: the upper bits are the sample.
        let row = (0..<80).map { (x: Int) -> Int in
            let place = 2 * (8 * 80 + x)
            let word = Int(bytes[place]) | Int(bytes[place + 1]) << 8
            return word >> 6
        }
        let expected: [(place: Int, grey: Double, what: String)] = [
            (2, 0.6, "the matte"), (8, 0.4, "a generator of one colour"), (17, 0.5, "a border"), (24, 0, "black"),
            (40, 0.7, "a checker"), (56, 0.9, "a shape"), (72, 1, "the background"),
        ]
        for (place, grey, what) in expected {
            #expect(abs(Double(row[place]) - film.code(grey)) <= 2.5, "\(what): \(row[place]), \(film.code(grey))")
        }
    }
}
