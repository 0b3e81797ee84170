import Foundation
import MediaFacts
import MediaTime
import Testing

@Suite("What is known of an asset")
struct AssetFactsTests {
    private var facts: AssetFacts {
        var facts = AssetFacts(
            kind: .livePhoto, path: "/a/b.mov", byteCount: 5, edgeHash: "e", contentSum: "c", mark: "m",
            container: "mov", duration: .zero, plays: 2, tracks: [TrackFacts(id: 1, type: .audio, codec: "aac")],
            remarks: ["w"], parts: [AssetFacts(kind: .color, path: "")])
        facts.proxy = [AssetFacts(kind: .media, path: "/a/c.mov", byteCount: 6)]
        facts.timedText = TimedText(cues: [])
        facts.deinterlacing = Deinterlacing()
        return facts
    }

    /// Frozen plans are known by the hash of what is written here.
    @Test func locationAndIdentityStandAmongTheOtherKeys() throws {
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(facts)) as? [String: Any]
        let object = try #require(written)
        #expect(
            Set(object.keys) == [
                "kind", "path", "byteCount", "edgeHash", "contentSum", "mark", "container", "duration", "plays",
                "parts", "proxy", "tracks", "timedText", "deinterlacing", "warnings",
            ])
        #expect(object["path"] as? String == "/a/b.mov" && object["byteCount"] as? Int == 5)
        #expect(object["edgeHash"] as? String == "e" && object["contentSum"] as? String == "c")
        #expect(object["mark"] as? String == "m")
        let part = try #require((object["parts"] as? [[String: Any]])?.first)
        #expect(
            Set(part.keys) == [
                "kind", "path", "byteCount", "edgeHash", "container", "duration", "tracks", "warnings",
            ])
    }

    @Test func nothingIsLostOnTheWay() throws {
        let read = try JSONDecoder().decode(AssetFacts.self, from: JSONEncoder().encode(facts))
        #expect(read == facts)
        #expect(read.location == AssetLocation(path: "/a/b.mov") && read.identity.mark == "m")
    }
}
