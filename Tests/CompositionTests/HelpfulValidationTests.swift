import Diagnostics
import Foundation
import JSONText
import MediaTime
import SplitreelProject
import Testing
import Validation

@Suite("Validation that helps")
struct HelpfulValidationTests {
    private func problems(_ text: String) -> [Problem] { Project.check(Data(text.utf8), assets: nil).problems }

    private static let slips = """
        {
          "format": "splitreel/1",
          "metadata": { "anything": { "goes": 1 } },
          "x-editor": { "zoom": 2 },
          "assets": { "a": { "url": "a.mp4" } },
          "composition": { "tracks": [
            { "id": 1, "type": "video", "segments": [
              { "asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"], "volum": 1 } ] } ] },
          "vidoe": {},
          "video": { "renderSzie": [64, 64], "instructions": [
            { "range": ["0s", "1s"], "layers": [
              { "track": 1, "opactiy": [ { "at": "0s", "value": 1 } ] } ] } ] },
          "outputs": [ { "url": "ä.mp4", "videoSettings": { "Codec": "hevc" } } ]
        }
        """

    /// Lines and columns are counted by hand.
    @Test func unknownKeysAreNamedWithTheirNearest() {
        let found = problems(Self.slips).map { problem in
            let place = "\(problem.line ?? 0):\(problem.column ?? 0)"
            return "\(problem.severity) \(problem.code) \(place) \(problem.path) \(problem.hint)"
        }
        let meant = [
            "8:71 composition.tracks[0].segments[0].volum": "volume", "9:3 vidoe": "video",
            "10:14 video.renderSzie": "renderSize", "12:21 video.instructions[0].layers[0].opactiy": "opacity",
            "13:53 outputs[0].videoSettings.Codec": "codec",
        ]
        #expect(
            Set(found)
                == Set(meant.map { "error 50108 \($0) did you mean `\($1)`? Keys of your own begin with `x-`" }))
    }

    private static func sound(_ input: String, _ rest: String = "") -> String {
        #"""
        {"format": "splitreel/1", "assets": {"a": {"url": "a.wav"}}, "composition": {"tracks": [
          {"id": 1, "type": "audio", "segments": [
            {"asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}]},
         "audio": {"inputs": [{"track": 1, \#(input)}]}\#(rest)}
        """#
    }

    /// Keys that are called otherwise elsewhere, keys that stand beside their place, and values that are written with
    /// their unit.
    @Test(arguments: [
        (
            Self.sound(#""mute": false"#, #", "chapters": [{"start": "0s", "name": "a"}]"#), "chapters[0].name",
            "`title`"
        ),
        (
            Self.sound(#""mute": false"#, #", "chapters": [{"start": "0s", "name": "a"}]"#), "chapters[0].start",
            "`time`"
        ),
        (
            Self.sound(#""volume": [{"at": "0s", "value": 1, "ease": "linear"}]"#), "audio.inputs[0].volume[0].ease",
            "`easing`"
        ),
        (
            Self.sound(#""volume": [{"at": "0s", "value": "-6dB"}]"#), "audio.inputs[0].volume[0].value",
            "write 0.5012"
        ),
        (
            Self.sound(#""volume": [{"at": "0s", "value": "50%"}]"#), "audio.inputs[0].volume[0].value", "write 0.5"
        ),
        (
            Self.sound(#""volume": [{"range": ["1s", "2s"], "from": 1, "to": 0}]"#), "audio.inputs[0].volume[0]",
            "begins at 0s"
        ),
        (
            Self.sound(#""mute": false"#).replacing("\"audio\", \"seg", with: "\"sound\", \"seg"),
            "composition.tracks[0].type", "`audio`"
        ),
        (
            Self.sound(#""mute": false"#).replacing("\"audio\", \"seg", with: "\"subtitles\", \"seg"),
            "composition.tracks[0].type", "`subtitle`"
        ),
        (
            Self.sound(#""volume": [{"at": "0s", "value": 1e30}]"#), "audio.inputs[0].volume[0].value",
            "it is an amplitude"
        ),
        (
            """
            {"format": "splitreel/1", "assets": {"c": {"kind": "color", "color": [0, 0, 0, 1]}, "s": {"kind": "tone"}},
             "composition": {"tracks": [
              {"id": 1, "type": "video", "segments": [{"asset": "c", "target": ["0s", "2s"]}]},
              {"id": 2, "type": "audio", "segments": [{"asset": "s", "target": ["0s", "3s"]}]}]},
             "video": {"instructions": [{"range": ["0s", "2s"], "layers": [{"track": 1}]}]}}
            """, "video.instructions[0].range", "composition.tracks[1] is heard until then"
        ),
        (
            Self.sound(#""mute": false"#, #", "outputs": [{"url": "a.mp4", "frameDuration": 30}]"#),
            "outputs[0].frameDuration", #"write "1/30""#
        ),
        (
            Self.sound(#""mute": false"#, #", "outputs": [{"url": "a.mp4", "frameDuration": "30"}]"#),
            "outputs[0].frameDuration", #"write "1/30""#
        ),
        (
            Self.sound(#""taps": [{"id": "compressor", "params": {"ratio": -3}}]"#),
            "audio.inputs[0].taps[0].params.ratio", "`splitreel effects ID`"
        ),
        (
            Self.sound(#""mute": false"#, #", "outputs": [{"url": "a.mp4", "range": ["1/24s", "1s"]}]"#),
            "outputs[0].range[0]", #"write "1/24""#
        ),
        (
            Self.sound(#""mute": false"#).replacing(#"{"asset": "a""#, with: #"{"asset": "aa""#),
            "composition.tracks[0].segments[0].asset", "`assets` has `a`"
        ),
        (
            Self.sound(#""mute": false"#, #", "outputs": [{"url": "a.mp4", "size": "160x90"}]"#),
            "outputs[0].size", "write [160, 90]"
        ),
        (Self.sound(#""zoom": 1"#), "audio.inputs[0].zoom", "keys of your own begin with `x-`"),
        (
            Self.sound(#""taps": [{"id": "compressor", "threshold": -20}]"#), "audio.inputs[0].taps[0].threshold",
            #"it belongs into `params`: "params": {"threshold":-20}"#
        ),
        (Self.sound(#""taps": ["compressor"]"#), "audio.inputs[0].taps[0]", #"write {"id":"compressor"}"#),
        (Self.sound(#""taps": "compressor""#), "audio.inputs[0].taps", #"write [{"id":"compressor"}]"#),
        (Self.sound(#""loudness": -16"#), "audio.inputs[0].loudness", #"write {"target":-16}"#),
        (
            Self.sound(#""taps": [{"id": "compressor", "params": {"threshold": "-20dB"}}]"#),
            "audio.inputs[0].taps[0].params.threshold", "write -20"
        ),
        (
            Self.sound(#""taps": [{"id": "compressor", "params": {"attack": "10ms"}}]"#),
            "audio.inputs[0].taps[0].params.attack", "write 0.01"
        ),
        (
            Self.sound(#""mute": false"#, #", "outputs": [{"url": "a.m4a", "audioSettings": {"bitRate": "192k"}}]"#),
            "outputs[0].audioSettings.bitRate", "write 192000"
        ),
    ])
    func whatWasMeantIsSaid(text: String, path: String, hint: String) {
        let found = problems(text).filter { $0.path == path }
        #expect(found.count == 1 && found.first?.hint.contains(hint) == true, "\(problems(text))")
    }

    /// As `effects` lists it, and as a number.
    @Test(arguments: ["24", "\"24\""]) func wordsThatAreNumbersMayBeNumbers(slope: String) {
        #expect(problems(Self.sound("\"taps\": [{\"id\": \"highpass\", \"params\": {\"slope\": \(slope)}}]")).isEmpty)
    }

    @Test func aVolumeThatIsNoneIsNotSilence() {
        let found = problems(Self.sound(#""volume": [{"at": "0s", "value": -1}]"#))
        #expect(found.map(\.code) == [.volumeOutOfRange], "\(found)")
    }

    @Test func timesAreShownInSeconds() {
        let end = TimeRange(start: time("0s"), duration: time("2s"))
        var project = (try? Project(parsing: example("minimal"))) ?? Project()
        project.video?.instructions?[1].range = TimeRange(start: time("1001/300"), duration: end.duration)
        let words = project.validate(assets: nil).first?.message ?? ""
        #expect(words.contains("1001/300 (about 3.337 s)") && words.contains("4/1 (4 s)"), "\(words)")
    }

    /// What is missing is told from what is of another kind.
    @Test(arguments: [
        (#""id": "duck", "params": {"track": "2"}"#, "track", "a track's id, found a string"),
        (#""id": "duck""#, "track", "the id of an audio track is missing"),
        (#""id": "duck", "params": {"tracks": 2}"#, "tracks", "a list of 1 to 64 ids of tracks"),
        (#""id": "duck", "params": {"tracks": []}"#, "tracks", "a list of 1 to 64 ids of tracks"),
        (#""id": "duck", "params": {"tracks": [2, 2]}"#, "tracks", "each once"),
        (#""id": "duck", "params": {"tracks": [2, "3"]}"#, "tracks", "a track's id, found a string"),
        (#""id": "reverb", "params": {"impulse": 2}"#, "impulse", "an asset's name, found "),
        (#""id": "reverb""#, "impulse", "is missing"),
    ])
    func parametersOfAnotherKind(tap: String, name: String, words: String) {
        let found = problems(
            #"""
            {"format": "splitreel/1", "assets": {"a": {"url": "a.wav"}}, "composition": {"tracks": [
              {"id": 1, "type": "audio", "segments": [
                {"asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}]},
             "audio": {"inputs": [{"track": 1, "tap": {\#(tap)}}]}}
            """#)
        #expect(found.map(\.path) == ["audio.inputs[0].tap.params.\(name)"], "\(found)")
        #expect(found.first?.message.contains(words) == true, "\(found)")
    }

    @Test func unknownKeysHideNothing() {
        let text = Self.slips.replacing("\"track\": 1,", with: "\"track\": 7,")
        let errors = problems(text).filter { $0.severity == .error }
        #expect(
            errors.filter { $0.code != .keyUnknown }
                .map { "\($0.path) \($0.line ?? 0):\($0.column ?? 0)" } == [
                    "video.instructions[0].layers[0].track 12:9"
                ])
    }

    @Test func manyUnknownKeysAreBounded() {
        let keys = (0..<5000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let text = #"{"format": "splitreel/1", "assets": {}, "composition": {"tracks": []}, \#(keys)}"#
        #expect(Project.parse(Data(text.utf8)).problems.count == 1000)
    }

    @Test func everyProblemHasItsPlace() {
        let cases: [(text: String, place: String)] = [
            ("{\n  \"format\" \"splitreel/1\"}", "2:12"),
            ("{\"format\": \"splitreel/9\"}", "1:2"),
            (
                "{\"format\": \"splitreel/1\", \"assets\": {},\n\"composition\": {\"tracks\": [{\"type\": \"x\"}]}}",
                "2:28"
            ),
            (
                "{\"format\": \"splitreel/1\", \"name\": \"ä\", \"assets\": 1,\n\"composition\": {\"tracks\": []}}",
                "1:40"
            ),
            (
                "{\"format\": \"splitreel/1\", \"assets\": {}, \"composition\": {\"tracks\": []},\n \"assets\": {}}",
                "2:2"
            ),
        ]
        for (text, place) in cases {
            let first = problems(text).first
            #expect("\(first?.line ?? 0):\(first?.column ?? 0)" == place, "\(text)")
        }
    }

    /// The work for a place must not grow with the length of its line: this took minutes once.
    @Test(.timeLimit(.minutes(1))) func aFileOfOneLongLineHasItsPlacesToo() {
        let head =
            #"{"format": "splitreel/1", "name": "ä", "assets": {"a": {"url": "a"}}, "#
            + #""composition": {"tracks": [{"id": 1, "type": "video", "segments": ["#
        let clip = #"{"asset": "a", "ä": 1, "source": ["x", "1/25"], "target": ["0s", "1/25"]}, "#
        let count = 20_000
        let text = head + String(repeating: clip, count: count).dropLast(2) + "]}]}}"
        let columns = problems(text).filter { $0.path.hasSuffix(".source[0]") }.map { $0.column ?? 0 }
        let first =
            head.count + (clip.range(of: "\"x\"").map { clip.distance(from: clip.startIndex, to: $0.lowerBound) } ?? 0)
            + 1
        #expect(columns == (0..<count).map { first + $0 * clip.count })
    }

    @Test(arguments: [
        ("{\"a\": 1,\n }", "1:8", "take the comma away"), ("[1, 2,]", "1:6", "take the comma away"),
        ("{'a': 1}", "1:2", "double quotes"), ("{a: 1}", "1:2", "double quotes"),
        ("{\"a\": b}", "1:7", "double quotes"),
        ("{\"a\": 1, // one\n}", "1:10", "no comments"), ("{\"a\": 1\n\"b\": 2}", "2:1", "a comma may be missing"),
    ])
    func whatIsNoJSONIsSaidWithARemedy(text: String, place: String, hint: String) {
        let first = problems(text).first
        #expect("\(first?.line ?? 0):\(first?.column ?? 0)" == place, "\(String(describing: first))")
        #expect(first?.hint.contains(hint) == true, "\(String(describing: first))")
    }

    @Test func bareNumbersAreShownAsTimes() {
        func found(_ range: String) -> [String] {
            let track =
                #"{"id": 1, "type": "video", "segments": ["#
                + #"{"asset": "a", "source": ["0s", "1s"], "target": \#(range)}]}"#
            let text = String(decoding: projectText(tracks: track), as: UTF8.self)
            return problems(text).filter { $0.code == .valueWrong }.map { "\($0.path) \($0.hint)" }
        }
        let target = "composition.tracks[0].segments[0].target"
        #expect(found("[0, 2.5]") == [#"\#(target) write ["0s", "2.5s"]: a start and a duration"#])
        #expect(found(#"["0s", 5]"#) == [#"\#(target)[1] write "5s""#])
        #expect(found(#"["0", "1:30"]"#) == [#"\#(target)[0] write "0s""#, #"\#(target)[1] write "00:01:30""#])
    }

    /// One clear word where a film would be black from its beginning to its end; several where only parts are.
    @Test func aFilmOfNothingIsSaidOnce() {
        func found(_ instructions: String) -> [Problem] {
            let track =
                #"{"id": 7, "type": "video", "segments": [{"asset": "a", "source": ["0s", "4s"], "#
                + #""target": ["0s", "4s"]}]}"#
            let text = String(
                decoding: projectText(tracks: track, #""video": {"instructions": [\#(instructions)]}"#), as: UTF8.self)
            return problems(text).filter { $0.code == .instructionWithoutLayers }
        }
        let (empty, full) = (#""layers": []"#, #""layers": [{"track": 7}]"#)
        let all = found(#"{"range": ["0s", "1s"]}, {"range": ["1s", "3s"], \#(empty)}"#)
        #expect(all.map(\.path) == ["video.instructions"])
        #expect(all.first?.message.contains("the whole film is empty") == true)
        #expect(all.first?.hint.contains(#""layers": [{"track": 7}]"#) == true)
        let part = found(#"{"range": ["0s", "1s"], \#(full)}, {"range": ["1s", "3s"], \#(empty)}"#)
        #expect(part.map(\.path) == ["video.instructions[1]"])
        #expect(part.first?.hint.contains(#""layers": [{"track": 7}]"#) == true)
        #expect(found(#"{"range": ["0s", "4s"], \#(full)}"#).isEmpty)
    }

    @Test func aListIsShownByExample() {
        func hint(_ layer: String, _ rest: String = "") -> String? {
            problems(
                #"{"format": "splitreel/1", "assets": {"a": {"url": "a"}}, "composition": {"tracks": []}, "#
                    + #""video": {"instructions": [{"range": ["0s", "1s"], "layers": [{"track": 1, \#(layer)}]}]}"#
                    + rest + "}"
            ).first?.hint
        }
        #expect(hint(#""opacity": {"at": "0s", "value": 1}"#) == #"write [{"at":"0s","value":1}]"#)
        #expect(
            hint(#""transform": {"at": "0s", "value": [1, 0, 0, 1, 0, 0]}"#)
                == #"write [{"at":"0s","value":[1,0,0,1,0,0]}]"#)
        #expect(hint(#""crop": {"at": "0s", "value": "infinite"}"#) == #"write [{"at":"0s","value":"infinite"}]"#)
        #expect(hint(#""crop": "all""#) == "")
        #expect(hint(#""opacity": []"#, #", "outputs": {"url": "a.mp4"}"#) == #"write [{"url":"a.mp4"}]"#)
    }

    /// It would end the name early, and another file would be read or written.
    @Test(arguments: [#"a\u0000.mp4"#, "file:///a%00.mp4"]) func aZeroCharacterInANameIsRefused(url: String) {
        func found(_ asset: String, _ output: String) -> [String] {
            let text = String(
                decoding: projectText(
                    assets: #""a": {"url": "\#(asset)"}"#,
                    tracks: #"{"id": 1, "type": "video", "segments": [{"asset": "a", "source": ["0s", "1s"], "#
                        + #""target": ["0s", "1s"]}]}"#, #""outputs": [{"url": "\#(output)"}]"#), as: UTF8.self)
            return problems(text).map { "\($0.code) \($0.path)" }
        }
        #expect(found("a.mp4", "b.mp4") == [])
        #expect(found(url, "b.mp4") == ["50005 assets.a.url"])
        #expect(found("a.mp4", url) == ["50005 outputs[0].url"])
    }

    @Test func aRangeThatLooksLikeAnEndIsCorrected() throws {
        let made = try project(
            tracks:
                #"{"id": 1, "type": "video", "segments": ["#
                + #"{"asset": "a", "source": ["2s", "5s"], "target": ["0s", "3s"]}]}"#
        )
        let warning = try #require(made.validate(assets: nil).first)
        #expect(warning.code == .durationLooksLikeEnd)
        #expect(warning.hint.contains(#""source": ["2s", "3s"]"#))
        // Another speed that is meant, and named, is none of it; nor is one whose numbers do not fit.
        var named = made
        named.composition.tracks[0].segments[0].pitch = .varispeed
        #expect(named.validate(assets: nil).isEmpty)
        var other = made
        other.composition.tracks[0].segments[0].source = TimeRange(start: time("2s"), duration: time("6s"))
        #expect(other.validate(assets: nil).isEmpty)
    }

    /// Whoever writes all of a track's keys into each of its layers is not warned.
    @Test func keysThatActElsewhereAreNoSlip() throws {
        var project = try Project(parsing: example("minimal"))
        let fade = [Key(range: TimeRange(start: time("4s"), duration: time("1s")), from: 1.0, to: 0)]
        project.video?.instructions?[0].layers?[0].opacity = fade
        #expect(project.validate(assets: nil).isEmpty)
    }

    /// The seconds that this thread took of a processor, whatever else the machine does.
    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = threadSeconds()
        try body()
        return threadSeconds() - start
    }

    /// So many segments, and as many instructions with keys.
    private static func large(_ count: Int) -> Data {
        var segments: [String] = []
        var instructions: [String] = []
        for index in 0..<count {
            let range = "[\"\(index)/30\",\"1/30\"]"
            segments.append("{\"asset\":\"c\",\"target\":\(range)}")
            instructions.append(
                "{\"range\":\(range),\"layers\":[{\"track\":1,\"opacity\":[{\"range\":\(range),\"from\":1,\"to\":0}]}]}"
            )
        }
        return Data(
            """
            {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,0,0,1]}},"composition":{"tracks":[
            {"id":1,"type":"video","segments":[\(segments.joined(separator: ","))]}]},
            "video":{"renderSize":[64,64],"frameDuration":"1/30",
            "instructions":[\(instructions.joined(separator: ","))]}}
            """.utf8)
    }

    /// The least of two.
    private static func secondsOfChecking(_ count: Int) -> Double {
        let data = large(count)
        let runs = (0..<2).map { _ in
            seconds {
                let (project, problems) = Project.check(data, assets: [:])
                #expect(problems == [])
                #expect(project?.video?.instructions?.count == count)
            }
        }
        return runs.min() ?? .infinity
    }

    /// 100,000 segments and as many instructions, from their text: at most three times what Foundation takes to read
    /// that text alone, at the same time on the same machine, and some ten times what a tenth of them takes.
    @Test func largeCompositionsAreValidatedQuickly() throws {
        #if DEBUG
        let (count, limit) = (4_000, 40.0)
        #else
        let (count, limit) = (100_000, 3.0)
        #endif
        let data = Self.large(count)
        let reading =
            try (0..<2).map { _ in
                try Self.seconds { _ = try JSONSerialization.jsonObject(with: data) }
            }.min() ?? 0
        let (tenth, whole) = (Self.secondsOfChecking(count / 10), Self.secondsOfChecking(count))
        #expect(whole < limit * reading, "\(whole) s, \(reading) s")
        #expect(whole < 25 * tenth, "\(whole) s, \(tenth) s")
    }
}
