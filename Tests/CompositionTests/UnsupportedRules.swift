import Composition
import Diagnostics
import MediaTime
import Pictures

extension ValidationTests {
    private static func unsupported(_ path: String, _ change: @escaping @Sendable (inout Project) -> Void) -> Rule {
        Rule(name: "not yet: \(path)", code: .notSupportedYet, path: path, change: change)
    }

    private static func output(_ change: (inout OutputEntry) -> Void) -> [OutputEntry] {
        var output = OutputEntry()
        output.url = "x.mp4"
        change(&output)
        return [output]
    }

    private static var blur: RegisteredChoice {
        var choice = RegisteredChoice()
        choice.id = "blur"
        return choice
    }

    static let unsupportedRules: [Rule] = [
        unsupported("assets.a.url") { $0.assets["a"]?.url = "https://example.org/a.mp4" },
        unsupported("outputs[0].type") { $0.outputs = output { $0.type = .images } },
        unsupported("outputs[0].type") { $0.outputs = output { $0.type = .waveform } },
    ]
}
