import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import Testing

@Suite("What an asset's keys mean") struct AssetContentTests {
    private func asset(_ members: String) throws -> Asset {
        try #require(project(assets: "\"a\": {\(members)}", tracks: "").assets["a"])
    }

    private func content(_ members: String) throws -> AssetContent { try asset(members).content }

    @Test func aFileHasWhatIsSaidOfIt() throws {
        let said = #""url": "a.mov", "proxy": "p.mov", "deinterlace": "top", "fieldRate": true, "range": "full""#
        let colour = #", "alpha": "premultiplied", "color": {"transfer": "SMPTE_ST_2084_PQ"}"#
        for kind in [nil, "media", "image", "animatedImage", "imageSequence", "livePhoto", "timedMetadata"] {
            let named = kind.map { "\"kind\": \"\($0)\", " } ?? ""
            let file = try #require(try content(named + said + colour).file, "\(kind ?? "none")")
            #expect(file.url == "a.mov" && file.proxy == "p.mov")
            #expect(file.deinterlace == .top && file.fieldRate == true)
            #expect(file.overrides == ColourOverrides(transfer: .pq, isFullRange: true, isPremultiplied: true))
        }
        #expect(try content(#""url": "a.mov""#).file?.overrides == nil)
        for kind in ["color", "gradient", "noise", "tone", "silence", "lut", "font", "subtitles", "composition"] {
            #expect(try content("\"kind\": \"\(kind)\", " + said).file == nil, "\(kind)")
        }
    }

    @Test func kindsOfFilesHaveTheirOwn() throws {
        guard case .imageSequence(_, let usual) = try content(#""kind": "imageSequence", "url": "a%d.png""#),
            case .imageSequence(_, let own) = try content(
                #""kind": "imageSequence", "url": "a%d.png", "rate": "30000/1001", "startNumber": 7"#),
            case .livePhoto(_, let movie) = try content(#""kind": "livePhoto", "url": "a.heic", "movie": "a.mov""#),
            case .lut(let table) = try content(#""kind": "lut", "url": "a.cube""#)
        else {
            Issue.record("another kind")
            return
        }
        #expect(usual.start == nil && usual.rate == Rational(25))
        #expect(own.start == 7 && own.rate == Rational(30_000, 1001))
        #expect(movie == "a.mov" && table == "a.cube")
        for written in [#""23.98""#, "23.98", #""23.976""#, "23.976"] {
            let read = try content(#""kind": "imageSequence", "url": "a%d.png", "rate": \#(written)"#)
            if case .imageSequence(_, let slow) = read {
                #expect(slow.rate == Rational(24_000, 1001), "\(written)")
            } else {
                Issue.record("another kind")
            }
        }
    }

    @Test func generatorsHaveTheirDefaults() throws {
        guard case .tone(let tone) = try content(#""kind": "tone""#),
            case .sweep(let sweep) = try content(#""kind": "sweep", "frequency": 50, "volume": 0.5"#),
            case .noise(let noise, let size) = try content(#""kind": "noise", "rate": 10, "size": [8, 6]"#),
            case .color(let none, size: nil) = try content(#""kind": "color""#)
        else {
            Issue.record("another kind")
            return
        }
        #expect(tone.frequency == 1000 && tone.volume == 0.1)
        #expect(sweep.start == 50 && sweep.end == 20_000 && sweep.volume == 0.5)
        #expect(noise.seed == 0 && !noise.isColoured && noise.rate == Rational(10) && noise.volume == 0.1)
        #expect(size == PixelSize(width: 8, height: 6) && none == nil)
        #expect(try content(#""kind": "bars""#).pattern() == .bars(.smpte))
        let told = try content(#""kind": "noise", "seed": 3"#)
        #expect(told.pattern(frame: 2) == .noise(Noise(seed: 3, isColoured: false, frame: 2)))
        let grey = { (level: Double) in Colour(red: level, green: level, blue: level) }
        let checker = Checker(cell: PixelSize(width: 32, height: 32), even: grey(0.75), odd: grey(0.5))
        #expect(try content(#""kind": "checker""#).pattern() == .checker(checker))
        #expect(try content(#""kind": "gradient""#).pattern() == nil)
        #expect(try content(#""kind": "color", "color": [0, 0, 0, 1]"#).pattern() == nil)
    }

    @Test func anAssetWithAProjectIsAComposition() throws {
        let inner = #""project": {"format": "splitreel/1", "assets": {}, "composition": {"tracks": []}}"#
        #expect(try asset(inner).nested == Project() && asset("\"kind\": \"composition\", " + inner).isNested)
        #expect(try asset("\"kind\": \"image\", \"url\": \"a.png\", " + inner).nested == nil)
        guard case .composition = try content(#""kind": "composition", "url": "a.json""#) else {
            Issue.record("another kind")
            return
        }
    }

    /// Keys that mean nothing for the kind are kept in their place all the same.
    @Test func strayKeysAreKept() throws {
        let members = #""kind": "tone", "frequency": 440, "proxy": "p.mov", "seed": 7, "x-own": 1"#
        let film = try project(assets: "\"a\": {\(members)}", tracks: "")
        let written = try #require(film.assets["a"]?.json)
        #expect(
            written
                == .object([
                    "kind": .string("tone"), "frequency": .integer(440), "proxy": .string("p.mov"),
                    "seed": .integer(7), "x-own": .integer(1),
                ]))
        #expect(film.resolvingURLs(against: "/f").assets["a"]?.json["proxy"] == .string("/f/p.mov"))
    }

    @Test func aChangedCopyIsItsOwn() throws {
        let one = try asset(#""url": "a.mov""#)
        var other = one
        #expect(other == one && Set([other, one]).count == 1)
        other.keys.url = "b.mov"
        #expect(one.keys.url == "a.mov" && other.keys.url == "b.mov" && other != one)
    }
}
