import ArgumentParser
import Diagnostics
import Outputs
import Pictures
import Planning
import Preparation

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets", abstract: "List named families of output settings, and what they make of a film.",
        discussion: """
            `render --preset NAME`, or `preset` of an output, takes one; whatever else is said goes before it. No \
            preset makes a picture larger. With a composition: what each would make of it, about how long the file \
            would be, or why it cannot be.

              splitreel presets
              splitreel presets cut.json
              splitreel render cut.json -o film.mp4 --preset web
            """)

    @Argument(help: "A composition file, to hold the presets against.", completion: .composition)
    var composition: String?

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
        guard let composition else {
            let reports = ExportPreset.all.map { PresetReport(PresetFit(preset: $0)) }
            return try show(reports, isHeld: false)
        }
        let file = try CompositionFile(path: composition)
        var fits: [PresetFit] = []
        try file.locating { fits = try presetFits(file.project) }
        try show(fits.map { PresetReport($0) }, isHeld: true)
    }

    private func show(_ reports: [PresetReport], isHeld: Bool) throws {
        if json { return try Console.json(PresetList(presets: reports)) }
        var table = TextTable([.init("PRESET"), .init("FILES"), .init(isHeld ? "OF THIS FILM" : "WHAT IT MAKES")])
        for report in reports {
            let made = [report.picture, report.sound, report.estimatedBytes.map { "about " + PresetReport.size($0) }]
            let words = isHeld ? report.reason ?? made.compactMap { $0 }.joined(separator: ", ") : report.summary
            table.add([report.name, report.fileTypes.joined(separator: " "), words])
        }
        Console.result(table.text)
    }
}

private struct PresetList: Encodable {
    var presets: [PresetReport]
}

struct PresetReport: Encodable {
    var name: String
    var summary: String
    var fileTypes: [String]
    /// Whether the preset can be used; absent, as the rest is, without a composition. `false` comes with a reason.
    var compatible: Bool?
    var reason: String?
    var picture: String?
    var sound: String?
    var estimatedBytes: Int?

    init(_ fit: PresetFit) {
        name = fit.preset.name
        summary = fit.preset.summary
        fileTypes = fit.preset.fileTypes.map(\.rawValue)
        if let refusal = fit.refusal {
            compatible = false
            reason = "not possible: " + refusal.reason.words(\.option)
        }
        guard let settings = fit.settings else { return }
        compatible = true
        picture = settings.video.map { "\($0.codec.rawValue) \($0.size.width)×\($0.size.height)" }
        sound = settings.audio.map { "\($0.codec.rawValue) \($0.sampleRate) Hz" }
        estimatedBytes = fit.estimatedBytes
    }

    static func size(_ bytes: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (bytes, 0)
        while value >= 10_000 && unit + 1 < units.count { (value, unit) = ((value + 500) / 1000, unit + 1) }
        return "\(value) \(units[unit])"
    }
}
