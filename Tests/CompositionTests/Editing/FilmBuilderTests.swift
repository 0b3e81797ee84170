import Authoring
import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import Testing
import Validation

/// Whole films made of clips, as `splitreel new` makes them.
@Suite("Films of clips") struct FilmBuilderTests {
    /// Two seconds of picture at 25 fps that begin after so many thousandths, and sound from 0 on that is as long.
    private static func clip(pictureAfter start: Int64) -> Clip {
        var video = VideoFacts(codedSize: PixelSize(width: 64, height: 36), pixelFormat: "yuv420p")
        video.nominalFrameRate = MediaTime(value: 25, timescale: 1)
        let length = MediaTime(value: 2, timescale: 1)
        let first = MediaTime(value: start, timescale: 1000)
        let facts = AssetFacts(
            kind: .media, path: "/a.webm", duration: MediaTime(value: 2000 + start, timescale: 1000),
            tracks: [
                TrackFacts(id: 1, type: .video, codec: "vp8", start: first, duration: length, video: video),
                TrackFacts(id: 2, type: .audio, codec: "opus", duration: length),
            ])
        return Clip(path: "/a.webm", shown: "a.webm", facts: facts)
    }

    /// The film's frames lie on the clips' own: none is shown twice and none is lost.
    @Test(arguments: [0, 7, 21, 480, 1000] as [Int64]) func clipsBeginWithTheirPicture(start: Int64) throws {
        let clips = [Self.clip(pictureAfter: start), Self.clip(pictureAfter: start)]
        let cut = try FilmBuilder(clips: clips, options: FilmOptions())
        #expect(cut.end == 4)
        let tracks = try cut.project().composition.tracks
        #expect(tracks.map(\.type) == [.video, .video, .audio, .audio])
        let sources = tracks.flatMap(\.segments).compactMap { $0.source?.exact }
        #expect(sources.count == 4)
        #expect(sources.allSatisfy { $0.start == Rational(Int(start), 1000) && $0.end - $0.start == 2 })
    }

    /// Sound that plays for longer before the first picture is meant.
    @Test func soundBeforeThePictureStays() throws {
        let cut = try FilmBuilder(clips: [Self.clip(pictureAfter: 3000)], options: FilmOptions())
        #expect(cut.end == 5)
        let sources = try cut.project().composition.tracks.flatMap(\.segments).compactMap { $0.source?.exact }
        #expect(sources.allSatisfy { $0.start == .zero && $0.end == 5 })
    }

