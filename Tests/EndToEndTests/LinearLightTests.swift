import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Dissolves, edges and scales in linear light, in films.
    @Suite struct LinearLightTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("linear")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// A checker of single pixels beneath, reduced; a moving picture over it that fades.
        private func composition(_ colour: String) throws -> String {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=0.8", "-c:v", "ffv1", folder.file("clip.mkv"),
            ])
            return try folder.write(
                """
                {"format": "splitreel/1", "assets": {
                  "fine": {"kind": "checker", "size": [128, 96], "cell": [1, 1],
                    "colors": [[0, 0, 0, 1], [1, 1, 1, 1]]},
                  "clip": {"url": "clip.mkv"}},
                 "composition": {"tracks": [
                   {"id": 1, "type": "video", "segments": [{"asset": "fine", "target": ["0s", "0.8s"]}]},
                   {"id": 2, "type": "video", "segments": [
                     {"asset": "clip", "source": ["0s", "0.8s"], "target": ["0s", "0.8s"]}]}]},
                 "video": {"renderSize": [64, 48], "frameDuration": "1/10", "color": {\(colour)}, "instructions": [
                   {"range": ["0s", "0.8s"], "layers": [
                     {"track": 2, "transform": [{"range": ["0s", "0.8s"],
                       "from": {"scale": 0.2, "translate": [30, 20]}, "to": {"scale": 0.15, "rotate": 20,
                       "translate": [33, 22]}}],
                      "opacity": [{"range": ["0s", "0.8s"], "from": 1, "to": 0.3}]},
                     {"track": 1, "transform": [{"at": "0s", "value": {"scale": 0.5}}]}]}]}}
                """, to: "film.json")
        }

        private func film(_ file: String, _ name: String, _ more: [String] = []) throws -> String {
            let path = folder.file(name + ".mkv")
            try program.render(file, to: path, ["--video-codec", "ffv1"] + more)
            return path
        }

        @Test func aReducedCheckerIsHalfTheLight() throws {
            let linear = try film(composition(#""blendSpace": "linear", "scaleSpace": "linear""#), "linear")
            let half = 16 + 219 * pow(0.5, 1 / 2.4)
            let luma = try witness.luma(linear)
            #expect(luma.count == 8 && luma.allSatisfy { abs(Double($0[64 * 4 + 8]) - half) <= 1 })
            let encoded = try witness.luma(film(composition(#""blendSpace": "encoded""#), "encoded"))
            #expect(encoded.allSatisfy { abs(Double($0[64 * 4 + 8]) - 125.5) <= 1 })
        }

        @Test func allSplitsAreTheSame() throws {
            let file = try composition(#""blendSpace": "linear", "scaleSpace": "linear""#)
            var films: [[String]] = []
            for (workers, chunks) in [(1, "none"), (1, "0.3"), (2, "0.1")] {
                films.append(
                    try witness.frameHashes(
                        film(file, "\(workers)-\(chunks)", ["--workers", "\(workers)", "--chunk-seconds", chunks])))
            }
            #expect(Set(films).count == 1 && Set(films[0]).count == 8)
        }

        /// Two greys, halfway.
        @Test func aDissolveMixesLight() throws {
            func dissolve(_ colour: String) throws -> String {
                try folder.write(
                    """
                    {"format": "splitreel/1", "assets": {"dark": {"kind": "color", "color": [0.2, 0.2, 0.2, 1]},
                      "light": {"kind": "color", "color": [0.8, 0.8, 0.8, 1]}},
                     "composition": {"tracks": [
                       {"id": 1, "type": "video", "segments": [{"asset": "dark", "target": ["0s", "0.4s"]}]},
                       {"id": 2, "type": "video", "segments": [{"asset": "light", "target": ["0s", "0.4s"]}]}]},
                     "video": {"renderSize": [64, 48], "frameDuration": "1/10", "color": {\(colour)}, "instructions": [
                       {"range": ["0s", "0.4s"], "layers": [
                         {"track": 2, "opacity": [{"range": ["0s", "0.4s"], "from": 0, "to": 1}]}, {"track": 1}]}]}}
                    """, to: "dissolve.json")
            }
            let linear = try witness.luma(film(dissolve(#""blendSpace": "linear""#), "light"))
            for (frame, luma) in linear.enumerated() {
                let share = Double(frame) / 4
                let light = pow(0.2, 2.4) * (1 - share) + pow(0.8, 2.4) * share
                #expect(luma.allSatisfy { abs(Double($0) - 16 - 219 * pow(light, 1 / 2.4)) <= 1 }, "\(frame)")
            }
            #expect(linear.count == 4)
            let encoded = try witness.luma(film(dissolve(""), "codes"))
            #expect(Set(encoded[2]) == [126])
        }
    }
}
