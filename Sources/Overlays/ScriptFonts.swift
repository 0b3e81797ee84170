internal import CASS
package import Drawings
package import MediaFacts
import SplitreelProject

/// The fonts that an ASS script is drawn with: files in memory, and no other. A value.
package struct ScriptFonts: Sendable {
    package var files: [ScriptFile.Font]
    /// The family that stands for a name which no file has.
    private var names: [(name: String, family: String)] = []
    /// The families that are searched, in this order, for a character that a font lacks.
    private var families: [String] = []
    /// The family of names that stand for nothing; empty without a plan's fonts.
    let standard: String

    /// - Parameters:
    ///   - own: The fonts that the script or the project brings.
    ///   - plan: The other fonts, whose files `bytes` reads.
    package init(own: [ScriptFile.Font], plan: FontPlan?, bytes: (FontPlan.Face) throws -> [UInt8]) rethrows {
        files = own
        var known: Set<String> = []
        for face in plan?.faces ?? [] {
            if known.insert(face.sum).inserted {
                files.append(ScriptFile.Font(name: "planned \(known.count)", bytes: try bytes(face)))
            }
            // An asset's name is not what its file calls itself.
            if face.asset == nil, !families.contains(face.family) { families.append(face.family) }
        }
        for (key, choice) in (plan?.names ?? [:]).sorted(by: { $0.key < $1.key }) where key.hasPrefix("name ") {
            names.append((String(key.dropFirst(5)), choice.family))
        }
        standard = plan?.names[FontPlan.defaultKey]?.family ?? families.first ?? ""
        if !standard.isEmpty { families = [standard] + families.filter { $0 != standard } }
    }

    /// The rules for Fontconfig, in its XML.
    var rules: String {
        func escaped(_ text: String) -> String {
            String(
                text.unicodeScalars.flatMap { scalar -> [Character] in
                    switch scalar {
                    case "&": Array("&amp;")
                    case "<": Array("&lt;")
                    case ">": Array("&gt;")
                    default: scalar.value < 32 ? [] : [Character(scalar)]
                    }
                })
        }
        /// Puts families behind the first one. libass sees no others: it has a mark behind its own.
        func behind(_ name: String?, _ families: some Sequence<String>) -> String {
            let test = name.map { "><string>\(escaped($0))</string>" } ?? " compare=\"not_eq\"><string></string>"
            let list = families.map { "<string>\(escaped($0))</string>" }.joined()
            return list.isEmpty
                ? ""
                : "<match><test name=\"family\" qual=\"first\"\(test)</test><edit name=\"family\" mode=\"append\" "
                    + "binding=\"same\">\(list)</edit></match>"
        }
        let aliases = names.filter { $0.name.lowercased() != $0.family.lowercased() }
        // Later rules put their families nearer to the front.
        let rules = [behind(nil, families.prefix(48))] + aliases.map { behind($0.name, [$0.family]) }
        return "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\"><fontconfig>"
            + rules.joined() + "</fontconfig>"
    }
}

/// The name and version of libass, such as `libass 0.17.1`.
func scriptVersion() -> String {
    let number = UInt32(ass_library_version())
    return "libass \(String(number >> 28, radix: 16)).\(String(number >> 20 & 0xFF, radix: 16))"
        + ".\(String(number >> 12 & 0xFF, radix: 16))"
}
