import ArgumentParser
import Composition
import Coordinator
import Diagnostics
import Files
import Foundation
import Media
import MediaTime

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a composition from clips, one after the other.",
        discussion: """
            Every clip is shown upright and fitted into the largest clip's size; --dissolve lets neighbours overlap, \
            picture and sound; --music plays under all of it and fades out. The file is meant to be edited by hand.

              splitreel new a.mp4 b.mov --dissolve 1s --music song.m4a -o cut.json
            """)

    @Argument(help: "Media files or pictures, in order. A picture is shown for five seconds.")
    var clips: [String]

    @Option(help: "How long neighbouring clips dissolve, such as 1s.")
    var dissolve: String?

    @Option(help: "A sound file to play under the film.")
    var music: String?

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
        var overlap = MediaTime.zero
        if let dissolve {
            guard let time = MediaTime(text: dissolve), time.isNumeric, time > .zero else {
                throw ValidationError("--dissolve takes a time such as 1s, 0.5s or 12/25; not ‘\(dissolve)’")
            }
            overlap = time
        }
        let sources = try clips.map { try Clip(path: absolutePath($0), shown: relative($0, to: path)) }
        let musicClip = try music.map { try Clip(path: absolutePath($0), shown: relative($0, to: path)) }
        if let musicClip, musicClip.audio == nil {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "new", subject: music ?? "", reason: "it has no sound",
                hint: "name a file with sound, or leave out --music")
        }
        let builder = try CutBuilder(clips: sources, overlap: Rational(overlap), music: musicClip)
        let text = try builder.compositionText()
        try replaceFile(Data(text.utf8), at: path)
        Console.note("\(counted(clips.count, "clip")), \(builder.describedLength)")
        Console.result(output.printable)
    }

    /// URLs in a composition are relative to its own folder where the clip lies in it, else absolute.
    private func relative(_ clip: String, to composition: String) throws -> String {
        let folder = (composition as NSString).deletingLastPathComponent + "/"
        let absolute = try absolutePath(clip)
        return absolute.hasPrefix(folder) ? String(absolute.dropFirst(folder.count)) : absolute
    }
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
