internal import CPango
import Diagnostics
package import Drawings
import Foundation
import SplitreelProject

/// The fonts that texts are set with: those of the system and of the project, or only those of a plan. Confined to one
/// thread.
@safe
package final class FontCollection {
    let map: UnsafeMutablePointer<PangoFontMap>
    private let config: OpaquePointer
    /// The plan's choices by the names' keys; nil where the system's fonts count.
    private let names: [String: FontPlan.Choice]?
    /// The families of a plan, in its order; empty for the system's fonts.
    let families: [String]

    /// A collection of the system's fonts as Fontconfig finds them, and of files by the asset's name as recipes have
    /// it.
    package init(systemWithAssets assets: [String: String]) throws {
        Self.settle()
        let config = try unsafe Self.checked(FcInitLoadConfigAndFonts(), "the system's fonts")
        guard unsafe FcConfigParseAndLoadFromMemory(config, Self.nothingMadeUp, 1) != 0 else {
            throw SplitreelError(
                .internalFault, operation: "setting text", subject: "the system's fonts",
                reason: "Fontconfig takes no rules")
        }
        for (name, path) in assets.sorted(by: { $0.key < $1.key }) {
            try unsafe Self.add(path, index: nil, as: Self.family(ofAsset: name), to: config)
        }
        unsafe self.config = config
        (names, families) = (nil, [])
        unsafe map = try Self.checked(splitreel_font_map(config), "a font map")
    }

    /// A collection of only a plan's faces; `paths` are this machine's files of them, in the plan's order.
    package init(_ plan: FontPlan, paths: [String]) throws {
        Self.settle()
        let config = try unsafe Self.checked(FcConfigCreate(), "a set of fonts")
        guard unsafe FcConfigParseAndLoadFromMemory(config, Self.bitmapScaling, 1) != 0 else {
            throw SplitreelError(
                .internalFault, operation: "setting text", subject: "a set of fonts",
                reason: "Fontconfig takes no rules")
        }
        var families: [String] = []
        for (face, path) in zip(plan.faces, paths) {
            let family = face.asset.map(Self.family(ofAsset:)) ?? face.family
            if !families.contains(family) { families.append(family) }
            try unsafe Self.add(path, index: face.index, as: face.asset == nil ? nil : family, to: config)
        }
        unsafe self.config = config
        (names, self.families) = (plan.names, families)
        unsafe map = try Self.checked(splitreel_font_map(config), "a font map")
    }

    deinit {
        unsafe g_object_unref(map)
        unsafe FcConfigDestroy(config)
    }

    /// Rules by which fonts of bitmaps, such as most emoji, are scaled to the wanted size, as Fontconfig's own rules
    /// say.
    private static let bitmapScaling = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
        <match target="font"><test name="outline" compare="eq"><bool>false</bool></test>
        <edit name="pixelsizefixupfactor" mode="assign"><divide><name target="pattern">pixelsize</name>
        <name target="font">pixelsize</name></divide></edit></match>
        <match target="font"><test name="outline" compare="eq"><bool>false</bool></test>
        <test name="pixelsizefixupfactor" compare="not_eq"><double>1.0</double></test>
        <edit name="matrix" mode="assign"><times><name>matrix</name><matrix>
        <name>pixelsizefixupfactor</name><double>0</double><double>0</double><name>pixelsizefixupfactor</name>
        </matrix></times></edit>
        <edit name="size" mode="assign"><divide><name>size</name><name>pixelsizefixupfactor</name></divide></edit>
        </match>
        </fontconfig>
        """

    /// Rules that follow the machine's own, which embolden and slant faces that are neither. A plan's collection has no
    /// such rules, and both must show the same. Bitmaps are scaled by the matrix.
    private static let nothingMadeUp = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
        <match target="font"><test name="outline" compare="eq"><bool>true</bool></test>
        <edit name="embolden" mode="assign"><bool>false</bool></edit>
        <edit name="matrix" mode="delete_all"/></match>
        </fontconfig>
        """

    /// Sets the language in the environment, where Pango looks for it: fonts differ by it.
    private static func settle() { _ = languageIsSet }
    private static let languageIsSet = unsafe setenv("PANGO_LANGUAGE", "en", 1) == 0

    /// The family of an asset's fonts, with its name in hexadecimal digits: Pango parts families at commas and trims
    /// them, and Fontconfig sees neither case nor spaces.
    static func family(ofAsset name: String) -> String {
        assetPrefix + name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    static let assetPrefix = "splitreel asset "

    private static func checked<Pointer>(_ pointer: Pointer?, _ what: String) throws -> Pointer {
        guard let pointer else {
            throw SplitreelError(
                .internalFault, operation: "setting text", subject: what, reason: "Fontconfig or Pango has none")
        }
        return pointer
    }

    /// Adds faces of a file, with its own families or another one. Faces with colours are there for emoji too. Throws
    /// `.mediaUnsupported` where the file is no font.
    private static func add(_ path: String, index: Int?, as family: String?, to config: OpaquePointer) throws {
        let known = unsafe FcConfigGetFonts(config, FcSetApplication)?.pointee.nfont ?? 0
        guard unsafe FcConfigAppFontAddFile(config, path) != 0,
            let set = unsafe FcConfigGetFonts(config, FcSetApplication), unsafe set.pointee.nfont > known
        else {
            throw SplitreelError(
                .mediaUnsupported, operation: "reading a font", subject: path,
                reason: "it is no font that FreeType reads",
                hint: "use a TrueType or OpenType font: .ttf, .otf, .ttc, .woff2")
        }
        for place in known..<(unsafe set.pointee.nfont) {
            guard let pattern = unsafe set.pointee.fonts[Int(place)] else { continue }
            let face = unsafe FontFace(pattern)
            let isWanted = index.map { $0 == face.index } ?? true
            if let name = isWanted ? family : "splitreel unused" {
                unsafe FcPatternDel(pattern, FC_FAMILY)
                unsafe FcPatternDel(pattern, FC_FAMILYLANG)
                unsafe FcPatternAddString(pattern, FC_FAMILY, name)
            }
            if isWanted, face.hasColours { unsafe FcPatternAddString(pattern, FC_FAMILY, "emoji") }
        }
    }
}

// MARK: - Names

extension FontCollection {
    /// The choice that a name stands for; nil where there is no such font.
    func choice(_ name: FontName) -> FontPlan.Choice? {
        if let names { return names[name.key] }
        switch name {
        case .asset(let asset): return FontPlan.Choice(family: Self.family(ofAsset: asset))
        case .named(let name):
            // Pango takes a comma for the end of a family.
            guard !name.contains(",") else { return nil }
            let member = first(FC_FAMILY, name)
            if let member, member.family.lowercased() == name.lowercased() {
                return FontPlan.Choice(family: member.family)
            }
            // A family within another one, such as a light one's own name, is chosen by the face's weight and slant.
            guard let face = member ?? first(FC_FULLNAME, name) ?? first(FC_POSTSCRIPT_NAME, name),
                !face.family.contains(",")
            else { return nil }
            return FontPlan.Choice(family: face.family, weight: face.weight, isItalic: face.isItalic)
        }
    }

    /// The choice for texts whose fonts are not there; nil where there is no font at all.
    var standard: FontPlan.Choice? {
        if let names { return names[FontPlan.defaultKey] }
        let pattern = unsafe FcPatternCreate()
        defer { unsafe FcPatternDestroy(pattern) }
        unsafe FcPatternAddString(pattern, FC_FAMILY, "sans-serif")
        unsafe FcConfigSubstitute(config, pattern, FcMatchPattern)
        unsafe FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        guard let match = unsafe FcFontMatch(config, pattern, &result) else { return nil }
        defer { unsafe FcPatternDestroy(match) }
        return FontPlan.Choice(family: unsafe FontFace(match).family)
    }

    /// The face whose property is that text: of several, the one nearest to a regular one; nil without any.
    private func first(_ property: String, _ text: String) -> FontFace? {
        return faces(property, text).min { ($0.strangeness, $0.path, $0.index) < ($1.strangeness, $1.path, $1.index) }
    }

    /// The highest weight that a family has, as CSS counts it, where one of its fonts is variable: Fontconfig sets
    /// weights beyond an axis's end in the regular outline. nil where none is variable.
    func highestWeight(ofFamily family: String) -> Int? {
        let faces = faces(FC_FAMILY, family)
        let variable = Set(faces.filter { $0.highestWeight != nil }.map(\.path))
        guard !variable.isEmpty else { return nil }
        // The faces of a variable font that its designer named are in its range, whatever they say.
        return faces.compactMap { $0.highestWeight ?? (variable.contains($0.path) ? nil : $0.weight) }.max()
    }

    /// The paths of all files of fonts that have a family, for finding a plan's files elsewhere than where it was made.
    package func paths(family: String) -> [String] {
        Set(faces(FC_FAMILY, family).map(\.path)).sorted()
    }

    private func faces(_ property: String, _ text: String) -> [FontFace] {
        let pattern = unsafe FcPatternCreate()
        defer { unsafe FcPatternDestroy(pattern) }
        unsafe FcPatternAddString(pattern, property, text)
        guard let list = unsafe FcFontList(config, pattern, nil) else { return [] }
        defer { unsafe FcFontSetDestroy(list) }
        return (0..<Int(unsafe list.pointee.nfont)).compactMap { place in
            unsafe list.pointee.fonts[place].map { unsafe FontFace($0) }
        }
    }
}

/// The facts of a face that Fontconfig knows.
struct FontFace {
    var path: String
    /// The face's number in a collection, without that of a variable font's instance.
    var index: Int
    var family: String
    /// The weight as CSS counts it; nil where it is a range, or not known.
    var weight: Int?
    /// The end of the axis of weights; nil where the face has no such axis.
    var highestWeight: Int?
    var isItalic: Bool
    var hasColours: Bool

    init(_ pattern: OpaquePointer) {
        path = unsafe Self.text(pattern, FC_FILE)
        family = unsafe Self.text(pattern, FC_FAMILY)
        index = unsafe Self.number(pattern, FC_INDEX).map { $0 & 0xFFFF } ?? 0
        let weight = unsafe Self.number(pattern, FC_WEIGHT)
        self.weight = weight.map { Int(FcWeightToOpenTypeDouble(Double($0)).rounded()) }
        highestWeight = unsafe Self.end(pattern, FC_WEIGHT).map { Int(FcWeightToOpenTypeDouble($0).rounded(.down)) }
        isItalic = unsafe Self.number(pattern, FC_SLANT) ?? 0 != 0
        var colours: FcBool = 0
        hasColours = unsafe FcPatternGetBool(pattern, FC_COLOR, 0, &colours) == FcResultMatch && colours != 0
    }

    /// The name of the asset whose own family it has; nil for other fonts.
    var asset: String? {
        guard family.hasPrefix(FontCollection.assetPrefix) else { return nil }
        let digits = Array(family.utf8.dropFirst(FontCollection.assetPrefix.utf8.count))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
        guard 2 * bytes.count == digits.count else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate var strangeness: Int { abs((weight ?? 400) - 400) + (isItalic ? 1000 : 0) }

    private static func text(_ pattern: OpaquePointer, _ key: String) -> String {
        var text: UnsafeMutablePointer<FcChar8>?
        guard unsafe FcPatternGetString(pattern, key, 0, &text) == FcResultMatch, let text = unsafe text else {
            return ""
        }
        return unsafe String(cString: text)
    }

    /// The end of a range; nil where the property is none.
    private static func end(_ pattern: OpaquePointer, _ key: String) -> Double? {
        var range: OpaquePointer?
        var (begin, end) = (0.0, 0.0)
        guard unsafe FcPatternGetRange(pattern, key, 0, &range) == FcResultMatch, let range = unsafe range,
            unsafe FcRangeGetDouble(range, &begin, &end) != 0, begin < end
        else { return nil }
        return end
    }

    private static func number(_ pattern: OpaquePointer, _ key: String) -> Int? {
        var number: Int32 = 0
        return unsafe FcPatternGetInteger(pattern, key, 0, &number) == FcResultMatch ? Int(number) : nil
    }
}

/// Throws `.mediaUnsupported` where a file is no font that can be used.
package func checkFont(path: String) throws {
    var count: Int32 = 0
    let pattern = unsafe path.withCString { name in
        unsafe name.withMemoryRebound(to: FcChar8.self, capacity: 1) { unsafe FcFreeTypeQuery($0, 0, nil, &count) }
    }
    guard let pattern = unsafe pattern else {
        throw SplitreelError(
            .mediaUnsupported, operation: "reading a font", subject: path, reason: "it is no font that FreeType reads",
            hint: "use a TrueType or OpenType font: .ttf, .otf, .ttc, .woff2")
    }
    unsafe FcPatternDestroy(pattern)
}
