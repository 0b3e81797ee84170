internal import CPango

/// The names and versions of the libraries that decide how texts and shapes look, such as `Cairo 1.16.0`.
package func drawingVersions() -> [String] {
    let pango = unsafe pango_version_string().map { unsafe String(cString: $0) } ?? ""
    let cairo = unsafe cairo_version_string().map { unsafe String(cString: $0) } ?? ""
    let harfBuzz = unsafe hb_version_string().map { unsafe String(cString: $0) } ?? ""
    return [
        "Cairo \(cairo)", "Pango \(pango)", "HarfBuzz \(harfBuzz)", "Fontconfig \(FcGetVersion())",
        "FreeType \(freeTypeVersion())", scriptVersion(),
    ]
}

private func freeTypeVersion() -> String {
    var library: FT_Library?
    guard unsafe FT_Init_FreeType(&library) == 0 else { return "" }
    defer { unsafe FT_Done_FreeType(library) }
    var (major, minor, patch): (FT_Int, FT_Int, FT_Int) = (0, 0, 0)
    unsafe FT_Library_Version(library, &major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
}
