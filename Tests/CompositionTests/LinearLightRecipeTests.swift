import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

@Suite("What is worked out in linear light")
struct LinearLightRecipeTests {
    private func timeline(_ colour: String, inner: String = "{}") throws -> Timeline {
        let made = try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{"grey":{"kind":"color","color":[0.5,0.5,0.5,1]},
                "inner":{"kind":"composition","project":{"format":"splitreel/1",
                "assets":{"white":{"kind":"color","color":[1,1,1,1]}},
                "composition":{"naturalSize":[64,64],"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"white","target":["0s","4s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/25","color":\(inner)}}}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"grey","target":["0s","4s"]}]},
                {"id":2,"type":"video","segments":[{"asset":"inner","source":["0s","4s"],"target":["0s","4s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/25","color":\(colour),"instructions":[
                {"range":["0s","4s"],"layers":[{"track":1,"fit":"contain","opacity":[{"at":"0s","value":0.5}]},
                {"track":2,"opacity":[{"at":"0s","value":0.5}]}]}]}}
                """.utf8))
        var facts: [String: AssetFacts] = [:]
        made.addNestedFacts(to: &facts)
        return try Timeline(project: made, assets: facts)
    }

    private func lights(_ group: PictureGroup) -> [LightUse] {
        [group.light]
            + group.layers.flatMap { layer -> [LightUse] in
                if case .group(let inner) = layer.picture { lights(inner) } else { [] }
            }
    }

    /// The frame, the nested frame beneath and the fitted picture on top.
    @Test func groupsHaveTheirOwnCompositions() throws {
        let (none, both) = (LightUse.none, LightUse(blends: true, scales: true))
        #expect(try lights(timeline("{}").recipe(at: .zero)) == [none, none, none])
        let outer = #"{"blendSpace":"linear","scaleSpace":"linear"}"#
        #expect(try lights(timeline(outer).recipe(at: .zero)) == [both, none, both])
        let inner = try timeline("{}", inner: #"{"blendSpace":"linear"}"#)
        #expect(lights(inner.recipe(at: .zero)) == [none, LightUse(blends: true), none])
    }

    /// An opaque group's layers are drawn over by its own rules: it is not taken apart where these are others.
    @Test func groupsOfOtherLightStayWhole() {
        let size = PixelSize(width: 8, height: 8)
        func frame(_ inner: LightUse) -> PictureGroup {
            let fill = LayerRecipe(picture: .fill(ColourFill(colour: .black, size: size)), opacity: 0.5)
            let group = PictureGroup(size: size, matte: .black, layers: [fill], light: inner)
            return PictureGroup(
                size: size, matte: .black, layers: [LayerRecipe(picture: .group(group)), fill],
                light: LightUse(blends: true))
        }
        #expect(frame(LightUse(blends: true)).flattened.layers.count == 2)
        #expect(lights(frame(LightUse(blends: true)).flattened) == [LightUse(blends: true)])
        #expect(frame(.none).flattened == frame(.none))
    }

    @Test func aDoubleFadeSaysWhatIsLeftOfTheLight() throws {
        func message(_ colour: String) throws -> String? {
            let ramp = #""range":["1s","1s"]"#
            let made = try Project(
                parsing: Data(
                    """
                    {"format":"splitreel/1","assets":{"grey":{"kind":"color","color":[0.5,0.5,0.5,1]}},
                    "composition":{"tracks":[
                    {"id":1,"type":"video","segments":[{"asset":"grey","target":["0s","4s"]}]},
                    {"id":2,"type":"video","segments":[{"asset":"grey","target":["0s","4s"]}]}]},
                    "video":{"renderSize":[64,64],"color":\(colour),"instructions":[{"range":["0s","4s"],"layers":[
                    {"track":1,"opacity":[{\(ramp),"from":1,"to":0}]},
                    {"track":2,"opacity":[{\(ramp),"from":0,"to":1}]}]}]}}
                    """.utf8))
            let problems = made.validate(assets: nil)
            #expect(problems.map(\.code) == [.doubleFade])
            return problems.first?.message
        }
        #expect(try message("{}")?.hasSuffix("dips towards what is beneath") == true)
        #expect(try message(#"{"blendSpace":"linear"}"#)?.hasSuffix("to three quarters of the light") == true)
    }
}
