import Foundation
package import TestTools

/// The files that references look at: what ffprobe says of them and what ffmpeg decodes, each asked for once.
package final class ReferenceSources {
    package let witness: Witness
    private var files: [String: SourceFile] = [:]
    private var frames: [String: [Int: Planes]] = [:]
    private var lastLengths: [String: Fraction] = [:]
    /// Pictures that are small enough to keep all of a film's.
    private static let smallPixels = 1 << 14

    /// Files whose pictures ffmpeg reads, for those that it does not read itself.
    let twins: [String: String]
    /// The films that videos were made of by pull-down.
    let films: [String: String]

    /// Files that have a film's frames one after the other, where ffmpeg alone would scale some.
    let parts: [String: [String]]

    package init(
        _ witness: Witness, twins: [String: String] = [:], films: [String: String] = [:],
        parts: [String: [String]] = [:]
    ) {
        (self.witness, self.twins, self.films, self.parts) = (witness, twins, films, parts)
    }

    /// - Parameter isTimed: false is enough for facts, not for pictures.
    func file(_ path: String, isTimed: Bool = true) throws -> SourceFile {
        if let known = files[path] { return known }
        let file = try SourceFile(path, witness, isTimed: isTimed)
        files[path] = file
        return file
    }

    /// A frame, or one of those that a filter makes of the film.
    func frame(_ stream: SourceStream, _ number: Int, filter: String? = nil, count: Int) throws -> Planes {
        let key = "\(stream.index) \(filter ?? "") \(stream.path)"
        if let known = frames[key]?[number] { return known }
        let isSmall = stream.width * stream.height <= Self.smallPixels
        // Neighbours of large ones too: who looks at one may ask whether another would do.
        let wanted = Set(isSmall ? 0..<max(1, count) : max(0, number - 1)..<max(1, min(count, number + 2)))
        let decoded = try stream.frames(wanted, witness, filter: filter)
        frames[key, default: [:]].merge(decoded) { $1 }
        guard let found = decoded[number] else { throw ToolFailure("no frame \(number) of \(key)") }
        return found
    }

    /// How long the last frame of a stream lasts, by its last packet.
    func lastLength(_ stream: SourceStream) throws -> Fraction {
        if let known = lastLengths[stream.path] { return known }
        let packets = try witness.packets(stream.path, stream: "v:0")
        guard let text = packets.last?["duration_time"] as? String else {
            throw ToolFailure("ffprobe tells no length of the last frame of \(stream.path)")
        }
        let length = try Fraction(time: text)
        lastLengths[stream.path] = length
        return length
    }

    /// The files of a sequence by its pattern, or of a folder, in order.
    func sequence(_ pattern: String) throws -> [String] {
        let place = URL(fileURLWithPath: pattern)
        guard pattern.contains("%") else {
            let names = try FileManager.default.contentsOfDirectory(atPath: pattern)
            func number(_ name: String) -> Int { Int(name.filter(\.isNumber)) ?? 0 }
            return names.sorted { number($0) < number($1) }.map { pattern + "/" + $0 }
        }
        let (folder, name) = (place.deletingLastPathComponent(), place.lastPathComponent)
        let parts = name.split(separator: "%", maxSplits: 1)
        guard parts.count == 2, let letter = parts[1].firstIndex(of: "d") else {
            throw ToolFailure("\(pattern) is no pattern of a sequence")
        }
        let (before, after) = (String(parts[0]), String(parts[1][parts[1].index(after: letter)...]))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.filter { $0.hasPrefix(before) && $0.hasSuffix(after) }.sorted().map { folder.path + "/" + $0 }
    }
}
