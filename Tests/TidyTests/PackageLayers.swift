import Foundation

/// The layers of Package.swift: a comment `// L2: …` starts one, `// side` what stands beside them all, `// tests` what
/// tests them.
struct PackageLayers {
    /// The layer of each module; nil for those beside and for those of tests.
    let layers: [String: Int?]

    init(manifest: SourceFile) {
        var layers: [String: Int?] = [:]
        var current: Int?
        var started = false
        for line in manifest.text {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("// L"), let digit = words.dropFirst(4).first?.wholeNumberValue {
                current = digit
                started = true
            } else if words.hasPrefix("// side") || words.hasPrefix("// tests") {
                current = nil
            }
            // A module is declared before it is depended upon.
            if started, let name = Self.declaredName(in: words), layers[name] == nil { layers[name] = .some(current) }
        }
        self.layers = layers
    }

    private static func declaredName(in line: String) -> String? {
        let named = line.prefixMatch(
            of: /(?:module\(|support\(|\.systemLibrary\(name: |\.executableTarget\(name: |\.target\(name: )"(\w+)"/)
        // A long declaration has its name on a line of its own, followed by a list.
        return (named?.1 ?? line.wholeMatch(of: /"(\w+)",(?: \[.*)?/)?.1).map(String.init)
    }
}
