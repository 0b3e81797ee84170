internal import CPango
import Diagnostics
package import Drawings
package import MediaFacts
import SplitreelProject

/// Finds the files of the fonts that texts are set with, by setting them with those of the system.
package final class FontPlanner {
    private let fonts: FontCollection
    private let sum: (String) throws -> String
    private let supplied: (String) throws -> [ScriptFile.Font]
    private var suppliedFonts: [String: [SuppliedFont]] = [:]
    private var plan = FontPlan()
    private var known: Set<FontText> = []
    /// The families that are not there, each with the one that stands in for it; nil for the standard font.
    private var lacking: [(name: String, substitute: String?)] = []
    private var missing: [Unicode.Scalar] = []

    /// - Parameters:
    ///   - assets: The font files by the asset's name, as recipes have it.
    ///   - supplied: The fonts that a file brings, see `FontText.suppliers`.
    ///   - sum: The SHA-256 of a file.
    package init(
        assets: [String: String], supplied: @escaping (String) throws -> [ScriptFile.Font] = { _ in [] },
        sum: @escaping (String) throws -> String
    ) throws {
        self.supplied = supplied
        fonts = try FontCollection(systemWithAssets: assets)
        self.sum = sum
    }

    package func add(_ text: FontText) throws {
        guard known.insert(text).inserted else { return }
        guard let text = try withoutSupplied(text) else { return }
        for list in [text.font.names] + text.spans.compactMap(\.style.names) { choose(list) }
        if plan.names[FontPlan.defaultKey] == nil { plan.names[FontPlan.defaultKey] = fonts.standard }
        let set = try TextLayout(text.drawing, fonts).set()
        for scalar in set.missing where !missing.contains(scalar) && missing.count < 100 { missing.append(scalar) }
        for face in set.faces { try add(face) }
        guard plan.faces.count <= FontPlan.mostFaces, plan.names.count <= FontPlan.mostNames else {
            throw SplitreelError(
                .settingsImpossible, operation: "planning", subject: "the texts",
                reason: "they have more than \(FontPlan.mostFaces) fonts")
        }
    }

    private func choose(_ names: [FontName]) {
        for name in names where plan.names[name.key] == nil {
            if let choice = fonts.choice(name) {
                plan.names[name.key] = choice
            } else if case .named(let name) = name, !lacking.contains(where: { $0.name == name }) {
                lacking.append((name, names.lazy.compactMap(fonts.choice).first?.family))
            }
        }
    }

    /// The text without the characters that its suppliers' fonts have; nil where none are left.
    private func withoutSupplied(_ text: FontText) throws -> FontText? {
        guard let paths = text.suppliers, case .named(let name)? = text.font.names.first else { return text }
        var own: [SuppliedFont] = []
        for path in paths {
            let fonts = try suppliedFonts[path] ?? supplied(path).flatMap { SuppliedFont.all(in: $0.bytes) }
            suppliedFonts[path] = fonts
            own += fonts.filter { $0.names.contains(name.lowercased()) }
        }
        guard !own.isEmpty else { return text }
        var rest = text
        rest.font.names = []
        rest.string = String(
            String.UnicodeScalarView(text.string.unicodeScalars.filter { scalar in !own.contains { $0.has(scalar) } }))
        return rest.string.isEmpty ? nil : rest
    }

    private func add(_ face: FontFace) throws {
        guard !plan.faces.contains(where: { $0.path == face.path && $0.index == face.index }) else { return }
        plan.faces.append(
            FontPlan.Face(
                path: face.path, index: face.index, sum: try sum(face.path), family: face.family, asset: face.asset))
    }

    package func finish() throws -> FoundFonts {
        let standard = plan.names[FontPlan.defaultKey]?.family ?? "another font"
        var remarks = lacking.map { lack in
            "there is no font `\(lack.name.prefix(100))` here: \(lack.substitute ?? standard) stands in for it"
        }
        if !missing.isEmpty {
            let list = missing.prefix(8).map { "U+" + String($0.value, radix: 16, uppercase: true) }
            let more = missing.count > 8 ? " and more" : ""
            remarks.append("no font here has \(list.joined(separator: ", "))\(more): boxes stand in for them")
        }
        return FoundFonts(plan: plan.faces.isEmpty && plan.names.isEmpty ? nil : plan, remarks: remarks)
    }
}
