import Foundation
import Splitreel

/// A fault of a program, in words for the person who started it.
struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

register(compositor: { InsetCompositor() }, description: InsetCompositor.description)
serveFarmIfAsked()

let programs: [(name: String, files: String, run: @Sendable ([String]) async throws -> Void)] = [
    ("join", "A B SONG FILM", join), ("match", "CLIP… FILM", match), ("fade-out", "CLIP FILM", fadeOut),
    ("background", "CLIP FILM", background), ("fade-clips", "A B FILM", fadeClips),
    ("watermark", "CLIP PICTURE FILM", watermark), ("portrait", "CLIP… FILM.mov", portrait),
    ("highlights", "A B SONG FILM", highlights), ("splice", "CLIP… SONG FILM", splice),
    ("dissolve", "CLIP… FILM", dissolve), ("dissolve-built", "CLIP… FILM", dissolveBuilt),
    ("prototype", "CLIP FILM", prototype), ("blur", "CLIP FILM", blur), ("inset", "A B FILM", inset),
    ("route", "CLIP ROUTE.jsonl FILM", route), ("sticker", "CLIP STICKER.gif ON.png OFF.png FILM", sticker),
    ("speed", "CLIP FILM", speed), ("thumbnails", "CLIP", thumbnails), ("trim", "CLIP FILM.mp4 [cancel]", trim),
    ("read", "CLIP", read), ("write", "FILM.mp4", write), ("reencode", "CLIP FILM [cancel]", reencode),
    ("cover", "CLIP SECONDS FILM", cover), ("slideshow", "PICTURE… FILM", slideshow), ("gif", "GIF FILM", gif),
    ("live-photo", "PICTURE MOVIE FILM", livePhoto),
]

let words = CommandLine.arguments.dropFirst()
guard let program = programs.first(where: { $0.name == words.first }) else {
    for program in programs { print("Programs \(program.name) \(program.files)") }
    exit(words.isEmpty ? 0 : 64)
}
let files = Array(words.dropFirst())
guard files.count >= program.files.split(separator: " ").filter({ !$0.hasPrefix("[") }).count else {
    print("Programs \(program.name) \(program.files)")
    exit(64)
}
do {
    try await program.run(files)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
