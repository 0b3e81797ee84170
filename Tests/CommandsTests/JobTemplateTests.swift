import Diagnostics
import Foundation
import JSONText
import LocalFarm
import MediaFacts
import MediaTime
import Outputs
import Planning
import SplitreelCommands
import Testing

/// The template for Open Job Description, as its specification of 2023-09 wants it.
@Suite("Job templates") struct JobTemplateTests {
    private func plan(chunks count: Int, seconds: Int64 = 6, soundCuts: [Int]? = nil, hasSound: Bool = true)
        -> RenderPlan
    {
        let chunks = (0..<count).map {
            Chunk(index: $0, kind: .composite, firstFrame: 25 * $0, frameCount: 25, cost: 1, why: "test")
        }
        var plan = RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}",
            assets: [
                "b": AssetFacts(kind: .color, path: ""), "a": AssetFacts(kind: .media, path: "/media/a \"1\".mov"),
                "c": AssetFacts(kind: .media, path: "/media/a \"1\".mov"),
            ],
            output: OutputSettings(container: .mp4, video: nil, audio: nil),
            range: TimeRange(start: .zero, duration: MediaTime(value: seconds, timescale: 1)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 25 * count,
            sampleRate: hasSound ? 48_000 : 0, sampleCount: hasSound ? 48_000 * Int(seconds) : 0, chunks: chunks)
        plan.soundCuts = soundCuts
        return plan
    }

    private func template(_ plan: RenderPlan, _ films: [String] = ["/out/film.mp4"]) -> JobTemplate {
        JobTemplate(plan: plan, requests: films.map { OutputRequest(path: $0) }, slotBytes: 300_000_000)
    }

    private func steps(_ document: JSONValue) throws -> [JSONValue] {
        guard case .array(let steps)? = document["steps"] else { throw Fault() }
        return steps
    }

    private struct Fault: Error {}

    private func range(_ step: JSONValue) -> String? {
        guard case .array(let parameters)? = step["parameterSpace"]?["taskParameterDefinitions"] else { return nil }
        return parameters.first?["range"]?.string
    }

    private func dependencies(_ step: JSONValue) -> [String] {
        guard case .array(let list)? = step["dependencies"] else { return [] }
        return list.compactMap { $0["dependsOn"]?.string }
    }

    private func words(_ step: JSONValue) -> [String] {
        guard case .array(let list)? = step["script"]?["actions"]?["onRun"]?["args"] else { return [] }
        return list.compactMap(\.string)
    }

    /// Tasks are numbered as the plan numbers them: chunks, the sound, its parts. Each step is told what it waits for.
    @Test func everyTaskIsInOneStep() throws {
        let document = template(plan(chunks: 6, soundCuts: [2, 4])).document
        #expect(document["specificationVersion"]?.string == "jobtemplate-2023-09")
        let steps = try steps(document)
        #expect(steps.compactMap { $0["name"]?.string } == ["SoundParts", "Chunks", "Sound", "Stitch"])
        #expect(steps.map(range) == ["7-9", "0-5", "6-6", nil])
        #expect(steps.map(dependencies) == [[], [], ["SoundParts"], ["Chunks", "Sound"]])
        for step in steps {
            #expect(step["script"]?["actions"]?["onRun"]?["command"]?.string == "{{Param.Splitreel}}")
        }
        #expect(words(steps[1]).prefix(3) == ["render-chunk", "{{Param.Plan}}", "{{Task.Param.Index}}"])
        #expect(words(steps[3]) == ["stitch", "{{Param.Plan}}", "-o", "{{Param.Film}}", "--overwrite"])
        guard case .array(let amounts)? = steps[1]["hostRequirements"]?["amounts"] else { throw Fault() }
        // 300,000,000 bytes are 286.1 MiB.
        #expect(amounts.first?["min"] == .integer(287))
    }

    @Test func stepsWithoutTasksAreLeftOut() throws {
        let silent = try steps(template(plan(chunks: 1, hasSound: false)).document)
        #expect(silent.compactMap { $0["name"]?.string } == ["Chunks", "Stitch"])
        #expect(silent.map(dependencies) == [[], ["Chunks"]])
        let blind = try steps(template(plan(chunks: 0)).document)
        #expect(blind.compactMap { $0["name"]?.string } == ["Sound", "Stitch"])
        #expect(blind.map(range) == ["0-0", nil])
    }

    /// No path of the machine that exported stands in it: those of the parameters are below the plan folder.
    @Test func parametersAreRelative() throws {
        for (films, place) in [(["/out/film.mp4"], "film.mp4"), (["/out/a.mp4", "/out/b/c.mkv"], "films")] {
            let document = template(plan(chunks: 2), films).document
            guard case .array(let parameters)? = document["parameterDefinitions"] else { throw Fault() }
            #expect(parameters.compactMap { $0["name"]?.string } == ["Plan", "Film", "Splitreel"])
            #expect(parameters.compactMap { $0["type"]?.string } == ["PATH", "PATH", "STRING"])
            #expect(parameters.compactMap { $0["default"]?.string } == [".", place, "splitreel"])
            #expect(!String(decoding: document.canonicalBytes(), as: UTF8.self).contains("/out"))
        }
    }

    /// What a session would take for a reference, or the specification refuses in a name.
    @Test(arguments: [
        ("cut.mp4", "cut.mp4"), ("a{{Param.Plan}}b.mp4", "a{ {Param.Plan} }b.mp4"), ("{{{{", "{ { { {"),
        ("{\u{1}{", "{ {"),
        ("a\nb\tc.mp4", "abc.mp4"), ("", "film"), ("\u{7F}", "film"), ("schön 1.mp4", "schön 1.mp4"),
    ])
    func namesAreNoReferences(name: String, text: String) {
        #expect(JobTemplate.text(name) == text)
    }

    @Test func namesAreShort() {
        #expect(JobTemplate.text(String(repeating: "x", count: 400)).count == 128)
        let braces = JobTemplate.text(String(repeating: "{", count: 400))
        #expect(braces.count == 128 && !braces.contains("{{"))
        #expect(JobTemplate.text(String(repeating: "e\u{301}", count: 85)).unicodeScalars.count == 128)
    }

    @Test func sourcesAreListedOnce() {
        let list = template(plan(chunks: 1)).sources["assetReferences"]?["inputs"]?["filenames"]
        #expect(list == .array([.string("/media/a \"1\".mov")]))
    }

    @Test func pathMappingRulesBecomeMaps() throws {
        func texts(_ text: String) throws -> [String] {
            try PathMappingRules.texts(bytes: Data(text.utf8), of: "rules.json")
        }
        #expect(try texts("{}") == [])
        let rules = """
            {"version": "pathmapping-1.0", "path_mapping_rules": [
            {"source_path_format": "POSIX", "source_path": "/mnt/films", "destination_path": "/tmp/s/films"},
            {"source_path_format": "WINDOWS", "source_path": "Z:\\\\films", "destination_path": "/tmp/s/z"}]}
            """
        #expect(try texts(rules) == ["/mnt/films=/tmp/s/films"])
        for wrong in [
            "[]", "{\"path_mapping_rules\": 1}", "{\"path_mapping_rules\": [{\"source_path\": \"/a\"}]}", "x",
        ] {
            let error = #expect(throws: SplitreelError.self) { try texts(wrong) }
            #expect(error?.code == .usage, "\(wrong)")
        }
    }

    /// Films of several outputs keep their places to each other in another folder.
    @Test(
        arguments: [
            (["/a/b.mp4", "/a/c.mkv"], "/o", ["/o/b.mp4", "/o/c.mkv"]),
            (["/größe/ß/b.mp4", "/größe/c/d.mkv"], "/o", ["/o/ß/b.mp4", "/o/c/d.mkv"]),
            (["/b.mp4", "/ä/c.mkv"], "/o", ["/o/b.mp4", "/o/ä/c.mkv"]), (["/a/b.mp4"], "/", ["/b.mp4"]),
        ] as [([String], String, [String])])
    func filmsMoveTogether(paths: [String], folder: String, expected: [String]) {
        #expect(PlanFolder.places(of: paths, in: folder) == expected)
    }
}
