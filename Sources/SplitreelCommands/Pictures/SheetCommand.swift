import ArgumentParser
import Coordinator
import Diagnostics
import MediaTime
import MediaWriting
import Pictures
import Preparation
import Rendering
import SplitreelFiles

struct SheetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet", abstract: "Write a contact sheet: many frames with their times in one picture.",
        discussion: """
            Of a composition or a media file. Below each frame is its time, rounded up to a millisecond: `frame \
            --at` with it gives the same frame. The sheet holds frames from the middles of as many equal parts \
            as it has places, or one each --every so much, and as many rows as that takes.

              splitreel sheet cut.json -o sheet.png
              splitreel sheet clip.mov -o sheet.jpg --columns 6 --rows 5 --width 1920
              splitreel sheet clip.mov -o sheet.png --every 10s --tolerance inf
              splitreel sheet cut.json -o sheet.png --connect tcp://127.0.0.1:7733

            With --connect the workers of a farm compose the frames, the exact ones; an interrupt cancels it.
            """)

    @Argument(help: "A composition (.json) or a media file.", completion: .file())
    var source: String

    @Option(name: .shortAndLong, help: "The picture: .png, .jpg, .tiff or .webp.", completion: .file())
    var output: String

    @OptionGroup var farm: FarmOptions
    @OptionGroup var quietness: QuietOptions
    @OptionGroup var remote: RemoteOptions

    @Option(help: "Frames side by side.")
    var columns = 4

    @Option(help: "Rows of frames (default 4; with --every as many as it takes).")
    var rows: Int?

    @Option(help: "A frame at the start, and one each so much later, such as 10s.")
    var every: String?

    @Option(help: "Only this part: START,DURATION, such as 60s,10s.")
    var range: String?

    @Option(help: "The sheet's width in pixels, at most; frames are never enlarged.")
    var width = 1280

    @Option(help: "Pixels between the frames and around them.")
    var gap = 8

    @Option(help: "How far from its time a frame may be, such as 2s; inf: any. Default: 0, the exact frame.")
    var tolerance: String?

    @Flag(help: "Leave the times out.")
    var noTimes = false

    @Flag(help: "Show the assets' proxies, where they have some.")
    var proxy = false

    @Flag(help: "Replace the file if it exists.")
    var overwrite = false

    @Flag(help: "One JSON document: the sheet, and the time of each frame in it.")
    var json = false

    func validate() throws {
        for (name, value, limit) in [
            ("--columns", columns, 1...100), ("--rows", rows ?? 1, 1...1000), ("--width", width, 16...16384),
            ("--gap", gap, 0...1000),
        ] where !limit.contains(value) {
            throw ValidationError("\(name) takes \(limit.lowerBound) to \(limit.upperBound); not ‘\(value)’")
        }
        if every != nil, rows != nil { throw ValidationError("--every says how many rows there are: leave --rows out") }
        _ = try choice.validate()
        _ = try TimeOption.tolerance(tolerance, option: "--tolerance")
    }

    private var choice: TimeChoice {
        TimeChoice(every: every, count: every == nil ? columns * (rows ?? 4) : nil, range: range)
    }

    func run() throws {
        quietness.begin()
        remote.begin()
        let path = try absolutePath(output)
        try refuseReplacing(path, inputs: [absoluteName(source)])
        guard PictureFormat(path: output) != nil else {
            throw ValidationError("-o takes .png, .jpg, .tiff or .webp; not ‘\(output)’")
        }
        try checkOutputPlace(path, overwrite: overwrite)
        let opened = try PictureSource(path: source, usingProxies: proxy, operation: "sheet", by: try farm.asked())
        try refuseReplacing(path, inputs: opened.inputs)
        let times = try choice.times(duration: opened.grabber.duration)
        let layout = try SheetLayout(
            columns: columns, rows: rows ?? (times.count + columns - 1) / columns, picture: opened.grabber.size,
            width: width, gap: gap, hasTimes: !noTimes)
        let cells = try fill(layout, times, opened, path)
        for notice in opened.grabber.takeNotices().notices { Console.warning(notice) }
        guard json else { return Console.result(path.printable) }
        try Console.json(
            SheetDocument(
                path: path, width: layout.size.width, height: layout.size.height, columns: layout.columns,
                rows: layout.rows, frames: cells))
    }

    private func fill(
        _ layout: SheetLayout, _ times: [(text: String, time: Rational)], _ opened: PictureSource, _ path: String
    ) throws -> [SheetDocument.Cell] {
        guard let format = PictureFormat(path: path) else { return [] }
        let cancellation = FarmErrand.cancellation()
        let sheet = try ContactSheet(layout)
        var cells: [SheetDocument.Cell?] = Array(repeating: nil, count: times.count)
        let tolerance = try TimeOption.tolerance(tolerance, option: "--tolerance") ?? .zero
        try opened.generate(
            times.map(\.time), tolerance: FrameTolerance(before: tolerance, after: tolerance), fitting: layout.cell,
            for: path, cancellation: cancellation
        ) { place, frame in
            switch frame {
            case .succeeded(let picture, let actual):
                let label = noTimes ? nil : actual.clockTextRoundedUp
                try sheet.put(picture, at: place, label: label)
                cells[place] = SheetDocument.Cell(
                    requested: times[place].text, actual: actual.mediaTime.description, row: place / columns,
                    column: place % columns)
            case .failed(let error): throw error
            case .cancelled:
                throw SplitreelError(.cancelled, operation: "", subject: "interrupted", reason: "no sheet was written")
            }
        }
        try sheet.write(as: format, to: path)
        return cells.compactMap { $0 }
    }
}

/// The document of `sheet --json`.
private struct SheetDocument: Encodable {
    struct Cell: Encodable {
        var requested: String
        var actual: String
        var row: Int
        var column: Int
    }

    var path: String
    var width: Int
    var height: Int
    var columns: Int
    var rows: Int
    var frames: [Cell]
}
