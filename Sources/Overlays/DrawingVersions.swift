internal import CPango

/// The names and versions of the libraries that decide how texts and shapes look, such as `Cairo 1.16.0`.
package func drawingVersions() -> [String] {
    let pango = unsafe pango_version_string().map { unsafe String(cString: $0) } ?? ""
    let cairo = unsafe cairo_version_string().map { unsafe String(cString: $0) } ?? ""
    let harfBuzz = unsafe hb_version_string().map { unsafe String(cString: $0) } ?? ""
    return [
        "Cairo \(cairo)", "Pango \(pango)", "HarfBuzz \(harfBuzz)", "Fontconfig \(FcGetVersion())", scriptVersion(),
    ]
}
