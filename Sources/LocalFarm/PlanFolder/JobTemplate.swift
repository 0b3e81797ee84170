import Foundation
package import JSONText
import MediaFacts
package import Planning
import SplitreelFiles

/// The job template of a plan folder for Open Job Description (`jobtemplate-2023-09`), and the list of its sources.
///
/// The template names no path of this machine: the plan folder and the film are parameters, relative to it by default.
/// Only the plan has the absolute paths of the sources, which path mapping rules translate.
package struct JobTemplate {
    package static let name = "template.json"
    /// The name of the list of files that a job needs beside its folder, as job bundles have it.
    package static let sourcesName = "asset_references.json"

    private let plan: RenderPlan
    private let requests: [OutputRequest]
    /// The memory that a chunk takes at its peak, in bytes, about; 0 where it is not known.
    private let slotBytes: Int

    /// The most letters of a job's name, by the specification.
    private static let mostNameLetters = 128

    init(_ folder: PlanFolder, slotBytes: Int) {
        self.init(plan: folder.plan, requests: folder.requests, slotBytes: slotBytes)
    }

    package init(plan: RenderPlan, requests: [OutputRequest], slotBytes: Int) {
        (self.plan, self.requests, self.slotBytes) = (plan, requests, slotBytes)
    }

    /// The template.
    package var document: JSONValue {
        .object([
            "specificationVersion": .string("jobtemplate-2023-09"),
            "name": .string(Self.text(fileName(of: requests.first?.path ?? "film"))),
            "description": .string(
                "\(plan.taskCount - plan.copiedChunkCount) tasks of a film, made by splitreel export."),
            "parameterDefinitions": .array([planParameter, filmParameter, programParameter]),
            "steps": .array(steps),
        ])
    }

    /// The list of the files that the plan reads.
    package var sources: JSONValue {
        let paths = Set(plan.assets.values.flatMap(\.files).map(\.path).filter { !$0.isEmpty }).sorted()
        return .object([
            "assetReferences": .object([
                "inputs": .object(["filenames": .array(paths.map(JSONValue.string)), "directories": .array([])]),
                "outputs": .object(["directories": .array([])]),
            ])
        ])
    }

    /// A text where the specification allows references: a brace pair would begin one, and control letters are refused.
    package static func text(_ text: String) -> String {
        var shown = text
        shown.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
        shown = shown.replacing("}}", with: "} }")
        // `{{{` has a pair again after one turn.
        while shown.contains("{{") { shown = shown.replacing("{{", with: "{ {") }
        // The specification counts as Unicode does: a letter with its accent apart is two.
        let name = String(String.UnicodeScalarView(shown.unicodeScalars.prefix(mostNameLetters)))
        return name.isEmpty ? "film" : name
    }

    // MARK: - Parameters

    private var planParameter: JSONValue {
        .object([
            "name": .string("Plan"), "type": .string("PATH"), "objectType": .string("DIRECTORY"),
            "dataFlow": .string("INOUT"), "default": .string("."),
            "description": .string("The plan folder: tasks read the plan in it and put their segments there."),
        ])
    }

    private var isOneFilm: Bool { requests.count == 1 }

    private var filmParameter: JSONValue {
        .object([
            "name": .string("Film"), "type": .string("PATH"),
            "objectType": .string(isOneFilm ? "FILE" : "DIRECTORY"), "dataFlow": .string("OUT"),
            "default": .string(isOneFilm ? fileName(of: requests[0].path) : "films"),
            "description": .string(
                isOneFilm ? "The film. One that is there is replaced." : "The folder for the \(requests.count) outputs."
            ),
        ])
    }

    private var programParameter: JSONValue {
        .object([
            "name": .string("Splitreel"), "type": .string("STRING"), "default": .string("splitreel"),
            "description": .string("The program: a name on the PATH, or a path of the machines that run the tasks."),
        ])
    }

    // MARK: - Steps

    private var steps: [JSONValue] {
        let stitch = "Stitch"
        var steps: [JSONValue] = []
        var made: [String] = []
        func add(_ name: String, _ tasks: some Collection<Int>, after: [String] = []) {
            guard !tasks.isEmpty else { return }
            steps.append(step(name, tasks, after: after.filter { made.contains($0) }))
            made.append(name)
        }
        add("Analyses", plan.analysisTasks)
        add("SoundParts", plan.soundPartTasks)
        add("Chunks", plan.renderedChunks, after: ["Analyses"])
        if let sound = plan.soundTask { add("Sound", sound..<sound + 1, after: ["SoundParts"]) }
        let words = ["stitch", "{{Param.Plan}}", "-o", "{{Param.Film}}", "--overwrite"]
        steps.append(
            .object([
                "name": .string(stitch), "script": script(words),
                "dependencies": dependencies(made.filter { $0 == "Chunks" || $0 == "Sound" }),
            ]))
        return steps
    }

    private func step(_ name: String, _ tasks: some Collection<Int>, after: [String]) -> JSONValue {
        let words = ["render-chunk", "{{Param.Plan}}", "{{Task.Param.Index}}"]
        var step: [String: JSONValue] = [
            "name": .string(name),
            "script": script(words + ["--path-mapping", "{{Session.PathMappingRulesFile}}", "--progress", "openjd"]),
            "parameterSpace": .object([
                "taskParameterDefinitions": .array([
                    .object([
                        "name": .string("Index"), "type": .string("INT"),
                        "range": .string(
                            PlanFolder.runs(of: tasks).map { "\($0.lowerBound)-\($0.upperBound)" }
                                .joined(separator: ",")),
                    ])
                ])
            ]),
        ]
        if !after.isEmpty { step["dependencies"] = dependencies(after) }
        if slotBytes > 0 {
            let mebibytes = Int64((slotBytes + (1 << 20) - 1) >> 20)
            step["hostRequirements"] = .object([
                "amounts": .array([
                    .object(["name": .string("amount.worker.memory"), "min": .integer(mebibytes)])
                ])
            ])
        }
        return .object(step)
    }

    private func dependencies(_ names: [String]) -> JSONValue {
        .array(names.map { .object(["dependsOn": .string($0)]) })
    }

    /// A script of one command. An engine that cancels says so to the command first, which then removes what it has
    /// begun.
    private func script(_ words: [String]) -> JSONValue {
        .object([
            "actions": .object([
                "onRun": .object([
                    "command": .string("{{Param.Splitreel}}"), "args": .array(words.map(JSONValue.string)),
                    "cancelation": .object([
                        "mode": .string("NOTIFY_THEN_TERMINATE"), "notifyPeriodInSeconds": .integer(30),
                    ]),
                ])
            ])
        ])
    }
}
