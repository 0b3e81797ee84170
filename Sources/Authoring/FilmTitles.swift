package import Diagnostics
import JSONText
public import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

/// The titles that are put over a film by templates.
public struct FilmTitles: Sendable {
    /// The words of a title: a large text and a small one.
    public struct Caption: Sendable, Hashable {
        /// The large text.
        public var text: String
        /// The small text; may be empty.
        public var detail: String

        public init(text: String, detail: String) { (self.text, self.detail) = (text, detail) }
    }

    /// A template that lies over the picture, with the parameters that are said.
    private typealias Use = (template: String, id: String, arguments: [String: JSONValue])

    /// The title over the first seconds; nil for none.
    public var title: Caption?
    /// The lower thirds of the clips, in order; nil where a clip has none.
    public var lowerThirds: [Caption?] = []
    /// The words of the chapters that clips begin, in order; nil where a clip begins none.
    public var chapters: [Caption?] = []
    /// The picture in the top right corner of all of the film; nil for none.
    public var watermark: Clip?
    /// The URL of timed text, and the facts of its file; nil for none.
    public var subtitles: (url: String, facts: AssetFacts)?
    /// The URL of timed text that is sung, and the facts of its file; nil for none.
    public var karaoke: (url: String, facts: AssetFacts)?
    /// The lines that roll over black after the last clip.
    public var credits: [String] = []
    /// The seconds of the countdown before the first clip.
    public var countdown = 0
    /// Whether a bar along the bottom fills as the clips go by.
    public var hasProgressBar = false
    /// The font of all of these; nil for the templates' own.
    public var font: String?

    public init() {}

    /// The times at which clips stand in the film, in seconds.
    struct Schedule {
        var size: PixelSize
        /// The times of each clip, without the parts that it shares with those beside it.
        var clips: [(start: Rational, end: Rational)]
        /// The first clip's start and the last one's end.
        var start, end: Rational
        /// The end of the film, with its credits.
        var filmEnd: Rational
    }

    /// The seconds for which the credits roll; 0 without credits.
    func creditsLength(on size: PixelSize) throws -> Rational {
        guard !credits.isEmpty, let template = Template.named("end-credits") else { return .zero }
        let place = TemplatePlace(size: size, film: .zero, id: "credits")
        do {
            return try template.end(arguments(["lines": credits.json], for: template), in: place) ?? .zero
        } catch {
            throw error.asUsage
        }
    }

    /// The files' facts by the names of the assets that `add` makes.
    var facts: [String: AssetFacts] {
        var facts: [String: AssetFacts] = [:]
        facts["watermark"] = watermark?.facts
        facts["subtitles"] = subtitles?.facts
        facts["karaoke"] = karaoke?.facts
        return facts
    }

    func add(to project: inout Project, _ schedule: Schedule, fading: FilmFade?) throws {
        var layers: [AnimationLayer] = []
        var captions: [SubtitleSettings] = []
        for use in uses(schedule) {
            guard let template = Template.named(use.template) else { continue }
            let place = TemplatePlace(size: schedule.size, film: schedule.filmEnd, id: use.id)
            do {
                var fragment = try template.expand(arguments(use.arguments, for: template), in: place)
                if use.id == "title", raisesTitle {
                    for index in fragment.layers.indices {
                        fragment.layers[index].raiseSublayers(by: Self.titleRise(on: schedule.size))
                    }
                }
                layers += fragment.layers
                captions += fragment.subtitles
                project.assets.merge(fragment.assets) { $1 }
            } catch {
                throw error.asUsage
            }
        }
        if let subtitles {
            var asset = Asset(url: subtitles.url)
            asset.keys.kind = .subtitles
            project.assets["subtitles"] = asset
            var settings = SubtitleSettings()
            settings.asset = "subtitles"
            settings.offset = schedule.start > .zero ? schedule.start.plainTime : nil
            if hasPlates { settings.area = Self.areaAbovePlates(on: schedule.size) }
            captions.append(settings)
        }
        if !captions.isEmpty { project.video?.subtitles = captions }
        layers += fading?.layers(over: schedule.size) ?? []
        if !layers.isEmpty { project.video?.animation = AnimationTree(over: schedule.size, layers) }
    }

    private var hasPlates: Bool { lowerThirds.contains { $0 != nil } }

