import Diagnostics
import Foundation
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import TestTools
import Testing
import Validation

/// What people write who know other programs: taken where it can mean one thing, else answered by what to write.
@Suite("What was meant")
struct WordsMeantTests {
    private func problems(_ text: String) -> [Problem] { Project.check(Data(text.utf8), assets: nil).problems }

    /// A film of one colour, with more keys of its layer and of its instruction.
    private func film(_ layer: String = "", _ instruction: String = "", _ rest: String = "") -> String {
        #"""
        {"format": "splitreel/1", "assets": {"c": {"kind": "color", "color": [0, 0, 0, 1]}},
         "composition": {"tracks": [{"id": 1, "type": "video", "segments": [{"asset": "c", "target": ["0s", "1s"]}]}]},
         "video": {"renderSize": [64, 64], "frameDuration": "1/25", "instructions": [
           {"range": ["0s", "1s"], "layers": [{"track": 1\#(layer)}]\#(instruction)}]}\#(rest)}
        """#
    }

    private func layer(_ text: String) throws -> Layer {
        try #require(try Project(parsing: Data(text.utf8)).video?.instructions?.first?.layers?.first)
    }

    // MARK: Keys

    @Test(arguments: [
        ("fitt", "fit"), ("Fit", "fit"), ("opactiy", "opacity"), ("trnasform", "transform"),
        ("corner_radius", "cornerRadius"),
        ("corner-radius", "cornerRadius"), ("effect", "effects"), ("borderwidth", "borderWidth"), ("cropp", "crop"),
    ])
    func aSlipOfAKeyIsAnError(key: String, meant: String) {
        let found = problems(film(", \"\(key)\": 1"))
        #expect(found.map(\.severity) == [.error] && found.map(\.code.number) == [50108], "\(found)")
        #expect(found.first?.hint.hasPrefix("did you mean `\(meant)`?") == true, "\(found)")
    }

    @Test(arguments: ["remark", "colour_grade", "zoomFactor", "id2"]) func otherKeysAreWarnedOf(key: String) {
        #expect(problems(film(", \"\(key)\": 1")).map(\.severity) == [.warning])
    }

    @Test func keysOfOnesOwnAreFreeEverywhere() {
        let own = #", "$schema": "https://example.com/a.json", "x-note": {"fitt": 1}"#
        #expect(problems(film(own, own, own)).isEmpty)
        let noted = film().replacing(#""assets": {"#, with: ##""assets": {"$schema": "a.json", "x-note": "mine", "##)
        #expect(problems(noted).isEmpty, "\(problems(noted))")
        let params = #", "effects": [{"id": "tint", "params": {"amount": 1\#(own)}\#(own)}]"#
        #expect(problems(film(params)).isEmpty)
    }

    // MARK: Colours

    /// Colours by their components in 255ths.
    private static let written: [(text: String, components: [Int])] = [
        ("#f80", [255, 136, 0, 255]), ("#F808", [255, 136, 0, 136]), ("#ff8800", [255, 136, 0, 255]),
        ("#01020304", [1, 2, 3, 4]), ("red", [255, 0, 0, 255]), ("Transparent", [0, 0, 0, 0]),
        ("rebeccapurple", [102, 51, 153, 255]), ("GREY", [128, 128, 128, 255]),
    ]

    @Test(arguments: written) func aColourIsReadFromItsText(text: String, components: [Int]) throws {
        let colour = try #require(Colour(text: text))
        let found: [Double] = [colour.red, colour.green, colour.blue, colour.alpha]
        #expect(found == components.map { Double($0) / 255 })
    }

    @Test(arguments: ["", "#", "#12", "#12345", "#1234567", "#ggg", "#+12", "ff0000", "reddish", "#１２３"])
    func otherTextsAreNoColours(text: String) { #expect(Colour(text: text) == nil) }

    /// ffmpeg has the names of CSS, two of them with the numbers of an early draft.
    @Test func namesAreThoseThatFFmpegKnows() throws {
        let folder = try TestFolder("colours")
        let lines = try Tool("/usr/bin/ffmpeg", ["-hide_banner", "-colors"], in: folder).finish().text.split(
            separator: "\n")
        var count = 0
        for words in lines.dropFirst().map({ $0.split(separator: " ") }) where words.count == 2 {
            let name = words[0].lowercased()
            guard !["mediumpurple", "palevioletred"].contains(name) else { continue }
            #expect(Colour(text: name) == Colour(text: String(words[1])), "\(name)")
            count += 1
        }
        #expect(count == 138 && Colour.cssNames.count == 148)
    }

    /// The same colour in every place that takes one.
    @Test func textsAreColoursWhereverColoursAreMeant() throws {
        let colours = ##", "fit": "contain", "matte": "#f80", "borderColor": "#f80""##
        let effect = ##", "effects": [{"id": "tint", "params": {"color": "#f80"}}]"##
        let written = film(colours + effect, ##", "background": "#f80""##)
        let numbers = written.replacing("\"#f80\"", with: "[1, \(136.0 / 255), 0, 1]")
        let (first, second) = (problems(written), problems(numbers))
        #expect(first == second && first.isEmpty, "\(first)")
        #expect(
            try layer(written).matte == layer(numbers).matte && layer(written).borderColor == layer(numbers).borderColor
        )
        let tint = try #require(EffectRegistry.description(of: "tint", version: nil))
        func colour(_ json: JSONValue) -> [String: EffectValue] {
            var found: [Problem] = []
            let read = EffectParameters(.object(["color": json]), of: tint, "", problems: &found)
            #expect(found.isEmpty)
            return read.values(at: Rational(1, 2))
        }
        let red = JSONValue.array([1, 0, 0, 1].map { .integer($0) })
        #expect(colour(.string("red")) == colour(red) && colour(.string("red")) != colour(.string("blue")))
        func key(_ at: String, _ value: JSONValue) -> JSONValue { .object(["at": .string(at), "value": value]) }
        #expect(colour(.array([key("0s", .string("#f00"))])) == colour(.array([key("0s", red)])))
    }

    @Test(arguments: [
        ("[255, 0, 0]", "write [1, 0, 0, 1]"), ("[255, 128, 0, 255]", "write [1, 0.502, 0, 1]"),
        ("[1, 0, 0]", "write [1, 0, 0, 1]"), ("\"ff0000\"", "write \"#ff0000\""), ("\"0xFF8800\"", "write \"#ff8800\""),
        ("\"rgb(255, 0, 0)\"", "write [1, 0, 0, 1]"), ("\"rgba(0,0,0,0.5)\"", "write [0, 0, 0, 0.5]"),
        ("\"yelow\"", "did you mean `yellow`?"), ("\"dark blue\"", "did you mean `darkblue`?"),
        ("\"schwarz\"", "a name of CSS"), ("0", "a name of CSS"), ("[0, 0]", "a name of CSS"),
    ])
    func aWrongColourIsAnsweredByARightOne(json: String, hint: String) {
        let found = problems(film("", ", \"background\": \(json)"))
        #expect(found.map(\.path) == ["video.instructions[0].background"], "\(found)")
        #expect(found.first?.hint.contains(hint) == true, "\(found)")
    }

    // MARK: Values where keys are meant

    @Test(arguments: [
        ("opacity", "0.5"), ("opacity", "0"), ("cornerRadius", "8"), ("crop", "[0, 0, 32, 32]"),
        ("crop", "\"infinite\""),
        ("transform", "[1, 0, 0, 1, 8, 0]"), ("transform", "{\"scale\": 0.5}"),
    ])
    func aValueAloneHoldsFromTheStart(name: String, value: String) throws {
        let (alone, keys) = (
            film(", \"\(name)\": \(value)"), film(", \"\(name)\": [{\"at\": \"0s\", \"value\": \(value)}]")
        )
        #expect(problems(alone).isEmpty && problems(keys).isEmpty, "\(problems(alone))")
        #expect(try layer(alone) == layer(keys))
    }

    @Test func aLoudnessAloneHoldsFromTheStart() throws {
        func mix(_ volume: String) throws -> AudioInput? {
            try Project(
                parsing: projectText(
                    tracks: #"{"id": 1, "type": "audio", "segments": [{"asset": "a", "source": ["0s", "1s"], "#
                        + #""target": ["0s", "1s"]}]}"#, #""audio": {"inputs": [{"track": 1, "volume": \#(volume)}]}"#)
            ).audio?.inputs?.first
        }
        #expect(try mix("0.25") == mix(#"[{"at": "0s", "value": 0.25}]"#))
    }

    @Test(arguments: [("50", "write 0.5"), ("\"50%\"", "write 0.5"), ("12.5", "write 0.125"), ("\"0.5\"", "write 0.5")])
    func anOpacityIsAPartOfOne(value: String, hint: String) {
        for keys in [value, "[{\"at\": \"0s\", \"value\": \(value)}]"] {
            let found = problems(film(", \"opacity\": \(keys)"))
            #expect(found.count == 1 && found.first?.hint.contains(hint) == true, "\(found)")
        }
    }

    // MARK: Other

    @Test(arguments: ["crossfade", "Cross-Fade"]) func aCrossfadeOfPicturesIsADissolve(id: String) {
        let found = problems(film("", ", \"effect\": {\"id\": \"\(id)\"}"))
        #expect(found.first?.hint == "did you mean `dissolve`?", "\(found)")
    }

    @Test func anAssetThatIsItsURL() {
        let text = film().replacing(#"{"kind": "color", "color": [0, 0, 0, 1]}"#, with: #""clips/a.mp4""#)
        #expect(problems(text).first?.hint == #"write {"url": "clips/a.mp4"}"#, "\(problems(text))")
    }

    @Test func otherEncodingsAreNamed() throws {
        let text = film()
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let found = Project.parse(try #require(text.data(using: encoding))).problems
            #expect(found.map(\.code.number) == [50000] && found.first?.message.contains("UTF-16") == true, "\(found)")
            #expect(found.first?.hint.contains("save it as UTF-8") == true)
        }
        let latin = try #require(text.replacing("\"c\"", with: "\"é\"").data(using: .isoLatin1))
        let found = Project.parse(latin).problems
        #expect(
            found.map(\.code.number) == [50000]
                && found.first?.hint.contains("save the file as UTF-8") == true, "\(found)")
    }
}
