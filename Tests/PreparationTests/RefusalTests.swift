import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Planning
import Preparation
import SplitreelProject
import Synchronization
import TestTools
import Testing
import Threads

/// What cannot be is refused before anything is rendered, by the error that says why.
@Suite("What is not planned", .serialized) struct RefusalTests {
    /// A composition that is wrong in itself costs no file a look.
    @Test func structureIsJudgedBeforeAFileIsOpened() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        let texts = [
            // Instructions that leave a gap, a layer of no track, a segment that overlaps the one before.
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: (256, 144),
                frame: "1/25", [Text.instruction("0s", "0.5s", Text.layer(1, [1, 0, 0, 1, 0, 0]))]),
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: (256, 144),
                frame: "1/25", [Text.instruction("0s", "1s", Text.layer(7, [1, 0, 0, 1, 0, 0]))]),
            Text.project(
                ["a": path],
                [
                    Text.track(
                        1, "video", Text.clip("a", "0s", "1s", at: "0s"), Text.clip("a", "0s", "1s", at: "0.5s"))
                ], size: (256, 144), frame: "1/25"),
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("b", "0s", "1s", at: "0s"))], size: (256, 144),
                frame: "1/25"),
        ]
        for text in texts {
            let error = try fixture.refusal(text) { _ in Issue.record("a file was asked for") }
            #expect(error.code.exit == .invalidComposition, "\(error)")
        }
    }

    /// Whoever guards the files is asked before each, and its word holds.
    @Test func fileThatMayNotBeReadIsNotOpened() throws {
        let fixture = try PreparationFixture()
        // It is not even there: opening it would be another error.
        let text = PreparationFixture.cut(fixture.folder.file("secret.mkv"))
        let error = try fixture.refusal(text) { path in
            throw SplitreelError(.refused, operation: "opening", subject: path, reason: "outside the roots")
        }
        #expect(error.code == .refused && error.subject.hasSuffix("secret.mkv"))
    }

    @Test func mediaThatCannotBeReadAreNamed() throws {
        let fixture = try PreparationFixture()
        _ = try fixture.folder.write("no film at all, only words", to: "words.mp4")
        _ = try fixture.folder.write(Data(), to: "empty.mp4")
        _ = try fixture.folder.folder("folder.mp4")
        for (name, codes) in [
            ("nowhere.mp4", [ErrorCode.mediaNotFound]), ("words.mp4", [.mediaCannotOpen, .mediaUnsupported]),
            ("empty.mp4", [.mediaCannotOpen, .mediaUnsupported]), ("folder.mp4", [.mediaCannotOpen]),
        ] {
            let error = try fixture.refusal(PreparationFixture.cut(fixture.folder.file(name)))
            #expect(codes.contains(error.code) && error.subject.contains(name), "\(error)")
        }
        let far = try fixture.refusal(PreparationFixture.cut("https://example.com/a.mp4"))
        #expect([.invalidComposition, .mediaUnreadable].contains(far.code.exit), "\(far)")
    }

    /// One bad file does not hide what is known of the others.
    @Test func everyFailureIsListed() throws {
        let fixture = try PreparationFixture()
        let good = try fixture.film("good.mkv", 5)
        let text = """
            {"format":"splitreel/1","assets":{"z":{"url":"\(fixture.folder.file("z.mkv"))"},"a":{"url":"\(good)"},
            "b":{"url":"\(fixture.folder.file("b.mkv"))"},"c":{"kind":"color","color":[1,0,0,1]}},
            "composition":{"tracks":[]}}
            """
        let (assets, failures) = probeAssets(of: try PreparationFixture.project(text))
        #expect(assets.keys.sorted() == ["a", "c"] && assets["c"]?.kind == .color && assets["c"]?.path == "")
        #expect(assets["a"]?.firstTrack(of: .video)?.count == 5)
        #expect(failures.map(\.name) == ["b", "z"] && failures.allSatisfy { $0.error.code == .mediaNotFound })
    }

    /// The first file is read as long as no other is: reading one after the other would not end.
    private struct MutualProber: AssetProber {
        let other = OneShot<String>()
        let asked = Asked()

        final class Asked: Sendable { let paths = Mutex<[String]>([]) }

        func facts(of path: String) throws -> AssetFacts {
            asked.paths.withLock { $0.append(path) }
            if path.hasSuffix("0") { _ = other.wait() } else { other.set(path) }
            if path.hasSuffix("1") || path.hasSuffix("2") {
                throw SplitreelError(.mediaCannotOpen, operation: "probing", subject: path, reason: "it is bad")
            }
            return AssetFacts(kind: .media, path: path)
        }

        func frameTimes(of path: String, track: Int, showsFields: Bool) throws -> FrameTimes {
            throw SplitreelError(.internalFault, operation: "probing", subject: path, reason: "nobody asks")
        }
    }

    @Test(.timeLimit(.minutes(1))) func filesAreReadSideBySideAndTheFirstFailureCounts() throws {
        let assets = (0..<9).map { "\"a\($0)\":{\"url\":\"/media/\($0)\"},\"b\($0)\":{\"url\":\"/media/\($0)\"}" }
        let text = """
            {"format":"splitreel/1","assets":{\(assets.joined(separator: ","))},"composition":{"tracks":[]}}
            """
        let project = try PreparationFixture.project(text)
        var prober = MutualProber()
        let found = probeAssets(of: project, prober: prober)
        #expect(found.assets.count == 14)
        #expect(found.failures.map(\.name) == ["a1", "a2", "b1", "b2"])
        #expect(prober.asked.paths.withLock { $0.sorted() } == (0..<9).map { "/media/\($0)" })
        prober = MutualProber()
        let stopped = probeAssets(of: project, prober: prober, stopsAtFailure: true)
        #expect(stopped.failures.map(\.name) == ["a1"])
    }

    /// Faults that only the files can tell: no such track, no sound, more than there is.
    @Test func whatTheMediaDoNotHaveIsRefused() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        func cut(_ clip: String, _ type: String = "video") -> String {
            Text.project(["a": path], [Text.track(1, type, clip)], size: (256, 144), frame: "1/25")
        }
        for (text, exits) in [
            (cut(Text.clip("a", "0s", "1s", at: "0s", track: 2)), [ExitStatus.invalidComposition, .mediaUnreadable]),
            (cut(Text.clip("a", "0s", "1s", at: "0s"), "audio"), [.invalidComposition, .mediaUnreadable]),
            (cut(Text.clip("a", "0s", "2.1s", at: "0s")), [.invalidComposition]),
            (cut(Text.clip("a", "3s", "1s", at: "0s")), [.invalidComposition]),
        ] {
            let error = try fixture.refusal(text)
            #expect(exits.contains(error.code.exit), "\(error)")
        }
        // One frame past the end holds the last; that is allowed.
        let held = try PreparationFixture.project(cut(Text.clip("a", "0s", "2.04s", at: "0s")))
        #expect(try preparePlan(project: held, request: fixture.request()).plan.frameCount == 51)
    }

    @Test func settingsThatCannotBeAreRefused() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        let text = PreparationFixture.cut(path)
        let cases: [(String, ErrorCode, (inout OutputRequest) -> Void)] = [
            ("out.mp4", .encoderUnavailable, { $0.picture.codec = "theora" }),
            ("out.mp4", .codecContainerMismatch, { $0.picture.codec = "ffv1" }),
            ("out.mp4", .codecContainerMismatch, { $0.sound.codec = "flac" }),
            ("out.avi", .usage, { _ in }), ("out", .usage, { _ in }),
            ("out.mp4", .settingsImpossible, { $0.picture.crf = 52 }),
            ("out.mp4", .settingsImpossible, { $0.picture.crf = .nan }),
            ("out.mp4", .settingsImpossible, { $0.picture.encoderPreset = "bogus" }),
            ("out.mp4", .settingsImpossible, { $0.picture.pixelFormat = "rgb24" }),
            ("out.mp4", .usage, { ($0.picture.crf, $0.picture.bitRate) = (20, 1_000_000) }),
            ("out.mp4", .usage, { $0.rendering.chunkSeconds = "soon" }),
            ("out.mp4", .usage, { $0.rendering.chunkSeconds = "-1" }),
            ("out.mp4", .usage, { $0.timing.rangeStart = "5s" }),
            ("out.mp4", .usage, { $0.timing.rangeStart = "midday" }),
        ]
        for (name, code, change) in cases {
            let error = try fixture.refusal(text, fixture.request(name, change))
            #expect(error.code == code, "\(name): \(error)")
            #expect(error.code.exit == .usage, "\(name): \(error)")
        }
        let odd = try fixture.refusal(PreparationFixture.cut(path, size: (255, 143)))
        #expect(odd.code == .settingsImpossible && odd.hint.contains("256×144"), "\(odd)")
    }

    /// The same without a file being there: what a coordinator answers at once.
    @Test func impossibleSubmissionsNeedNoMedia() throws {
        let project = try PreparationFixture.project(PreparationFixture.cut("/nowhere/a.mkv"))
        var request = OutputRequest(path: "/nowhere/out.mp4")
        try refuseImpossible(project, request: request)
        request.picture.codec = "theora"
        let error = try #require(throws: SplitreelError.self) { try refuseImpossible(project, request: request) }
        #expect(error.code == .encoderUnavailable)
    }

    /// The file's own outputs are checked like the command's.
    @Test func outputsOfTheFileAreChecked() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        let outputs = """
            ,"outputs":[{"url":"/x/good.mp4"},{"url":"/x/bad.mp4","videoSettings":{"codec":"ffv1"}},
            {"url":"/x/late.mp4","range":["9s","1s"]}]}
            """
        let project = try PreparationFixture.project(PreparationFixture.cut(path).dropLast() + outputs)
        let problems = outputProblems(of: project, assets: try probeAllAssets(of: project))
        #expect(problems.map(\.path) == ["outputs[1].videoSettings.codec", "outputs[2].range"], "\(problems)")
        #expect(problems.first?.code == .codecContainerMismatch)
    }

    /// Settings of the file are told by its keys, at the place of the key.
    @Test(arguments: [
        (#""preset": "wep""#, "outputs[0].preset", "there is no preset", "`web`"),
        (#""preset": "netflix""#, "outputs[0].preset", "netflix: there is no preset", "`splitreel presets`"),
        (
            #""videoSettings": {"crf": 20, "passes": 2}"#, "outputs[0].videoSettings.passes", "it shares out",
            "say `videoSettings.bitRate: 6000000`, or leave the key out"
        ),
        (
            #""videoSettings": {"codec": "h265"}"#, "outputs[0].videoSettings.codec", "h265", "did you mean ‘hevc’?"
        ),
        (
            #""videoSettings": {"crf": 20, "bitRate": 1000000}"#, "outputs[0].videoSettings.crf",
            "`videoSettings.crf` and `videoSettings.bitRate`", "leave one out"
        ),
        (
            #""audioTracks": [{}, {"channels": 3}]"#, "outputs[0].audioTracks[1].channels", "3: that count",
            "or `audioSettings.channelLayout: 3.0`"
        ),
    ])
    func settingsOfTheFileAreToldByItsKeys(entry: String, path: String, words: String, hint: String) throws {
        let fixture = try PreparationFixture()
        let text = PreparationFixture.cut(try fixture.film("a.mkv")).dropLast()
        let project = try PreparationFixture.project(text + #","outputs":[{"url":"/x/a.mp4",\#(entry)}]}"#)
        let found = outputProblems(of: project, assets: try probeAllAssets(of: project))
        #expect(found.map(\.path) == [path], "\(found)")
        #expect(found.first?.message.contains(words) == true && found.first?.hint.contains(hint) == true, "\(found)")
        let asked = OutputRequest(path: "/x/a.mp4").filled(from: try #require(project.outputs?.first), at: 0)
        let refused = try #require(throws: SplitreelError.self) { try preparePlan(project: project, request: asked) }
        #expect(refused.subject.description == path, "\(refused)")
    }

    /// What the command line says of the file's outputs is told by its options.
    @Test func optionsAreToldByTheirNames() throws {
        let fixture = try PreparationFixture()
        let text = PreparationFixture.cut(try fixture.film("a.mkv")).dropLast()
        let project = try PreparationFixture.project(text + #","outputs":[{"url":"/x/a.gif"}]}"#)
        var asked = OutputRequest(path: "/x/a.gif").filled(from: try #require(project.outputs?.first), at: 0)
        asked.picture.crf = 20
        let refused = try #require(throws: SplitreelError.self) { try preparePlan(project: project, request: asked) }
        #expect(refused.subject == "\(.crf)" && refused.hint.contains("leave the option out"), "\(refused)")
    }

    /// Outputs that are wrong in themselves are refused where they are made, by the place that `validate` names.
    @Test(arguments: [
        (#"{"url":"/x/a.mp4","id":"o"},{"url":"/x/b.mp4","id":"o"}"#, ErrorCode.usedTwice, "outputs[1].id"),
        (
            #"{"url":"/x/a.mp4"},{"url":"/x/b.mp4","videoSettings":{"pixelAspect":[0,1]}}"#, .valueNotAllowed,
            "outputs[1].videoSettings.pixelAspect"
        ),
    ])
    func outputsThatAreInvalidAreRefused(outputs: String, code: ErrorCode, path: String) throws {
        let fixture = try PreparationFixture()
        let text = PreparationFixture.cut(try fixture.film("a.mkv")).dropLast()
        let project = try PreparationFixture.project(text + #","outputs":[\#(outputs)]}"#)
        let entries = try #require(project.outputs)
        func asked(_ index: Int) -> OutputRequest {
            OutputRequest(path: "/x/\(index).mp4").filled(from: entries[index], at: index)
        }
        for refuse in [
            { try refuseImpossible(project, request: asked(1)) },
            { _ = try preparePlan(project: project, request: asked(1)) },
        ] {
            let error = try #require(throws: SplitreelError.self) { try refuse() }
            #expect(error.code == code && error.subject.description == path, "\(error)")
        }
        // The other one is right, and so is one that the file does not have.
        try refuseImpossible(project, request: asked(0))
        try refuseImpossible(project, request: fixture.request())
        #expect(try preparePlan(project: project, request: fixture.request()).plan.frameCount == 25)
    }

    /// What `validate` warns of an output is told where it is made, and refused where no warning is to be.
    @Test func warningsOfOutputsAreTold() throws {
        let fixture = try PreparationFixture()
        let text = PreparationFixture.cut(try fixture.film("a.mkv")).dropLast()
        let outputs = #"{"url":"/x/a.mkv","metadata":{"location":"Bern"}},{"url":"/x/b.mkv"}"#
        let project = try PreparationFixture.project(text + #","outputs":[\#(outputs)]}"#)
        let entries = try #require(project.outputs)
        for index in [0, 1] {
            var request = OutputRequest(path: "/x/\(index).mkv").filled(from: entries[index], at: index)
            let told = try preparePlan(project: project, request: request).notices.notices.map(\.subject)
            #expect(told.filter { $0.hasPrefix("outputs") } == (index == 0 ? ["outputs[0].metadata.location"] : []))
            request.rendering.strict = true
            if index == 0 {
                #expect(throws: SplitreelError.self) { try refuseImpossible(project, request: request) }
            } else {
                try refuseImpossible(project, request: request)
            }
        }
    }

    /// It allows two passes, and asks for none where they do not help.
    @Test func multiPassIsTwoWhereTheyHelp() throws {
        var entry = OutputEntry()
        entry.multiPass = true
        #expect(OutputRequest(path: "/x/a.mp4").filled(from: entry).picture.passes == nil)
        entry.videoSettings = PictureRequest()
        entry.videoSettings?.bitRate = 1_000_000
        #expect(OutputRequest(path: "/x/a.mp4").filled(from: entry).picture.passes == 2)
        #expect(OutputRequest(path: "/x/a.webm").filled(from: entry).picture.passes == nil)
        #expect(OutputRequest(path: "/x/a.m3u8").filled(from: entry).picture.passes == nil)
        entry.videoSettings?.passes = 1
        #expect(OutputRequest(path: "/x/a.mp4").filled(from: entry).picture.passes == 1)
    }

    /// A file type that the name does not say is told.
    @Test func aNameOfAnotherTypeIsAWarning() throws {
        let fixture = try PreparationFixture()
        let project = try PreparationFixture.project(PreparationFixture.cut(try fixture.film("a.mkv")))
        func told(_ name: String, _ type: String?) throws -> [String] {
            try preparePlan(project: project, request: fixture.request(name) { $0.delivery.fileType = type }).notices
                .notices
                .map(\.reason.description).filter { $0.hasPrefix("its name") }
        }
        #expect(try told("z.mp4", "mkv") == ["its name is that of mp4, and it is mkv: call it .mkv"])
        for (name, type) in [("z.mkv", "mkv"), ("z.mp4", nil), ("z", "mkv"), ("z.film", "MP4")] {
            #expect(try told(name, type) == [])
        }
    }

    /// A range of the file is asked for as people write it; one without an end has none.
    @Test func rangesOfOutputsAreAskedFor() throws {
        var entry = OutputEntry()
        entry.range = TimeRange(start: MediaTime(value: 5, timescale: 2), duration: .positiveInfinity)
        let request = OutputRequest(path: "/x/a.mp4").filled(from: entry)
        #expect(request.timing.rangeStart == "2.5s" && request.timing.rangeDuration == "+inf", "\(request)")
        let fixture = try PreparationFixture()
        let project = try PreparationFixture.project(PreparationFixture.cut(try fixture.film("a.mkv")))
        entry.range = TimeRange(start: .zero, duration: .positiveInfinity)
        #expect(try preparePlan(project: project, request: fixture.request().filled(from: entry)).plan.frameCount == 25)
    }

    @Test func aFrameLongerThanTheFilmIsAWarning() throws {
        let fixture = try PreparationFixture()
        let project = try PreparationFixture.project(PreparationFixture.cut(try fixture.film("a.mkv")))
        for (rate, count) in [("1/10", 1), ("1", 0), ("25", 0)] {
            let request = fixture.request { $0.timing.frameRate = rate }
            let told = try preparePlan(project: project, request: request).notices.notices
            let isTold = told.contains { $0.reason.hasPrefix("its one frame lasts 10 s, and what it shows 1 s") }
            #expect(isTold == (count == 1), "\(rate)")
        }
    }

    /// What a container has no place for is told by the plan, not by the finished film.
    @Test func framesBeyondTheContainer() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        func text(_ length: String) -> String {
            Text.project(
                ["a": path],
                [
                    #"{"id":1,"type":"video","segments":[{"asset":"a","source":["0s","1s"],"target":["0s",""#
                        + length + #""]}]}"#
                ], size: (256, 144), frame: "1/50")
        }
        let long = try fixture.refusal(text("400.02s"), fixture.request("a.webp"))
        #expect(long.code == .settingsImpossible && "\(long)".contains("20001"), "\(long)")
        let project = try PreparationFixture.project(text("400s"))
        #expect(try preparePlan(project: project, request: fixture.request("a.webp")).plan.frameCount == 20_000)
    }
}
