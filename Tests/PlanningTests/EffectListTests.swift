import Foundation
import MediaTime
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

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
        let output = try resolve(request, timeline: timeline)
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

    private func chunks(_ project: Project, _ chunks: String = "1") throws -> [Chunk] {
        let timeline = try Timeline(project: project, assets: [:])
        var request = OutputRequest(path: "/out/film.mkv")
        request.rendering.chunkSeconds = chunks
        let output = try resolve(request, timeline: timeline)
        let plan = try makePlan(
            project: project, timeline: timeline, assets: [:], request: request, output: output)
        try plan.check()
        return plan.chunks
    }

    private func needs(_ project: Project, chunks: String = "1") throws -> [[Int]?] {
        try self.chunks(project, chunks).map(\.needs)
    }

    /// `exposure` and `wipe.left`, in this order; a list that says nothing is all of them.
    @Test func chunksSayWhatTheyNeed() throws {
        let on = ",\"effects\":[{\"id\":\"exposure\",\"params\":{\"stops\":1}}]"
        #expect(try needs(try project(Self.instructions(Self.wipe, on))) == [[1], [0]])
        #expect(try needs(try project(Self.instructions(Self.wipe))) == [nil, []])
        #expect(try needs(try project(Self.instructions(Self.wipe) + on)) == [nil, [0]])
        #expect(try needs(try project(Self.instructions(Self.wipe, on)), chunks: "none") == [nil])
        let around = ",\"effects\":[{\"id\":\"test.around\"}]"
        EffectRegistry.register(EffectDescription("test.around", .effect, "Looks back.").with { $0.framesBehind = 1 })
        #expect(try needs(try project(Self.instructions(Self.wipe, around))) == [nil, nil])
    }

    /// A segment's transition about the cut at 1 s reaches into both seconds; a nested composition's effects are needed
    /// where it is shown.
    @Test func segmentsSayWhatTheirChunksNeed() throws {
        let transition = ",\"transition\":{\"id\":\"wipe.left\",\"duration\":\"0.4s\"}"
        func film(_ second: String, more: String = "") throws -> Project {
            try Project(
                parsing: Data(
                    """
                    {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,1,1,1]}\(more)},
                    "composition":{"tracks":[{"id":1,"type":"video","segments":[
                    {"asset":"c","target":["0s","1s"]},\(second),{"asset":"c","target":["2s","1s"]}]}]},
                    "video":{"renderSize":[64,36],"frameDuration":"1/25"}}
                    """.utf8))
        }
        let chunks = try chunks(film("{\"asset\":\"c\",\"target\":[\"1s\",\"1s\"]\(transition)}"), "0.5")
        for chunk in chunks {
            #expect(chunk.needs == (chunk.frames.overlaps(20..<30) ? nil : []), "\(chunk)")
        }
        #expect(Set(chunks.map(\.needs)).count == 2)
        let inner = String(decoding: try project(Self.instructions(Self.wipe)).canonicalBytes(), as: UTF8.self)
        let nested = try film(
            "{\"asset\":\"n\",\"source\":[\"0s\",\"1s\"],\"target\":[\"1s\",\"1s\"]}",
            more: ",\"n\":{\"kind\":\"composition\",\"project\":\(inner)}")
        let uses = try #require(nested.effectUses([:]))
        #expect(uses.map(\.names) == [["wipe.left 1"]] && uses.map(\.start) == [Rational(1)])
        #expect(uses.map(\.end) == [Rational(2)])
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

    /// A plan tells whether something of it must not be confined.
    @Test func plansSayThatTheyNeedTheSystem() throws {
        EffectRegistry.register(
            EffectDescription("test.system", .effect, "Opens files.").with { $0.needsSystem = true })
        let effect = ",\"effect\":{\"id\":\"test.system\"}"
        let opening = try plan(try project(Self.instructions(effect)))
        #expect(opening.needsSystem)
        let usual = try plan(try project(Self.instructions(Self.wipe)))
        #expect(!usual.needsSystem)
    }
}
