import ArgumentParser
import Composition
import Coordinator
import Diagnostics
import Files
import Foundation
import Media
import MediaTime
import Planning

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a composition from clips, one after the other.",
        discussion: """
            Every clip is shown upright and fitted into the largest clip's size, or --size; --dissolve lets neighbours \
            overlap, picture and sound; --music plays under all of it and fades out. Names of files that were given \
            relative stay so, from the composition's folder. The file is meant to be edited by hand.

              splitreel new a.mp4 b.mov --dissolve 1s --music song.m4a -o cut.json
            """)

    @Argument(help: "Media files or pictures, in order. A picture is shown for five seconds.")
    var clips: [String]

    @Option(help: "How long neighbouring clips dissolve, such as 1s.")
    var dissolve: String?

    @Option(help: "A sound file to play under the film.")
    var music: String?

    @Flag(help: "Begin the music again where it ends, to the film's end.")
    var musicLoop = false

    @Option(help: "The film's size, such as 1280x720. Default: the largest clip's.")
    var size: String?

    @Option(
        help: """
            Frames per second, such as 25 or 30000/1001. Default: the fastest clip's; a variable rate counts as the \
            nearest usual one.
            """)
    var fps: String?

    @Option(name: .shortAndLong, help: "The composition file to write.")
    var output: String

    @Flag(help: "Replace the composition file if it exists.")
    var overwrite = false

    func run() throws {
        let path = try absolutePath(output)
        try refuseReplacing(path, inputs: (clips + (music.map { [$0] } ?? [])).map(absolutePath))
        guard path.lowercased().hasSuffix(".json") else {
            throw ValidationError("a composition ends in .json; not ‘\(output)’")
        }
        try checkOutputPlace(path, overwrite: overwrite)
        var options = try cutOptions()
        let sources = try clips.map { try Clip(path: absolutePath($0), shown: shown($0, in: path)) }
        options.music = try music.map { try Clip(path: absolutePath($0), shown: shown($0, in: path)) }
        if let musicClip = options.music, musicClip.audio == nil {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "new", subject: music ?? "", reason: "it has no sound",
                hint: "name a file with sound, or leave out --music")
        }
        let builder = try CutBuilder(clips: sources, options: options)
        try replaceFile(builder.project().json.prettyBytes(lineLength: 100), at: path)
        Console.note("\(counted(clips.count, "clip")), \(builder.describedLength)")
        Console.result(output.printable)
    }

    private func cutOptions() throws -> CutOptions {
        var options = CutOptions()
        options.loopsMusic = musicLoop
        if musicLoop && music == nil { throw ValidationError("--music-loop needs --music FILE") }
        options.size = try size.map { try SizeOption.parse($0, option: "--size") }
        options.frameDuration = try fps.map { text in
            guard let duration = frameDuration(ofRate: text) else {
                throw ValidationError("--fps takes frames per second, such as 25, 30000/1001 or 29.97; not ‘\(text)’")
            }
            return duration
        }
        if let dissolve {
            guard let time = MediaTime(text: dissolve), time.isNumeric, time > .zero else {
                throw ValidationError("--dissolve takes a time such as 1s, 0.5s or 12/25; not ‘\(dissolve)’")
            }
            options.overlap = Rational(time)
        }
        return options
    }

    /// URLs in a composition are relative to its own folder where the file lies in it, or was given relative.
    private func shown(_ file: String, in composition: String) throws -> String {
        let folder = (composition as NSString).deletingLastPathComponent
        let absolute = try absolutePath(file)
        let isInside = absolute.hasPrefix(folder == "/" ? "/" : folder + "/")
        return isInside || !file.hasPrefix("/") ? relativePath(absolute, from: folder) : absolute
    }
}

/// From a folder to a file, both absolute, `..` for each step up.
package func relativePath(_ path: String, from folder: String) -> String {
    let (steps, own) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(steps, own).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: own.count - common) + steps[common...].map(String.init))
        .joined(separator: "/")
}

/// A probed file on its way into a new composition.
struct Clip {
    var path: String
    var shown: String
    var facts: AssetFacts

    init(path: String, shown: String) throws {
        self.path = path
        self.shown = shown
        facts = try probe(path: path)
    }

    var video: TrackFacts? { facts.firstTrack(of: .video) }
    var audio: TrackFacts? { facts.firstTrack(of: .audio) }

    /// Five seconds for a picture.
    var duration: Rational { facts.kind == .image ? Rational(5) : Rational(facts.duration) }

    /// The upright picture's size in display pixels.
    var uprightSize: (width: Double, height: Double)? {
        guard let video = video?.video else { return nil }
        let size = video.displaySize
        return video.rotation % 180 == 0 ? size : (size.height, size.width)
    }
}
