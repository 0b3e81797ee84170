import Foundation

/// The picture of a text by pango-view, Pango's own tool, drawn by Cairo: no code of ours has seen it.
package struct PangoView {
    package let width, height: Int
    /// R'G'B' of each pixel, from 0 to 255, row by row.
    package private(set) var colours: [UInt8]

    /// `font` is Pango's description, its size in pixels; the text begins `margin` pixels from the left and from the
    /// top of a picture that is as large as it needs.
    package init(
        _ string: String, font: String, margin: Int, foreground: String = "#000000", background: String = "#ffffff",
        _ more: [String] = [], in folder: TestFolder
    ) throws {
        let png = folder.file("pango-view.png")
        let colours = ["--foreground=\(foreground)", "--background=\(background)"]
        let arguments =
            ["--no-display", "--backend=cairo", "--dpi=72", "--antialias=gray", "--hinting=none", "--language=en"]
            + ["--hint-metrics=off", "--subpixel-positions"] + colours
            + ["--margin=\(margin)", "--font=\(font)", "--text=\(string)", "--output=\(png)"] + more
        let result = try Tool("/usr/bin/pango-view", arguments, in: folder).finish(seconds: 60)
        guard result.status == 0 else { throw ToolFailure("\(result)") }
        let header = [UInt8](try Data(contentsOf: URL(filePath: png)).prefix(24))
        func number(_ place: Int) -> Int { header[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        (width, height) = (number(16), number(20))
        let raw = try Witness(in: folder).ffmpeg(["-i", png, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        self.colours = [UInt8](raw.standardOutput)
        guard self.colours.count == 3 * width * height else { throw ToolFailure("another size of \(png)") }
    }

    /// The mean of each square of that many pixels each way, one value of each colour, from 0 to 1: what is drawn large
    /// and made smaller is sharp to a part of a pixel. Beyond its edges it is as at its first pixel.
    ///
    /// - Parameter lifted: rows by which it is moved upwards before.
    package func reduced(by factor: Int, width: Int, height: Int, lifted: Int = 0) -> [[Double]] {
        var sums = [Int](repeating: 0, count: width * height * 3)
        for y in 0..<(height * factor) {
            let row = (0..<self.height).contains(y + lifted) ? (y + lifted) * self.width : nil
            for x in 0..<(width * factor) {
                let place = x < self.width ? row.map { 3 * ($0 + x) } ?? 0 : 0
                let target = 3 * (y / factor * width + x / factor)
                for part in 0..<3 { sums[target + part] += Int(colours[place + part]) }
            }
        }
        let whole = Double(factor * factor * 255)
        return (0..<(width * height)).map { place in (0..<3).map { Double(sums[3 * place + $0]) / whole } }
    }
}
