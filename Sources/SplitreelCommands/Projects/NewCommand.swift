import ArgumentParser
import Authoring
import Coordinator
import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import Planning
import Preparation
import SplitreelFiles
import SplitreelProject
import Validation

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a composition from clips, one after the other.",
        discussion: """
            Every clip is shown upright and fitted into the largest clip's size, or --size: whole, with bars beside \
            it, or with --fit cover filling it. --dissolve lets neighbours overlap, picture, bars and sound; --music \
            plays under all of it and fades out. Cuts and dissolves lie on the film's frames: a clip of another rate \
            loses, or holds its last picture for, less than a frame. Names of files that were given relative stay \
            so, from the composition's folder. What `splitreel validate` would \
            remark is told. The file is meant to be edited by hand.

            Behind a film's name, @2s-5s takes the piece from 2 s to 5 s of its time, @2s- the rest and @-5s the \
            beginning; the same file may come again with other pieces. Behind a picture's name, @4s is how long it is \
            shown.

              splitreel new a.mp4 b.mov --dissolve 1s -o cut.json
              splitreel new a.mp4 b.mov --transition wipe.left -o cut.json
              splitreel new a.mp4@2s-5s b.jpg@4s a.mp4@12s- -o cut.json
              splitreel new *.mp4 --music song.m4a --music-loop -o cut.json
              splitreel new a.mp4 b.jpg --title "Trip|2026" --ken-burns -o cut.json
              splitreel new a.mp4 --watermark logo.png --subtitles a.srt -o cut.json

            Titles and the like are templates, which `splitreel templates` lists: layers of `video.animation`, to be \
            edited by hand. What is written stands in the film as it is.
            """)

    @Argument(
        help:
            "Media files or pieces (a.mp4@2s-5s), and pictures, in order. A picture is shown for 5 s, or as b.jpg@4s.",
        completion: .file())
    var clips: [String]

    @Option(help: "How long neighbouring clips dissolve, such as 1s; in whole frames.")
    var dissolve: String?

    @Option(
        help: "What neighbouring clips do instead, such as wipe.left: `splitreel effects` lists it; 1s, or --dissolve.",
        completion: .transitions)
    var transition: String?

    @Option(help: "How long the film comes out of black and goes back into it, sound too, such as 1s; in whole frames.")
    var fade: String?

    @Option(help: "A sound file to play under the film.", completion: .file())
    var music: String?

    @Flag(help: "Begin the music again where it ends, to the film's end.")
    var musicLoop = false

    @Flag(help: "The music is softer while the clips' own sound is loud.")
    var duck = false

    @Option(help: "The film's size, such as 1280x720. Default: the largest clip's; pictures do not count beside films.")
    var size: String?

    @Option(
        help: """
            How clips of another shape stand in it: contain (whole, with bars), cover (their edges cut off) or stretch.
            """, completion: .list(["contain", "cover", "stretch"]))
    var fit = "contain"

    @Option(
        help: """
            Frames per second, such as 25, 30000/1001 or 23.98 (24000/1001). Default: the fastest clip's; a variable \
            rate counts as the nearest usual one.
            """, completion: .frameRates)
    var fps: String?

    @OptionGroup(title: "Titles")
    var titles: TitleOptions

    @Option(name: .shortAndLong, help: "The composition file to write.", completion: .composition)
    var output: String

    @Flag(help: "Replace the composition file if it exists.")
    var overwrite = false

    @Flag(help: "One JSON document: the composition's path, its length, size and rate, and the remarks.")
    var json = false

    func run() throws {
        let path = try absolutePath(output)
        let arguments = try clips.map(ClipArgument.reading)
        try refuseReplacing(
            path, inputs: (arguments.map(\.file) + [music].compactMap { $0 } + titles.files).map(absolutePath))
        guard path.lowercased().hasSuffix(".json") else {
            throw ValidationError("a composition ends in .json; not ‘\(output)’")
        }
        try checkOutputPlace(path, overwrite: overwrite)
        var options = try cutOptions()
        let files = try readClips(arguments, for: path)
        options.music = files.music
        options.titles = try titles.titles(clipCount: clips.count, watermark: files.watermark) {
            try shown($0, in: path)
        }
        options.movesStills = titles.kenBurns
        let choices = (files.clips + [files.music].compactMap { $0 }).compactMap(\.soundChoice)
        for choice in choices { Console.note(choice) }
        let builder = try FilmBuilder(clips: files.clips, options: options)
        try replaceFile(try builder.project().json.prettyBytes(lineLength: 100), at: path)
        Console.note("\(counted(clips.count, "clip")), \(builder.describedLength)")
        let remarks = builder.remarks + Self.remarks(onEnds: builder)
        for remark in remarks { Console.note(remark) }
        let file = try CompositionFile(path: output)
        let problems = file.project.validate(assets: builder.facts)
        for problem in problems { Console.warning(problem.notice, in: file) }
        guard json else { return Console.result(output.printable) }
        try Console.json(
            NewReport(builder, path: path, clips: clips.count, remarks: choices + remarks, problems: problems))
    }

    /// The remarks on a size that nobody asked for, and on music that ends before the film.
    private static func remarks(onEnds builder: FilmBuilder) -> [String] {
        var remarks: [String] = []
        if let smaller = builder.smallerSize {
            let sizes = [builder.size, smaller].map { "\($0.width)x\($0.height)" }
            remarks.append("\(sizes[0]) is larger than 3840x2160: --size \(sizes[1]) makes a smaller film")
        }
        if let (music, film) = builder.earlyEndOfMusic {
            let ends = [music, film].map { String(format: "%.2f s", $0.double) }
            remarks.append("the music stops at \(ends[0]) of \(ends[1]): --music-loop begins it again")
        }
        return remarks
    }

    /// Reads the clips. All files that cannot be used are told at once: there may be many.
    private func readClips(
        _ arguments: [ClipArgument], for composition: String
    ) throws -> (clips: [Clip], music: Clip?, watermark: Clip?) {
        var faults: [(file: String, error: SplitreelError)] = []
        var known: [String: AssetFacts] = [:]
        func read(_ file: String, needing type: MediaType, _ lack: String, hint: String) throws -> Clip? {
            let clip: Clip
            do {
                let path = try absolutePath(file)
                let facts = try known[path] ?? probe(path: path)
                known[path] = facts
                clip = Clip(path: path, shown: try shown(file, in: composition), facts: facts)
            } catch let error as SplitreelError {
                faults.append((file, error))
                return nil
            }
            if clip.facts.firstTrack(of: type) != nil { return clip }
            let error = SplitreelError(
                .mediaHasNoSuchTrack, operation: "new", subject: file, reason: lack, hint: hint)
            faults.append((file, error))
            return nil
        }
        func readPiece(_ argument: ClipArgument) throws -> Clip? {
            let whole = try read(
                argument.file, needing: .video, "it has no picture", hint: "sound goes in with --music")
            guard let piece = argument.piece else { return whole }
            do {
                return try whole?.cut(to: piece)
            } catch {
                faults.append((argument.text, error.refused(argument.text)))
                return nil
            }
        }
        let found = (
            clips: try arguments.compactMap(readPiece),
            music: try music.flatMap {
                try read($0, needing: .audio, "it has no sound", hint: "name a file with sound, or leave out --music")
            },
            watermark: try titles.watermark.flatMap {
                try read($0, needing: .video, "it has no picture", hint: "--watermark takes a picture")
            }
        )
        guard let first = faults.first else { return found }
        if faults.count == 1 { throw first.error }
        let count = clips.count + [music, titles.watermark].compactMap { $0 }.count
        throw SplitreelError(
            .mediaCannotOpen, operation: "", subject: "\(faults.count) of \(counted(count, "file"))",
            reason: faults.map { "\($0.file): \($0.error.inOptions.reason)" }.joined(separator: "\n"),
            hint: "leave them out, or see `splitreel probe FILE`")
    }

    private func cutOptions() throws -> FilmOptions {
        var options = FilmOptions()
        options.loopsMusic = musicLoop
        guard let fit = Layer.Fit(rawValue: fit), fit != .asIs else {
            throw ValidationError("--fit takes contain, cover or stretch; not ‘\(fit)’")
        }
        options.fit = fit
        if duck && music == nil { throw ValidationError("--duck needs --music FILE") }
        options.ducksMusic = duck
        if musicLoop && music == nil { throw ValidationError("--music-loop needs --music FILE") }
        options.size = try size.map { try SizeOption.parse($0, option: "--size") }
        options.frameDuration = try fps.map { text in
            guard let duration = frameDuration(ofRate: text) else {
                throw ValidationError("--fps takes frames per second, such as 25, 30000/1001 or 29.97; not ‘\(text)’")
            }
            return duration
        }
        func length(_ text: String?, _ option: String) throws -> Rational? {
            guard let text else { return nil }
            guard let time = MediaTime(text: text), time.isNumeric, time > .zero else {
                throw TimeOption.refused(text, "\(option) takes a time such as 1s, 0.5s or 12/25")
            }
            return Rational(time)
        }
        options.overlap = try length(dissolve, "--dissolve") ?? .zero
        options.fade = try length(fade, "--fade") ?? .zero
        if let transition {
            options.transition = try Self.choice(transition)
            if dissolve == nil { options.overlap = Rational(1) }
        }
        return options
    }

    private static func choice(_ name: String) throws -> RegisteredChoice {
        let all = EffectRegistry.all.filter { $0.kind == .transition }
        guard let description = all.last(where: { $0.id == name }) else {
            let near = nearestName(to: name, among: all.map(\.id))
            throw ValidationError(
                "--transition takes a transition's name; not ‘\(name.printable)’. "
                    + (near.map { "Did you mean ‘\($0)’?" } ?? "‘splitreel effects’ lists them."))
        }
        let needed = description.parameters.first { $0.kind == .picture(isRequired: true) }
        if let needed {
            throw ValidationError(
                "‘\(name)’ needs an asset as its \(needed.name): write it into the composition by hand.")
        }
        var choice = RegisteredChoice()
        choice.id = name
        return choice
    }

    /// A file's name in a composition: URLs are relative to its folder where the file lies in it, or was given
    /// relative.
    private func shown(_ file: String, in composition: String) throws -> String {
        let folder = (composition as NSString).deletingLastPathComponent
        let absolute = try absolutePath(file)
        let isInside = absolute.hasPrefix(folder == "/" ? "/" : folder + "/")
        return isInside || !file.hasPrefix("/") ? relativePath(absolute, from: folder) : absolute
    }
}

extension FilmBuilder {
    /// The film's length, its size and its rate for people.
    fileprivate var describedLength: String {
        let seconds = String(format: "%.2f s", end.double)
        return "\(seconds), \(size.width)×\(size.height), \(ForPeople.rate(Rational(1) / Rational(frameDuration)))"
    }
}
