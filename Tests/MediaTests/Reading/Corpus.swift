import Foundation
import TestTools
import Testing

/// The real media beside the repository, with what another decoder found in them.
enum Corpus {
    struct Row: Sendable, CustomStringConvertible {
        var file: String
        var category: String
        var facts: String
        /// The counts of frames and of samples that the ffmpeg command decoded of the file's default streams.
        var videoFrames: Int?
        var audioSamples: Int?
        var description: String { file }
        var path: String { Corpus.root.map { $0 + "/" + file } ?? file }
    }

    static let root = SourceTree.corpus()

    static var isThere: Bool { root != nil }
    static let absent: Comment = "the media corpus is not beside the repository"

    static func rows(_ folders: String...) -> [Row] {
        guard let root, let text = try? String(contentsOfFile: root + "/MANIFEST.tsv", encoding: .utf8) else {
            return []
        }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 7, folders.contains(where: { fields[0].hasPrefix($0 + "/") }) else { return nil }
            return Row(
                file: fields[0], category: fields[5], facts: fields[6], videoFrames: number("vframes=", in: fields[6]),
                audioSamples: number("asamples=", in: fields[6]))
        }.sorted { $0.file < $1.file }
    }

    private static func number(_ key: String, in text: String) -> Int? {
        guard let range = text.range(of: key) else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }
}

/// Runs a program and gives its standard output; nil where it is not installed or fails.
func output(of program: String, _ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
}