    /// Whether the title makes room for subtitles, which stand above the plates of the film from its start.
    private var raisesTitle: Bool { subtitles != nil && hasPlates }

    /// The pixels by which such a title stands higher: two lines of subtitles fit between its small lines and the
    /// plates on films that are twice as wide as high.
    private static func titleRise(on size: PixelSize) -> Double {
        (Double(min(size.width, size.height)) / 10).rounded()
    }

    /// The area of subtitles in a film with name plates: the usual one without its lowest part, where plates of the
    /// template stand. They begin at 8 % of the height and are two and a half lines of 5.5 % of the shorter side high.
    private static func areaAbovePlates(on size: PixelSize) -> Rect {
        let width = Double(size.width)
        let height = Double(size.height)
        let top = (height / 20).rounded()
        let plates = (height * 0.08 + min(width, height) * 0.16).rounded(.up)
        return Rect(x: (width / 20).rounded(), y: top, width: (width * 0.9).rounded(), height: height - top - plates)
    }

    private func arguments(_ said: [String: JSONValue], for template: Template) -> [String: JSONValue] {
        var arguments = said
        if let font, template.parameters.contains(where: { $0.name == "font" }) { arguments["font"] = font.json }
        return arguments
    }

    // MARK: When

    /// The templates that are used; the first lies beneath the others.
    private func uses(_ schedule: Schedule) -> [Use] {
        func range(_ start: Rational, _ length: Rational) -> [String: JSONValue] {
            ["begin": start.plainTime.json, "duration": length.plainTime.json]
        }
        var uses: [Use] = []
        if let watermark {
            var arguments = ["picture": watermark.shown.json]
            if let size = watermark.uprightSize, size.height > 0 {
                arguments["aspect"] = min(max(size.width / size.height, 0.01), 100).json
            }
            uses.append(("watermark", "watermark", arguments))
        }
        let times = TitleTimes(self, schedule)
        for (index, caption) in lowerThirds.enumerated() {
            guard let caption, let span = times.plates[index] else { continue }
            let words = ["name": caption.text.json, "role": caption.detail.json]
            uses.append(
                ("lower-third", "lower-third-\(index + 1)", words.merging(range(span.start, span.length)) { $1 }))
        }
        for (index, caption) in chapters.enumerated() {
            guard let caption, let span = times.chapters[index] else { continue }
            let words = ["title": caption.text.json, "number": caption.detail.json]
            uses.append(("chapter-card", "chapter-\(index + 1)", words.merging(range(span.start, span.length)) { $1 }))
        }
        if let title, let span = times.title {
            let words = ["title": title.text.json, "subtitle": title.detail.json]
            uses.append(("title-card", "title", words.merging(range(span.start, span.length)) { $1 }))
        }
        // Over titles and cards, which darken all of the picture.
        if hasProgressBar {
            uses.append(("progress-bar", "progress", range(schedule.start, schedule.end - schedule.start)))
        }
        if !credits.isEmpty {
            uses.append(("end-credits", "credits", ["lines": credits.json, "begin": schedule.end.plainTime.json]))
        }
        if countdown > 0 { uses.append(("countdown", "countdown", ["from": countdown.json])) }
        if let karaoke {
            uses.append(
                ("karaoke-captions", "karaoke", ["file": karaoke.url.json, "offset": schedule.start.plainTime.json]))
        }
        return uses
    }
}

extension AnimationLayer {
    /// Puts the layers in this one higher by so many pixels; places count from below.
    fileprivate mutating func raiseSublayers(by distance: Double) {
        for index in (sublayers ?? []).indices {
            guard let position = sublayers?[index].position else { continue }
            sublayers?[index].position = LayerPoint(position.x, position.y + distance)
        }
    }
}

extension AnimationTree {
    /// The tree of the picture, and layers over it.
    init(over size: PixelSize, _ layers: [AnimationLayer]) {
        self.init()
        var film = AnimationLayer()
        film.id = "film"
        film.bounds = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        film.position = LayerPoint(Double(size.width) / 2, Double(size.height) / 2)
        videoLayers = ["film"]
        root.sublayers = [film] + layers
    }
}

extension TemplateFault {
    package var asUsage: SplitreelError {
        let isOurs = path.isEmpty
        return SplitreelError(
            isOurs ? .internalFault : .usage, operation: "", subject: isOurs ? "a template" : path, reason: reason,
            hint: hint)
    }
}
