import Authoring
import Drawings
import Foundation
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import Testing
import Validation

@Suite("Templates") struct TemplateTests {
    /// The parameters that each template requires. The rest is as it is when nothing is said.
    static let needed: [String: [String: JSONValue]] = [
        "chapter-card": ["title": .string("Arrival"), "number": .string("1")], "countdown": [:],
        "end-credits": ["lines": .array(["Direction", "Ada", "", "The end"].map { .string($0) })],
        "karaoke-captions": ["file": .string("song.vtt")],
        "lower-third": ["name": .string("Ada"), "role": .string("Engineer")], "progress-bar": [:],
        "title-card": ["title": .string("Trip"), "subtitle": .string("2026")],
        "watermark": ["picture": .string("logo.png")],
    ]
    private static let sizes = [(1280, 720), (1080, 1920), (500, 500), (64, 36), (7680, 4320)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    private func fragment(
        _ name: String, _ arguments: [String: JSONValue]? = nil, _ size: PixelSize = sizes[0]
    ) throws -> TemplateFragment {
        let template = try #require(Template.named(name))
        let said = arguments ?? Self.needed[name] ?? [:]
        return try template.expand(said, in: TemplatePlace(size: size, film: Rational(10), id: name))
    }

    /// Over ten seconds of a colour.
    private func project(_ fragment: TemplateFragment, _ size: PixelSize) throws -> Project {
        let (width, height) = (size.width, size.height)
        let text = """
            {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 1, 1]}},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "10s"]}]}]},
             "video": {"renderSize": [\(width), \(height)], "frameDuration": "1/10", "animation": {
                "videoLayers": ["film"], "root": {"sublayers": [
                {"id": "film", "bounds": [0, 0, \(width), \(height)], "position": [\(width / 2), \(height / 2)]}]}}}}
            """
        var project = try Project(parsing: Data(text.utf8))
        project.assets.merge(fragment.assets) { $1 }
        project.video?.animation?.root.sublayers?.append(contentsOf: fragment.layers)
        if !fragment.subtitles.isEmpty { project.video?.subtitles = fragment.subtitles }
        return project
    }

    /// `make install` installs one file: what stands in Templates stands in the program, byte for byte.
    @Test func theProgramHasTheFiles() throws {
        let folder = repository.appendingPathComponent("Templates")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        let texts = try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        #expect(texts == Template.texts.map { $0 + "\n" }, "run Templates/embed.sh --write")
        #expect(files == Template.all.map { $0.name + ".json" })
        #expect(Set(files) == Set(Self.needed.keys.map { $0 + ".json" }))
    }

    @Test(arguments: Self.needed.keys.sorted())
    func everySizeIsValid(name: String) throws {
        for size in Self.sizes {
            let project = try project(fragment(name, nil, size), size)
            let problems = project.validate(assets: nil)
            #expect(problems.isEmpty, "\(name) at \(size): \(problems)")
            // It is written and read again as it is.
            #expect(try Project(parsing: project.json.prettyBytes()) == project)
        }
    }

    /// Twice as large: every length is twice as long, and nothing else differs.
    @Test(arguments: Self.needed.keys.sorted())
    func lengthsAreThoseOfTheCanvas(name: String) throws {
        let (small, large) = (PixelSize(width: 1200, height: 800), PixelSize(width: 2400, height: 1600))
        let (one, two) = (try fragment(name, nil, small).json, try fragment(name, nil, large).json)
        var differing = 0
        func compare(_ a: JSONValue, _ b: JSONValue) {
            switch (a, b) {
            case (.object(let a), .object(let b)):
                #expect(a.keys == b.keys)
                for (key, value) in a { compare(value, b[key] ?? .null) }
            case (.array(let a), .array(let b)):
                #expect(a.count == b.count)
                for (first, second) in zip(a, b) { compare(first, second) }
            default:
                guard a != b else { return }
                differing += 1
                let (x, y) = (a.double ?? .nan, b.double ?? .nan)
                #expect(abs(y - 2 * x) < 1e-5, "\(a) and \(b)")
            }
        }
        compare(one, two)
        #expect(differing > 1)
    }

    private static let evil = [
        #"" }, "x": ["#, #"back\slash \n \u0041 \"#, "<b>not bold</b>", "&amp; & &#65;", "<\u{301}b>", "</span><span",
        "=name", "= 1 + 1", "$name {{text}} {{name}}", "zero\u{0}bell\u{7}", "%s %n", "'); --", "\u{202E}turned", "ÿ",
        String(repeating: "é<&", count: 1000),
    ]

    /// Every text of every template comes out as it was put in, whether it stands in markup or not.
    @Test func hostileTextIsShownAsItStands() throws {
        var count = 0
        for evil in Self.evil {
            let shown = evil.replacingOccurrences(of: "\u{0}", with: "␀").replacingOccurrences(of: "\u{7}", with: "␇")
            for template in Template.all {
                var arguments = Self.needed[template.name] ?? [:]
                let texts = template.parameters.filter { $0.kind == .text }.map(\.name)
                for name in texts { arguments[name] = .string(evil) }
                if template.name == "end-credits" { arguments["lines"] = .array([.string(evil)]) }
                let fragment = try fragment(template.name, arguments)
                let project = try project(fragment, Self.sizes[0])
                #expect(project.validate(assets: nil).isEmpty, "\(template.name): \(evil.prefix(40))")
                let read = try Project(parsing: project.json.canonicalBytes())
                let strings = drawn(read.video?.animation?.root)
                let many = template.name == "end-credits" ? 1 : texts.count
                let found = strings.reduce(0) { $0 + $1.components(separatedBy: shown).count - 1 }
                #expect(found == many, "\(template.name): \(evil.prefix(40)) is not in \(strings)")
                count += many
            }
        }
        #expect(count == Self.evil.count * 7)
    }

    /// The strings that the texts of a tree show, a layer's own before those of its sublayers.
    private func drawn(_ layer: AnimationLayer?) -> [String] {
        let own = layer?.contents?.text.map { [$0.drawing(width: 100, height: 100).string] } ?? []
        return own + (layer?.sublayers ?? []).flatMap(drawn)
    }

    @Test func namesOfFilesAreNotTouched() throws {
        for name in ["a \"b\" <c>.png", "=1+1.png", "bell\u{7}.png", "../x/%2e.png"] {
            let fragment = try fragment("watermark", ["picture": .string(name)])
            #expect(fragment.assets["watermark"]?.keys.url == name)
        }
    }

    @Test(
        arguments: [
            ("lower-third", #"{}"#, "lower-third.name", "must be said"),
            ("lower-third", #"{"name": "a", "roel": "b"}"#, "lower-third.roel", "role"),
            ("lower-third", #"{"name": 3}"#, "lower-third.name", "a number"),
            ("lower-third", #"{"name": "a", "size": 0.5}"#, "lower-third.size", "0.01 to 0.1"),
            ("lower-third", #"{"name": "a", "size": "big"}"#, "lower-third.size", "a string"),
            ("lower-third", #"{"name": "a", "side": "lift"}"#, "lower-third.side", "left"),
            ("lower-third", #"{"name": "a", "begin": "soon"}"#, "lower-third.begin", "2.5s"),
            ("lower-third", #"{"name": "a", "begin": "+inf"}"#, "lower-third.begin", "not a time"),
            ("lower-third", #"{"name": "a", "begin": "1/2147483647"}"#, "lower-third.begin", "not a time"),
            ("lower-third", #"{"name": "a", "begin": "-1s"}"#, "lower-third.begin", "0 s"),
            ("lower-third", #"{"name": "a", "duration": "0s"}"#, "lower-third.duration", "0.1 s"),
            ("lower-third", #"{"name": "a", "duration": "2000000s"}"#, "lower-third.duration", "86400 s"),
            ("lower-third", #"{"name": "a", "color": [1, 1, 2, 1]}"#, "lower-third.color", "from 0 to 1"),
            ("lower-third", #"{"name": "a", "color": [1, 1, "x", 1]}"#, "lower-third.color", "from 0 to 1"),
            ("lower-third", #"{"name": "a", "font": 3}"#, "lower-third.font", "font"),
            ("countdown", #"{"from": 0}"#, "countdown.from", "1 to 99"),
            ("countdown", #"{"from": 2.5}"#, "countdown.from", "whole"),
            ("end-credits", #"{"lines": []}"#, "end-credits.lines", "1 to 900"),
            ("end-credits", #"{"lines": ["", ""]}"#, "end-credits.lines", "0 lines"),
            ("end-credits", #"{"lines": ["a", 1]}"#, "end-credits.lines", "no text"),
            ("end-credits", #"{"lines": "a"}"#, "end-credits.lines", "list"),
            ("watermark", #"{"picture": ""}"#, "watermark.picture", "empty"),
        ])
    func wrongParametersAreNamed(name: String, arguments: String, path: String, words: String) throws {
        guard case .object(let members) = try JSONValue(parsing: Data(arguments.utf8)) else { return }
        do {
            _ = try fragment(name, members)
            Issue.record("\(arguments) was taken")
        } catch let fault as TemplateFault {
            #expect(fault.path == path && (fault.reason + fault.hint).contains(words), "\(fault)")
        }
    }

    @Test func textsAndLinesAreBounded() throws {
        #expect(throws: TemplateFault.self) {
            try fragment("title-card", ["title": .string(String(repeating: "x", count: 8193))])
        }
        let many = { (count: Int) in ["lines": JSONValue.array(Array(repeating: .string("a"), count: count))] }
        #expect(throws: TemplateFault.self) { try fragment("end-credits", many(901)) }
        let most = try project(fragment("end-credits", many(900)), Self.sizes[0])
        #expect(most.validate(assets: nil).isEmpty)
    }

    /// 4 lines of 1.5 × 0.055 of 720 and a height of 720 at 0.15 × 720 a second: 8.87 s, 9 whole ones.
    @Test func creditsEndWhenTheLastLineIsGone() throws {
        let template = try #require(Template.named("end-credits"))
        let place = TemplatePlace(size: Self.sizes[0], film: .zero, id: "c")
        var arguments = try #require(Self.needed["end-credits"])
        arguments["begin"] = .string("2.5s")
        #expect(try template.end(arguments, in: place) == Rational(23, 2))
    }
}