    /// A program's own values are refused, and do not end it.
    @Test func impossibleOptionsAreRefused() {
        for duration in [MediaTime.zero, .invalid, .positiveInfinity, MediaTime(value: -1, timescale: 25)] {
            var options = FilmOptions()
            options.frameDuration = duration
            let error = #expect(throws: SplitreelError.self) {
                try FilmBuilder(clips: [Self.clip(pictureAfter: 0)], options: options)
            }
            #expect(error?.code == .frameDurationInvalid)
        }
        var options = FilmOptions()
        options.size = PixelSize(width: 0, height: 36)
        let error = #expect(throws: SplitreelError.self) {
            try FilmBuilder(clips: [Self.clip(pictureAfter: 0)], options: options)
        }
        #expect(error?.code == .sizeInvalid)
    }

    private static func picture(_ width: Int, _ height: Int) -> Clip {
        let video = VideoFacts(codedSize: PixelSize(width: width, height: height), pixelFormat: "yuvj420p")
        let track = TrackFacts(id: 1, type: .video, codec: "mjpeg", video: video)
        return Clip(path: "/b.jpg", shown: "b.jpg", facts: AssetFacts(kind: .image, path: "/b.jpg", tracks: [track]))
    }

    /// A photo of 20 million pixels beside a film has no say; alone it has.
    @Test func filmsDecideSizeAndRate() throws {
        let photo = Self.picture(5152, 3864)
        let mixed = try FilmBuilder(clips: [photo, Self.clip(pictureAfter: 0), photo], options: FilmOptions())
        #expect(mixed.size == PixelSize(width: 64, height: 36) && mixed.smallerSize == nil)
        #expect(Rational(mixed.frameDuration) == Rational(1, 25))
        let alone = try FilmBuilder(clips: [photo], options: FilmOptions())
        #expect(alone.size == PixelSize(width: 5152, height: 3864))
        // 3864 × 2160 / 3864 = 2160 and 5152 × 2160 / 3864 = 2880.
        #expect(alone.smallerSize == PixelSize(width: 2880, height: 2160))
        let upright = try FilmBuilder(clips: [Self.picture(2160, 3840)], options: FilmOptions())
        #expect(upright.smallerSize == nil)
        var asked = FilmOptions()
        asked.size = PixelSize(width: 5152, height: 3864)
        #expect(try FilmBuilder(clips: [photo], options: asked).smallerSize == nil)
    }

    /// The second and the fifth two fifths of a second of one file, and a picture between: two assets, three places.
    @Test func piecesOfOneFileFollowEachOther() throws {
        let film = Self.clip(pictureAfter: 0)
        let clips = [
            try film.cut(to: ClipPiece("0.4s-0.8s")), try Self.picture(64, 36).cut(to: ClipPiece("1.6s")),
            try film.cut(to: ClipPiece("1.6s-")),
        ]
        let cut = try FilmBuilder(clips: clips, options: FilmOptions())
        #expect(cut.end == Rational(12, 5))
        let project = try cut.project()
        #expect(project.assets.keys.sorted() == ["clip1", "clip2"])
        let segments = project.composition.tracks.flatMap(\.segments).filter { $0.asset == "clip1" }
        let sources = segments.compactMap { $0.source?.exact }.map { [$0.start, $0.end] }
        let (second, fifth) = ([Rational(2, 5), Rational(4, 5)], [Rational(8, 5), 2])
        #expect(sources == [second, fifth, second, fifth])
        #expect(segments.compactMap { $0.target.exact?.start } == [0, 2, 0, 2])
    }

    /// The times of a piece are those of a player, which begins with the first picture or a little before it.
    @Test func aPieceBeginsNoEarlierThanThePicture() throws {
        let film = Self.clip(pictureAfter: 21)
        #expect(try film.cut(to: ClipPiece("-1.021s")).beginning == Rational(21, 1000))
        #expect(try film.cut(to: ClipPiece("-1.021s")).duration == 1)
        #expect(try film.cut(to: ClipPiece("1s-")).beginning == 1)
        // 2.05 s is less than a frame after the end, at 2.021 s.
        #expect(try film.cut(to: ClipPiece("1s-2.05s")).duration == Rational(1021, 1000))
    }

    @Test(
        arguments: [
            ("3s-", "lasts 2 s"), ("1s-9s", "ends at 9 s"), ("1s", "@0s-1s"), ("2s-3s", "begins at 2 s"),
        ]) func piecesThatAreNotThereAreRefused(text: String, word: String) throws
    {
        let piece = try ClipPiece(text)
        let fault = #expect(throws: ClipPiece.Fault.self) { try Self.clip(pictureAfter: 0).cut(to: piece) }
        #expect(fault?.reason.contains(word) == true)
        let range = try ClipPiece("0s-1s")
        #expect(throws: ClipPiece.Fault.self) { try Self.picture(8, 8).cut(to: range) }
    }

    /// Clips of two seconds that dissolve for twelve frames, and twelve frames out of black and back, for the picture,
    /// the clips' sound and the music alike.
    @Test func aFilmFadesInAndOut() throws {
        let clip = Self.clip(pictureAfter: 0)
        var options = FilmOptions()
        options.overlap = Rational(12, 25)
        options.fade = Rational(12, 25)
        options.music = clip
        options.loopsMusic = true
        let cut = try FilmBuilder(clips: [clip, clip], options: options)
        let length = Rational(12, 25)
        #expect(cut.end == 4 - length)
        let project = try cut.project()
        let black = (project.video?.animation?.root.sublayers ?? []).dropFirst()
        #expect(black.map(\.id) == ["fade-in", "fade-out"])
        #expect(black.map { $0.beginTime.map { Rational($0) } } == [.zero, cut.end - length])
        #expect(black.allSatisfy { $0.duration.map { Rational($0) } == length })
        let sound = project.composition.tracks.filter { $0.type == .audio }.flatMap(\.segments)
        #expect(sound.compactMap(\.fadeIn).map { Rational($0.duration) } == [length])
        #expect(sound.first?.fadeIn != nil && sound.first?.fadeOut == nil)
        #expect(sound.compactMap(\.fadeOut).map { Rational($0.duration) } == [length])
        let music = try #require(project.audio?.inputs?.last?.volume)
        #expect(music.first?.range?.exact?.end == length && music.first?.from == 0 && music.first?.to == 0.5)
        #expect(music.last?.range?.exact?.end == cut.end && music.last?.to == 0)
    }

    /// The two tracks that the clips' sound alternates on lead together; a film without sound has none.
    @Test(arguments: [1, 2, 3]) func musicIsLoweredUnderTheClipsSound(count: Int) throws {
        let clip = Self.clip(pictureAfter: 0)
        var options = FilmOptions()
        options.music = clip
        #expect(try FilmBuilder(clips: [clip], options: options).project().audio?.inputs?.last?.taps == nil)
        options.ducksMusic = true
        options.overlap = count > 1 ? Rational(12, 25) : .zero
        let cut = try FilmBuilder(clips: Array(repeating: clip, count: count), options: options)
        let project = try cut.project()
        let music = try #require(project.audio?.inputs?.last)
        #expect(music.track == 5 && music.taps?.map(\.id) == ["duck"])
        guard case .object(let params)? = music.taps?.first?.params else {
            Issue.record("the tap has no parameters")
            return
        }
        let alone: JSONValue? = count > 1 ? nil : .integer(3)
        let both: JSONValue? = count > 1 ? .array([.integer(3), .integer(4)]) : nil
        #expect(params["track"] == alone && params["tracks"] == both)
        #expect(!project.validate(assets: cut.facts).contains { $0.path.contains("taps") })
        let silent = try FilmBuilder(clips: [Self.picture(64, 36)], options: options).project()
        #expect(silent.audio?.inputs?.last?.taps == nil)
    }

    /// The clip lasts two seconds, a frame 40 thousandths.
    @Test(arguments: [(1960, true), (1961, false), (2000, false)] as [(Int64, Bool)])
    func musicThatLacksLessThanAFrameLasts(thousandths: Int64, isTold: Bool) throws {
        let length = MediaTime(value: thousandths, timescale: 1000)
        let sound = TrackFacts(id: 1, type: .audio, codec: "pcm_s16le", duration: length)
        let facts = AssetFacts(kind: .media, path: "/m.wav", duration: length, tracks: [sound])
        var options = FilmOptions()
        options.music = Clip(path: "/m.wav", shown: "m.wav", facts: facts)
        let cut = try FilmBuilder(clips: [Self.clip(pictureAfter: 0)], options: options)
        #expect((cut.earlyEndOfMusic != nil) == isTold)
    }

    @Test func aFadeNeedsTime() throws {
        var options = FilmOptions()
        options.fade = Rational(3, 2)
        let clip = Self.clip(pictureAfter: 0)
        let alone = #expect(throws: SplitreelError.self) { try FilmBuilder(clips: [clip], options: options) }
        #expect(alone?.reason.contains("both fades need 3 s") == true)
        options.overlap = 1
        let first = #expect(throws: SplitreelError.self) { try FilmBuilder(clips: [clip, clip], options: options) }
        #expect(first?.reason.contains("dissolve need 2.5 s") == true)
    }

    /// Ten seconds are 300 frames of 1001/30000 s: 10.01 s, which nobody wrote. What only whole frames lack is told in
    /// their seconds: of 25.5 frames a clip of 51 has two, of 26 it has not.
    @Test func lengthsAreToldAsTheyWereAskedFor() throws {
        let clip = Self.clip(pictureAfter: 0)
        func error(_ change: (inout FilmOptions) -> Void) -> SplitreelError? {
            var options = FilmOptions()
            options.frameDuration = MediaTime(value: 1001, timescale: 30_000)
            change(&options)
            let made = options
            return #expect(throws: SplitreelError.self) { try FilmBuilder(clips: [clip, clip, clip], options: made) }
        }
        let long = error { $0.overlap = Rational(10) }
        #expect(long?.subject == "\(.dissolve, "10")s")
        #expect(long?.reason == "a.webm lasts 2 s, and its dissolves need 10 s")
        let faded = error { $0.fade = Rational(10) }
        #expect(faded?.subject == "\(.fade, "10")s")
        #expect(faded?.reason == "a.webm lasts 2 s, and its fade and its dissolve need 10 s")
        let close = error {
            $0.frameDuration = MediaTime(value: 2, timescale: 51)
            $0.overlap = Rational(1)
        }
        #expect(close?.reason == "a.webm lasts 2 s, and its dissolves need 2.039 s in whole frames")
    }
}
