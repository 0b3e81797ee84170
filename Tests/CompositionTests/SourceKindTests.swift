import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// The picture that a segment shows, by what the project calls its asset and by what the file is.
@Suite("Kinds of sources") struct SourceKindTests {
    private static let small = PixelSize(width: 64, height: 48)

    private static func probed(_ kind: AssetFacts.Kind) -> AssetFacts {
        var facts = kind == .image ? stillFacts(small) : filmFacts(seconds: "4s", size: small, start: "1s")
        facts.kind = kind
        return facts
    }

    private func film(_ kind: String?, source: Bool, canvas: String = "[64, 48]") throws -> Project {
        let written = kind.map { #""kind": "\#($0)", "# } ?? ""
        let range = source ? #""source": ["2s", "1s"], "# : ""
        return try project(
            assets: #""a": {\#(written)"url": "/a"}"#,
            tracks: #"{"id": 1, "type": "video", "segments": [{"asset": "a", \#(range)"target": ["0s", "1s"]}]}"#,
            #""video": {"renderSize": \#(canvas)}"#)
    }

    /// Every way to say it shows the file, or is refused; nothing is black without a word.
    @Test(
        arguments: [nil, "media", "image", "animatedImage"],
        [AssetFacts.Kind.media, .image, .animatedImage] as [AssetFacts.Kind])
    func whateverItIsCalledItIsShownOrRefused(written: String?, kind: AssetFacts.Kind) throws {
        var shown = 0
        for source in [false, true] {
            let film = try film(written, source: source)
            let facts = ["a": Self.probed(kind)]
            let errors = film.validate(assets: facts).filter { $0.severity == .error }
            if !errors.isEmpty {
                #expect(errors.allSatisfy { !$0.hint.isEmpty }, "\(errors)")
                continue
            }
            shown += 1
            let needs = try Timeline(project: film, assets: facts).recipe(at: Rational(1, 2)).needs
            // Before its start, at 1 s, there is no picture of the film.
            let start = kind == .image ? Rational.zero : Rational(1)
            let isLoop = kind == .animatedImage && written != "image" && !source
            #expect(needs.count == 1 || isLoop, "\(written ?? "-") \(kind) \(source)")
            #expect(needs.allSatisfy { $0.time >= start }, "\(written ?? "-") \(kind) \(source)")
        }
        #expect(shown > 0)
    }

    @Test func aFilmThatIsCalledAnimatedNeedsASource() throws {
        let problems = try film("animatedImage", source: false).validate(assets: ["a": Self.probed(.media)])
        #expect(problems.first?.code == .sourceMissing && problems.first?.hint.isEmpty == false)
    }

    /// Its first frame, where that begins a second after the sound.
    @Test func aFilmThatIsCalledAStillShowsItsFirstFrame() throws {
        let timeline = try Timeline(
            project: try film("image", source: false), assets: ["a": Self.probed(.media)])
        #expect(timeline.recipe(at: Rational(1, 2)).needs.map(\.time) == [Rational(1)])
        #expect(timeline.isConstant(from: .zero, to: Rational(1)))
    }

    /// The still stands upright, is large, and can be read; of the movie none is so.
    @Test func aLivePhotosStillIsNotItsMovie() throws {
        var facts = filmFacts(
            size: PixelSize(width: 640, height: 480), rotation: 90,
            transform: Affine(a: 0, b: 1, c: -1, d: 0, tx: 480, ty: 0))
        facts.tracks[0].fault = TrackFacts.Fault(.decodeFailed, "nothing comes of it")
        var still = stillFacts(PixelSize(width: 4000, height: 3000)).tracks[0]
        still.id = 3
        facts.tracks.append(still)
        facts.kind = .livePhoto
        facts.parts = [stillFacts(PixelSize(width: 4000, height: 3000)), filmFacts()]
        for track in ["", #""track": 1, "#] {
            let film = try project(
                assets: #""a": {"kind": "livePhoto", "url": "/a.jpg", "movie": "/a.mov"}"#,
                tracks: """
                    {"id": 1, "type": "video", "segments": [{"asset": "a", \(track)"target": ["0s", "1s"]}]}
                    """,
                """
                "video": {"renderSize": [64, 48], "instructions": [{"range": ["0s", "1s"], "layers": [{"track": 1,
                  "fit": "none", "crop": [{"at": "0s", "value": [2000, 2000, 64, 48]}]}]}]}
                """)
            #expect(film.validate(assets: ["a": facts]) == [])
            // Its movie does what it did.
            var moving = film
            moving.composition.tracks[0].segments[0].source = TimeRange(start: .zero, duration: time("1s"))
            let codes = Set(moving.validate(assets: ["a": facts]).map(\.code.number))
            let expected: [ErrorCode] = [.decodeFailed, .rotatedUntransformed, .cropOutsidePicture]
            #expect(codes == Set(expected.map(\.number)))
        }
    }

    /// What is said of a file's pictures is refused where there are none, as far as that is known.
    @Test(arguments: ["alpha", "range", "color"]) func picturesThatAreNoneHaveNoKeys(key: String) throws {
        let values = ["alpha": #""premultiplied""#, "range": #""full""#, "color": #"{"primaries":"ITU_R_709_2"}"#]
        let inner = #"{"format":"splitreel/1","assets":{},"composition":{"tracks":[]}}"#
        let assets = """
            "a": {"url": "a.mp4", "\(key)": \(values[key] ?? "")}, "n": {"project": \(inner)}
            """
        let film = try project(assets: assets, tracks: "")
        func found(_ project: Project, _ facts: [String: AssetFacts]?) -> [Problem] {
            project.validate(assets: facts).filter { $0.path.hasSuffix(".\(key)") }
        }
        #expect(found(film, nil) == [] && found(film, ["a": filmFacts()]) == [])
        let ofSound = found(film, ["a": soundFacts(seconds: "1/1")])
        #expect(ofSound.map(\.path) == ["assets.a.\(key)"] && ofSound.first?.message == "the file has no pictures")
        var nested = film
        nested.assets["n"]?.keys.alpha = .straight
        nested.assets["n"]?.keys.range = .limited
        nested.assets["n"]?.keys.sourceColor = SourceColour()
        let problems = found(nested, nil)
        #expect(problems.map(\.path) == ["assets.n.\(key)"] && problems.first?.severity == .error)
        #expect(problems.first?.hint == (key == "color" ? "say it in its own `video.color`" : "leave the key out"))
    }

    private func proxy(
        _ colour: ColourTriple?, lines: Int = 360, isFull: Bool = false, of original: AssetFacts, _ file: FileSettings
    ) throws -> (video: VideoFacts, facts: AssetFacts) {
        var small = filmFacts(size: PixelSize(width: 640, height: lines), colour: colour)
        small.tracks[0].video?.isFullRange = isFull
        let facts = small.standingIn(for: original, of: file)
        return (try #require(facts.tracks[0].video), facts)
    }

    @Test func aProxysOwnTagsCount() throws {
        let hlg = ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020)
        let plain = filmFacts()
        var file = FileSettings()
        // Nothing is said: as each is tagged.
        #expect(try proxy(.bt709, of: plain, file).video.overrides == nil)
        #expect(try proxy(nil, of: plain, file).video.overrides == nil)
        // It has no tags: the original's.
        #expect(try proxy(nil, of: filmFacts(colour: hlg), file).video.colour == hlg)
        file.overrides = ColourOverrides(transfer: .pq, isFullRange: true)
        // Tagged as the original is, or both not at all: what is said of the one is said of the other.
        #expect(try proxy(hlg, of: filmFacts(colour: hlg), file).video.colour?.transfer == .pq)
        #expect(try proxy(nil, of: plain, file).video.colour?.transfer == .pq)
        #expect(try proxy(nil, of: filmFacts(colour: hlg), file).video.colour?.transfer == .pq)
        #expect(try proxy(nil, of: plain, file).video.isFullRange)
        // Tagged otherwise: it was converted, and says so.
        #expect(try proxy(.bt709, of: filmFacts(colour: hlg), file).video.colour == .bt709)
        var full = filmFacts()
        full.tracks[0].video?.isFullRange = true
        file.overrides?.isFullRange = false
        #expect(try proxy(nil, isFull: true, of: full, file).video.isFullRange == false)
        #expect(try proxy(nil, isFull: false, of: full, file).video.overrides?.isFullRange == nil)
    }

    @Test func aProxysMatrixIsGuessedByTheOriginalsLines() {
        #expect(filmFacts(size: PixelSize(width: 1280, height: 720)).tracks[0].video?.matrixForProxy == .bt709)
        #expect(filmFacts(size: PixelSize(width: 720, height: 576)).tracks[0].video?.matrixForProxy == .bt601)
        #expect(stillFacts(PixelSize(width: 1280, height: 720)).tracks[0].video?.matrixForProxy == nil)
    }

    @Test func aProxyIsDeinterlacedAsItsOriginal() throws {
        let original = filmFacts(interlaced: true)
        var file = FileSettings()
        #expect(try proxy(nil, of: original, file).facts.deinterlacing == nil)
        file.deinterlace = .together
        #expect(try proxy(nil, of: original, file).facts.deinterlacing?.order == .together)
        (file.deinterlace, file.fieldRate) = (.top, true)
        // With the original's lines it has its fields; with fewer it can only say so itself.
        let same = try proxy(nil, lines: 720, of: original, file).facts
        #expect(same.deinterlacing?.order == .top && same.deinterlacing?.showsFields == true)
        let fewer = try proxy(nil, of: original, file).facts
        #expect(fewer.deinterlacing?.order == .auto && fewer.deinterlacing?.showsFields == true)
    }

    /// What an asset says of fields is about a live photo's movie, and not about its still.
    @Test func aLivePhotosMovieIsDeinterlaced() throws {
        let (still, movie) = (stillFacts(PixelSize(width: 640, height: 480)), filmFacts(rate: "25/1", interlaced: true))
        var photo = movie
        (photo.kind, photo.parts) = (.livePhoto, [still, movie])
        var track = try #require(still.firstTrack(of: .video))
        track.id = 3
        photo.tracks.append(track)
        var file = FileSettings()
        #expect(photo.shown(as: file).deinterlacing(of: photo.tracks[0])?.order == .auto)
        (file.deinterlace, file.fieldRate) = (.bottom, true)
        let shown = photo.shown(as: file)
        #expect(shown.parts?[1].deinterlacing?.order == .bottom && shown.parts?[0].deinterlacing == nil)
        #expect(shown.tracks[0].video?.nominalFrameRate == time("50/1"))
        #expect(shown.deinterlacing(of: shown.tracks[0])?.showsFields == true)
        #expect(shown.deinterlacing(of: shown.tracks[2]) == nil)
    }

    /// Four of five frames of 29.97 and 30; of pull-down that its times tell of the rate that they tell.
    @Test func filmHasItsOwnRate() throws {
        var file = FileSettings()
        file.deinterlace = .pulldown
        for (rate, film) in [("30000/1001", "24000/1001"), ("30/1", "24/1"), ("25/1", "25/1"), ("60/1", "60/1")] {
            let video = filmFacts(rate: rate).shown(as: file).tracks[0].video
            #expect(video?.nominalFrameRate.map { Rational($0) } == Rational(time(film)), "\(rate)")
            #expect((video?.filmRate == nil) == (rate == film))
        }
        var flagged = filmFacts(rate: "2387/100", variable: true)
        flagged.tracks[0].video?.filmRate = time("24000/1001")
        let video = flagged.shown(as: file).tracks[0].video
        #expect(video?.nominalFrameRate == time("24000/1001") && video?.isVariableFrameRate == false)
        (file.deinterlace, file.fieldRate) = (.pulldown, true)
        #expect(filmFacts().shown(as: file).deinterlacing?.showsFields == false)
    }
}
