import Foundation
package import TestTools

/// The files that random films with effects are made of, in a folder, made once.
package struct EffectSources {
    let folder: TestFolder
    let films: [RandomSource]
    let stills: [RandomSource]

    package init(in folder: TestFolder, _ witness: Witness) throws {
        self.folder = folder
        func named(_ names: [String]) -> [RandomSource] { RandomSource.all.filter { names.contains($0.name) } }
        films = named(["plain", "odd", "wide", "high", "deep", "screen", "clear"])
        stills = named(["picture", "cutout", "grey", "photo"])
        for source in films + stills + named(["ever"]) { try source.make(in: folder, witness) }
        // What mattes and masks look at: slanting ramps, still and moving; a spot with soft edges.
        let moving = "geq=lum='clip(16+219*N/12*(0.7*X/W+0.3*Y/H)+40*sin(Y/7),16,235)':cb=128:cr=128"
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "color=s=64x40:d=0.04,format=gray,geq='clip(255*(0.6*X/W+0.4*Y/H)+20*sin(Y/5),0,255)'",
            "-frames:v", "1", folder.file("ramp.png"),
        ])
        try witness.ffmpeg([
            "-f", "lavfi", "-i",
            "color=s=60x36:d=0.04,format=rgba,geq=r=200:g='255*X/W':b=90:a='clip(400-16*hypot(X-30,Y-18),0,255)'",
            "-frames:v", "1", folder.file("spot.png"),
        ])
        try witness.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=s=64x36:r=25:d=0.6,format=yuv420p,\(moving)",
                "-c:v", "ffv1",
            ] + RandomSource.tags("bt709", "bt709", "bt709") + [folder.file("burn.mkv")])
        try Self.cube(3, 9).write(toFile: folder.file("warm.cube"), atomically: true, encoding: .utf8)
        try Self.cube(1, 16).write(toFile: folder.file("steps.cube"), atomically: true, encoding: .utf8)
    }

    /// A table of colours that lean towards another each.
    private static func cube(_ axes: Int, _ size: Int) -> String {
        var text = "LUT_\(axes)D_SIZE \(size)\n"
        for row in 0..<(axes == 3 ? size * size * size : size) {
            let last = Double(size - 1)
            let r = Double(row % size) / last
            let (g, b) = axes == 3 ? (Double(row / size % size) / last, Double(row / size / size) / last) : (r, r)
            text += String(format: "%.6f %.6f %.6f\n", 0.9 * r + 0.1 * g, g * (1.15 - 0.15 * g), 0.8 * b + 0.1 * r * r)
        }
        return text
    }

    /// Assets by name, as files have them.
    var assets: [String: Any] {
        var assets: [String: Any] = [
            "ramp": ["url": folder.file("ramp.png")], "spot": ["url": folder.file("spot.png")],
            "burn": ["url": folder.file("burn.mkv")], "ever": ["url": folder.file("ever.gif")],
            "warm": ["kind": "lut", "url": folder.file("warm.cube")],
            "steps": ["kind": "lut", "url": folder.file("steps.cube")],
        ]
        for source in films + stills { assets[source.name] = ["url": folder.file(source.file)] }
        return assets
    }
}
