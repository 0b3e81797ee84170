import Diagnostics
import MediaTime
import Pictures
import SplitreelProject

extension ValidationTests {
    private static func unsupported(_ path: String, _ change: @escaping @Sendable (inout Project) -> Void) -> Rule {
        Rule(name: "not yet: \(path)", code: .notSupportedYet, path: path, change: change)
    }

    private static func still(
        _ path: String, _ code: ErrorCode = .valueNotAllowed, _ change: @escaping @Sendable (inout OutputEntry) -> Void
    )
        -> Rule
    {
        Rule(name: "stills: \(path)", code: code, path: "outputs[0]." + path) {
            var output = OutputEntry()
            (output.url, output.type, output.stills.times) = ("x-%d.png", .images, [.zero])
            change(&output)
            $0.outputs = [output]
        }
    }

    static let stillRules: [Rule] = [
        still("times[1]", .outputInvalid) { $0.stills.times?.append(.indefinite) },
        still("times[1]", .outputInvalid) { $0.stills.times?.append(MediaTime(value: -1, timescale: 600)) },
        still("times[1]", .outputInvalid) { $0.stills.times?.append(MediaTime(value: 9, timescale: 1)) },
        still("toleranceBefore") { $0.toleranceBefore = MediaTime(value: -1, timescale: 600) },
        still("toleranceAfter") { $0.toleranceAfter = .indefinite },
        still("maximumSize") { $0.canvas.maximumSize = PixelSize(width: 0, height: 5) },
    ]

    static let unsupportedRules: [Rule] = [
        unsupported("assets.a.url") { $0.assets["a"]?.keys.url = "http://example.org/a.mp4" },
        Rule(name: "an address with a password", code: .valueNotAllowed, path: "assets.a.url") {
            $0.assets["a"]?.keys.url = "https://me:word@example.org/a.mp4"
        },
        Rule(name: "an address with a signature", code: .valueNotAllowed, path: "assets.a.url") {
            $0.assets["a"]?.keys.url = "https://example.org/a.mp4?X-Amz-Signature=00"
        },
        Rule(name: "an address with a token", code: .valueNotAllowed, path: "assets.a.url") {
            $0.assets["a"]?.keys.url = "https://example.org/a.mp4?v=2&SIG=00"
        },
        Rule(name: "a proxy with a password", code: .valueNotAllowed, path: "assets.a.proxy") {
            $0.assets["a"]?.keys.proxy = "https://me:word@example.org/a.mp4"
        },
    ]
}
