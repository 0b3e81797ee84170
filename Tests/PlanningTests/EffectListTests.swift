import Composition
import Foundation
import Planning
import Testing

/// A plan names every registered thing that its film needs, each in one version.
@Suite("What a plan's workers must have") struct EffectListTests {
    private func project(_ video: String, more assets: String = "") throws -> Project {
        try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,1,1,1]}\(assets)},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","2s"]}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25"\(video)}}
                """.utf8))
    }

    private func plan(_ project: Project) throws -> RenderPlan {
        let timeline = try Timeline(project: project, assets: [:])
        let request = OutputRequest(path: "/out/film.mkv")
        let output = try resolve(request, timeline: timeline, assets: [:])
        return try makePlan(project: project, timeline: timeline, assets: [:], request: request, output: output)
    }

    private static func instructions(_ first: String, _ second: String = "") -> String {
        """
        ,"instructions":[{"range":["0s","1s"],"layers":[{"track":1}]\(first)},
        {"range":["1s","1s"],"layers":[{"track":1\(second)}]}]
        """
    }

    private static let wipe = ",\"effect\":{\"id\":\"wipe.left\"}"

    @Test func nothingWhereNothingIsUsed() throws {
        let plan = try plan(try project(",\"compositor\":{\"id\":\"builtin\"}" + Self.instructions("")))
        #expect(plan.effects == nil)
    }

    @Test func allThatIsUsedAndSwitchedOn() throws {
        let off = ",\"effects\":[{\"id\":\"exposure\",\"enabled\":false}]"
        #expect(try plan(try project(Self.instructions(Self.wipe, off))).effects == ["wipe.left 1"])
        let on = ",\"effects\":[{\"id\":\"exposure\",\"params\":{\"stops\":1}}]"
        let both = try project(Self.instructions(Self.wipe, on) + on)
        #expect(try plan(both).effects == ["exposure 1", "wipe.left 1"])
    }

    @Test func ofNestedCompositionsToo() throws {
        let inner = String(decoding: try project(Self.instructions(Self.wipe)).canonicalBytes(), as: UTF8.self)
        let outer = try project("", more: ",\"n\":{\"kind\":\"composition\",\"project\":\(inner)}")
        #expect(outer.usedEffects == ["wipe.left 1"])
    }

    @Test func theNewestVersionIsWrittenDown() throws {
        EffectRegistry.register(EffectDescription("test.twice", version: 1, .effect, "Once."))
        EffectRegistry.register(EffectDescription("test.twice", version: 2, .effect, "Twice."))
        let effect = ",\"effect\":{\"id\":\"test.twice\"}"
        let newest = try plan(try project(Self.instructions(effect)))
        #expect(newest.effects == ["test.twice 2"])
        #expect(newest.composition.contains("\"effect\":{\"id\":\"test.twice\",\"version\":2}"))
        let old = try plan(try project(Self.instructions(effect.replacing("}", with: ",\"version\":1}"))))
        #expect(old.effects == ["test.twice 1"])
    }
}
