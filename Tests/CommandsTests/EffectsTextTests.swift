import Foundation
import TestTools
import Testing

/// The text and the JSON of `effects`. A composition that takes them at their word is valid.
@Suite("What effects there are", .serialized) struct EffectsTextTests {
    private let folder: TestFolder
    private let program: Splitreel

    init() throws {
        folder = try TestFolder("effects")
        program = try Splitreel(in: folder)
    }

    private func listed(_ id: String...) throws -> [[String: Any]] {
        let report = try #require(try program.run(["effects"] + id + ["--json"]).json)
        return try #require(report["effects"] as? [[String: Any]])
    }

    @Test func allHaveALine() throws {
        let all = try listed()
        let lines = try program.run(["effects"]).text.split(separator: "\n").dropFirst()
        #expect(all.count == lines.count && all.count >= 9)
        for (effect, line) in zip(all, lines) {
            let words = line.split(separator: " ").map(String.init)
            #expect(words[0] == effect["kind"] as? String)
            #expect(words[1] == effect["id"] as? String)
            #expect(Int(words[2]) == effect["version"] as? Int)
        }
    }

    @Test func oneHasItsParameters() throws {
        let wipe = try #require(try listed("wipe.left").first)
        #expect(wipe["kind"] as? String == "transition")
        let parameters = try #require(wipe["parameters"] as? [[String: Any]])
        let softness = try #require(parameters.first { $0["name"] as? String == "softness" })
        #expect(softness["type"] as? String == "number")
        #expect(softness["range"] as? [Double] == [0, 1])
        #expect(softness["default"] as? Double == 0)
        #expect(softness["keys"] as? Bool == true)
        let text = try program.run(["effects", "wipe.left"]).text
        #expect(text.hasPrefix("wipe.left, version 1: transition\n"))
        #expect(text.contains("softness   0…1"))
    }

    @Test func anUnknownIdIsAnsweredByItsNearest() throws {
        let result = try program.run(["effects", "wipe.lefd"])
        #expect(result.status == 2 && result.standardError.contains("did you mean `wipe.left`?"), "\(result)")
        #expect(result.text.isEmpty)
    }

    /// Half of a wipe to the left is the second picture right of the middle; a picture of SMPTE's bars and a checker of
    /// 32×32, whose greys are 3/4 and 1/2.
    @Test func aPictureShowsIt() throws {
        let witness = Witness(in: folder)
        let result = try program.run(["effects", "wipe.left", "--picture", "wipe.png"])
        #expect(result.status == 0 && result.text.hasPrefix("wipe.left, version 1"), "\(result)")
        let bytes = [UInt8](
            try witness.ffmpeg(["-i", folder.file("wipe.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
                .standardOutput)
        try #require(bytes.count == 640 * 360 * 3)
        func pixel(_ x: Int, _ y: Int) -> [Int] { bytes[3 * (y * 640 + x)..<3 * (y * 640 + x) + 3].map(Int.init) }
        for (x, grey) in [(16, 191), (48, 128), (300, 128)] {
            #expect(pixel(x, 16).allSatisfy { abs($0 - grey) <= 2 }, "\(pixel(x, 16))")
        }
        // The last bar is blue of 75 %.
        #expect(zip(pixel(630, 16), [0, 0, 191]).allSatisfy { abs($0 - $1) <= 2 }, "\(pixel(630, 16))")
        #expect(try program.run(["effects", "wipe.left", "--picture", "wipe.png"]).status == 5)
        #expect(try program.run(["effects", "--picture", "all.png"]).status == 2)
    }

    /// Each effect and transition with every default written out; then with a number that is out of its range.
    @Test func compositionsMayTakeItAtItsWord() throws {
        var refused = 0
        for beyond in [false, true] {
            var instructions: [[String: Any]] = []
            for effect in try listed() {
                guard let kind = effect["kind"] as? String, ["effect", "transition"].contains(kind),
                    let parameters = effect["parameters"] as? [[String: Any]],
                    !parameters.contains(where: { $0["required"] as? Bool == true })
                else { continue }
                var params: [String: Any] = [:]
                for parameter in parameters {
                    guard let name = parameter["name"] as? String else { continue }
                    params[name] = parameter["default"]
                    if beyond, parameter["type"] as? String == "number", let range = parameter["range"] as? [Double] {
                        params[name] = range[1] + 1
                        refused += 1
                    }
                }
                instructions.append([
                    "range": ["\(instructions.count)s", "1s"], "layers": [["track": 1], ["track": 2]],
                    "effect": ["id": effect["id"], "version": effect["version"], "params": params],
                ])
            }
            let target = ["0s", "\(instructions.count)s"]
            let project: [String: Any] = [
                "format": "splitreel/1", "assets": ["c": ["kind": "color", "color": [1, 1, 1, 1], "size": [96, 64]]],
                "composition": [
                    "tracks": [1, 2].map { id in
                        ["id": id, "type": "video", "segments": [["asset": "c", "target": target]]] as [String: Any]
                    }
                ],
                "video": ["renderSize": [96, 64], "frameDuration": "1/25", "instructions": instructions],
            ]
            let data = try JSONSerialization.data(withJSONObject: project)
            let file = try folder.write(String(decoding: data, as: UTF8.self), to: "all.json")
            let result = try program.run(["validate", file, "--json"])
            let problems = try #require(result.json?["problems"] as? [[String: Any]])
            let ofParameters = problems.filter { ($0["path"] as? String ?? "").contains(".params.") }
            #expect(ofParameters.count == (beyond ? refused : 0), "\(problems)")
        }
        #expect(refused > 0)
    }
}
